"""Psychometric curves over signed differences, one per condition with a common lapse rate, and their columns.

The axis is that of ``thresholds/steps.py``; the fit is that of the illusions (``statistics/ordinal.py``), with
conditions instead of strengths. Slopes have bounds by the jackknife over replicates.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from afterimage.files.csv_rows import read_rows
from afterimage.showing.study.graded import COVERED, MEANING
from afterimage.showing.tables.bounds import jackknife_bounds, with_width
from afterimage.showing.tables.columns import Number, Row, Text, whole
from afterimage.showing.tables.declaration import Settings, Table, TableNote
from afterimage.showing.tables.values import Group, Kind, Together, Value, Worked
from afterimage.showing.tables.weighted import (
    SHOWN_WORDS,
    by_probability,
    counts_of_graded,
    of_scored,
    weights_of,
)
from afterimage.statistics.ordinal import (
    FLAT_SLOPE,
    OrdinalFit,
    bounded_slope,
    fit_ordinal,
    slope_of,
)
from afterimage.suites.thresholds.steps import Steps

#: From this share of answers for one side on, a flat curve has a side bias.
_ONE_SIDED = 0.9

#: Why a curve has no threshold, whatever was shown.
INVERTED, FLAT = "inverted", "flat"


class Curve(NamedTuple):
    """A curve of one condition; NaN if nothing was read.

    Attributes:
        slope: 1 / sigma, per unit of t.
        slope_low: Lower bound.
        slope_high: Upper bound.
        side_bias: The t at which both sides are named equally often, -1 to 1; negative where the first is named
            readily. For a flat curve -1 or 1 where nearly all answers are one side, else NaN.
        criterion: Half the width of the range of t in which answers say that nothing is there, as a difference; NaN for
            a flat curve.
        lapse: Share of answers that do not depend on the image.
    """

    slope: float
    slope_low: float
    slope_high: float
    side_bias: float
    criterion: float
    lapse: float


#: The curve of conditions without any readable answer.
UNKNOWN = Curve(*[float("nan")] * 6)


def curves(
    answers: pd.DataFrame,
    conditions: list[str],
    options: tuple[str, str | None, str],
    steps: Steps,
    settings: Settings,
) -> dict[str, Curve]:
    """Fit the curves of one model and prompt: condition to curve.

    Args:
        answers: ``condition``, ``level`` (a whole number), ``side``, ``replicate`` and ``answer``, one of ``options``.
        conditions: In order; there are answers about each.
        options: The first side, the answer that there is nothing (None if that is not offered), the second side.
        steps: The differences of the levels.
        settings: "confidence".
    """
    if not conditions:
        return {}
    forced = options[1] is None
    condition_index, signed, counts = _counted(answers, conditions, options, steps)
    fit = fit_ordinal(condition_index, signed, counts.sum(axis=0), forced)
    replicates = len(counts)
    # Scaled to the full number of answers, so that the penalty has the same weight as in the whole fit.
    scale = replicates / max(replicates - 1, 1)
    without = np.array(
        [
            bounded_slope(
                fit_ordinal(
                    condition_index,
                    signed,
                    (counts.sum(axis=0) - replicate_counts) * scale,
                    forced,
                    start=fit,
                ).slope
            )
            for replicate_counts in counts
        ]
    )
    return {
        name: _curve(
            fit, number, without[:, number], counts[:, condition_index == number], steps, settings
        )
        for number, name in enumerate(conditions)
    }


def _counted(
    answers: pd.DataFrame, conditions: list[str], options: tuple[str, str | None, str], steps: Steps
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return condition index and t of each cell, and counts of shape (replicates, cells, 3)."""
    replicates = sorted(answers["replicate"].unique())
    counts = np.zeros((len(replicates), len(conditions), 2 * steps.count + 1, len(options)))
    # Images without a difference have no side, and level 0.
    sign = answers["side"].map({options[0]: 1, options[2]: -1}).fillna(0)
    axes = (
        answers["replicate"].map(replicates.index),
        answers["condition"].map(conditions.index),
        steps.count + sign * answers["level"].astype(int),
        answers["answer"].map(options.index),
    )
    np.add.at(
        counts,
        tuple(axis.to_numpy(int) for axis in axes),
        weights_of(answers),
    )
    condition_index, step = np.nonzero(counts.any(axis=(0, 3)))
    return condition_index, (step - steps.count) / steps.count, counts[:, condition_index, step]


def shape(slope: float, low: float, high: float) -> str:
    """Return ``flat``, ``inverted``, or an empty text where a slope's interval is above the slopes of flat curves."""
    if high < -FLAT_SLOPE and slope < -FLAT_SLOPE:
        return INVERTED
    # An undefined bound does not exclude a flat curve.
    return "" if low > FLAT_SLOPE and slope > FLAT_SLOPE else FLAT


def _curve(
    fit: OrdinalFit,
    number: int,
    without: np.ndarray,
    counts: np.ndarray,
    steps: Steps,
    settings: Settings,
) -> Curve:
    slope = float(fit.slope[number])
    bounds = np.array(jackknife_bounds(float(bounded_slope(slope)), without, settings))
    low, high = (float(bound) for bound in slope_of(bounds))
    # The slope of an observer without noise is beyond the steepest slope that an interval can have.
    low, high = min(low, slope), max(high, slope)
    side_bias = criterion = float("nan")
    if shape(slope, low, high) != FLAT:
        side_bias = float(np.clip(fit.equality[number], -1, 1))
        if not fit.forced:
            criterion = steps.at(float(fit.neutral_criterion[number]))
    else:
        first, _, second = counts.sum(axis=(0, 1)) / counts.sum()
        if max(first, second) >= _ONE_SIDED:
            side_bias = 1.0 if second > first else -1.0
    return Curve(slope, *with_width(low, high), side_bias, criterion, fit.lapse)


# ---- columns ----

#: A further reason why a condition has no threshold.
NO_ANSWERS = "no answers"
BOUNDED = ("threshold", "threshold_low", "threshold_high")


def threshold_columns(
    fit: Callable[[Group], Mapping[str, Curve]],
    condition: Callable[[Row], str],
    steps: Steps,
    not_fitted: Callable[[Group], str | None] = lambda group: None,
) -> tuple[Value, ...]:
    """Return the curve of each row, ``no_threshold`` and the threshold with its bounds.

    Args:
        fit: Returns the curves of a model and prompt, condition to curve, from a group of any of their rows.
        condition: Returns the condition of a row.
        steps: The differences of the levels.
        not_fitted: Says why a group has no curve, with an empty text where no word is needed; None if it has one.
    """
    return (
        _Fitted(fit, condition),
        Worked(("no_threshold",), partial(_reason, steps, not_fitted), kind="text"),
        Worked(BOUNDED, partial(_threshold, steps)),
    )


@dataclass(frozen=True)
class _Fitted(Together):
    """The curve of each row; rows of one model and prompt are fitted together."""

    fit: Callable[[Group], Mapping[str, Curve]]
    condition: Callable[[Row], str]
    names: tuple[str, ...] = Curve._fields
    kind: Kind = "number"

    def of_all(self, groups: Sequence[Group]) -> Sequence[tuple[Any, ...]]:
        fits: dict[tuple[str, str], Mapping[str, Curve]] = {}
        found = []
        for group in groups:
            key = str(group.row["model"]), str(group.row["prompt"])
            if key not in fits:
                fits[key] = self.fit(group)
            found.append(fits[key].get(self.condition(group.row), UNKNOWN))
        return found


def _reason(steps: Steps, not_fitted: Callable[[Group], str | None], group: Group) -> tuple[str]:
    """Return why there is no threshold; an empty text where there is one."""
    if (reason := not_fitted(group)) is not None:
        return (reason,)
    slope, low, high = (group.row[name] for name in ("slope", "slope_low", "slope_high"))
    if np.isnan(slope):
        return (NO_ANSWERS,)
    if np.isnan(low):
        # All replicates agree.
        low = high = slope
    if shaped := shape(slope, low, high):
        return (shaped,)
    value = steps.threshold(slope)
    if value < steps.least:
        return (steps.below,)
    return (steps.above if value > steps.at(1) else "",)


def _threshold(steps: Steps, group: Group) -> tuple[float, ...]:
    """Return the threshold with bounds; a bound at the smallest or largest difference means at least as far as that.

    An estimate outside the range shown has bounds, too: they say how far inside it the threshold might be.
    """
    reason = group.row["no_threshold"]
    if reason not in ("", steps.below, steps.above):
        return (np.nan,) * 3
    ends = [steps.threshold(group.row[name]) for name in ("slope_high", "slope_low")]
    low, high = np.clip(ends, steps.least, steps.at(1))
    if not high > low:
        # Replicates that all agree say nothing about other replicates.
        low = high = np.nan
    return np.nan if reason else steps.threshold(group.row["slope"]), low, high


def threshold_result(curve: Curve, steps: Steps) -> tuple[str, float, float, float]:
    """Return why a curve has no threshold (empty if it has one), the threshold, and its bounds."""
    nothing = pd.DataFrame()
    group = Group(nothing, dict(curve._asdict()), nothing, {})
    (reason,) = _reason(steps, lambda group: None, group)
    group = group._replace(row={**group.row, "no_threshold": reason})
    value, low, high = _threshold(steps, group)
    return reason, value, low, high


def preserved_columns(
    share: str, minimum: float, of_row: Callable[[Mapping[str, str], Row], bool]
) -> Worked:
    """Return the share of differences that a model's image processor preserves, and the threshold times this share.

    For models that run here, from ``seen_by_<model>.csv``: the median over images. The second column is
    ``threshold_left``.

    Args:
        share: The first column's name.
        minimum: Smallest difference that is measured; smaller ones suffer from rounding to bytes.
        of_row: Whether a measured image belongs to a row of the table.
    """
    return Worked((share, "threshold_left"), partial(_preserved, minimum, of_row))


def _preserved(
    minimum: float, of_row: Callable[[Mapping[str, str], Row], bool], group: Group
) -> tuple[float, float]:
    file = group.settings.get("read", {}).get(group.row["model"])
    shares = [
        float(seen["measured"]) / float(seen["shown"])
        for seen in (read_rows(file) if file else ())
        if of_row(seen, group.row) and seen.get("measured") and float(seen["shown"]) >= minimum
    ]
    share = float(np.median(shares)) if shares else np.nan
    return share, share * group.row["threshold"]


#: Suffixes of columns from readings and of those from probabilities.
READ, GRADED = "read", "graded"
COUNTS = ("n", "no_scores_k", "no_mass_k", "graded_n")
#: Notes of every table with numbers from readings and from probabilities.
NOTES: tuple[TableNote, ...] = (
    MEANING,
    "Read: from what was read of the replies. On probabilities: each answer counts for each option with its "
    "probability, one answer for as much as many drawn ones.",
    COVERED,
    "A white image, no image: the same questions with nothing to see, where the study asks them (probes).",
)
#: The column that says what was shown, where a study shows more than images.
SHOWN_COLUMN = Text("Shown", "shown", SHOWN_WORDS, if_several=True)

_GROUP = ("prompt", "model", "shown")

Curves = Callable[[pd.DataFrame, Settings], dict[str, Curve]]


def graded_thresholds(
    name: str,
    title: str,
    condition: tuple[str, str],
    fitted: Curves,
    steps: Steps,
    chosen: Callable[[pd.DataFrame], pd.DataFrame] = lambda answers: answers,
) -> Table:
    """Declare the table of a suite's thresholds on probabilities.

    Args:
        name: Of its files.
        title: For readers.
        condition: Header and column of conditions, which have a curve each.
        fitted: Returns the curves of answers of one model and prompt, condition to curve.
        steps: The differences of the levels.
        chosen: Chooses the answers to which curves are fitted.
    """
    header, column = condition
    numbers = [
        (
            Number(f"{words},\n{steps.unit}", *_bounded_columns(way)),
            Text("No threshold", f"no_threshold_{way}"),
        )
        for way, words in ((READ, "Threshold, read"), (GRADED, "Threshold, on probabilities"))
    ]
    return Table(
        name,
        title,
        rows=partial(_rows, column, fitted, steps, chosen),
        csv=_columns(column),
        columns=(
            *(Text("Model", "model"), Text("Prompt", "prompt", if_several=True)),
            *(Text(header, column), SHOWN_COLUMN),
            *(column for pair in numbers for column in pair),
            *(whole("No\nprobabilities", "no_scores_k"), whole("Too little\nmass", "no_mass_k")),
            whole("n", "n"),
        ),
        notes=(
            *NOTES,
            "Threshold: difference at which three of four sides are named correctly, excluding lapses, "
            "with its {coverage} interval (jackknife over replicates).",
        ),
        empty=("no answer about sides has probabilities",),
    )


def _bounded_columns(way: str) -> tuple[str, str, str]:
    value, low, high = BOUNDED
    return f"{value}_{way}", f"{low}_{way}", f"{high}_{way}"


def _columns(column: str) -> tuple[str, ...]:
    ways = (
        name for way in (READ, GRADED) for name in (*_bounded_columns(way), f"no_threshold_{way}")
    )
    return ("prompt", "model", column, "shown", *COUNTS, *ways)


def _rows(
    column: str,
    fitted: Curves,
    steps: Steps,
    chosen: Callable[[pd.DataFrame], pd.DataFrame],
    grades: pd.DataFrame,
    settings: Settings,
) -> pd.DataFrame:
    rows = []
    scored = chosen(of_scored(grades))
    for names, answers in scored.groupby(list(_GROUP), sort=False):
        found = {
            READ: fitted(answers, settings),
            GRADED: fitted(by_probability(answers), settings),
        }
        for name in found[READ] | found[GRADED]:
            row = dict(zip(_GROUP, names, strict=True)) | {column: name}
            row |= counts_of_graded(answers)
            for way, curves in found.items():
                reason, *bounded = threshold_result(curves.get(name, UNKNOWN), steps)
                row |= {
                    f"no_threshold_{way}": reason,
                    **dict(zip(_bounded_columns(way), bounded, strict=True)),
                }
            rows.append(row)
    return pd.DataFrame(rows, columns=list(_columns(column)))
