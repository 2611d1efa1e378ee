"""Printed cells: lines of text, some of which stand out."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

#: The best of a column; a change for the better or the worse, as a paper colours it.
Style = Literal["", "best", "rise", "fall"]


class Cell(str):
    """A cell whose lines, separated by ``\\n``, are printed in styles of their own; a plain text is a cell without."""

    __slots__ = ("styles",)

    styles: Mapping[int, Style]

    def __new__(cls, text: str, styles: Mapping[int, Style] = MappingProxyType({})) -> "Cell":
        """Make a cell.

        Args:
            text: Its lines.
            styles: Number of a line, from 0, to its style.
        """
        cell = super().__new__(cls, text)
        cell.styles = dict(styles)
        return cell

    def styled(self, line: int, style: Style) -> "Cell":
        """Return the cell with one line in another style."""
        return Cell(self, {**self.styles, line: style})


class Line(NamedTuple):
    """One line of a cell."""

    text: str
    style: Style = ""


def lines_of(cell: str) -> list[Line]:
    """Return a cell's lines with their styles."""
    styles = cell.styles if isinstance(cell, Cell) else {}
    return [Line(text, styles.get(number, "")) for number, text in enumerate(cell.split("\n"))]
