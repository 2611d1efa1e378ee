"""From graded answers to the frame of a table, as its declaration says."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from afterimage.showing.tables.baselines import MEASURED, REFERENCE
from afterimage.showing.tables.declaration import By, Settings, Split, Table
from afterimage.showing.tables.values import Group, Value, worked_rows

_NUMBERS = re.compile(r"((?<![\w.])-?\d+(?:\.\d+)?|\d+)")
_DTYPES = {"whole": "Int64", "number": "float"}


def frame_of(table: Table, grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Compute the whole table, one row per line of its CSV.

    Args:
        grades: Graded answers of all models, factors as columns.
        settings: What the declaration's values need: "confidence", "resamples", "seed".
    """
    if callable(table.rows):
        return table.rows(grades, settings)
    return as_frame(rows_of(table, grades, settings), table.csv)


def rows_of(table: Table, grades: pd.DataFrame, settings: Settings) -> list[dict[str, Any]]:
    """Compute the rows of a table that declares them: the columns that name each, and its unrounded values."""
    assert not callable(table.rows)
    answers = grades if table.of is None else table.of(grades, settings)
    groups = [
        Group(part, levels, above, settings)
        for levels, part, above in split_answers(table.rows, answers, settings)
    ]
    return worked_rows(table.csv, groups)


def as_frame(rows: Sequence[Mapping[str, Any]], csv: Sequence[str | Value]) -> pd.DataFrame:
    """Return rows as a frame with the columns of a CSV; counts are whole numbers, empty if undefined."""
    names = [name for value in csv for name in ([value] if isinstance(value, str) else value.names)]
    frame = pd.DataFrame(list(rows), columns=names)
    values = [value for value in csv if not isinstance(value, str)]
    return frame.astype(
        {
            name: _DTYPES[value.kind]
            for value in values
            if value.kind in _DTYPES
            for name in value.names
        }
    )


#: The columns that name a group of answers, its answers, and the answers that the last step split.
Part = tuple[dict[str, Any], pd.DataFrame, pd.DataFrame]


def split_answers(
    steps: Sequence[By | Split],
    answers: pd.DataFrame,
    settings: Settings,
    known: Mapping[str, Any] | None = None,
) -> Iterator[Part]:
    """Split answers step by step; reference rows follow the rows of the step that names them.

    Args:
        steps: Outermost first.
        known: The columns that name these answers already.
    """
    names = dict(known or {})
    if not steps:
        yield names, answers, answers
        return
    first, *others = steps
    for level, part in parts(first, answers, settings):
        for levels, inner, above in split_answers(others, part, settings, {**names, **level}):
            yield levels, inner, above if others else answers
    references = first.references if isinstance(first, By) and len(answers) else ()
    for reference in references:
        # Answers without an item id are not the study's own.
        items = answers.dropna(subset="item_id").drop_duplicates("item_id")
        items = items.assign(model=reference.name)
        reference_levels = {**names, "kind": REFERENCE, "model": reference.name}
        for levels, inner, above in split_answers(others, items, settings, reference_levels):
            answered = reference.answer(inner)
            if answered is not None:
                extra, part = answered
                yield {**levels, **extra}, part, above


def parts(
    step: By | Split, answers: pd.DataFrame, settings: Settings
) -> Iterator[tuple[Mapping[str, Any], pd.DataFrame]]:
    if not isinstance(step, By):
        yield from step(answers, settings)
        return
    factors = [step.factors] if isinstance(step.factors, str) else list(step.factors)
    names = ([step.names] if isinstance(step.names, str) else list(step.names)) or factors
    # A frame without rows may lack columns, too.
    found = dict(iter(answers.groupby(factors, sort=False))) if len(answers) else {}
    if step.levels:
        chosen = [level if isinstance(level, tuple) else (level,) for level in step.levels]
    else:
        foremost = [level for name in step.first if (level := (name,)) in found]
        others = [level for level in found if level not in foremost]
        if step.order != "seen":
            others.sort(key=None if step.order == "sorted" else _natural_level_order)
        chosen = [*foremost, *others]
    kind = {"kind": MEASURED} if step.references else {}
    for level in chosen:
        yield {**kind, **dict(zip(names, level, strict=True))}, found.get(level, answers.iloc[:0])
    if step.total is not None:
        yield dict.fromkeys(names, step.total), answers


def natural_order(name: str) -> list[tuple[float, str]]:
    """Return a sort key by which "thickness_10" follows "thickness_9", and "-0.15" precedes "0"."""
    pieces = _NUMBERS.split(name)
    return [
        (float(piece), "") if index % 2 else (float("inf"), piece)
        for index, piece in enumerate(pieces)
    ]


def _natural_level_order(level: tuple[Any, ...]) -> list[list[tuple[float, str]]]:
    return [natural_order(str(name)) for name in level]
