"""Thresholds of hidden digits: how different dots must be in colour, sharp and blurred.

``right_k`` of ``n`` answers about images with a difference are right, ``guess_k`` of ``guess_n`` about images without
one would be. ``slope`` and the threshold are fitted; ``no_threshold`` says why there is none. ``blur_gain`` compares
each blurred image with the same one sharp. ``difference_left`` is what a model's own image processor leaves of the
colours of single dots, which blurred images do not have.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from afterimage.contract.adaptive import Placed
from afterimage.note import Note
from afterimage.showing.tables.accuracy import UNPARSED
from afterimage.showing.tables.baselines import (
    BASELINE_NOTE,
    BASELINES,
    accuracy_beside_baselines,
    answerer,
    beaten_by_position,
    measured,
)
from afterimage.showing.tables.bounds import interval_note, matched
from afterimage.showing.tables.columns import Number, Row, Share, Text, where_known
from afterimage.showing.tables.declaration import By, Settings, Table
from afterimage.showing.tables.values import Group, Worked
from afterimage.suites.hidden_digits.design import AXES, BLURRED, BLURS, SHARP, SIDES, STEPS
from afterimage.suites.thresholds import tables
from afterimage.suites.thresholds.adaptive import adaptive_of_sides, adaptive_thresholds
from afterimage.suites.thresholds.people_table import people_table, threshold_of
from afterimage.suites.thresholds.tables import (
    BOUNDED,
    NO_ANSWERS,
    Curve,
    graded_thresholds,
    preserved_columns,
    threshold_columns,
)


def condition(axis: str, blur: str) -> str:
    """Return the name of a condition; each has its own curve."""
    return f"{axis} {blur}"


def curves(answers: pd.DataFrame, settings: Settings) -> dict[str, tables.Curve]:
    """Fit the curves of one model and prompt, condition to curve, with bounds over the eight plates.

    Args:
        answers: Graded, factors as columns: ``axis``, ``blur``, ``level``, ``side``, ``replicate``, ``answer``; unread
            ones are left out. At level 0 there is no side that is right.
        settings: "confidence".
    """
    read = answers[answers["answer"].isin(SIDES)]
    trials = read.assign(condition=read["axis"].str.cat(read["blur"], sep=" "))
    known = {*trials["condition"]}
    conditions = [
        name for axis in AXES for blur in BLURS if (name := condition(axis, blur)) in known
    ]
    return tables.curves(trials, conditions, (SIDES[0], None, SIDES[1]), STEPS, settings)


# ---- hidden digits ----

#: The preserved difference is measured where rounding to bytes no longer matters: from this CIEDE2000 on.
_FROM = 8.0
_GAIN = ("blur_gain", "blur_gain_low", "blur_gain_high")


def _conditions(
    answers: pd.DataFrame, settings: Settings
) -> Iterator[tuple[dict[str, str], pd.DataFrame]]:
    """Split the answers about images with a difference by axis and blur; the others are only in ``Group.above``."""
    for axis in AXES:
        for blur in BLURS:
            of_condition = answers[(answers["axis"] == axis) & (answers["blur"] == blur)]
            if len(of_condition):
                yield {"axis": axis, "blur": blur}, of_condition[of_condition["level"] != "0"]


def _curves(group: Group) -> Mapping[str, Curve]:
    """Return the curves of a model and prompt; ``above`` holds all of its conditions."""
    return curves(group.above, group.settings)


def _condition_of(row: Row) -> str:
    return condition(str(row["axis"]), str(row["blur"]))


def _is_of_row(seen: Mapping[str, str], row: Row) -> bool:
    return str(seen["stimulus_id"]).startswith(f"{row['axis']}_{row['blur']}_")


def _guesses(group: Group) -> tuple[int, int]:
    same = [group.above[name] == group.row[name] for name in ("axis", "blur")]
    unchanged = group.above[same[0] & same[1] & (group.above["level"] == "0")]
    return len(unchanged), int(unchanged["correct"].sum())


def _gain(group: Group) -> tuple[float, ...]:
    """Return the gain by blur in percentage points, paired by image; NaN in rows of sharp images."""
    if group.row["blur"] != BLURRED:
        return (np.nan,) * 3
    twins = group.above[(group.above["axis"] == group.row["axis"]) & (group.above["blur"] == SHARP)]
    names = ["level", "side", "replicate", "repeat"]
    pairs = group.answers.merge(twins, on=names, suffixes=("", "_sharp"))
    clusters = pairs["stimulus_id"].tolist()
    found = matched(pairs["correct"], pairs["correct_sharp"], clusters, group.settings)
    return 100 * found.estimate, 100 * found.low, 100 * found.high


HIDDEN_DIGITS = Table(
    "hidden_digits",
    "Digits hidden in dots: how different must the dots be?",
    rows=(By("prompt"), By("model", references=BASELINES), _conditions),
    csv=(
        *("kind", "model", "prompt", "axis", "blur"),
        *accuracy_beside_baselines(k="right_k"),
        *measured(
            Worked(("guess_n", "guess_k"), _guesses, kind="whole"),
            *threshold_columns(_curves, _condition_of, STEPS),
            Worked(_GAIN, _gain),
            preserved_columns("difference_left", _FROM, _is_of_row),
        ),
        "answer",
    ),
    columns=(
        Text("Axis", "axis"),
        Text("Prompt", "prompt", if_several=True),
        Text("Blur", "blur"),
        answerer(),
        Share("Right", "right_k", low="low", high="high", value="accuracy"),
        where_known(Number("Threshold,\nCIEDE2000", *BOUNDED, decimals=1, optional=True)),
        Text("No threshold", "no_threshold", optional=True),
        where_known(
            Number(
                "Threshold in what\nis left, CIEDE2000", "threshold_left", decimals=1, optional=True
            )
        ),
        where_known(Number("Side bias", "side_bias", decimals=2)),
        where_known(Number("Gain by blur,\npoints", *_GAIN, decimals=1, optional=True)),
        *UNPARSED,
    ),
    notes=(
        "Right: percent of answers about images with a difference (right / answers); an answer that could not be read "
        "counts as wrong, and is in no fit.",
        interval_note("images"),
        "Threshold: difference at which three of four digits are named correctly, excluding lapses, with its "
        "{coverage} interval (jackknife over plates). No threshold: flat (the slope's interval does not exclude it), "
        f"inverted, {STEPS.below} or {STEPS.above} (beyond what was shown), or {NO_ANSWERS}.",
        Note(
            "Side bias: negative where the digit named first is said readily, in steps of {count} "
            "doublings. Gain by blur: right answers about blurred images minus those about the same ones "
            "sharp. What is left: of models that run here, what their own image processor leaves of the "
            "difference between dots; blurred images have no single dots.",
            count=STEPS.count,
        ),
        BASELINE_NOTE,
    ),
    findings=(beaten_by_position(same=("prompt", "axis", "blur")),),
    split_by="Axis",
)


# ---- people ----

HIDDEN_DIGITS_PEOPLE = people_table(
    "hidden_digits_people",
    "Digits hidden in dots: thresholds of people",
    "hidden_digits",
    ("Condition", "Part"),
    threshold_of(STEPS),
)


# ---- On probabilities ----

HIDDEN_DIGITS_GRADED = graded_thresholds(
    "hidden_digits_graded",
    "Digits hidden in dots: thresholds on probabilities",
    ("Condition", "condition"),
    curves,
    STEPS,
)


# ---- Asked adaptively: a curve per axis and blur; images without a difference are on none ----


def _placed(item: Mapping[str, Any]) -> Placed | None:
    if item["level"] == "0":
        return None
    return Placed(condition(item["axis"], item["blur"]), STEPS.signed(item, SIDES), SIDES)


ADAPTIVE = adaptive_of_sides(
    STEPS,
    _placed,
    "Threshold,\nCIEDE2000",
    "Threshold: difference at which three of four digits are named correctly, excluding lapses.",
)
ADAPTIVE_TABLE = adaptive_thresholds("Digits hidden in dots", ADAPTIVE)
