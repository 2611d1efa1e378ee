"""POPE on probabilities of yes: ROC curves and their areas."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from afterimage.showing.study.charts import draw_unit_square
from afterimage.showing.study.graded import COVERED, MEANING, scored_answers
from afterimage.showing.tables.bounds import statistic_bounds
from afterimage.showing.tables.columns import Number, Share, Text, whole
from afterimage.showing.tables.declaration import By, Settings, Table
from afterimage.showing.tables.values import Given, Group, Worked
from afterimage.showing.tables.weighted import SHOWN, SHOWN_WORDS, counts_of_graded
from afterimage.statistics.detection import detection, roc_area
from afterimage.suites.thresholds.tables import COUNTS

# POPE on probabilities of yes: the ROC curve's area, and F1 at another threshold than the model's own.
#
# Rows are grouped by variant, data set, prompt, model, what was shown, and strategy.

YES, NO = "yes", "no"
#: The row of all strategies.
ALL = "all"
_AREA = ("area", "area_low", "area_high")
_F1 = ("f1_read", "f1_read_low", "f1_read_high", "f1_half", "f1_half_low", "f1_half_high")
_YES = ("yes_read", "yes_mean", "threshold")


def of_yes(grades: pd.DataFrame, settings: Settings | None = None) -> pd.DataFrame:
    """Return the answers that were asked for probabilities, with ``p_yes``; NaN if there is none."""
    chosen = scored_answers(grades)
    if "strategy" not in chosen:
        return chosen.iloc[:0].assign(strategy=None, p_yes=None)
    shares = chosen["option_probabilities"]
    return chosen.assign(
        p_yes=[dict(each).get(YES, math.nan) if _is_known(each) else math.nan for each in shares]
    )


def _is_known(shares: object) -> bool:
    return isinstance(shares, dict | list)


def known(answers: pd.DataFrame) -> pd.DataFrame:
    """Return the answers of which the probability of yes is known."""
    return answers[answers["p_yes"].notna()]


def by_shown(
    answers: pd.DataFrame, settings: Settings
) -> Iterator[tuple[dict[str, object], pd.DataFrame]]:
    """Group answers by what was shown and by strategy; all strategies together come last."""
    for shown in SHOWN.values():
        of_shown = answers[answers["shown"] == shown]
        for strategy in dict.fromkeys(of_shown["strategy"]):
            group = of_shown[of_shown["strategy"] == strategy]
            yield {"shown": shown, "strategy": strategy}, group
        if of_shown["strategy"].nunique() > 1:
            yield {"shown": shown, "strategy": ALL}, of_shown


def _area(group: Group) -> tuple[float, ...]:
    answers = known(group.answers)
    confidence = group.settings["confidence"]
    return roc_area(
        answers["p_yes"], answers["key"] == YES, list(answers["stimulus_id"]), confidence
    )


def half_threshold(answers: pd.DataFrame) -> float:
    """Return the probability of yes above which half of the answers lie."""
    return float(answers["p_yes"].median()) if len(answers) else math.nan


def _f1(group: Group) -> tuple[float, ...]:
    """Return F1 in percent, with bounds, as read and at the threshold where half of the answers are yes."""
    answers = known(group.answers)
    if answers.empty:
        return (math.nan,) * len(_F1)
    values: list[float] = []
    present = (answers["key"] == YES).to_numpy()
    for decision in (answers["answer"] == YES, answers["p_yes"] > half_threshold(answers)):
        yes = decision.to_numpy(bool)
        counts = np.stack([yes & present, yes ^ present], axis=1).astype(float)
        total = counts.sum(axis=0, keepdims=True)
        bounds = statistic_bounds(counts, list(answers["stimulus_id"]), _f1_of, group.settings)
        values += [100 * float(_f1_of(total)[0, 0]), 100 * float(bounds.low[0])]
        values.append(100 * float(bounds.high[0]))
    return tuple(values)


def _f1_of(sums: np.ndarray) -> np.ndarray:
    hits, mistakes = sums[..., 0], sums[..., 1]
    whole_ = 2 * hits + mistakes
    shares: np.ndarray = np.divide(
        2 * hits, whole_, out=np.full_like(whole_, np.nan), where=whole_ > 0
    )
    return shares[..., None]


def _yes_shares(group: Group) -> tuple[float, ...]:
    answers = known(group.answers)
    read = answers[answers["answer"].notna()]
    share = 100 * float((read["answer"] == YES).mean()) if len(read) else math.nan
    mean = 100 * float(answers["p_yes"].mean()) if len(answers) else math.nan
    return share, mean, half_threshold(answers)


def _detected(group: Group) -> tuple[float, float]:
    """Return d' and criterion of the mean probabilities of yes, log-linearly corrected: no word is read for them."""
    answers = known(group.answers)
    present, absent = (answers[answers["key"] == key]["p_yes"] for key in (YES, NO))
    if present.empty or absent.empty:
        return math.nan, math.nan
    result = detection(present.sum(), len(present), absent.sum(), len(absent))
    return float(result.sensitivity), float(result.bias)


POPE_ROC = Table(
    "pope_roc",
    "POPE: yes and no by their probabilities",
    of=of_yes,
    rows=(By(("variant", "dataset", "prompt")), By("model"), by_shown),
    csv=(
        *("variant", "dataset", "prompt", "model", "shown", "strategy"),
        Worked(COUNTS, lambda group: tuple(counts_of_graded(group.answers).values()), "whole"),
        Worked(_AREA, _area),
        Worked(_YES, _yes_shares),
        Worked(_F1, _f1),
        Worked(("d_prime", "criterion"), _detected),
    ),
    columns=(
        *(Text("Model", "model"), Text("Prompt", "prompt", if_several=True)),
        *(Text("Shown", "shown", SHOWN_WORDS), Text("Strategy", "strategy")),
        Number("ROC area", *_AREA, decimals=3),
        Number("F1, read", *_F1[:3]),
        Number("F1 where\nyes is half", *_F1[3:]),
        *(Number("Yes,\nread", "yes_read"), Number("Yes,\nmean", "yes_mean")),
        Number("Threshold", "threshold", decimals=3),
        *(Number("d'", "d_prime", decimals=2), Number("Criterion", "criterion", decimals=2)),
        *(whole("No\nprobabilities", "no_scores_k"), whole("Too little\nmass", "no_mass_k")),
        whole("n", "n"),
    ),
    notes=(
        MEANING,
        COVERED,
        "ROC area: share of yes-no pairs of questions in which the one whose answer is yes has the "
        "greater probability of yes; {coverage} interval by DeLong's method for clustered answers "
        "(images).",
        "Threshold: the probability of yes above which half of the answers lie; F1 there, beside F1 "
        "as read of the same answers, with {coverage} of {resamples} resamples of whole images. It "
        "is fitted to these answers, so it shows what the threshold costs and is not the model's "
        "score.",
        "d' and criterion: of the mean probabilities of yes where it is right and where it is wrong, "
        "log-linearly corrected; no word is read for them. The criterion is below 0 if yes is said "
        "readily.",
    ),
    empty=("no answer has a probability of yes",),
    split_by="Model",
)


# The points of POPE's ROC curves: rates of yes above thresholds on its probability.

#: Points of a curve at most; of more answers, quantiles of their probabilities are the thresholds.
_POINTS = 40
_COUNTS = ("hit_k", "present_n", "false_alarm_k", "absent_n")


def _points(
    group: pd.DataFrame, settings: Settings
) -> Iterator[tuple[dict[str, object], pd.DataFrame]]:
    answers = known(group)
    present = (answers["key"] == YES).to_numpy()
    scores = answers["p_yes"].to_numpy(float)
    levels = np.unique(scores)
    if len(levels) > _POINTS:
        levels = np.unique(np.quantile(scores, np.linspace(0, 1, _POINTS), method="lower"))
    for level in levels[::-1]:
        yes = scores >= level
        counts = (yes & present).sum(), present.sum(), (yes & ~present).sum(), (~present).sum()
        yield (
            {"threshold": float(level), **dict(zip(_COUNTS, map(int, counts), strict=True))},
            answers,
        )


POPE_ROC_CURVE = Table(
    "pope_roc_curve",
    "POPE: points of the ROC curves",
    of=of_yes,
    rows=(By(("variant", "dataset", "prompt")), By("model"), by_shown, _points),
    csv=(
        *("variant", "dataset", "prompt", "model", "shown", "strategy"),
        Given("threshold", "number"),
        *map(Given, _COUNTS),
    ),
    columns=(
        *(Text("Model", "model"), Text("Prompt", "prompt", if_several=True)),
        *(Text("Shown", "shown", SHOWN_WORDS), Text("Strategy", "strategy")),
        Number("Threshold", "threshold", decimals=4),
        Share("Hits", "hit_k", "present_n"),
        Share("False alarms", "false_alarm_k", "absent_n"),
    ),
    notes=(
        MEANING,
        "Yes is what has at least this probability of yes. Hits: share of yes where yes is right; false alarms: share "
        "of yes where no is right.",
    ),
    empty=("no answer has a probability of yes",),
    csv_formats={"threshold": "%.9g"},
)


# POPE's ROC curves: hits over false alarms at every threshold on the probability of yes.


def draw(tables: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw the curves of all strategies together; of several variants and data sets the first."""
    frame = tables["pope_roc_curve"]
    if len(frame):
        first = frame.iloc[0]
        for name in ("variant", "dataset"):
            frame = frame[frame[name] == first[name]]
        whole = frame[frame["strategy"] == ALL]
        frame = whole if len(whole) else frame[frame["strategy"] == first["strategy"]]
    return draw_unit_square(frame, _curve, "false alarms", "hits")


def _curve(axes: Axes, points: pd.DataFrame, look: Mapping[str, Any]) -> Artist:
    alarms, hits = (
        np.concatenate([[0.0], points[k].to_numpy(float) / points[n].to_numpy(float)])
        for k, n in (("false_alarm_k", "absent_n"), ("hit_k", "present_n"))
    )
    (drawn,) = axes.plot(alarms, hits, markersize=3, linewidth=1.1, **look)
    return drawn
