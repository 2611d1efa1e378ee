"""One table as LaTeX, for pages that are narrow and end."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from jinja2 import Environment, StrictUndefined, Template
from tabulate import LATEX_ESCAPE_RULES

from afterimage.showing.tables.layout import Layout, Line, lines_of, split

# After "\\", LaTeX would take a bracket or a star at the start of the next row for an argument; in
# the font encoding that LaTeX starts with, a bar prints as a dash.
_LATEX_RULES = str.maketrans(
    LATEX_ESCAPE_RULES
    | {"[": "{[}", "]": "{]}", "*": "{*}", "|": r"\textbar{}"}
    | {"\u2191": r"$\uparrow$", "\u2193": r"$\downarrow$", "\u00b1": r"$\pm$"}
    | {"\u03b1": r"$\alpha$", "\u03ba": r"$\kappa$", "\u03c1": r"$\rho$", "\u03c4": r"$\tau$"}
    | {"\u2264": r"$\leq$", "\u2265": r"$\geq$", "\u2212": "$-$"}
)
# pdfLaTeX has no Japanese letters of its own.
_JAPANESE = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]+")
# What goes on one page of LaTeX's own classes beside caption and notes, in points of \scriptsize; and of \small, in
# which a table in its paper's form stands, without room between rows.
_PAGE_POINTS, _LINE_POINTS, _ROW_POINTS = 360, 8, 4
_PAPER_PAGE_POINTS, _PAPER_LINE_POINTS = 500, 11
# Without the package xcolor, what is coloured prints in black.
_LATEX_STYLES = {
    "best": r"\textbf{%s}",
    "rise": r"\textcolor{red}{%s}",
    "fall": r"\textcolor{green!50!black}{%s}",
}
_LATEX = r"""
{%- if japanese -%}
% XeLaTeX and LuaLaTeX set what is Japanese as it is, pdfLaTeX with the package CJKutf8; else a word stands for it.
\providecommand{\inJapanese}[1]{\ifdefined\XeTeXversion#1\else\ifdefined\directlua#1\else\ifdefined\CJK
  \begin{CJK}{UTF8}{min}#1\end{CJK}\else\textit{(Japanese)}\fi\fi\fi}
{% endif -%}
\begin{table}
\centering
\caption{
{%- for warning in layout.warnings %}\textbf{ {{- warning | upper | latex -}} } {% endfor -%}
{{ layout.title | latex }}}
{%- if layout.label and first %}
\label{ {{- layout.label -}} }
{%- endif %}
{%- if layout.label %}

\smallskip
{%- endif %}
{{ "\\small" if layout.label else "\\scriptsize" }}
\setlength{\tabcolsep}{3pt}
{%- if coloured %}
\providecommand{\textcolor}[2]{{ "{#2}" }}
{%- endif %}
\sbox0{\ignorespaces
\begin{tabular}{@{}{{ alignment }}@{}}
\toprule
{%- if layout.spans %}
{% for span in layout.spans -%}
\multicolumn{ {{- span.columns -}} }{c}{ {{- span.header | latex -}} }{{ " & " if not loop.last -}}
{% endfor %} \\
{%- for first, last in ruled %}
\cmidrule(lr){ {{- first }}-{{ last -}} }
{%- endfor %}
{%- endif %}
{%- for line in headers | lines %}
{{ line | map("latex") | join(" & ") }} \\
{%- endfor %}
\midrule
{%- for row in rows %}
{%- if not loop.first and (headings[loop.index0] or not layout.label) %}
\addlinespace
{%- endif %}
{%- if headings[loop.index0] %}
\multicolumn{ {{- layout.columns | length -}} }{@{}l}{\textit{ {{- headings[loop.index0] | latex -}} }} \\
{%- endif %}
{%- for line in row | lines %}
{{ line | map("latex") | join(" & ") }} \\
{%- endfor %}
{%- endfor %}
{%- if references %}
\midrule
{%- for row in references %}
{%- for line in row | lines %}
{{ line | map("latex") | join(" & ") }} \\
{%- endfor %}
{%- endfor %}
{%- endif %}
\bottomrule
\end{tabular}%
}%
\ifdim\wd0>\linewidth\ifdefined\resizebox\resizebox{\linewidth}{!}{\usebox0}\else\usebox0\fi\else\usebox0\fi
{%- if layout.notes %}

\smallskip
\begin{minipage}{\linewidth}\footnotesize
{%- for note in layout.notes %}
{{ note | latex }}
{%- endfor %}
\end{minipage}
{%- endif %}
\end{table}
"""


def latex_text(layout: Layout) -> str:
    """Return the reader's table as LaTeX tables; the document needs the package booktabs.

    With the package graphicx, a table that is wider than the text is made smaller. One table for each value of the
    layout's ``split_by``, and several where one would outgrow a page. Japanese is put into a macro, since pdfLaTeX
    cannot typeset it.
    """
    environment = Environment(
        undefined=StrictUndefined, autoescape=False, keep_trailing_newline=True
    )
    environment.filters |= {"latex": latex_of, "lines": _lines}
    template = environment.from_string(_LATEX)
    return "\n".join(text for part in split(layout) for text in _latex_pages(template, part))


def _latex_pages(template: Template, layout: Layout) -> Iterator[str]:
    """Render one table, one part per page; notes and reference rows come with the last."""
    rows = [row.cells for row in layout.rows]
    pages = _pages(rows, bool(layout.label))
    coloured, japanese = _has_coloured_text(rows), any(map(_JAPANESE.search, _texts(layout)))
    for number, page in enumerate(pages):
        is_last = number == len(pages) - 1
        part = replace(
            layout,
            title=layout.title + (" (continued)" if number else ""),
            notes=layout.notes if is_last else (),
        )
        text = template.render(
            layout=part,
            alignment="".join("r" if column.numeric else "l" for column in layout.columns),
            first=number == 0,
            ruled=list(_spanned(layout)) if layout.label else (),
            headers=[column.header for column in layout.columns],
            headings=layout.headings[page],
            rows=rows[page],
            references=layout.references if is_last else (),
            coloured=coloured,
            japanese=japanese,
        )
        # LaTeX holds back a few dozen floats at most.
        yield text if is_last else text + "\\clearpage\n"


def _spanned(layout: Layout) -> Iterator[tuple[int, int]]:
    """Yield the first and the last column, from 1, below each heading over columns."""
    last = 0
    for span in layout.spans:
        first, last = last + 1, last + span.columns
        if span.header:
            yield first, last


def _pages(rows: Sequence[Sequence[str]], in_paper: bool) -> list[slice]:
    """Return the rows of each page; at least one page."""
    page, line, gap = _PAGE_POINTS, _LINE_POINTS, _ROW_POINTS
    if in_paper:
        page, line, gap = _PAPER_PAGE_POINTS, _PAPER_LINE_POINTS, 0
    pages, start, height = [], 0, 0
    for number, row in enumerate(rows):
        row_height = gap + line * max(len(lines_of(cell)) for cell in row)
        if height + row_height > page and number > start:
            pages.append(slice(start, number))
            start, height = number, 0
        height += row_height
    return [*pages, slice(start, len(rows))]


def _lines(row: Sequence[str]) -> list[tuple[Line, ...]]:
    return list(zip_longest(*map(lines_of, row), fillvalue=Line("")))


def latex_of(text: str | Line) -> str:
    if isinstance(text, Line):
        return _LATEX_STYLES.get(text.style, "%s") % latex_of(text.text)
    return _JAPANESE.sub(r"\\inJapanese{\g<0>}", text.translate(_LATEX_RULES))


def _texts(layout: Layout) -> Iterator[str]:
    yield from (layout.title, *layout.warnings, *layout.notes)
    yield from (span.header for span in layout.spans)
    yield from (column.header for column in layout.columns)
    for cells in (*(row.cells for row in layout.rows), *layout.references):
        yield from cells


def _has_coloured_text(rows: Sequence[Sequence[str]]) -> bool:
    cells = (cell for row in rows for cell in row)
    return any(line.style in ("rise", "fall") for cell in cells for line in lines_of(cell))
