"""One table as an HTML page that needs no other file."""

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup, escape

from afterimage.showing.cells import Line, lines_of
from afterimage.showing.layout import Layout

_STYLES = {
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
    return Markup(_STYLES.get(line.style, "%s") % escape(line.text))
