"""The named cells of a study's tables as files for manuscripts: JSON, which Typst reads too, and LaTeX."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import astuple
from typing import Any

from afterimage.showing.cited_cells import CitedTable, Companions
from afterimage.showing.latex import latex_of

#: Behind this line of the LaTeX file stand the cells.
_END = "\\endinput"
_KINDS = {"low": 1, "high": 2, "k": 3, "n": 4, "p": 5}


def values_json(tables: Iterable[CitedTable]) -> str:
    """Return tables as a JSON object, a row a line: name to ``page``, ``columns`` and ``rows``.

    A column has what stands beside it (``low``, ``high``, ``k``, ``n``, ``p``: names of columns), a row its cells in
    the order of the columns.
    """
    parts = [f"{_dumped(table.name)}: {_table(table)}" for table in tables]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def values_latex(tables: Iterable[CitedTable], macros: str) -> str:
    """Return the macros of ``resources/values/values.tex`` with the cells behind them, which they read line by line."""
    return "\n".join([macros.rstrip(), _END, *(line for one in tables for line in _lines(one)), ""])


def _table(table: CitedTable) -> str:
    columns = {name: _beside(own) for name, own in table.columns.items()}
    rows = [f"{_dumped(name)}: {_dumped(cells)}" for name, cells in table.rows.items()]
    shown = "{\n" + ",\n".join(rows) + "}" if rows else "{}"
    return f'{{"page": {_dumped(table.page)}, "columns": {_dumped(columns)},\n"rows": {shown}}}'


def _beside(own: Companions) -> dict[str, str]:
    return {kind: name for kind in _KINDS if (name := getattr(own, kind))}


def _lines(table: CitedTable) -> Iterator[str]:
    places = {name: str(place) for place, name in enumerate(table.columns, 1)} | {"": ""}
    yield f"T|{table.name}|{table.page}"
    for name, own in table.columns.items():
        yield "|".join(
            ["C", table.name, name, places[name], *(places[one] for one in astuple(own))]
        )
    for name, cells in table.rows.items():
        yield "|".join(["R", table.name, name, *map(_latex, cells)])


def _latex(cell: str) -> str:
    # A p value is read by the macros themselves.
    one_line = " ".join(cell.split())
    return one_line if cell.startswith("<") else latex_of(one_line)


def _dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
