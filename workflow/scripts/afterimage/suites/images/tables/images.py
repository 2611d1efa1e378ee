"""Accuracy on a user's images, for every set, prompt and level of every factor.

``correct_k`` of ``n`` answers are right; ``unparsed_k`` could not be read and count as wrong. ``accuracy`` is in
percent with bounds, ``images`` their clusters; ``guessing`` is the percent that a guess
earns. Rows are over all, per type of answer, and per level of each factor; items without a level of a factor are in
none of its rows.
"""

from collections.abc import Iterator

import pandas as pd

from afterimage.showing.baselines import (
    BASELINE_NOTE,
    accuracy_beside_baselines,
    answerer,
    beaten_by_position,
)
from afterimage.showing.columns import Share, Text
from afterimage.showing.composed import measured
from afterimage.showing.declaration import By, Settings, Table
from afterimage.showing.interval_notes import interval_note
from afterimage.showing.outcomes import UNPARSED
from afterimage.showing.references import BASELINES
from afterimage.showing.values import Mean
from afterimage.suites.images.names import ANSWER_TYPE, GUESSING, SET

OVERALL = "overall"
#: A column with more different values than this describes single questions and gives no rows.
MOST_LEVELS = 50


def _factors(asked: pd.DataFrame, settings: Settings) -> Iterator[tuple[dict, pd.DataFrame]]:
    """Part the answers to one set by each of its factors in turn."""
    yield {"factor": OVERALL, "level": ""}, asked
    factors = settings["factors"][asked[SET].iloc[0]]
    if asked[ANSWER_TYPE].nunique() > 1:
        factors = [ANSWER_TYPE, *factors]
    for factor in factors:
        # A column that is empty in every row is not there.
        if factor not in asked or asked[factor].nunique() > MOST_LEVELS:
            continue
        for level, chosen in asked.groupby(factor, sort=False):
            yield {"factor": factor, "level": str(level)}, chosen


def _left_out(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    many = dict.fromkeys(
        factor
        for name, asked in grades.groupby(SET, sort=False)
        for factor in settings["factors"][name]
        if factor in asked and asked[factor].nunique() > MOST_LEVELS
    )
    if many:
        yield f"Without rows, for more than {MOST_LEVELS} different values: {', '.join(many)}."


def _guessing(asked: pd.DataFrame) -> pd.Series:
    return asked[GUESSING].astype(float)


TABLE = Table(
    "images",
    "Own images: accuracy",
    rows=(
        By((SET, "prompt"), names=("set", "prompt")),
        _factors,
        By("model", references=BASELINES),
    ),
    csv=(
        *("kind", "model", "set", "prompt", "factor", "level"),
        *accuracy_beside_baselines(),
        *(*measured(Mean("guessing", _guessing)), "answer"),
    ),
    columns=(
        Text("Set", "set"),
        Text("Prompt", "prompt"),
        Text("Factor", "factor", words={ANSWER_TYPE: "type of answer"}),
        Text("Level", "level"),
        answerer(),
        Share("Accuracy", "correct_k", low="low", high="high", value="accuracy"),
        *UNPARSED,
    ),
    notes=(
        "Percent (right / answers); an answer that could not be read is unparsed and counts as wrong.",
        interval_note("images, for sets that ask several questions about one"),
        BASELINE_NOTE,
        "A guess is among the options; of free answers among yes and no, among 0 to 9 and the right number, or among "
        "right answers to other questions and declining.",
        _left_out,
    ),
    findings=(beaten_by_position(same=(SET, "prompt", "factor", "level")),),
    split_by="Set",
)
