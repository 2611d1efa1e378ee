"""Accuracy by distance, the control of each task, and the accuracy of one hop.

``correct_k`` of ``n`` answers to images of the task are right, ``control_k`` of ``control_n`` to those of its control.
Rows with the level ``all`` have the accuracy of a single hop (``per_hop``) and the smallest displacement that is
detected (``threshold``).
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from afterimage.showing.tables.accuracy import UNPARSED
from afterimage.showing.tables.baselines import (
    BASELINE_NOTE,
    BASELINES,
    accuracy_beside_baselines,
    answerer,
    beaten_by_position,
    measured,
)
from afterimage.showing.tables.bounds import interval_note, jackknife_bounds, with_width
from afterimage.showing.tables.columns import Number, Share, Text, where_known
from afterimage.showing.tables.declaration import By, Settings, Table
from afterimage.showing.tables.values import Group, Worked
from afterimage.statistics.chains import MIN_SHARE, log_share_per_step
from afterimage.suites.thresholds.steps import Steps
from afterimage.suites.thresholds.tables import BOUNDED, Curve, curves, threshold_columns
from afterimage.suites.tunnel_vision.tasks import CONTROL, DISPLACEMENTS, NONE, SIDES, TASK

#: The rows over all levels.
ALL = "all"
_PER_HOP = ("per_hop", "per_hop_low", "per_hop_high")
#: The axis of displacements; left is the first side.
STEPS = Steps(DISPLACEMENTS[0], len(DISPLACEMENTS), "px")


def _levels(
    answers: pd.DataFrame, settings: Settings
) -> Iterator[tuple[dict[str, str], pd.DataFrame]]:
    """Split the answers of each task by level, then yield all of them; controls are only in ``Group.above``."""
    tasks = answers[answers["context"] == TASK]
    for task in dict.fromkeys(tasks["figure"]):
        of_task = tasks[tasks["figure"] == task]
        for level in sorted(of_task["level"].unique(), key=int):
            yield {"task": task, "level": level}, of_task[of_task["level"] == level]
        yield {"task": task, "level": ALL}, of_task


def _controls(group: Group) -> tuple[int, int]:
    controls = _task_answers(group)
    controls = controls[controls["context"] == CONTROL]
    if group.row["level"] != ALL:
        controls = controls[controls["level"] == group.row["level"]]
    return len(controls), int(controls["correct"].sum())


def _task_answers(group: Group) -> pd.DataFrame:
    return group.above[group.above["figure"] == group.row["task"]]


def _per_hop(group: Group) -> tuple[float, ...]:
    """Return the share of right hops in percent and its bounds, by the jackknife over boards on the scale of logs."""
    if not _is_whole(group, "follow"):
        return (np.nan,) * 3
    answers = _task_answers(group)
    boards = answers["group"].unique()
    value = _log_per_hop(answers)
    without = [_log_per_hop(answers[answers["group"] != board]) for board in boards]
    bounds = jackknife_bounds(value, np.array(without), group.settings)
    within = np.clip(bounds, np.log(MIN_SHARE), 0)
    return tuple(100 * np.exp([value, *with_width(*within)]))


def _log_per_hop(answers: pd.DataFrame) -> float:
    followed, controls = (answers[answers["context"] == context] for context in (TASK, CONTROL))
    if not len(controls):
        return np.nan
    counts = followed.groupby("level")["correct"].agg(["sum", "size"])
    hops = counts.index.astype(int)
    return log_share_per_step(hops, counts["sum"], counts["size"], controls["correct"].mean())


def _is_whole(group: Group, task: str) -> bool:
    return bool(group.row["task"] == task and group.row["level"] == ALL)


def _curves(group: Group) -> dict[str, Curve]:
    """Return the curve of left and right over displacements, as condition ``all``; exact copies are at 0."""
    answers = group.above
    steps = {"0": 0, **{str(by): step for step, by in enumerate(DISPLACEMENTS, start=1)}}
    offers_none = any(NONE in offered for offered in answers["offered"])
    options = SIDES[0], NONE if offers_none else None, SIDES[1]
    answers = answers[(answers["figure"] == "same_object") & answers["answer"].isin([*SIDES, NONE])]
    answers = answers.assign(
        condition=ALL, level=answers["level"].map(steps), replicate=answers["group"]
    )
    return curves(answers, [ALL] if len(answers) else [], options, STEPS, group.settings)


def _not_fitted(group: Group) -> str | None:
    return None if _is_whole(group, "same_object") else ""


def _control_share(group: Group) -> tuple[Any]:
    n = group.row["control_n"]
    return (100 * group.row["control_k"] / n if n else np.nan,)


TUNNEL_VISION = Table(
    "tunnel_vision",
    "Tunnel vision: how far is sight carried?",
    rows=(By("prompt"), By("model", references=BASELINES), _levels),
    csv=(
        *("kind", "model", "prompt", "task", "level"),
        *accuracy_beside_baselines(),
        *measured(
            Worked(("control_n", "control_k"), _controls, kind="whole"),
            Worked(("control",), _control_share),
            Worked(_PER_HOP, _per_hop),
            *threshold_columns(_curves, lambda row: row["level"], STEPS, _not_fitted),
        ),
        "answer",
    ),
    columns=(
        Text("Task", "task"),
        Text("Prompt", "prompt", if_several=True),
        Text("Level", "level", numeric=True),
        answerer(),
        Share("Accuracy", "correct_k", low="low", high="high", value="accuracy"),
        where_known(Number("Control", "control", decimals=1)),
        where_known(Number("Right per\nhop, %", *_PER_HOP, decimals=1, optional=True)),
        where_known(Number("Threshold, px", *BOUNDED, decimals=1, optional=True)),
        Text("No threshold", "no_threshold", optional=True),
        *UNPARSED,
    ),
    notes=(
        "Percent (right / answers); an answer that could not be read counts as wrong.",
        interval_note("images"),
        "Level: hops of the chain (follow), crossings of the asked wire (trace), displacement in px (same_object). "
        "Control, percent right: the same boards without labels, which is luck; the asked wire alone; two true copies.",
        "Right per hop: a of accuracy = g + (1 - g) a^hops by maximum likelihood, g being that luck; {coverage} "
        "intervals by the jackknife over boards on the scale of log a; 1: never above guessing.",
        "Threshold: displacement at which three of four sides are named correctly, excluding lapses, with its "
        "{coverage} interval (jackknife over four groups of images). No threshold: flat (the slope's interval does not "
        f"exclude it), inverted, {STEPS.below} or {STEPS.above} (beyond what was shown), or no answers.",
        BASELINE_NOTE,
    ),
    findings=(beaten_by_position(same=("prompt", "task", "level")),),
    split_by="Task",
)
