"""A table as readers get it, read back from its HTML file: the report shows exactly what stands there."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

from afterimage.errors import AfterimageError

_BODY = re.compile(r"<body>.*</body>", re.DOTALL)
# "<0.001", "at least 3.20", "2,754 of 6,100": what a cell begins with.
_NUMBER = re.compile(r"(?:[<>~]|at least)?\s*([+-]?[\d,]+(?:\.\d+)?)")
_MINUS = "\N{MINUS SIGN}"
_STYLES = {"rise": "rise", "fall": "fall"}


def read_table_page(path: str | os.PathLike) -> dict:
    """Return a table's title, columns, rows, notes and warnings.

    Args:
        path: HTML that :func:`reporting.table_files.write_table` wrote.

    Returns:
        ``title``; ``columns`` (``label``, ``is_numeric``); ``spans`` (``label``, ``columns``); ``rows``: ``group`` (the
        heading above the row, or ""), ``is_reference`` and ``cells``, each with its ``lines`` (``text``, ``style``),
        all of them as ``text``, and ``sort`` (a number, a text, or None where nothing is defined); ``notes``;
        ``warnings``.

    Raises:
        AfterimageError: The file is not such a table.
    """
    try:
        body = ElementTree.fromstring(_BODY.search(Path(path).read_text(encoding="utf-8")).group())
        headings = body.findall(".//thead/tr")
        columns = [
            {"label": _text(head), "is_numeric": head.get("class") == "number"}
            for head in headings[-1]
        ]
        return {
            "title": _text(body.find(".//caption")),
            "columns": columns,
            "spans": [
                {"label": _text(head), "columns": int(head.get("colspan"))}
                for row in headings[:-1]
                for head in row
            ],
            "rows": list(_rows(body, [column["is_numeric"] for column in columns])),
            "notes": [_text(note) for note in body.findall("./ul/li")],
            "warnings": [_text(note) for note in body.findall("./p")],
        }
    except (AttributeError, IndexError, ElementTree.ParseError) as error:
        raise AfterimageError(
            f"{path}: not a table of this workflow ({error}); delete it and run again."
        ) from error


def _rows(body: ElementTree.Element, numeric: list[bool]) -> Iterator[dict]:
    for part in body.findall(".//tbody"):
        group = ""
        for row in part:
            if row.get("class") == "group":
                group = _text(row)
                continue
            cells = [_cell(cell, number) for cell, number in zip(row, numeric, strict=True)]
            yield {
                "cells": cells,
                "group": group,
                "is_reference": part.get("class") == "reference",
            }
            group = ""


def _cell(cell: ElementTree.Element, is_numeric: bool) -> dict:
    lines = list(_lines(cell)) or [{"text": "", "style": ""}]
    return {
        "lines": lines,
        "text": " ".join(line["text"] for line in lines),
        "sort": _sort(lines[0]["text"], is_numeric),
    }


def _lines(cell: ElementTree.Element) -> Iterator[dict]:
    """Yield the value and what stands below it; each may be in a style."""
    below = [part for part in cell if part.get("class") == "below"]
    value = "".join(
        [cell.text or "", *(_text(part) + (part.tail or "") for part in cell if part not in below)]
    )
    style = next((_style(part) for part in cell if part not in below), "")
    yield {"text": " ".join(value.split()), "style": style}
    for part in below:
        yield {"text": _text(part), "style": next(map(_style, part), "")}


def _style(part: ElementTree.Element) -> str:
    return "best" if part.tag == "strong" else _STYLES.get(part.get("class"), "")


def _sort(text: str, is_numeric: bool) -> float | str | None:
    if not is_numeric:
        return text
    number = _NUMBER.match(text.replace(_MINUS, "-"))
    return None if number is None else float(number.group(1).replace(",", ""))


def _text(element: ElementTree.Element) -> str:
    return " ".join("".join(element.itertext()).split())
