"""Accuracy per prompt and per factor, in long form: what makes a task hard."""

from collections.abc import Iterator, Mapping

import pandas as pd

from afterimage.showing.table_layout import Layout, Share, Text
from afterimage.suites.blindtest.factors import FACTORS, SPLIT_BY_SUBTASK
from afterimage.suites.blindtest.tables.accuracy import counted, of_task
from afterimage.suites.blindtest.tables.paper_rows import TABLES, PaperTable, natural_order

#: In the columns "subtask" and "prompt": not split.
ALL = "all"

_COLUMNS = (
    "task",
    "subtask",
    "model",
    "prompt",
    "factor",
    "level",
    "n",
    "k",
    "unparsed_k",
    "accuracy",
    "low",
    "high",
)
_COMMON = ("canvas", "key")
# A letter's place means nothing across strings of different lengths.
_NOT_SHOWN = ("letter_index",)


def table(grades: pd.DataFrame, settings: Mapping) -> pd.DataFrame:
    """Count right answers per level of every factor, for each prompt and for all prompts together.

    Args:
        grades: Graded answers of all models and tasks, factors as columns.
        settings: "confidence".

    Returns:
        One row per task, subtask ("all" where the task's subtasks are not told apart), model,
        prompt ("all" for the prompts pooled), factor and level: n, k, unparsed_k, accuracy, low and
        high (Wilson) in percent. The factors are those of :data:`factors.FACTORS`, "canvas", "key"
        (the right answer), and "prompt", whose level is the prompt itself. Answers on which a
        factor is not set are left out of it.
    """
    rows = [
        {"task": paper_table.task, **row}
        for paper_table in TABLES
        for row in _of_task(of_task(grades, paper_table), paper_table, settings["confidence"])
    ]
    return pd.DataFrame(rows, columns=list(_COLUMNS))


def layout(grades: pd.DataFrame, settings: Mapping) -> Layout:
    """Describe the reader's table."""
    coverage = f"{100 * settings['confidence']:.10g} %"
    return Layout(
        title="BlindTest: accuracy per prompt and per factor of the images",
        columns=(
            Text("Task", "task"),
            Text("Subtask", "subtask"),
            Text("Model", "model"),
            Text("Prompt", "prompt"),
            Text("Factor", "factor"),
            Text("Level", "level"),
            Share("Accuracy", "k", "n", "low", "high", decimals=2),
            Share("Unparsed", "unparsed_k", "n", decimals=2),
        ),
        notes=(
            f"Percent, rounded half up, (right/answers) and Wilson {coverage} interval, as if all "
            "answers were independent.",
            "key: the right answer. gap: distance of the circles' perimeters in diameters, negative "
            "where they overlap. The units of all factors are those of the items.",
        ),
        split_by="Task",
    )


def _of_task(answers: pd.DataFrame, paper_table: PaperTable, confidence: float) -> Iterator[dict]:
    splits = answers.groupby("subtask", sort=False)
    chosen = splits if paper_table.task in SPLIT_BY_SUBTASK else [(ALL, answers)]
    for subtask, of_subtask in chosen:
        for model, of_model in of_subtask.groupby("model", sort=False):
            names = {"subtask": subtask, "model": model}
            for row in _of_model(of_model, paper_table.task, confidence):
                yield names | row


def _of_model(answers: pd.DataFrame, task: str, confidence: float) -> Iterator[dict]:
    prompts = sorted(answers["prompt"].unique())
    for prompt in prompts:
        of_prompt = answers[answers["prompt"] == prompt]
        yield {"prompt": prompt, "factor": "prompt", "level": prompt} | _shares(
            of_prompt, confidence
        )
    for prompt in (ALL, *prompts) if len(prompts) > 1 else prompts:
        of_prompt = answers if prompt == ALL else answers[answers["prompt"] == prompt]
        for factor in (*FACTORS[task], *_COMMON):
            if factor not in of_prompt or factor in _NOT_SHOWN:
                continue
            levels = dict(iter(of_prompt.dropna(subset=[factor]).groupby(factor)))
            for level in sorted(levels, key=lambda name: natural_order(str(name))):
                counts = _shares(levels[level], confidence)
                yield {"prompt": prompt, "factor": factor, "level": level} | counts


def _shares(answers: pd.DataFrame, confidence: float) -> dict[str, object]:
    counts = counted(answers, confidence)
    return counts | {"accuracy": 100 * counts["k"] / counts["n"]}
