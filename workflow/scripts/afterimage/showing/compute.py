"""Graded answers to the frame of a table: what its declaration says, row by row."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from afterimage.showing.declaration import By, Settings, Split, Table
from afterimage.showing.values import Value, worked

_NUMBERS = re.compile(r"((?<![\w.])-?\d+(?:\.\d+)?|\d+)")
_DTYPES = {"whole": "Int64", "number": "float"}


def frame_of(table: Table, grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Work out the whole table, one row per line of its CSV.

    Args:
        table: The declaration.
        grades: Graded answers of all models, factors as columns.
        settings: What the declaration's values need: "confidence", "resamples", "seed".
    """
    if callable(table.rows):
        return table.rows(grades, settings)
    answers = grades if table.of is None else table.of(grades, settings)
    rows = [
        worked(table.csv, part, settings, levels, above)
        for levels, part, above in parted(table.rows, answers, settings)
    ]
    return as_frame(rows, table.csv)


def as_frame(rows: Sequence[Mapping[str, Any]], csv: Sequence[str | Value]) -> pd.DataFrame:
    """Put rows into the columns of a CSV: counts are whole numbers, empty where there is none."""
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


def parted(
    steps: Sequence[By | Split],
    answers: pd.DataFrame,
    settings: Settings,
    levels: Mapping[str, Any] | None = None,
) -> Iterator[tuple[dict[str, Any], pd.DataFrame, pd.DataFrame]]:
    """Part answers step by step: yield the levels of each part, its answers, and those that the last step parted."""
    known = dict(levels or {})
    first, *others = steps
    for own, part in parts(first, answers, settings):
        if others:
            yield from parted(others, part, settings, {**known, **own})
        else:
            yield {**known, **own}, part, answers


def parts(
    step: By | Split, answers: pd.DataFrame, settings: Settings
) -> Iterator[tuple[Mapping[str, Any], pd.DataFrame]]:
    """Part answers by one step."""
    if not isinstance(step, By):
        yield from step(answers, settings)
        return
    factors = [step.factors] if isinstance(step.factors, str) else list(step.factors)
    names = ([step.names] if isinstance(step.names, str) else list(step.names)) or factors
    found = dict(iter(answers.groupby(factors, sort=False)))
    if step.levels:
        chosen = [level if isinstance(level, tuple) else (level,) for level in step.levels]
    elif step.order == "seen":
        chosen = list(found)
    else:
        key = None if step.order == "sorted" else _natural_levels
        chosen = sorted(found, key=key)
    for level in chosen:
        yield dict(zip(names, level, strict=True)), found.get(level, answers.iloc[:0])
    if step.total is not None:
        yield dict.fromkeys(names, step.total), answers


def natural_order(name: str) -> list[tuple[float, str]]:
    """Return a sort key by which "thickness_10" follows "thickness_9", and "-0.15" precedes "0"."""
    pieces = _NUMBERS.split(name)
    return [
        (float(piece), "") if index % 2 else (float("inf"), piece)
        for index, piece in enumerate(pieces)
    ]


def _natural_levels(level: tuple[Any, ...]) -> list[list[tuple[float, str]]]:
    return [natural_order(str(name)) for name in level]
