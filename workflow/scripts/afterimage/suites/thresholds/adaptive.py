"""Thresholds from adaptively chosen questions, from grades to the table."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from afterimage.contract.adaptive import Adaptive, Level, Placed, Reported
from afterimage.showing.tables.columns import Number, Text, where_known, whole
from afterimage.showing.tables.declaration import Settings, Table
from afterimage.statistics.quest_plus import (
    Estimate,
    Observers,
    estimate,
    threshold_observers,
)
from afterimage.suites.thresholds.steps import Steps
from afterimage.suites.thresholds.tables import FLAT, NO_ANSWERS

#: An estimate is reported only where answers are independent of the image with at most this probability.
MAX_BLIND = 0.05
#: The row of a model's curves together.
ALL = "all"
_COLUMNS = (
    *("model", "prompt", "curve", "n", "unparsed_k"),
    *("no_estimate", "estimate", "estimate_low", "estimate_high", "curves", "found"),
)


def reported(
    found: Estimate,
    limits: tuple[float, float] = (-np.inf, np.inf),
    beyond: tuple[str, str] = ("", ""),
    written: Callable[[float], float] = float,
) -> Reported:
    """Return the table's entry for an estimate; a bound at a limit means at least as far as that.

    Args:
        found: The estimate.
        limits: The smallest and the largest difference shown, in the table's unit.
        beyond: Words for an estimate below and above these.
        written: Converts from the observers' unit to the table's.
    """
    if found.blind > MAX_BLIND:
        return Reported(FLAT, *(np.nan,) * 3)
    low, high = np.clip((written(found.low), written(found.high)), *limits)
    bounds = (float(low), float(high)) if high > low else (np.nan, np.nan)
    value = written(found.median)
    reason = beyond[0] if value < limits[0] else beyond[1] if value > limits[1] else ""
    return Reported(reason, np.nan if reason else value, *bounds)


def adaptive_of_sides(
    steps: Steps, placed: Callable[[Mapping[str, Any]], Placed | None], sought: str, note: str
) -> Adaptive:
    """Return the adaptive procedure for thresholds on an axis of doublings, where one of two sides is right."""
    return Adaptive(
        placed, partial(_side_observers, steps), partial(_steps_report, steps), sought, note
    )


def _side_observers(steps: Steps, levels: Sequence[Level], answers: int) -> Observers:
    # A third answer says that there is nothing.
    return threshold_observers(signed(levels), forced=answers == 2, least=1 / steps.count)


def _steps_report(steps: Steps, found: Estimate) -> Reported:
    return reported(found, (steps.least, steps.at(1)), (steps.below, steps.above), steps.at)


def adaptive_thresholds(title: str, adaptive: Adaptive) -> Table:
    """Declare the table of a suite's adaptively measured thresholds; the study names it."""
    return Table(
        "adaptive",
        title,
        rows=partial(_rows, adaptive),
        csv=_COLUMNS,
        columns=(
            Text("Curve", "curve"),
            Text("Model", "model"),
            Text("Prompt", "prompt", if_several=True),
            whole("Trials", "n"),
            whole("Unread", "unparsed_k"),
            where_known(
                Number(
                    adaptive.sought,
                    *("estimate", "estimate_low", "estimate_high"),
                    decimals=2,
                    optional=True,
                )
            ),
            Text("None because", "no_estimate", optional=True),
            where_known(Number("Curves with\none, %", "found", decimals=0, optional=True)),
        ),
        notes=(
            "Adaptive: each question was chosen by the answers before it (QUEST+), so that shares of right answers say "
            "nothing and are not shown, and the suite's other tables and charts are not made.",
            f"{adaptive.note} Median of the posterior with its {{coverage}} credible interval. "
            f"None: {FLAT} (answers depend on what is shown with less than 95 % probability), {NO_ANSWERS}, or beyond "
            "what was shown.",
            "Unread answers are trials that say nothing.",
        ),
    )


def _rows(adaptive: Adaptive, grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    placed = [adaptive.placed(row) for row in grades.to_dict("records")]
    known = grades.assign(curve=[None if item is None else item.curve for item in placed])
    known["placed"] = pd.Series(placed, index=known.index, dtype=object)
    rows = []
    for (prompt, model), group in known[known["curve"].notna()].groupby(
        ["prompt", "model"], sort=False
    ):
        names = {"model": model, "prompt": prompt}
        curve_rows = [
            {**names, "curve": curve, **_row(adaptive, answers, settings)}
            for curve, answers in group.groupby("curve", sort=False)
        ]
        found = sum(not row["no_estimate"] for row in curve_rows)
        summed = {name: sum(row[name] for row in curve_rows) for name in ("n", "unparsed_k")}
        total = {"curves": len(curve_rows), "found": 100 * found / len(curve_rows)}
        rows += [*curve_rows, {**names, "curve": ALL, **summed, **total}]
    return pd.DataFrame(rows, columns=list(_COLUMNS))


def _row(adaptive: Adaptive, answers: pd.DataFrame, settings: Settings) -> Mapping[str, Any]:
    counts = {
        "n": len(answers),
        "unparsed_k": int(answers["answer"].isna().sum()),
    }
    placed: list[Placed] = list(answers["placed"])
    given = [
        (placement.level, placement.answers.index(answer))
        for placement, answer in zip(placed, answers["answer"], strict=True)
        if answer in placement.answers
    ]
    result = Reported(NO_ANSWERS, np.nan, np.nan, np.nan)
    if given:
        levels = sorted({level for level, _ in given})
        observers = adaptive.observers(levels, len(placed[0].answers))
        trials = [(levels.index(level), answer) for level, answer in given]
        result = adaptive.reported(estimate(observers, trials, settings["confidence"]))
    names = ("no_estimate", "estimate", "estimate_low", "estimate_high")
    return {**counts, **dict(zip(names, result, strict=True))}


def signed(levels: Iterable[Any]) -> np.ndarray:
    return np.array(list(levels), dtype=float)
