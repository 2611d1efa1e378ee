"""Columns of a table of thresholds: the fitted curve of each row, its threshold, or why there is none."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from afterimage.files.csv_rows import read_rows
from afterimage.showing.values import Group, Kind, Together, Value, Worked
from afterimage.suites.thresholds.curves import UNKNOWN, Curve, shape
from afterimage.suites.thresholds.steps import Steps

#: Why a condition has no threshold, beside its shape and what was shown.
NO_ANSWERS = "no answers"
BOUNDED = ("threshold", "threshold_low", "threshold_high")


def threshold_columns(
    fit: Callable[[Group], Mapping[str, Curve]],
    condition: Callable[[Mapping], str],
    steps: Steps,
    not_fitted: Callable[[Group], str | None] = lambda group: None,
) -> tuple[Value, ...]:
    """Return the curve of each row, ``no_threshold`` and the threshold with its bounds.

    Args:
        fit: Returns the curves of a model and prompt, condition to curve, from a group of any of their rows.
        condition: Returns the condition of a row.
        steps: What levels stand for.
        not_fitted: Says why a group has no curve, with an empty text where no word is needed; None where it has one.
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
    condition: Callable[[Mapping], str]
    names: tuple[str, ...] = Curve._fields
    kind: Kind = "number"

    def of_all(self, groups: Sequence[Group]) -> Sequence[tuple[Any, ...]]:
        """Return the curve of every row."""
        fits: dict[tuple[str, str], Mapping[str, Curve]] = {}
        found = []
        for group in groups:
            asked = str(group.row["model"]), str(group.row["prompt"])
            if asked not in fits:
                fits[asked] = self.fit(group)
            found.append(fits[asked].get(self.condition(group.row), UNKNOWN))
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
    """Return threshold with bounds; bounds at the least or the most that was shown read: at least that far.

    An estimate beyond what was shown has bounds, too: they say how far within it the threshold might lie.
    """
    reason = group.row["no_threshold"]
    if reason not in ("", steps.below, steps.above):
        return (np.nan,) * 3
    ends = [steps.threshold(group.row[name]) for name in ("slope_high", "slope_low")]
    low, high = np.clip(ends, steps.least, steps.at(1))
    if not high > low:
        # Replicates that all agree say nothing of others.
        low = high = np.nan
    return np.nan if reason else steps.threshold(group.row["slope"]), low, high


def left_columns(share: str, least: float, of_row: Callable[[Mapping, Mapping], bool]) -> Worked:
    """Return what share of the differences a model's own image processor leaves, and the threshold in what it leaves.

    Of models that run here, from ``seen_by_<model>.csv``: the median over images. The second column is
    ``threshold_left``.

    Args:
        share: The first column's name.
        least: Differences from which on rounding to bytes no longer matters.
        of_row: Whether a measured image counts for a row of the table.
    """
    return Worked((share, "threshold_left"), partial(_left, least, of_row))


def _left(
    least: float, of_row: Callable[[Mapping, Mapping], bool], group: Group
) -> tuple[float, float]:
    file = group.settings.get("read", {}).get(group.row["model"])
    shares = [
        float(seen["measured"]) / float(seen["shown"])
        for seen in (read_rows(file) if file else ())
        if of_row(seen, group.row) and seen.get("measured") and float(seen["shown"]) >= least
    ]
    share = float(np.median(shares)) if shares else np.nan
    return share, share * group.row["threshold"]
