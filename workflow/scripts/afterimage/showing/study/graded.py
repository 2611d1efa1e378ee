"""Graded answers: the tables ``graded_<suite>`` and ``calibration_<suite>`` that suites have where a model is scored.

Rows are parted by prompt, model and what was shown: the suite's own images, white ones, none. ``n`` answers were asked
for probabilities; ``no_scores_k`` of them came without, ``no_mass_k`` have probabilities that say too little of the
options (``grading/probabilities.py``); the rest, ``graded_n``, is what everything else is about.
"""

import math
from collections.abc import Iterator
from functools import partial

import numpy as np
import pandas as pd

from afterimage.contract.probes import probed_id
from afterimage.showing.tables.bounds import (
    interval_note,
    mean_bounds,
    score_bounds,
    share_bounds,
    statistic_bounds,
)
from afterimage.showing.tables.columns import Number, Share, Text, where_known, whole
from afterimage.showing.tables.declaration import By, Settings, Table
from afterimage.showing.tables.values import Count, Distinct, Group, Worked, answers
from afterimage.showing.tables.weighted import IMAGE, SHOWN, SHOWN_WORDS, of_scored
from afterimage.statistics.detection import equal_mass, error_of, squared_error

#: Below, a probability counts as this in the log score: lists of alternatives are cut off.
MIN_PROBABILITY = 1e-4
#: What a probability here is, below every table and chart.
MEANING = (
    "A probability is the model's own, for the token (or text) with which it would answer, among the options; it is no "
    "statement of the model about how sure it is (docs/graded.md)."
)
#: Why an answer is in no mean.
COVERED = (
    "No probabilities: answers that came without any, or with what cannot be used. Too little mass: the options took "
    "less than half of the first tokens' probability, or more than 0.05 of it went to words with which several options "
    "begin. Both are counted and are in no other number (docs/graded.md)."
)
_EMPTY = ("no answer has probabilities of options",)


def asked_for_scores(grades: pd.DataFrame, settings: Settings | None = None) -> pd.DataFrame:
    """Return the answers that were asked for probabilities, with what these say of each.

    Args:
        grades: Graded answers, factors as columns, with those to probes; in any order.

    Returns:
        They, with ``shown``; ``own_item``, the item that a probe was made from; ``p_key``, the key's probability;
        ``p_most`` and ``likeliest``, the greatest probability and its option; ``brier`` and ``log_score``. NaN or None
        where there are none.
    """
    chosen = of_scored(grades)
    chosen["own_item"] = [
        item if one is None else probed_id(item, one)
        for item, one in zip(chosen["item_id"], chosen["probe"], strict=True)
    ]
    said = [
        _said(shares, key)
        for shares, key in zip(chosen["option_probabilities"], chosen["key"], strict=True)
    ]
    names = ("p_key", "p_most", "likeliest", "brier", "log_score")
    columns = dict(zip(names, zip(*said, strict=True), strict=True)) if said else {}
    for name in names:
        kind = object if name == "likeliest" else float
        chosen[name] = pd.Series(columns.get(name, ()), index=chosen.index, dtype=kind)
    chosen["likeliest_right"] = chosen["likeliest"] == chosen["key"]
    return chosen


def _said(shares: object, key: str) -> tuple[float, float, str | None, float, float]:
    if not isinstance(shares, dict | list) or not len(shares):
        return math.nan, math.nan, None, math.nan, math.nan
    known = dict(shares)
    own = known.get(key, 0.0)
    # Of equal ones the first that was offered.
    likeliest = max(known, key=lambda name: known[name])
    brier = sum((share - (name == key)) ** 2 for name, share in known.items())
    return own, known[likeliest], likeliest, brier, math.log(max(own, MIN_PROBABILITY))


def graded(answers: pd.DataFrame) -> pd.DataFrame:
    return answers[answers["p_key"].notna()]


def _mean(column: str, group: Group, top: float | None = 1.0) -> tuple[float, float, float]:
    own = graded(group.answers)
    if own.empty:
        return (math.nan,) * 3
    values, clusters = own[column].astype(float), own["stimulus_id"]
    if top is None:
        return mean_bounds(values, clusters, group.settings)
    return float(values.mean()), *score_bounds(values, clusters, group.settings, top)


def _likeliest(group: Group) -> tuple[int, float, float, float]:
    own = graded(group.answers)
    right = own["likeliest_right"].astype(bool)
    share = 100 * float(right.mean()) if len(own) else math.nan
    return int(right.sum()), share, *share_bounds(right, own["stimulus_id"], group.settings)


def _agreeing(group: Group) -> tuple[int, int]:
    own = graded(group.answers)
    read = own[own["answer"].notna()]
    return len(read), int((read["answer"] == read["likeliest"]).sum())


def _calibration(group: Group) -> tuple[float, float, float]:
    own = graded(group.answers)
    if own.empty:
        return (math.nan,) * 3
    sums = _of_bins(own)
    error = float(error_of(squared_error(sums.sum(axis=0))))
    bounds = statistic_bounds(
        sums.reshape(len(sums), -1),
        list(own["stimulus_id"]),
        lambda totals: squared_error(totals.reshape(len(totals), -1, 3), times=2)[:, None],
        group.settings,
    )
    return error, float(error_of(bounds.low[0])), float(error_of(bounds.high[0]))


def _of_bins(own: pd.DataFrame) -> np.ndarray:
    """Return what each answer counts in each bin, shape (answers, bins, 3)."""
    place = equal_mass(own["p_most"])
    sums = np.zeros((len(own), place.max() + 1, 3))
    right = own["likeliest_right"].to_numpy(float)
    sums[np.arange(len(own)), place] = np.stack([np.ones(len(own)), own["p_most"], right], 1)
    return sums


def _surer(group: Group) -> tuple[float, float, float, float]:
    """Return how much more the key gets with the image than as shown here, over the items that have both."""
    if group.row["shown"] == IMAGE:
        return (math.nan,) * 4
    mine = graded(group.answers)
    others = graded(group.above)
    others = others[others["shown"] == IMAGE]
    both = mine.merge(others, on=["own_item", "repeat"], suffixes=("", "_image"))
    if both.empty:
        return (0, *(math.nan,) * 3)
    gains = both["p_key_image"] - both["p_key"]
    return len(both), *mean_bounds(gains, both["stimulus_id"], group.settings)


def _lacking(answers: pd.DataFrame) -> pd.Series:
    return answers["mass"].isna()


def _too_little(answers: pd.DataFrame) -> pd.Series:
    return answers["mass"].notna() & answers["p_key"].isna()


_COUNTS = (
    answers(),
    Distinct("images", "stimulus_id"),
    Count("no_scores_k", _lacking),
    Count("no_mass_k", _too_little),
    Count("graded_n", lambda own: own["p_key"].notna()),
)


def _existing(
    own: pd.DataFrame, settings: Settings
) -> Iterator[tuple[dict[str, object], pd.DataFrame]]:
    """Make no row of what was not asked."""
    for shown in SHOWN.values():
        part = own[own["shown"] == shown]
        if len(part):
            yield {"shown": shown}, part


GRADED = Table(
    "graded",
    "{title}: probabilities of the options",
    of=asked_for_scores,
    rows=(By(("prompt", "model")), _existing),
    csv=(
        *("prompt", "model", "shown"),
        *_COUNTS,
        Worked(("mass",), lambda group: (float(group.answers["mass"].mean()),)),
        Worked(("p_key", "p_key_low", "p_key_high"), partial(_mean, "p_key")),
        Worked(("brier", "brier_low", "brier_high"), partial(_mean, "brier", top=2.0)),
        Worked(
            ("log_score", "log_score_low", "log_score_high"),
            partial(_mean, "log_score", top=None),
        ),
        Worked(("likeliest_k",), lambda group: _likeliest(group)[:1], "whole"),
        Worked(
            ("likeliest", "likeliest_low", "likeliest_high"), lambda group: _likeliest(group)[1:]
        ),
        Worked(("read_n", "as_read_k"), _agreeing, "whole"),
        Worked(("error", "error_low", "error_high"), _calibration),
        Worked(("surer_n", "surer", "surer_low", "surer_high"), _surer),
    ),
    columns=(
        Text("Prompt", "prompt", if_several=True),
        Text("Model", "model"),
        Text("Shown", "shown", SHOWN_WORDS),
        Number("Key's\nprobability", "p_key", "p_key_low", "p_key_high", decimals=3),
        Share(
            *("Likeliest\noption right", "likeliest_k", "graded_n"),
            *("likeliest_low", "likeliest_high"),
        ),
        Share("Likeliest as\nwas read", "as_read_k", "read_n"),
        Number("Brier", "brier", "brier_low", "brier_high", decimals=3),
        Number("Log score", "log_score", "log_score_low", "log_score_high", decimals=2),
        Number("Calibration\nerror", "error", "error_low", "error_high", decimals=3),
        where_known(
            Number("Surer with\nthe image", "surer", "surer_low", "surer_high", decimals=3)
        ),
        Number("Mass", "mass", decimals=3),
        *(whole("No\nprobabilities", "no_scores_k"), whole("Too little\nmass", "no_mass_k")),
        whole("n", "n"),
    ),
    empty=_EMPTY,
    notes=(
        MEANING,
        COVERED,
        "Brier: sum over the options of the squared distance from 1 for the key and 0 for the others, 0 to 2; less is "
        "better. Log score: natural logarithm of the key's probability, at least ln 0.0001.",
        "Calibration error: root of the mean squared gap between the likeliest option's probability and how often it "
        "is right, in ten bins of equally many answers, what chance adds taken off.",
        "Surer with the image: the key's probability with the image less that of the same question as shown in this "
        "row, over the questions that have both (surer_n in the CSV).",
        interval_note("images, each with all questions about it"),
        "Log score, calibration error and surer: {coverage} of {resamples} resamples of whole images.",
        "Who says each of k options with 1/k has that as key's probability, and a Brier score of 1 - 1/k.",
    ),
)


# ---- calibration ----


def _bins(
    own: pd.DataFrame, settings: Settings
) -> Iterator[tuple[dict[str, object], pd.DataFrame]]:
    known = graded(own)
    place = equal_mass(known["p_most"]) if len(known) else np.zeros(0, int)
    for number in np.unique(place):
        yield {"bin": int(number) + 1}, known[place == number]


CALIBRATION = Table(
    "calibration",
    "{title}: how often the likeliest option is right, by its probability",
    of=asked_for_scores,
    rows=(By(("prompt", "model")), _existing, _bins),
    csv=(
        *("prompt", "model", "shown", "bin"),
        *(answers(), Distinct("images", "stimulus_id")),
        Worked(("p_most",), lambda group: (float(group.answers["p_most"].mean()),)),
        Worked(("likeliest_k",), lambda group: _likeliest(group)[:1], "whole"),
        Worked(
            ("likeliest", "likeliest_low", "likeliest_high"), lambda group: _likeliest(group)[1:]
        ),
    ),
    columns=(
        Text("Model", "model"),
        Text("Prompt", "prompt", if_several=True),
        Text("Shown", "shown", SHOWN_WORDS),
        whole("Bin", "bin"),
        Number("Probability", "p_most", decimals=3),
        Share("Right", "likeliest_k", "n", "likeliest_low", "likeliest_high"),
    ),
    empty=_EMPTY,
    notes=(
        MEANING,
        "Bins hold equally many answers, by the probability of the likeliest option; equal probabilities share one.",
        interval_note("images, each with all questions about it"),
    ),
)
