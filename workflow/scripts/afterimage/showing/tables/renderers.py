"""One table as readers get it: in GitHub's Markdown, as an HTML page that needs no other file, and as JSON.

JSON is for the report's pages and for other programs. LaTeX is in :mod:`afterimage.showing.tables.latex`."""

import json
import re
from collections.abc import Iterator
from typing import Any

import tabulate
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup, escape

from afterimage.showing.tables.columns import number_of
from afterimage.showing.tables.layout import Layout, Line, lines_of

# ---- Markdown ----

# What GitHub would read as emphasis, code, a link, a cell's end or HTML. A bracket makes a link
# only with what follows it, and an underscore inside a word is plain text.
_SPECIAL = re.compile(r"[\\`*|<>~&]|\](?=[(\[:])|(?<![^\W_])_|_(?![^\W_])")

# Otherwise column widths would depend on which packages are installed.
tabulate.WIDE_CHARS_MODE = False


def markdown_text(layout: Layout) -> str:
    """Return the reader's table in GitHub's Markdown, with title and notes."""
    rows = []
    for heading, row in zip(layout.headings, layout.rows, strict=True):
        if heading:
            rows.append([f"**{_markdown(heading)}**", *[""] * (len(layout.columns) - 1)])
        rows.append([_markdown_cell(cell) for cell in row.cells])
    rows += [[_markdown_cell(cell) for cell in row] for row in layout.references]
    table = tabulate.tabulate(
        rows,
        headers=[_markdown_cell(column.header) for column in layout.columns],
        tablefmt="pipe",
        colalign=["right" if column.numeric else "left" for column in layout.columns],
        disable_numparse=True,
    )
    return "\n\n".join(
        [
            *(f"**{_markdown(warning.upper())}**" for warning in layout.warnings),
            f"**{_markdown(layout.title)}**",
            table,
            *(_markdown(note) for note in layout.notes),
        ]
    ) + ("\n")


def _markdown_cell(cell: str) -> str:
    printed = ((_markdown(line.text), line.style) for line in lines_of(cell))
    return " ".join(f"**{text}**" if style == "best" else text for text, style in printed)


def _markdown(text: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", text)


# ---- HTML ----

_HTML_STYLES = {
    "best": "<strong>%s</strong>",
    "rise": '<span class="rise">%s</span>',
    "fall": '<span class="fall">%s</span>',
}

_HTML = """<!DOCTYPE html>
<html lang="{{ layout.language }}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{ layout.title }}</title>
<style>
body { font: 16px/1.45 system-ui, sans-serif; margin: 1.5rem; color: #1a1a1a; background: #fff; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding-bottom: .6rem; }
th, td { padding: .3rem .8rem .3rem 0; text-align: left; vertical-align: top; font-weight: 400; }
thead th { border-top: 2px solid; border-bottom: 1px solid; font-weight: 600; }
tbody:last-of-type tr:last-child > * { border-bottom: 2px solid; }
.number { text-align: right; white-space: nowrap; }
.below { display: block; color: #555; font-size: .85em; }
.reference, .yardstick th { font-style: italic; }
.yardstick { color: #555; }
.group th { font-style: italic; padding-top: .8rem; }
.span th { border-bottom: none; text-align: center; }
.rise { color: #b00020; }
.fall { color: #1b6e2e; }
.reference tr:first-child > * { border-top: 1px solid; }
.warning { border: 3px solid #b00020; color: #b00020; padding: .6rem .8rem; }
.notes { max-width: 62rem; color: #333; font-size: .9em; }
</style>
</head>
<body>
{%- for warning in layout.warnings %}
<p class="warning"><strong>{{ warning | upper }}</strong></p>
{%- endfor %}
<div class="scroll" role="region" aria-label="{{ layout.title }}" tabindex="0">
<table>
<caption>{{ layout.title }}</caption>
<thead>
{%- if layout.spans %}
<tr class="span">
{%- for span in layout.spans %}
<th scope="colgroup" colspan="{{ span.columns }}">{{ span.header }}</th>
{%- endfor %}
</tr>
{%- endif %}
<tr>
{%- for column in layout.columns %}
<th scope="col"{% if column.numeric %} class="number"{% endif %}>{{ column.header }}</th>
{%- endfor %}
</tr>
</thead>
{%- for kind, group in (("measured", rows), ("reference", references)) if group %}
<tbody class="{{ kind }}">
{%- for row in group %}
{%- if kind == "measured" and headings[loop.index0] %}
<tr class="group"><th scope="rowgroup" colspan="{{ layout.columns | length }}">{{ headings[loop.index0] }}</th></tr>
{%- endif %}
<tr{% if kind == "measured" and layout.rows[loop.index0].is_yardstick %} class="yardstick"{% endif %}>
{%- for column, lines in zip(layout.columns, row) %}
{%- set tag, scope = ("th", "row") if loop.first else ("td", none) %}
<{{ tag }}{{ {"scope": scope, "class": "number" if column.numeric else none} | xmlattr }}>
{%- if column.numeric -%}
{{ lines[0] | styled }}{% for line in lines[1:] %} <span class="below">{{ line | styled }}</span>{% endfor %}
{%- else -%}
{{ lines | map("styled") | join(" ") }}
{%- endif -%}
</{{ tag }}>
{%- endfor %}
</tr>
{%- endfor %}
</tbody>
{%- endfor %}
</table>
</div>
{%- if layout.notes %}
<ul class="notes">
{%- for note in layout.notes %}
<li>{{ note }}</li>
{%- endfor %}
</ul>
{%- endif %}
</body>
</html>
"""


def html_text(layout: Layout) -> str:
    """Return the reader's table as an HTML page that needs no other file."""
    environment = Environment(
        undefined=StrictUndefined, autoescape=True, keep_trailing_newline=True
    )
    environment.filters["styled"] = _styled
    return environment.from_string(_HTML).render(
        layout=layout,
        headings=layout.headings,
        rows=[[lines_of(cell) for cell in row.cells] for row in layout.rows],
        references=[[lines_of(cell) for cell in row] for row in layout.references],
        zip=zip,
    )


def _styled(line: Line) -> Markup:
    return Markup(_HTML_STYLES.get(line.style, "%s") % escape(line.text))


# ---- JSON ----


def json_text(layout: Layout) -> str:
    """Return the reader's table as a JSON object, one row per line.

    ``title``; ``columns`` (``label``, ``is_numeric``); ``spans`` (``label``, ``columns``); ``rows``: ``group`` (the
    heading right above the row, or ""), ``is_reference``, ``is_yardstick`` (no model's) and ``cells``, each with its
    ``lines`` (``text``, ``style``: best, rise, fall or ""), all of them as ``text``, and ``sort`` (a number, a text, or
    null where no number is defined); ``notes``; ``warnings``; ``empty``: why a table has no number; ``unfinished``: of
    models without numbers yet, the fields of :class:`~afterimage.files.attempts.Unfinished`.
    """
    fields = {
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
        **(
            {"unfinished": [model._asdict() for model in layout.unfinished]}
            if layout.unfinished
            else {}
        ),
    }
    parts = [f"{json.dumps(name)}: {_dumped(value)}" for name, value in fields.items()]
    rows = ",\n".join(_dumped(row) for row in _json_rows(layout))
    return "{\n" + ",\n".join([*parts, f'"rows": [\n{rows}\n]' if rows else '"rows": []']) + "\n}\n"


def _json_rows(layout: Layout) -> Iterator[dict[str, Any]]:
    numeric = [column.numeric for column in layout.columns]
    measured = (
        (row.cells, heading, row.is_yardstick)
        for row, heading in zip(layout.rows, layout.headings, strict=True)
    )
    references = ((row, "", True) for row in layout.references)
    for is_reference, rows in ((False, measured), (True, references)):
        for cells, heading, is_yardstick in rows:
            yield {
                "group": heading,
                "is_reference": is_reference,
                "is_yardstick": is_yardstick,
                "cells": [
                    _json_cell(cell, kind) for cell, kind in zip(cells, numeric, strict=True)
                ],
            }


def _json_cell(cell: str, numeric: bool) -> dict[str, Any]:
    lines = [{"text": _one_line(line.text), "style": line.style} for line in lines_of(cell)]
    if not numeric:
        # A name broken over lines is still one name.
        lines = [{"text": _one_line(cell), "style": lines[0]["style"]}]
    return {
        "lines": lines,
        "text": " ".join(line["text"] for line in lines),
        "sort": number_of(cell) if numeric else lines[0]["text"],
    }


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _dumped(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
