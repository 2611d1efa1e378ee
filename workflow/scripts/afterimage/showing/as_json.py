"""One table as JSON: what readers see of it, for the report's pages and for other programs."""

import json
from collections.abc import Iterator
from typing import Any

from afterimage.showing.cells import lines_of
from afterimage.showing.layout import Layout, sort_value


def json_text(layout: Layout) -> str:
    """Return the reader's table as a JSON object, one row per line.

    ``title``; ``columns`` (``label``, ``is_numeric``); ``spans`` (``label``, ``columns``); ``rows``: ``group`` (the
    heading that begins above the row, or ""), ``is_reference``, ``is_yardstick`` (no model's) and ``cells``, each with
    its ``lines`` (``text``, ``style``: best, rise, fall or ""), all of them as ``text``, and ``sort`` (a number, a
    text, or null where no number is defined); ``notes``; ``warnings``; ``empty``, of a table without a number, why.
    """
    told = {
        "title": layout.title,
        "columns": [
            {"label": _one_line(column.header), "is_numeric": column.numeric}
            for column in layout.columns
        ],
        "spans": [
            {"label": _one_line(span.header), "columns": span.columns} for span in layout.spans
        ],
        "notes": list(layout.notes),
        "warnings": [warning.upper() for warning in layout.warnings],
        **({"empty": layout.empty} if layout.empty else {}),
    }
    parts = [f"{json.dumps(name)}: {_dumped(value)}" for name, value in told.items()]
    rows = ",\n".join(_dumped(row) for row in _rows(layout))
    return "{\n" + ",\n".join([*parts, f'"rows": [\n{rows}\n]' if rows else '"rows": []']) + "\n}\n"


def _rows(layout: Layout) -> Iterator[dict[str, Any]]:
    numeric = [column.numeric for column in layout.columns]
    own = (
        (row.cells, heading, row.is_yardstick)
        for row, heading in zip(layout.rows, layout.headings, strict=True)
    )
    others = ((row, "", True) for row in layout.references)
    for is_reference, rows in ((False, own), (True, others)):
        for cells, heading, is_yardstick in rows:
            yield {
                "group": heading,
                "is_reference": is_reference,
                "is_yardstick": is_yardstick,
                "cells": [_cell(cell, kind) for cell, kind in zip(cells, numeric, strict=True)],
            }


def _cell(cell: str, numeric: bool) -> dict[str, Any]:
    lines = [{"text": _one_line(line.text), "style": line.style} for line in lines_of(cell)]
    if not numeric:
        # A name broken over lines is still one name.
        lines = [{"text": _one_line(cell), "style": lines[0]["style"]}]
    return {
        "lines": lines,
        "text": " ".join(line["text"] for line in lines),
        "sort": sort_value(lines[0]["text"], numeric),
    }


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _dumped(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
