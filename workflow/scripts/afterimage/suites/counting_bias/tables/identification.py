"""How often a flag or board is taken for the usual one, as it is and altered."""

import pandas as pd

from afterimage.showing.baselines import YES_OR_NO_NOTE, without_bounds
from afterimage.showing.columns import Share, Text
from afterimage.showing.composed import PerKind, measured
from afterimage.showing.declaration import By, Settings, Table
from afterimage.showing.interval_notes import interval_note
from afterimage.showing.outcomes import UNPARSED
from afterimage.showing.references import ALWAYS, GUESSING, MEASURED, YES_OR_NO
from afterimage.showing.values import (
    Bounds,
    Count,
    Distinct,
    Group,
    Percent,
    Worked,
    answers,
    outcomes,
    right,
)
from afterimage.suites.counting_bias.names import IDENTIFY
from afterimage.suites.counting_bias.tables.answers import ALL, CLUSTERS, by_alteration


def _asked(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    asked = grades[grades["question"] == IDENTIFY]
    return asked.assign(answer=asked["answer"].where(asked["outcome"] != "unparsed"))


def _is_yes(answers: pd.DataFrame) -> pd.Series:
    return answers["answer"].astype(str).str.lower() == "yes"


def _guessed(group: Group) -> tuple[float]:
    """Return how often a guess is expected to be yes, in percent: as often as it is right."""
    return (100 * float(group.answers["correct"].astype(float).mean()),)


TABLE = Table(
    "identification",
    "Taken for the usual flag or board, as it is and with one more or less",
    of=_asked,
    rows=(By("task", total=ALL), by_alteration, By("model", references=YES_OR_NO)),
    csv=(
        *("model", "task", "alteration"),
        answers(),
        *measured(Count("yes_k", _is_yes), also=ALWAYS),
        PerKind(
            {
                **dict.fromkeys((MEASURED, *ALWAYS), Percent("yes", "yes_k")),
                GUESSING: Worked(("yes",), _guessed),
            }
        ),
        *measured(Bounds("yes_low", "yes_high", _is_yes, CLUSTERS)),
        *measured(right("right_k"), also=ALWAYS),
        *measured(*outcomes()),
        Distinct("subjects", CLUSTERS),
    ),
    columns=(
        Text("Task", "task"),
        Text("More than\nusual", "alteration", numeric=True),
        Text("Model", "model"),
        without_bounds(Share("Yes", "yes_k", low="yes_low", high="yes_high"), "yes"),
        Share("Right", "right_k", value="yes"),
        *UNPARSED,
    ),
    notes=(
        "Yes: of all answers. Right: yes where everything is as usual, no where something is not.",
        YES_OR_NO_NOTE,
        interval_note("flags or boards"),
    ),
)
