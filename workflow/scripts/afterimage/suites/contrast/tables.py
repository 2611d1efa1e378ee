"""Contrast thresholds of every model at every spatial frequency, in shown contrast and in what its processor leaves.

``right_k`` of ``n`` answers about patterns are right; ``false_alarm_k`` of ``blank_n`` that were read saw one where
none is. ``slope`` and what follows from it (``threshold``, ``sensitivity``) are fitted to prompts that ask for the
side; ``no_threshold`` says why there is none.
"""

from collections.abc import Iterator, Mapping
from typing import Any

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
from afterimage.showing.tables.bounds import interval_note
from afterimage.showing.tables.columns import Number, Row, Share, Text, where_known
from afterimage.showing.tables.declaration import By, Settings, Table
from afterimage.showing.tables.values import Group, Worked
from afterimage.suites.contrast.design import LEVELS, NONE, SEEN, SIDES, STEPS, WHERE, YES
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


def curves(answers: pd.DataFrame, settings: Settings) -> dict[str, tables.Curve]:
    """Fit the curves of one model and prompt, frequency to curve, with bounds over the four replicates.

    Args:
        answers: Graded, factors as columns: ``question`` (``where`` or ``three``), ``frequency``, ``level``, ``side``,
            ``replicate``, ``answer``. Those to blanks count for every frequency, unread ones for none.
        settings: "confidence".
    """
    answers = answers[answers["answer"].isin([*SIDES, NONE])]
    frequencies = sorted({*answers["frequency"]} - {""}, key=int)
    forced = bool((answers["question"] == WHERE).all())
    blank = answers[answers["frequency"] == ""]
    trials = [answers[answers["frequency"] != ""].assign(condition=answers["frequency"])]
    trials += [blank.assign(condition=frequency) for frequency in frequencies]
    options = SIDES[0], None if forced else NONE, SIDES[1]
    return tables.curves(pd.concat(trials), frequencies, options, STEPS, settings)


# ---- contrast ----

#: Why no threshold is fitted to a prompt.
NOT_FITTED = "yes or no"
#: Degrees that an image is wide at 60 cm, a pixel being 0.25 mm.
_DEGREES = 15.9
#: The preserved contrast is measured at levels where rounding to bytes no longer matters (2 % and more).
_FROM_PERCENT = 2.0


def _frequencies(
    answers: pd.DataFrame, settings: Settings
) -> Iterator[tuple[dict[str, int], pd.DataFrame]]:
    """Split the answers about patterns by frequency; answers about blanks are only in ``Group.above``."""
    for frequency in sorted({*answers["frequency"]} - {""}, key=int):
        yield {"frequency_cycles": int(frequency)}, answers[answers["frequency"] == frequency]


def _blanks(group: Group) -> tuple[int, int]:
    blank = group.above[group.above["frequency"] == ""]
    read = blank["answer"][blank["answer"].notna()]
    seen = read == YES if (blank["question"] == SEEN).all() else read != NONE
    return len(read), int(seen.sum())


def _curves(group: Group) -> Mapping[str, Curve]:
    """Return the curves of a model and prompt; ``above`` holds all of its frequencies."""
    return {} if _yes_or_no(group) else curves(group.above, group.settings)


def _yes_or_no(group: Group) -> str | None:
    return NOT_FITTED if (group.answers["question"] == SEEN).all() else None


def _is_of_row(seen: Mapping[str, str], row: Row) -> bool:
    return bool(seen.get("frequency") == str(row["frequency_cycles"]))


CONTRAST = Table(
    "contrast",
    "Contrast thresholds: how weak may a pattern be?",
    rows=(By("prompt", first=(WHERE,)), By("model", references=BASELINES), _frequencies),
    csv=(
        *("kind", "model", "prompt", "frequency_cycles"),
        Worked(("cycles_per_degree",), lambda group: (group.row["frequency_cycles"] / _DEGREES,)),
        *accuracy_beside_baselines(k="right_k"),
        *measured(
            Worked(("blank_n", "false_alarm_k"), _blanks, kind="whole"),
            *threshold_columns(
                _curves, lambda row: str(row["frequency_cycles"]), STEPS, not_fitted=_yes_or_no
            ),
            Worked(("sensitivity",), lambda group: (100 / group.row["threshold"],)),
            preserved_columns("contrast_left", _FROM_PERCENT, _is_of_row),
        ),
        "answer",
    ),
    columns=(
        Text("Cycles per\nimage width", "frequency_cycles", numeric=True),
        Text("Prompt", "prompt", if_several=True),
        answerer(),
        Share("Right", "right_k", low="low", high="high", value="accuracy"),
        where_known(Number("Threshold, %", *BOUNDED, decimals=2, optional=True)),
        Text("No threshold", "no_threshold", optional=True),
        where_known(Number("Sensitivity", "sensitivity", decimals=0)),
        where_known(Number("Threshold in what\nis left, %", "threshold_left", decimals=2)),
        where_known(Number("Side bias", "side_bias", decimals=2)),
        where_known(Number('"No pattern"\nbelow, %', "criterion", decimals=2)),
        *UNPARSED,
    ),
    notes=(
        "Right: percent of answers about images with a pattern (right / answers); an answer that could not be read "
        "counts as wrong, and is in no fit.",
        interval_note("images"),
        "Threshold: contrast at which three of four sides are named correctly, excluding lapses, with its "
        "{coverage} interval (jackknife over replicates); sensitivity is 100 / threshold. No threshold: flat (the "
        f"slope's interval does not exclude it), inverted, {STEPS.below} or {STEPS.above} (beyond what was shown), "
        f"{NO_ANSWERS}, or {NOT_FITTED} (asked for no side).",
        Note(
            "Side bias: negative where the left is named readily, in steps of {n} doublings. "
            "What is left: of models that run here, what their own image processor leaves of the "
            "contrast.",
            n=LEVELS,
        ),
        BASELINE_NOTE,
    ),
    findings=(beaten_by_position(same=("prompt", "frequency_cycles")),),
    split_by="Cycles per\nimage width",
)


# ---- people ----

CONTRAST_PEOPLE = people_table(
    "contrast_people",
    "Contrast thresholds of people",
    "contrast",
    ("Cycles per\nimage width", "Part"),
    threshold_of(STEPS),
)


# ---- On probabilities ----

CONTRAST_GRADED = graded_thresholds(
    "contrast_graded",
    "Contrast thresholds on probabilities",
    ("Cycles per\nimage width", "frequency_cycles"),
    curves,
    STEPS,
    lambda answers: answers[answers["question"] != SEEN],
)


# ---- Asked adaptively: a curve per frequency; blanks and yes-or-no questions are on none ----


def _placed(item: Mapping[str, Any]) -> Placed | None:
    if item["side"] not in SIDES or item["question"] == SEEN:
        return None
    left, right = SIDES
    answers = SIDES if item["question"] == WHERE else (left, NONE, right)
    return Placed(item["frequency"], STEPS.signed(item, SIDES), answers)


ADAPTIVE = adaptive_of_sides(
    STEPS,
    _placed,
    "Threshold, %",
    "Threshold: contrast at which three of four sides are named correctly, excluding lapses; "
    "curves by cycles per image width.",
)
ADAPTIVE_TABLE = adaptive_thresholds("Contrast thresholds", ADAPTIVE)
