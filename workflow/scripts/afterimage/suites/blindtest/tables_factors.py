"""Tables of BlindTest by factor and by true count."""

from collections.abc import Iterator
from itertools import chain
from typing import Any

import pandas as pd

from afterimage.showing.tables.accuracy import OUTCOME_COUNTS, unparsed_share
from afterimage.showing.tables.baselines import (
    Answered,
    Reference,
    accuracy_beside_baselines,
    answerer,
    same_answer,
)
from afterimage.showing.tables.bounds import interval_note
from afterimage.showing.tables.columns import Share, Text, whole
from afterimage.showing.tables.compute import parts
from afterimage.showing.tables.declaration import By, Settings, Table
from afterimage.showing.tables.values import Worked, confused
from afterimage.suites.blindtest.accuracy import (
    CLUSTERS,
    CONSTANT,
    RECORDED_COUNTS,
    RECORDED_ELSEWHERE,
    base_figures,
    chances,
    kind_of,
    of_task,
    where_read,
)
from afterimage.suites.blindtest.names import FACTORS, SPLIT_BY_SUBTASK
from afterimage.suites.blindtest.paper import GUESSING, LINES, PATHS, SHAPES, SQUARES, TABLES
from afterimage.suites.blindtest.recorded import of_drawn_images

# Accuracy per prompt and per factor, in long form: what makes a task hard.
#
# One row per task, subtask ("all" where the task's subtasks are pooled), model, prompt ("all" for the prompts
# pooled), factor and level: kind, n, k, unparsed_k, accuracy, low and high in percent, clusters. The factors are those
# of :data:`names.FACTORS`, "canvas", "key" (the right answer), and "prompt", whose level is the prompt itself. Answers
# on which a factor is not set are left out of it. Below the models stand, for each level, a guess and, where more than
# one answer is right in it, the one ``answer`` that is right most often.

#: In the columns "subtask" and "prompt": not split.
ALL = "all"

_COMMON = ("canvas", "key")
# A letter's index means nothing across strings of different lengths.
_NOT_SHOWN = ("letter_index",)


def _tasks_with_factors(
    grades: pd.DataFrame, settings: Settings
) -> Iterator[tuple[dict[str, Any], pd.DataFrame]]:
    """Group the answers by task, and by subtask where these are distinguished."""
    factors = set(chain.from_iterable(FACTORS.values()))
    for paper in TABLES:
        # Groups are many: what all of them share is computed here, and the other tasks' factors are dropped.
        graded = of_task(grades, paper)
        graded = graded.drop(columns=factors.intersection(graded) - {*FACTORS[paper.task]})
        graded = graded.assign(cluster=base_figures(graded), chance=None)
        # A guess knows the possible answers in the row of the paper's table, whatever the level.
        drawn = of_drawn_images(graded)
        graded.loc[drawn.index, "chance"] = pd.Series(chances(paper, drawn), drawn.index, object)
        is_split = paper.task in SPLIT_BY_SUBTASK
        for subtask, part in graded.groupby("subtask", sort=False) if is_split else [(ALL, graded)]:
            yield {"task": paper.task, "subtask": subtask}, part


def _factors(
    answers: pd.DataFrame, settings: Settings
) -> Iterator[tuple[dict[str, Any], pd.DataFrame]]:
    """Group one model's answers by prompt, and then by each factor, for all prompts together and for each."""
    by_prompt = dict(iter(answers.groupby("prompt")))
    for prompt, part in by_prompt.items():
        yield {"prompt": prompt, "factor": "prompt", "level": prompt}, part
    pooled = {ALL: answers} if len(by_prompt) > 1 else {}
    names = [
        name
        for name in (*FACTORS[answers["task"].iloc[0]], *_COMMON)
        if name in answers and name not in _NOT_SHOWN
    ]
    for prompt, of_prompt in (pooled | by_prompt).items():
        for name in names:
            for level, part in parts(By(name, "level", order="natural"), of_prompt, settings):
                yield {"prompt": prompt, "factor": name, **level}, part


def _guesses(items: pd.DataFrame) -> Answered:
    items = of_drawn_images(items)
    return ({}, items.assign(correct=items["chance"])) if len(items) else None


def _constant(items: pd.DataFrame) -> Answered:
    """Give the answer that is right most often in a level; None if no other is right in it."""
    items = of_drawn_images(items)
    return same_answer(items) if items["key"].nunique() > 1 else None


_REFERENCES = (Reference(GUESSING, _guesses), Reference(CONSTANT, _constant))


BLINDTEST_FACTORS = Table(
    "blindtest_factors",
    "BlindTest: accuracy per prompt and per factor of the images",
    rows=(_tasks_with_factors, By("model", references=_REFERENCES), _factors),
    csv=(
        Worked(("kind",), kind_of, "text"),
        *("task", "subtask", "model", "prompt", "factor", "level"),
        *(
            where_read(value) if value.names[0] in OUTCOME_COUNTS else value
            for value in accuracy_beside_baselines("k", "cluster", "clusters", CONSTANT)
        ),
        "answer",
    ),
    columns=(
        Text("Task", "task"),
        Text("Subtask", "subtask"),
        answerer(),
        Text("Prompt", "prompt"),
        Text("Factor", "factor"),
        Text("Level", "level"),
        Share("Accuracy", "k", low="low", high="high", decimals=2, value="accuracy"),
        *unparsed_share(decimals=2),
    ),
    notes=(
        "Percent, rounded half up, (right/answers).",
        interval_note(CLUSTERS),
        "key: the right answer. gap: distance of the circles' perimeters in diameters, negative where they overlap. "
        "The units of all factors are those of the items.",
        "canvas: the image's side, or its width and height, in px. The page calls 384x385 and 769x770 by their widths.",
        "Uniform guessing: one of the possible answers at random. Always the same answer: the one that is right most "
        "often in the level, in parentheses; none where only one answer is right in it.",
        RECORDED_ELSEWHERE,
    ),
    split_by="Task",
)


# What was answered to each true count: the confusions of the four tasks whose answer is a number.
#
# One row per task, subtask ("circles" and "pentagons" of the shapes, else "all"), model, true count and answer that
# occurs: ``n`` such answers out of the ``total`` to that true count, and ``share``, their ratio in percent; prompts
# are pooled. ``truth`` and ``answer`` are decimal digits, ``answer`` is "unparsed" where no number could be read.
# Answers of which only the verdict is known are left out.

#: In the column "answer": the reply could not be read as a number.
UNPARSED = "unparsed"


def _counted_tasks(
    grades: pd.DataFrame, settings: Settings
) -> Iterator[tuple[dict[str, Any], pd.DataFrame]]:
    """Group the answers by task, and by subtask where these are distinguished; ``said`` is what each reply says."""
    for paper in (LINES, SHAPES, SQUARES, PATHS):
        graded = of_task(grades, paper)
        unparsed = graded["outcome"] == "unparsed"
        read = graded.assign(said=graded["answer"].mask(unparsed, UNPARSED)).dropna(subset=["said"])
        is_split = paper.task in SPLIT_BY_SUBTASK
        for subtask, part in read.groupby("subtask") if is_split else [(ALL, read)]:
            yield {"task": paper.task, "subtask": subtask}, part


BLINDTEST_COUNTS = Table(
    "blindtest_counts",
    "BlindTest: what was answered to each true count",
    rows=(
        _counted_tasks,
        By("model"),
        By("key", names="truth", order="natural"),
        # The word sorts after all numbers.
        By("said", names="answer", order="natural"),
    ),
    csv=(
        *("task", "subtask", "model", "truth", "answer"),
        *confused(),
    ),
    columns=(
        Text("Task", "task"),
        Text("Subtask", "subtask"),
        Text("Model", "model"),
        whole("True count", "truth"),
        whole("Answer", "answer"),
        Share("Share", "n", "total"),
    ),
    notes=(
        "Percent of all answers to images of that true count, rounded half up (answers/all answers); prompts pooled.",
        "unparsed: no number could be read. Answers that never occur have no row.",
        RECORDED_ELSEWHERE,
        RECORDED_COUNTS,
    ),
    split_by="Task",
)
