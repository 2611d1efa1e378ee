"""One table in GitHub's Markdown."""

import re

import tabulate

from afterimage.showing.cells import lines_of
from afterimage.showing.layout import Layout

# What GitHub would read as emphasis, code, a link, a cell's end or HTML. A bracket makes a link
# only with what follows it, and an underscore inside a word is plain text.
_SPECIAL = re.compile(r"[\\`*|<>~&]|\](?=[(\[:])|(?<![^\W_])_|_(?![^\W_])")

# Else columns would be as wide as packages that happen to be installed say.
tabulate.WIDE_CHARS_MODE = False


def markdown_text(layout: Layout) -> str:
    """Return the reader's table in GitHub's Markdown, with title and notes."""
    rows = []
    for heading, row in zip(layout.headings, layout.rows, strict=True):
        if heading:
            rows.append([f"**{_markdown(heading)}**", *[""] * (len(layout.columns) - 1)])
        rows.append([_cell(cell) for cell in row.cells])
    rows += [[_cell(cell) for cell in row] for row in layout.references]
    table = tabulate.tabulate(
        rows,
        headers=[_cell(column.header) for column in layout.columns],
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


def _cell(cell: str) -> str:
    printed = ((_markdown(line.text), line.style) for line in lines_of(cell))
    return " ".join(f"**{text}**" if style == "best" else text for text, style in printed)


def _markdown(text: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", text)
