"""Accuracy per prompt and per factor, in long form: what makes a task hard.

One row per task, subtask ("all" where the task's subtasks are not told apart), model, prompt ("all" for the prompts
pooled), factor and level: n, k, unparsed_k, accuracy, low and high in percent, clusters. The factors are those of
:data:`factors.FACTORS`, "canvas", "key" (the right answer), and "prompt", whose level is the prompt itself. Answers on
which a factor is not set are left out of it.
"""

from collections.abc import Iterator
from itertools import chain

import pandas as pd

from afterimage.showing.columns import Share, Text
from afterimage.showing.compute import parts
from afterimage.showing.declaration import By, Settings, Table
from afterimage.showing.interval_notes import interval_note
from afterimage.showing.outcomes import OUTCOME_COUNTS, unparsed_share
from afterimage.showing.values import accuracy
from afterimage.suites.blindtest.factors import FACTORS, SPLIT_BY_SUBTASK
from afterimage.suites.blindtest.tables.accuracy import base_figures, of_task, where_read
from afterimage.suites.blindtest.tables.notes import recorded_elsewhere
from afterimage.suites.blindtest.tables.paper_rows import TABLES

#: In the columns "subtask" and "prompt": not split.
ALL = "all"

_COMMON = ("canvas", "key")
# A letter's place means nothing across strings of different lengths.
_NOT_SHOWN = ("letter_index",)


def _tasks(grades: pd.DataFrame, settings: Settings) -> Iterator[tuple[dict, pd.DataFrame]]:
    """Part the answers by task, and by subtask where these are told apart."""
    factors = set(chain.from_iterable(FACTORS.values()))
    for paper in TABLES:
        # Parts are many: what all of them share is worked out here, and the other tasks' factors need not come along.
        given = of_task(grades, paper)
        given = given.drop(columns=factors.intersection(given) - {*FACTORS[paper.task]})
        given = given.assign(cluster=base_figures(given))
        is_split = paper.task in SPLIT_BY_SUBTASK
        for subtask, part in given.groupby("subtask", sort=False) if is_split else [(ALL, given)]:
            yield {"task": paper.task, "subtask": subtask}, part


def _factors(given: pd.DataFrame, settings: Settings) -> Iterator[tuple[dict, pd.DataFrame]]:
    """Part one model's answers by prompt, and then by each factor, for all prompts together and for each."""
    by_prompt = dict(iter(given.groupby("prompt")))
    for prompt, part in by_prompt.items():
        yield {"prompt": prompt, "factor": "prompt", "level": prompt}, part
    pooled = {ALL: given} if len(by_prompt) > 1 else {}
    names = [
        name
        for name in (*FACTORS[given["task"].iloc[0]], *_COMMON)
        if name in given and name not in _NOT_SHOWN
    ]
    for prompt, of_prompt in (pooled | by_prompt).items():
        for name in names:
            for level, part in parts(By(name, "level", order="natural"), of_prompt, settings):
                yield {"prompt": prompt, "factor": name, **level}, part


TABLE = Table(
    "blindtest_factors",
    "BlindTest: accuracy per prompt and per factor of the images",
    rows=(_tasks, By("model"), _factors),
    csv=(
        *("task", "subtask", "model", "prompt", "factor", "level"),
        *(
            where_read(value) if value.names[0] in OUTCOME_COUNTS else value
            for value in accuracy("k", "cluster", "clusters")
        ),
    ),
    columns=(
        Text("Task", "task"),
        Text("Subtask", "subtask"),
        Text("Model", "model"),
        Text("Prompt", "prompt"),
        Text("Factor", "factor"),
        Text("Level", "level"),
        Share("Accuracy", "k", low="low", high="high", decimals=2),
        *unparsed_share(decimals=2),
    ),
    notes=(
        "Percent, rounded half up, (right/answers).",
        interval_note("figures, each with all of its renderings and prompts"),
        "key: the right answer. gap: distance of the circles' perimeters in diameters, negative where they overlap. "
        "The units of all factors are those of the items.",
        recorded_elsewhere,
    ),
    split_by="Task",
)
