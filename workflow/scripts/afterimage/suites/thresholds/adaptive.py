"""Thresholds of answers to questions that were chosen one after the other: from grades to their table."""

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

#: How likely it may be that answers do not depend on what is shown, and a number is told all the same.
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
    """Return what the table says of an estimate; bounds at the least or the most that was shown: at least that far.

    Args:
        found: The estimate.
        limits: The least and the most that was shown, as the table has it.
        beyond: Words for an estimate below and above these.
        written: From what observers have to what the table has.
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
    """Return how thresholds on an axis of doublings are asked for, where one of two sides is right."""
    return Adaptive(
        placed, partial(_of_sides, steps), partial(_reported_of_steps, steps), sought, note
    )


def _of_sides(steps: Steps, levels: Sequence[Level], answers: int) -> Observers:
    # A third answer says that there is nothing.
    return threshold_observers(signed(levels), forced=answers == 2, least=1 / steps.count)


def _reported_of_steps(steps: Steps, found: Estimate) -> Reported:
    return reported(found, (steps.least, steps.at(1)), (steps.below, steps.above), steps.at)


def adaptive_thresholds(title: str, adaptive: Adaptive) -> Table:
    """Declare the table of a suite's thresholds that were asked for adaptively; its name is the study's to give."""
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
    known = grades.assign(curve=[None if one is None else one.curve for one in placed])
    known["placed"] = pd.Series(placed, index=known.index, dtype=object)
    rows = []
    for (prompt, model), own in known[known["curve"].notna()].groupby(
        ["prompt", "model"], sort=False
    ):
        named = {"model": model, "prompt": prompt}
        told_rows = [
            {**named, "curve": curve, **_row(adaptive, answers, settings)}
            for curve, answers in own.groupby("curve", sort=False)
        ]
        found = sum(not row["no_estimate"] for row in told_rows)
        summed = {name: sum(row[name] for row in told_rows) for name in ("n", "unparsed_k")}
        total = {"curves": len(told_rows), "found": 100 * found / len(told_rows)}
        rows += [*told_rows, {**named, "curve": ALL, **summed, **total}]
    return pd.DataFrame(rows, columns=list(_COLUMNS))


def _row(adaptive: Adaptive, answers: pd.DataFrame, settings: Settings) -> Mapping[str, Any]:
    counts = {
        "n": len(answers),
        "unparsed_k": int(answers["answer"].isna().sum()),
    }
    placed: list[Placed] = list(answers["placed"])
    given = [
        (one.level, one.answers.index(answer))
        for one, answer in zip(placed, answers["answer"], strict=True)
        if answer in one.answers
    ]
    said = Reported(NO_ANSWERS, np.nan, np.nan, np.nan)
    if given:
        levels = sorted({level for level, _ in given})
        observers = adaptive.observers(levels, len(placed[0].answers))
        trials = [(levels.index(level), answer) for level, answer in given]
        said = adaptive.reported(estimate(observers, trials, settings["confidence"]))
    names = ("no_estimate", "estimate", "estimate_low", "estimate_high")
    return {**counts, **dict(zip(names, said, strict=True))}


def signed(levels: Iterable[Any]) -> np.ndarray:
    return np.array(list(levels), dtype=float)
