"""Accuracy on a user's images for every set, prompt and level of every factor, and two models on the same questions.

``correct_k`` of ``n`` answers are right; ``unparsed_k`` could not be read and count as wrong. ``accuracy`` is in
percent with bounds, ``images`` their clusters; ``guessing`` is the percent that a guess earns. Rows are over all, per
type of answer, and per level of each factor; items without a level of a factor are in none of its rows.

Of two models: what both, one or neither got right. Counts are of items; ``difference`` is that of the accuracies in
percentage points, first minus second, with bounds; ``p`` from flipping the signs of ``images`` with all of their
questions, ``p_holm`` corrected for all rows.
"""

from collections.abc import Iterator
from typing import Any

import pandas as pd

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
from afterimage.showing.tables.bounds import interval_note, test_note
from afterimage.showing.tables.columns import Difference, PValue, Share, Text, whole
from afterimage.showing.tables.declaration import By, Settings, Table
from afterimage.showing.tables.pairs import (
    PAIR_COUNTS,
    Corrected,
    Differing,
    Matched,
    Pairs,
    fewer_than_two,
    pairs_table,
)
from afterimage.showing.tables.values import Distinct, Mean, answers
from afterimage.suites.images.csv_rows import ANSWER_TYPE, GUESSING, SET

OVERALL = "overall"
#: A column with more distinct values than this describes single questions and gets no rows.
MAX_LEVELS = 50


def _factors(
    answers: pd.DataFrame, settings: Settings
) -> Iterator[tuple[dict[str, Any], pd.DataFrame]]:
    """Split the answers about one set by each of its factors in turn."""
    yield {"factor": OVERALL, "level": ""}, answers
    factors = settings["factors"][answers[SET].iloc[0]]
    if answers[ANSWER_TYPE].nunique() > 1:
        factors = [ANSWER_TYPE, *factors]
    for factor in factors:
        # A column that is empty in every row is missing.
        if factor not in answers or answers[factor].nunique() > MAX_LEVELS:
            continue
        for level, chosen in answers.groupby(factor, sort=False):
            yield {"factor": factor, "level": str(level)}, chosen


def _omitted_factors(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    many = dict.fromkeys(
        factor
        for name, answers in grades.groupby(SET, sort=False)
        for factor in settings["factors"][name]
        if factor in answers and answers[factor].nunique() > MAX_LEVELS
    )
    if many:
        yield Note(
            "Without rows, for more than {n} different values: {many}.",
            n=MAX_LEVELS,
            many=", ".join(many),
        )


def _guessing(answers: pd.DataFrame) -> pd.Series:
    return answers[GUESSING].astype(float)


IMAGES = Table(
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
        *measured(Mean("guessing", _guessing)),
        "answer",
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
        _omitted_factors,
    ),
    findings=(beaten_by_position(same=(SET, "prompt", "factor", "level")),),
    split_by="Set",
)


# ---- images paired ----


def _first_answers(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    return grades[grades["repeat"] == 0]


def _single_model(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    if grades["model"].nunique() < 2:
        yield "The study has one model; nothing to compare it with."


IMAGES_PAIRED = Table(
    "images_paired",
    "Own images: models compared on the same questions",
    of=_first_answers,
    rows=(
        By((SET, "prompt"), names=("set", "prompt")),
        Pairs("model", same=("stimulus_id", "item_id")),
    ),
    csv=(
        *("set", "prompt", "first", "second"),
        answers(),
        *PAIR_COUNTS,
        Matched("stimulus_id", low="low", high="high"),
        *(Distinct("images", "stimulus_id"), Differing("stimulus_id", "differing_images")),
        Corrected(),
    ),
    columns=(
        Text("Set", "set"),
        Text("Prompt", "prompt"),
        Text("First", "first"),
        Text("Second", "second"),
        whole("Both\nright", "both"),
        whole("Only\nfirst", "only_first"),
        whole("Only\nsecond", "only_second"),
        whole("Neither", "neither"),
        Difference("Difference", "only_first", "only_second", low="low", high="high"),
        PValue("p", "p", "differing_images"),
        PValue("p, corrected", "p_holm", "differing_images"),
    ),
    notes=(
        _single_model,
        "Numbers of questions; difference: accuracy of the first minus that of the second, percentage points.",
        "Brackets: {coverage} interval, Tango's on what the pairs are worth.",
        test_note("images"),
        "Of repeated answers the first one counts. An answer that could not be read is not right.",
    ),
    empty=(fewer_than_two,),
    split_by="Set",
    csv_formats={"p": "%.6g", "p_holm": "%.6g"},
)

PAIRS = pairs_table(
    "pairs_images", "Own images: models compared on the same questions", by=("set",)
)
