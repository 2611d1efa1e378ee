"""Tables of a page, with the published numbers."""

import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path

from afterimage.command_line import snakemake
from afterimage.contract.paper import Number
from afterimage.errors import AfterimageError
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


# ---- table entries ----

# Between a sign that ends a part of a sentence and what follows it, in English and in Japanese.
_LEAD_ENDS = re.compile(r"(?<=[.:;?!])\s+|(?<=[。：；？！])")


def table_entry(
    name: str,
    shown: str | os.PathLike,
    csv: str | os.PathLike,
    caption: str,
    published: Sequence[Mapping] = (),
    study: Sequence[str] = (),
) -> dict:
    """Return what a page shows of a table.

    Args:
        name: The table's name.
        shown: The readers' table as JSON (:mod:`afterimage.showing.renderers`).
        csv: The whole table.
        caption: What it shows, in words.
        published: What the papers print in its place, as :func:`published_rows.published_by_table` returns it.
        study: The options of a command line that name the study.

    Raises:
        AfterimageError: The file is not such a table.
    """
    return {
        **_read(shown),
        "name": name,
        "caption": caption,
        "published": list(published),
        "csv": Path(csv).read_text(encoding="utf-8"),
        "file": str(csv),
        "command": snakemake(*study, targets=[str(csv)], is_shared=True),
    }


def caption_texts(
    paths: Iterable[str | os.PathLike], said: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Return captions of Snakemake's report as plain text, by the name of what they are about.

    Args:
        paths: The captions in English.
        said: Name to caption in the study's language; where there is none, English stays.
    """
    return {
        name: (said or {}).get(name) or _plain(Path(path).read_text(encoding="utf-8"))
        for path in paths
        for name in [Path(path).stem]
    }


def lead_of(caption: str) -> tuple[str, str]:
    """Return what a caption begins with, up to its first full stop, colon or question mark, and the rest."""
    lead, *rest = _LEAD_ENDS.split(caption, maxsplit=1)
    return lead, "".join(rest)


def _plain(text: str) -> str:
    return " ".join(text.split()).replace("``", "").replace("*", "")


def _read(path: str | os.PathLike) -> dict:
    try:
        found = json.loads(Path(path).read_text(encoding="utf-8"))
    except ValueError as error:
        raise AfterimageError(
            f"{path}: not a table of this workflow ({error}); delete it and run again."
        ) from error
    missing = [key for key in ("title", "columns", "rows") if key not in found]
    if missing:
        raise AfterimageError(
            f"{path}: not a table of this workflow (no '{missing[0]}'); delete it and run again."
        )
    return found
