"""One table, several files: everything as CSV; for readers Markdown, LaTeX and HTML."""

import os
import re
from collections.abc import Callable, Mapping

import pandas as pd
from jinja2 import Environment, StrictUndefined
from markupsafe import Markup, escape
from tabulate import tabulate

from afterimage.errors import unknown_name
from afterimage.files import write_text
from afterimage.showing.latex_table import latex_text
from afterimage.showing.rounding import rounded
from afterimage.showing.table_cells import Line, lines_of
from afterimage.showing.table_layout import (
    Layout,
    reader_rows,
    reference_rows,
    row_headings,
)

_CSV_DECIMALS = 4

_HTML_STYLES = {
    "best": "<strong>%s</strong>",
    "rise": '<span class="rise">%s</span>',
    "fall": '<span class="fall">%s</span>',
}

# What GitHub would read as emphasis, code, a link, a cell's end or HTML. A bracket makes a link
# only with what follows it, and an underscore inside a word is plain text.
_MARKDOWN_SPECIAL = re.compile(r"[\\`*|<>~&]|\](?=[(\[:])|(?<![^\W_])_|_(?![^\W_])")

_HTML = """<!DOCTYPE html>
<html lang="en">
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
.reference { font-style: italic; }
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
<tr>
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


def write_table(
    frame: pd.DataFrame, paths: Mapping[str, str | os.PathLike], layout: Layout
) -> None:
    """Write a table as each of the wanted files; nothing is written unless all can be rendered.

    Args:
        frame: The whole table, one row per line of the CSV.
        paths: Where to write "csv", "markdown", "latex" and "html", or some of these.
        layout: What the reader's tables show of it.

    Raises:
        AfterimageError: A form is unknown, or the layout does not fit the frame.
    """
    forms: dict[str, Callable[[pd.DataFrame, Layout], str]] = {
        "csv": csv_text,
        "markdown": markdown_text,
        "latex": latex_text,
        "html": html_text,
    }
    for form in paths:
        if form not in forms:
            raise unknown_name("form of a table", form, forms)
    readers = frame if layout.condensed is None else layout.condensed(frame)
    texts = {form: forms[form](frame if form == "csv" else readers, layout) for form in paths}
    for form, text in texts.items():
        write_text(paths[form], text)


def csv_text(frame: pd.DataFrame, layout: Layout) -> str:
    """Return the whole frame as CSV; undefined values are empty, floats have four decimals."""
    printed = frame.copy()
    for name in frame.select_dtypes("float"):
        if name in layout.csv_formats:
            template = layout.csv_formats[name]
            printed[name] = frame[name].map(template.__mod__, na_action="ignore")
        else:
            printed[name] = frame[name].map(_csv_number, na_action="ignore")
    return printed.to_csv(index=False, lineterminator="\n")


def markdown_text(frame: pd.DataFrame, layout: Layout) -> str:
    """Return the reader's table in GitHub's Markdown, with title and notes."""
    rows = []
    for heading, row in zip(row_headings(frame, layout), reader_rows(frame, layout), strict=True):
        if heading:
            rows.append([f"**{_markdown(heading)}**", *[""] * (len(layout.columns) - 1)])
        rows.append([_markdown_cell(cell) for cell in row])
    rows += [[_markdown_cell(cell) for cell in row] for row in reference_rows(layout)]
    table = tabulate(
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


def html_text(frame: pd.DataFrame, layout: Layout) -> str:
    """Return the reader's table as an HTML page that needs no other file."""
    environment = Environment(
        undefined=StrictUndefined, autoescape=True, keep_trailing_newline=True
    )
    environment.filters["styled"] = _html
    return environment.from_string(_HTML).render(
        layout=layout,
        headings=row_headings(frame, layout),
        rows=[[lines_of(cell) for cell in row] for row in reader_rows(frame, layout)],
        references=[[lines_of(cell) for cell in row] for row in reference_rows(layout)],
        zip=zip,
    )


def _csv_number(value: float) -> str:
    return rounded(value, _CSV_DECIMALS)


def _markdown_cell(cell: str) -> str:
    printed = ((_markdown(line.text), line.style) for line in lines_of(cell))
    return " ".join(f"**{text}**" if style == "best" else text for text, style in printed)


def _html(line: Line) -> Markup:
    return Markup(_HTML_STYLES.get(line.style, "%s") % escape(line.text))


def _markdown(text: str) -> str:
    return _MARKDOWN_SPECIAL.sub(r"\\\g<0>", text)
