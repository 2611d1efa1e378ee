"""Graded answers of made-up observers to every question of the suite, as the table reads them."""

from collections.abc import Callable

import pandas as pd
from graded_rows import graded

from afterimage.contract.parts import resolve
from afterimage.contract.question import Question
from afterimage.contract.stimulus import Shown
from afterimage.suites.tunnel_vision.suite import Settings, question_inputs, words
from afterimage.suites.tunnel_vision.tasks import TASKS, questions

#: What somebody says to a question: the id of an option, or None for what cannot be read.
Answerer = Callable[[Question], str | None]


def specs_of(task: str) -> list:
    """Return every image of a task as it is designed."""
    design = resolve(f"afterimage.suites.tunnel_vision.tasks:{task.upper()}_DESIGN")
    return list(design.specs(task, Settings()))


def asked(root, tasks=TASKS) -> list[Question]:
    """Return every question about these tasks."""
    settings = Settings(prompt_file=str(root / "resources/prompts/tunnel_vision.yaml"))
    chosen = question_inputs(words(settings), settings, tasks, {})
    images = [
        Shown(spec.stimulus_id, factors=spec.factors, figure=task)
        for task in tasks
        for spec in specs_of(task)
    ]
    return list(questions(images, chosen.words, chosen.settings, []))


def answers_of(found: list[Question], answerer: Answerer, model: str) -> pd.DataFrame:
    """Return one graded answer to each question."""
    rows = []
    for question in found:
        about = {"model": model, "figure": question.shown.figure, "question": question.question}
        about["offered"] = [option.option_id for option in question.options]
        row = graded(
            question.shown.stimulus_id, question.prompt, answerer(question), question.key, **about
        )
        rows.append({**row, **question.shown.factors})
    return pd.DataFrame(rows).astype({"answer": object})
