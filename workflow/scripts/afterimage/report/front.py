"""The scores that are read first: every model's row out of the CSV tables, and where its bar is drawn.

No number is made here: each stands in a table, and is only printed to one decimal of a percent.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from afterimage.files.csv_rows import read_rows

#: Whose rows there are, in the order in which they stand, and what is said above them.
GROUPS = {
    "model": "Models",
    "responder": "Reference responders",
    "recorded": "Recorded elsewhere",
    "people": "People",
    "baseline": "Without looking at the image",
}
#: What a table's column "kind" says, to whose row it is; a table without that column has models alone.
_KINDS = {"recorded": "recorded", "human": "people", "people": "people", "reference": "baseline"}
_MEASURED = "measured"


def front_rows(
    front: Mapping[str, Any], tables: Mapping[str, str | os.PathLike], models: Mapping[str, str]
) -> dict[str, Any]:
    """Return the scores that are read first, a row for each model and a column for each score.

    Args:
        front: ``scores`` (``label``, ``table``, ``value``, ``low``, ``high``, ``where``), ``main``, ``measure``,
            ``top``.
        tables: Name of a table to its CSV.
        models: The study's models to ``model`` or ``responder``, in the order of the rows.

    Returns:
        ``measure``; ``columns`` (``label``, ``is_main``); ``rows`` (``name``, ``kind`` of :data:`GROUPS`,
        ``cells``), each cell None or as :func:`cell` returns it; columns in which nobody has a score are left out;
        ``awaited``: people's rows without a score. Of several prompts the first that a table has is shown.
    """
    read = {name: read_rows(path) for name, path in tables.items()}
    columns = [
        (score, _scores(score, read[score["table"]], front["top"], models))
        for score in front["scores"]
    ]
    columns = [(score, found) for score, found in columns if found]
    names = [
        *(
            (name, models[name])
            for name in models
            if any((name, models[name]) in f for _, f in columns)
        ),
        *dict.fromkeys(who for _, found in columns for who in found if who[0] not in models),
    ]
    rows = [
        {"name": name, "kind": kind, "cells": [found.get((name, kind)) for _, found in columns]}
        for name, kind in names
    ]
    order = list(GROUPS)
    return {
        "measure": front["measure"],
        "columns": [
            {"label": score["label"], "is_main": score["label"] == front["main"]}
            for score, _ in columns
        ],
        "rows": sorted(rows, key=lambda row: order.index(row["kind"])),
        "awaited": _awaited(front["scores"], read),
    }


def cell(value: float, low: float | None, high: float | None) -> dict[str, Any]:
    """Return a score in percent as it is shown.

    Args:
        value: From 0 to 100.
        low: Its lower bound, None where it has none.
        high: Its upper bound.
    """
    return {
        "text": f"{value:.1f}",
        "interval": "" if low is None or high is None else f"{low:.1f} to {high:.1f}",
        "value": round(value, 2),
        "low": None if low is None else round(low, 2),
        "high": None if high is None else round(high, 2),
    }


def best_baseline(rows: Iterable[Mapping[str, Any]], column: int) -> dict[str, Any] | None:
    """Return the greatest score that can be had without looking; None where the table has none."""
    found = [row["cells"][column] for row in rows if row["kind"] == "baseline"]
    return max(filter(None, found), key=lambda one: one["value"], default=None)


def with_marks(shown: Mapping[str, Any]) -> dict[str, Any]:
    """Return the same rows with the best baseline of each column in every cell (``mark``), for its bar."""
    marks = [best_baseline(shown["rows"], place) for place in range(len(shown["columns"]))]
    rows = [
        {
            **row,
            "cells": [
                one and {**one, "mark": mark and mark["value"]}
                for one, mark in zip(row["cells"], marks, strict=True)
            ],
        }
        for row in shown["rows"]
    ]
    return {**shown, "rows": rows, "groups": groups(rows)}


def groups(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return rows below the headings that say whose they are: ``heading``, ``kind`` and ``rows``."""
    return [
        {"heading": heading, "kind": kind, "rows": [row for row in rows if row["kind"] == kind]}
        for kind, heading in GROUPS.items()
        if any(row["kind"] == kind for row in rows)
    ]


def _scores(
    score: Mapping[str, Any],
    rows: Sequence[Mapping[str, str]],
    top: float,
    models: Mapping[str, str],
) -> dict[tuple[str, str], dict[str, Any]]:
    """Return the first score of everybody in a table, by name and kind."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for row in rows:
        told = row.get("kind", _MEASURED)
        kind = models.get(row["model"]) if told == _MEASURED else _KINDS.get(told)
        value = _number(row, score["value"], top)
        fits = all(row.get(name) == wanted for name, wanted in score["where"].items())
        if kind and fits and value is not None:
            bounds = (_number(row, score[end], top) for end in ("low", "high"))
            found.setdefault((row["model"], kind), cell(value, *bounds))
    return found


def _awaited(
    scores: Iterable[Mapping[str, Any]], read: Mapping[str, list[dict[str, str]]]
) -> list[str]:
    """Return whom of the people a table has a row for, but no score."""
    return list(
        dict.fromkeys(
            row["model"]
            for score in scores
            for row in read[score["table"]]
            if _KINDS.get(row.get("kind", "")) == "people" and not row.get(score["value"])
        )
    )


def _number(row: Mapping[str, str], column: str, top: float) -> float | None:
    text = row.get(column, "")
    return 100 * float(text) / top if text else None
