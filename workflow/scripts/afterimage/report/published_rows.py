"""The papers' printed numbers that belong to a table of the study, for the page that shows the table."""

from collections.abc import Iterable, Mapping
from importlib import import_module

from afterimage.contract.paper import Number
from afterimage.ledger.cells import Files
from afterimage.ledger.entries import entries

_UNITS = {"percent": " %", "points": " points"}


def published_by_table(
    numbers: Iterable[Number], spec: Mapping, files: Files
) -> dict[str, list[dict[str, str]]]:
    """Return, for each table, what was printed and what the study has for it.

    Args:
        numbers: All printed numbers.
        spec: As :meth:`ledger.planning.Ledger.spec_of_suite` returns it: the papers of one suite.
        files: The study's tables.

    Returns:
        Table to rows with ``row``, ``column``, ``printed``, ``here``, ``interval``, ``status``, ``verdict``,
        ``difference`` (with its interval), ``misprint``, ``reason`` and ``source``; all of them texts.
    """
    everything = list(numbers)
    own = [number for number in everything if number.paper in spec["papers"]]
    tables: dict[str, list[dict[str, str]]] = {}
    for number, entry in zip(own, entries(own, everything, spec, files), strict=True):
        place = import_module(spec["papers"][number.paper]["part"]).place(number)
        if place is not None:
            tables.setdefault(place.table, []).append(_row(entry))
    return tables


def _row(entry: Mapping[str, str]) -> dict[str, str]:
    unit = _UNITS.get(entry["unit"], "")
    return {
        "row": entry["model"],
        "column": ", ".join(filter(None, (entry["subset"], entry["metric"]))).replace("_", " "),
        "printed": f"{entry['published']}{unit}",
        "here": f"{entry['value']}{unit}{_counts(entry)}" if entry["value"] else "",
        "interval": f"[{entry['low']}, {entry['high']}]" if entry["low"] else "",
        "status": entry["status"].replace("_", " "),
        "verdict": entry["verdict"],
        "difference": _difference(entry),
        "misprint": entry["misprint"],
        "reason": entry["reason"],
        "source": f"{entry['paper']}, {entry['table']}",
    }


def _difference(entry: Mapping[str, str]) -> str:
    bounds = f" [{entry['difference_low']}, {entry['difference_high']}]"
    return f"{entry['difference']}{bounds}" if entry["difference_low"] else entry["difference"]


def _counts(entry: Mapping[str, str]) -> str:
    return f" ({entry['k']}/{entry['n']})" if entry["k"] and entry["n"] else ""
