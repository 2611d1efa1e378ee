"""Answers in the forms that models use, and what a person reads in each: ``data/reading_cases.jsonl``.

Labelled by hand. Part 1 was written while the readers were built, each other one after, before anything was mended
that it showed; ``data/reading_parts.csv`` has how many answers of each part were misread and lost then (of part 32,
written meanwhile, it is not known). Reading them is the same for the tests and for ``benchmarks/reading.py``.
"""

import json
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from afterimage.grading.reasoning import split

_FOLDER = Path(__file__).parents[1] / "data"
OPTIONS = json.loads((_FOLDER / "reading_options.json").read_text(encoding="utf-8"))


class Case(NamedTuple):
    """One answer.

    Attributes:
        reader: The answer type.
        options: (id, text) of what was offered.
        question: What was asked; empty where it is read without.
        reply: The raw reply.
        reads: What a person reads; None where nothing is clear.
        part: From 1, as they were written one after the other.
        language: Of the reply.
    """

    reader: str
    options: tuple[tuple[str, str], ...]
    question: str
    reply: str
    reads: str | None
    part: int
    language: str


def cases():
    """Return all cases."""
    lines = (_FOLDER / "reading_cases.jsonl").read_text(encoding="utf-8").splitlines()
    return [_case(json.loads(line)) for line in lines]


def read(case):
    """Return what the reader makes of a case, as its answer and why."""
    module = import_module(f"afterimage.grading.readers.{case.reader}")
    answer = split(case.reply).answer
    if answer is None:
        return None, "cut_off"
    if case.question:
        parsed = module.parse_with_question(answer, case.options, case.question)
    else:
        parsed = module.parse(answer, case.options)
    return parsed.answer, parsed.reason


def _case(row):
    options = tuple(tuple(option) for option in OPTIONS.get(row.get("options"), ()))
    return Case(
        row["reader"],
        options,
        row.get("question", ""),
        row["reply"],
        row["reads"],
        row["part"],
        row["language"],
    )
