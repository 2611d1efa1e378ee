"""Sessions about BlindTest: a page for each task, the same pictures in the same order for everybody."""

import hashlib
from bisect import insort
from collections.abc import Iterator, Sequence
from typing import Any

from afterimage.contract.stimulus import Json
from afterimage.contract.task import Session, Shown, Task, Text, literal
from afterimage.files.stimulus import Inputs, shown_stimuli
from afterimage.items.form_texts import Texts
from afterimage.suites.blindtest.names import AUTHORS, TASKS, answer_set, parse_figure, parts_of
from afterimage.suites.thresholds import people

COLUMNS = people.COLUMNS
rows = people.rows

#: Trials of a task, drawn at random from the paper's set, and the practice trials before them.
TRIALS, PRACTICE_TRIALS = 40, 6


def tasks(inputs: Inputs, settings: Json, texts: Texts) -> Iterator[Task]:
    """Yield a task per picture of a session, with one question about it."""
    drawn: dict[str, list[tuple[str, dict[str, Any], bytes]]] = {}
    for record, png in shown_stimuli(inputs):
        task, release, copy = parse_figure(record["figure"])
        if copy or release == AUTHORS or task not in TASKS:
            continue
        # As the summary's table: circles and pentagons have a row each.
        row = dict(record["factors"])["subtask"] if task == "olympic_shapes" else task
        chosen = drawn.setdefault(row, [])
        insort(chosen, (_lot(record["stimulus_id"]), record, png), key=lambda entry: entry[0])
        del chosen[TRIALS + PRACTICE_TRIALS :]
    for row, chosen in drawn.items():
        for index, (lot, record, png) in enumerate(chosen):
            cell = people.PRACTICE if index < PRACTICE_TRIALS else people.TRIAL
            key, question, options = _question(record, int(lot, 16), texts)
            yield people.task(record, png, people.Put(row, "", cell, key, key), question, options)


def session(shown: Sequence[Shown], settings: Json) -> Session:
    """Return the order of the trials: as they are listed."""
    return people.in_order(shown)


def _lot(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()


def _question(record: Json, lot: int, texts: Texts) -> tuple[str, Text, dict[str, Text]]:
    """Return the right answer, the question and its answers; of several questions about a picture, a random one."""
    factors = dict(record["factors"])
    task, truth = factors["task"], factors["truth"]
    kind, words = task, {}
    if "=" in truth:
        parts = parts_of(truth)
        possible = [name for name, count in parts.items() if count != "0"]
        chosen = possible[lot % len(possible)]
        truth = parts[chosen]
        if task == "subway":
            words = {"first": chosen[0], "second": chosen[1]}
        else:
            kind = chosen
    elif task == "olympic_shapes":
        kind = factors["subtask"]
    subtask = factors.get("subtask", "")
    answers = {name: _read(task, name, texts) for name in answer_set(task, subtask, {truth})}
    return truth, texts.filled(f"questions.{kind}", **words), answers


def _read(task: str, answer: str, texts: Texts) -> Text:
    if task == "two_circles":
        return texts[answer.lower()]
    if task == "grid":
        down, across = answer.split("x")
        return texts.filled("size", rows=down, columns=across)
    return literal(answer)
