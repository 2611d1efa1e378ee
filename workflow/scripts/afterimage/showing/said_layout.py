"""A reader's table in the study's language: every word of it, names and numbers apart."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from afterimage.showing.cells import Cell
from afterimage.showing.language import Words, words_of
from afterimage.showing.layout import Layout


def in_language(layout: Layout, settings: Mapping[str, Any]) -> Layout:
    """Return a table as readers of the study's language see it.

    Args:
        layout: The table in English.
        settings: With "language" where that is another one.
    """
    words, cells = words_of(settings, "texts"), words_of(settings, "cells")
    if words.language == layout.language:
        return layout
    return replace(
        layout,
        language=words.language,
        title=words.said(layout.title),
        columns=tuple(replace(head, header=words.said(head.header)) for head in layout.columns),
        rows=tuple(
            replace(
                row,
                cells=tuple(_cell(cell, cells) for cell in row.cells),
                group=cells.said(row.group),
            )
            for row in layout.rows
        ),
        references=tuple(tuple(_cell(cell, cells) for cell in row) for row in layout.references),
        notes=tuple(words.said(note) for note in layout.notes),
        warnings=tuple(words.said(warning) for warning in layout.warnings),
        spans=tuple(replace(span, header=words.said(span.header)) for span in layout.spans),
        split_by=layout.split_by and words.said(layout.split_by),
    )


def _cell(cell: str, words: Words) -> str:
    """Return a cell line by line, each in its style, or as a whole where that is known."""
    styles = cell.styles if isinstance(cell, Cell) else {}
    lines = cell.split("\n")
    whole = words.said(cell)
    if whole == cell:
        whole = "\n".join(words.said(line) for line in lines)
    return Cell(whole, styles) if styles else whole
