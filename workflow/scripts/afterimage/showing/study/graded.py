"""Graded answers: the tables ``graded_<suite>`` and ``calibration_<suite>`` of suites with models that are scored.

One row per prompt, model and what was shown: the suite's own images, white ones, none. ``n`` answers were asked for
probabilities; ``no_scores_k`` of them came without, ``no_mass_k`` have too little probability on the options
(``grading/probabilities.py``); all other columns are about the rest, ``graded_n``.
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

#: Lower limit of a probability in the log score, since servers' lists of alternatives are cut off.
MIN_PROBABILITY = 1e-4
#: The note on what a probability is, below every table and chart.
MEANING = (
    "A probability is the model's own, for the token (or text) with which it would answer, among the options; it is no "
    "statement of the model about how sure it is (docs/graded.md)."
)
#: The note on answers that are in no mean.
COVERED = (
    "No probabilities: answers that came without any, or with what cannot be used. Too little mass: the options took "
    "less than half of the first tokens' probability, or more than 0.05 of it went to words with which several options "
    "begin. Both are counted and are in no other number (docs/graded.md)."
)
_EMPTY = ("no answer has probabilities of options",)


def scored_answers(grades: pd.DataFrame, settings: Settings | None = None) -> pd.DataFrame:
    """Return the answers that were asked for probabilities, with scores of these.

    Args:
        grades: Graded answers, factors as columns, with those to probes; in any order.

    Returns:
        The answers with ``shown``; ``own_item``, the item from which a probe was made; ``p_key``, the key's
        probability; ``p_most`` and ``likeliest``, the greatest probability and its option; ``brier`` and ``log_score``.
        NaN or None if there are no probabilities.
    """
    chosen = of_scored(grades)
    chosen["own_item"] = [
        item if probe is None else probed_id(item, probe)
        for item, probe in zip(chosen["item_id"], chosen["probe"], strict=True)
    ]
    scores = [
        _probability_scores(shares, key)
        for shares, key in zip(chosen["option_probabilities"], chosen["key"], strict=True)
    ]
    names = ("p_key", "p_most", "likeliest", "brier", "log_score")
    columns = dict(zip(names, zip(*scores, strict=True), strict=True)) if scores else {}
    for name in names:
        kind = object if name == "likeliest" else float
        chosen[name] = pd.Series(columns.get(name, ()), index=chosen.index, dtype=kind)
    chosen["likeliest_right"] = chosen["likeliest"] == chosen["key"]
    return chosen


def _probability_scores(shares: object, key: str) -> tuple[float, float, str | None, float, float]:
    if not isinstance(shares, dict | list) or not len(shares):
        return math.nan, math.nan, None, math.nan, math.nan
    known = dict(shares)
    p_key = known.get(key, 0.0)
    # Of equally likely options, the first that was offered.
    likeliest = max(known, key=lambda name: known[name])
    brier = sum((share - (name == key)) ** 2 for name, share in known.items())
    return p_key, known[likeliest], likeliest, brier, math.log(max(p_key, MIN_PROBABILITY))


def graded(answers: pd.DataFrame) -> pd.DataFrame:
    return answers[answers["p_key"].notna()]


def _mean(column: str, group: Group, top: float | None = 1.0) -> tuple[float, float, float]:
    answers = graded(group.answers)
    if answers.empty:
        return (math.nan,) * 3
    values, clusters = answers[column].astype(float), answers["stimulus_id"]
    if top is None:
        return mean_bounds(values, clusters, group.settings)
    return float(values.mean()), *score_bounds(values, clusters, group.settings, top)


def _likeliest(group: Group) -> tuple[int, float, float, float]:
    answers = graded(group.answers)
    right = answers["likeliest_right"].astype(bool)
    share = 100 * float(right.mean()) if len(answers) else math.nan
    return int(right.sum()), share, *share_bounds(right, answers["stimulus_id"], group.settings)


def _agreeing(group: Group) -> tuple[int, int]:
    answers = graded(group.answers)
    read = answers[answers["answer"].notna()]
    return len(read), int((read["answer"] == read["likeliest"]).sum())


def _calibration(group: Group) -> tuple[float, float, float]:
    answers = graded(group.answers)
    if answers.empty:
        return (math.nan,) * 3
    sums = _bin_sums(answers)
    error = float(error_of(squared_error(sums.sum(axis=0))))
    bounds = statistic_bounds(
        sums.reshape(len(sums), -1),
        list(answers["stimulus_id"]),
        lambda totals: squared_error(totals.reshape(len(totals), -1, 3), times=2)[:, None],
        group.settings,
    )
    return error, float(error_of(bounds.low[0])), float(error_of(bounds.high[0]))


def _bin_sums(answers: pd.DataFrame) -> np.ndarray:
    """Return each answer's count, probability and correctness in its bin, shape (answers, bins, 3)."""
    bins = equal_mass(answers["p_most"])
    sums = np.zeros((len(answers), bins.max() + 1, 3))
    right = answers["likeliest_right"].to_numpy(float)
    sums[np.arange(len(answers)), bins] = np.stack(
        [np.ones(len(answers)), answers["p_most"], right], 1
    )
    return sums


def _gain_by_image(group: Group) -> tuple[float, float, float, float]:
    """Return how much more probable the key is with the image than as shown here, over the items with both."""
    if group.row["shown"] == IMAGE:
        return (math.nan,) * 4
    shown = graded(group.answers)
    with_image = graded(group.above)
    with_image = with_image[with_image["shown"] == IMAGE]
    both = shown.merge(with_image, on=["own_item", "repeat"], suffixes=("", "_image"))
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
    Count("graded_n", lambda answers: answers["p_key"].notna()),
)


def _by_shown(
    answers: pd.DataFrame, settings: Settings
) -> Iterator[tuple[dict[str, object], pd.DataFrame]]:
    """Split answers by what was shown, without parts that have no answers."""
    for shown in SHOWN.values():
        part = answers[answers["shown"] == shown]
        if len(part):
            yield {"shown": shown}, part


GRADED = Table(
    "graded",
    "{title}: probabilities of the options",
    of=scored_answers,
    rows=(By(("prompt", "model")), _by_shown),
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
        Worked(("surer_n", "surer", "surer_low", "surer_high"), _gain_by_image),
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
        "Surer with the image: the key's probability with the image minus that of the same question "
        "as shown in this row, over the questions that have both (surer_n in the CSV).",
        interval_note("images, each with all questions about it"),
        "Log score, calibration error and surer: {coverage} of {resamples} resamples of whole images.",
        "Who says each of k options with 1/k has that as key's probability, and a Brier score of 1 - 1/k.",
    ),
)


# ---- calibration ----


def _bins(
    answers: pd.DataFrame, settings: Settings
) -> Iterator[tuple[dict[str, object], pd.DataFrame]]:
    known = graded(answers)
    bins = equal_mass(known["p_most"]) if len(known) else np.zeros(0, int)
    for number in np.unique(bins):
        yield {"bin": int(number) + 1}, known[bins == number]


CALIBRATION = Table(
    "calibration",
    "{title}: how often the likeliest option is right, by its probability",
    of=scored_answers,
    rows=(By(("prompt", "model")), _by_shown, _bins),
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
