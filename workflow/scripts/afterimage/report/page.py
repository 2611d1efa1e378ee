"""Pages of the report, in the study's language."""

import base64
import csv
import hashlib
import io
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from afterimage.command_line import afterimage
from afterimage.note import Note
from afterimage.showing.language import Words, words_of
from afterimage.showing.tables.cited_cells import naming_columns

# ---- page ----

# The browser reads pictures when they become visible, a block at a time, in a few milliseconds each.
_BLOCK_CHARACTERS = 500_000
# A data block ends at "</script" and is HTML until then; JSON needs none of these outside of strings.
_ESCAPED = {ord(character): f"\\u{ord(character):04x}" for character in "<>&"}
# A table with more rows is collapsed at first.
_LONG = 28
# Begins the explanation in a table's title, also in Japanese.
_EXPLAINS = re.compile(r":\s|\s?[(（]|：")
_VERDICTS = ("consistent", "differs", "cannot_tell", "")


def suite_page(contents: Mapping[str, Any], templates: Path) -> str:
    """Return the page of a suite: its tables, figures, gallery of items, prompts and provenance.

    Args:
        contents: Values of the page, of :func:`contents.suite_contents`; texts are shown as they are.
    """
    gallery = dict(contents["gallery"])
    first = contents["first_figure"]
    images = gallery.pop("images")
    return _render(
        "suite.html.j2",
        templates,
        ("words.js", "tables.js", "rows.js", "gallery.js"),
        {
            **contents,
            "blocks": list(_blocks(images)) if gallery["items"] else [],
            "first_figure": next(
                (figure for figure in contents["figures"] if figure["name"] == first), None
            ),
            "figures": [figure for figure in contents["figures"] if figure["name"] != first],
            "gallery": gallery,
            "index": _json(gallery),
            **_tables(contents["tables"], contents["title"]),
            "provenance": _filled(contents["provenance"]),
        },
    )


def overview_page(contents: Mapping[str, Any], templates: Path) -> str:
    """Return the page of a study: its suites, models, what was measured and what was not, and provenance.

    Args:
        contents: Values of the page, of :func:`contents.overview_contents`; texts are shown as they are.
    """
    figures = {figure["name"]: figure for figure in contents["figures"]}
    provenance = _filled(contents["provenance"])
    values = {
        **contents,
        **_tables(contents["tables"]),
        "figures": figures,
        "provenance": provenance,
    }
    return _render("overview.html.j2", templates, ("words.js", "tables.js", "rows.js"), values)


def _filled(provenance: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the parts that have rows, so that no heading is empty."""
    return [{"is_folded": False, **part} for part in provenance if part["rows"]]


def _render(name: str, templates: Path, scripts: Sequence[str], values: Mapping[str, Any]) -> str:
    folder = Path(templates)
    environment = jinja2.Environment(
        autoescape=True,
        loader=jinja2.FileSystemLoader(folder),
        lstrip_blocks=True,
        trim_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    words, script_words = words_of(values, "texts", "cells"), words_of(values, "scripts")
    environment.globals["_"] = Note
    environment.filters["translated"] = words.translate
    environment.finalize = partial(_translated, words)
    style = (folder / "report.css").read_text(encoding="utf-8")
    script = "".join((folder / file).read_text(encoding="utf-8") for file in scripts)
    return environment.get_template(name).render(
        **{"unfinished": (), "pilot": "", **values, "language": words.language},
        script=Markup(script),
        script_hash=_hash(script),
        style=Markup(style),
        script_words=_json(script_words.texts) if script_words else "",
        style_hash=_hash(style),
    )


def _translated(words: Words, value: object) -> object:
    """Translate notes that a template prints; anything else stays."""
    return words.translate(value) if isinstance(value, Note) else value


def short_title(title: str, suite: str) -> str:
    """Return a table's title for a list of tables: without the suite's name and the explanation."""
    shortened = title.removeprefix(f"{suite}: ").removeprefix(f"{suite}, ")
    shortened = _EXPLAINS.split(shortened, maxsplit=1)[0]
    return shortened[:1].upper() + shortened[1:]


def _tables(
    tables: Sequence[Mapping[str, Any]], suite: str = ""
) -> dict[str, list[dict[str, Any]]]:
    """Return a page's tables, and the notes that several of them share, which the page shows once."""
    notes = [table.get("notes", ()) if table["rows"] else () for table in tables]
    counts = Counter(note for table_notes in notes for note in dict.fromkeys(table_notes))
    shared = [note for note, count in counts.items() if count > 1]
    return {
        "tables": [
            _shown(table, table_notes, shared, suite)
            for table, table_notes in zip(tables, notes, strict=True)
        ],
        "shared_notes": shared,
    }


def _shown(
    table: Mapping[str, Any], notes: Sequence[str], shared: Sequence[str], suite: str
) -> dict[str, Any]:
    """Return a table with its rows in bodies, its CSV as a data URL, and counts of its published numbers."""
    published = table["published"]
    counts = {
        verdict: sum(number["verdict"] == verdict for number in published) for verdict in _VERDICTS
    }
    return {
        "spans": [],
        "warnings": [],
        **table,
        "verdicts": {
            name.replace("_", " ") or "not compared": count
            for name, count in counts.items()
            if count
        },
        "own_notes": [note for note in notes if note not in shared],
        "shared_notes": [number for number, note in enumerate(shared, start=1) if note in notes],
        "lead": _lead(table),
        "short_title": short_title(table["title"], suite),
        "is_long": len(table["rows"]) > _LONG,
        "is_empty": _is_empty(table),
        "bodies": list(_bodies(table["rows"])),
        "csv_address": _address(table["csv"]),
        "naming": json.dumps(naming_columns(list(csv.DictReader(io.StringIO(table["csv"]))))),
        "why": afterimage("why", table["file"], is_shared=True),
        "reasons": list(dict.fromkeys(filter(None, (n.get("reason") for n in published)))),
    }


def _is_empty(table: Mapping[str, Any]) -> bool:
    """Tell whether a table with columns of numbers has none in any row; such a table is collapsed."""
    numbers = [
        cell["sort"]
        for row in table["rows"]
        for cell, column in zip(row["cells"], table["columns"], strict=True)
        if column["is_numeric"]
    ]
    return bool(numbers) and all(number is None for number in numbers)


def _lead(table: Mapping[str, Any]) -> list[int]:
    """Return the columns of words between a row's name and its first number; phones show them with the name."""
    numeric = [column["is_numeric"] for column in table["columns"]]
    if table.get("spans") or True not in numeric:
        return []
    return list(range(1, numeric.index(True)))


def _bodies(rows: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield groups of rows that are sorted separately: those below one heading, and reference rows."""
    groups, current = [], ""
    for number, row in enumerate(rows):
        if row.get("group"):
            current = f"{number} {row['group']}"
        groups.append((row["is_reference"], current))
    for (is_reference, _), together in groupby(
        zip(groups, rows, strict=True), lambda pair: pair[0]
    ):
        members = [row for _, row in together]
        yield {
            "heading": members[0].get("group", ""),
            "is_reference": is_reference,
            "rows": members,
        }


def _blocks(images: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the pictures in blocks of JSON, each with the index of its first."""
    first, block, length = 0, [], 0
    for index, image in enumerate(images):
        block.append(image)
        length += len(image["thumbnail"]) + len(image.get("full") or "")
        if length >= _BLOCK_CHARACTERS:
            yield {"first": first, "json": _json(block)}
            first, block, length = index + 1, [], 0
    if block:
        yield {"first": first, "json": _json(block)}


def _json(value: object) -> Markup:
    # In ASCII, so that the page has no line separator, direction mark or half of a surrogate pair.
    return Markup(json.dumps(value, separators=(",", ":")).translate(_ESCAPED))


def _address(text: str) -> str:
    return f"data:text/csv;charset=utf-8;base64,{base64.b64encode(text.encode()).decode('ascii')}"


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode('ascii')}"
