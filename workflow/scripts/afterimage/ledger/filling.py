"""A study's numbers in a Markdown manuscript: ``{{ val TABLE ROW COLUMN }}`` becomes what the run has there."""

import json
import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from afterimage.errors import AfterimageError, fault, unknown_name
from afterimage.showing.tables.columns import NOT_AVAILABLE

# Not what Quarto writes as {{< ... >}}.
_PLACEHOLDER = re.compile(r"\{\{\s*(\w+)((?:\s+[^\s{}<>]+)*)\s*\}\}")
_PARTS = {"val": 3, "interval": 3, "counts": 3, "p": 3, "diff": 4}
_LINK_TEXTS = {"low": "interval", "k": "counts", "p": "p value"}
_MINUS = "\N{MINUS SIGN}"

Table = Mapping[str, Any]


def read_values(path: str | Path) -> Mapping[str, Table]:
    """Read a study's named cells (``results/values.json``).

    Raises:
        AfterimageError: The file is none of a run.
    """
    try:
        found = json.loads(Path(path).read_text(encoding="utf-8"))
        return {name: {"rows": table["rows"], **table} for name, table in found.items()}
    except (ValueError, KeyError, TypeError, AttributeError):
        raise AfterimageError(
            f"{path}: not the values of a run; expected results/values.json as a run writes it."
        ) from None


def filled(text: str, values: Mapping[str, Table], report: str = "", where: str = "") -> str:
    """Return a manuscript with its numbers.

    Args:
        text: The manuscript, with ``{{ val TABLE ROW COLUMN }}``, likewise ``interval``, ``counts`` and ``p``, and
            ``{{ diff TABLE ROW FIRST SECOND }}``, where ROW is ``-`` for a comparison that only its two models name.
        values: As :func:`read_values` returns them.
        report: Location of the report, for links to the rows; "" for numbers without links.

    Raises:
        AfterimageError: A word, table, row or column is not there; the sentence has the line and the nearest name.
    """
    return "\n".join(
        _PLACEHOLDER.sub(partial(_number, values, report, f"{where}:{ref}"), line)
        for ref, line in enumerate(text.split("\n"), 1)
    )


def _number(values: Mapping[str, Table], report: str, where: str, found: re.Match[str]) -> str:
    word, names = found[1], found[2].split()
    if word not in _PARTS:
        raise unknown_name("word", word, _PARTS, where)
    if len(names) != _PARTS[word]:
        raise fault(where, f"'{found[0]}' has {len(names)} names; expected {_PARTS[word]}.")
    table = values.get(names[0])
    if table is None:
        raise unknown_name("table", names[0], values, where)
    row, column = names[1], names[2]
    if word == "diff":
        row, column = "/".join([*([] if row == "-" else [row]), *names[2:]]), "difference"
    if row not in table["rows"]:
        raise unknown_name("row", row, table["rows"], where)
    if column not in table["columns"]:
        raise unknown_name("column", column, table["columns"], where)
    text = _SAY[word](partial(_cell, table, row, column, where))
    return (
        f"[{text}]({report}/{table['page']}#row/{names[0]}/{row})"
        if report and table["page"]
        else text
    )


def _cell(table: Table, row: str, column: str, where: str, kind: str = "") -> str:
    """Return the cell of a column, or of a companion column."""
    companions = table["columns"][column]
    if kind and kind not in companions:
        raise fault(where, f"'{column}' has no {_LINK_TEXTS[kind]}.")
    cell: str = table["rows"][row][list(table["columns"]).index(companions.get(kind, column))]
    return f"{_MINUS}{cell[1:]}" if re.match(r"-\d", cell) else cell


def _interval(cell: Callable[..., str]) -> str:
    low = cell("low")
    # Within a link, a bracket would end its text.
    return low if low == NOT_AVAILABLE else f"\\[{low}, {cell('high')}\\]"


def _p(cell: Callable[..., str]) -> str:
    p = cell("p")
    if p.startswith("<"):
        return f"*p* \\< {p[1:]}"
    return f"*p* = {p}" if p[0].isdigit() else f"*p*: {p}"


_SAY: Mapping[str, Callable[[Callable[..., str]], str]] = {
    "val": lambda cell: cell(),
    "interval": _interval,
    "counts": lambda cell: f"{cell('k')}/{cell('n')}",
    "p": _p,
    "diff": lambda cell: f"{cell()} {_interval(cell)}, {_p(cell)}",
}
