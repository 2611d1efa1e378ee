"""How a reader's table prints its numbers and cells. Standard library only.

Numbers are printed by exact arithmetic, halves away from zero, as papers round. A column takes one row of a table's
frame, as a mapping, and returns what is printed. Headers and cells may hold several lines, separated by ``\\n``: LaTeX,
whose pages are narrow, sets them below each other; Markdown sets them on one line.

One sign for undefined: "n/a", where a number should stand and cannot be worked out; an interval of too few clusters
reads "too few to say". A cell is empty if nothing belongs there: a baseline has no unparsed answers."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from numbers import Rational, Real
from types import MappingProxyType
from typing import Any, Literal, Protocol

from afterimage.errors import AfterimageError
from afterimage.note import Note

#: Printed for a number that is undefined.
NOT_AVAILABLE = "n/a"


#: The best of a column; a change for the better or the worse, as a paper colours it.
Style = Literal["", "best", "rise", "fall"]


class Cell(Note):
    """What is printed in one cell; its lines are separated by ``\\n``. A plain text is a cell without the rest.

    Attributes:
        styles: Number of a line, from 0, to its style.
        value: The number that is printed first, by which rows are sorted; None if there is none.
    """

    __slots__ = ("styles", "value")

    styles: Mapping[int, Style]
    value: float | None

    def __new__(
        cls,
        text: str,
        styles: Mapping[int, Style] = MappingProxyType({}),
        value: float | None = None,
    ) -> "Cell":
        cell = str.__new__(cls, text)
        note = text if isinstance(text, Note) else Note(text)
        cell.template, cell.slots = note.template, note.slots
        cell.styles = dict(styles)
        cell.value = value
        return cell

    def styled(self, line: int, style: Style) -> "Cell":
        return Cell(self, {**self.styles, line: style}, self.value)

    def with_text(self, text: str) -> "Cell":
        """Return a cell with the same number, of another text."""
        return Cell(text, self.styles, self.value)


def number_of(cell: str) -> float | None:
    """Return the number that a cell prints first; None if it prints none."""
    return cell.value if isinstance(cell, Cell) else None


def as_cell(text: str) -> Cell:
    """Return a text as a cell without a number; a cell as it is."""
    return text if isinstance(text, Cell) else Cell(text)


def rounded(value: Real | float, decimals: int = 1) -> Cell:
    """Print ``value`` with fixed decimals; ties go away from zero, and zero has no sign.

    Args:
        value: A Fraction or whole number is rounded exactly; of a float, the binary value it holds.
        decimals: Digits after the point.

    Returns:
        Digits, e.g. ``"17.9"``, or ``"n/a"`` where ``value`` is not a finite number.
    """
    if isinstance(value, Rational):
        exact = Fraction(int(value.numerator), int(value.denominator))
    elif not math.isfinite(value):
        return Cell(NOT_AVAILABLE)
    else:
        exact = Fraction(float(value))
    units = math.floor(abs(exact) * 10**decimals + Fraction(1, 2))
    number = Decimal(-units if exact < 0 else units).scaleb(-decimals)
    return Cell(f"{number:f}", value=float(number))


def percent(k: int, n: int, decimals: int = 1) -> Cell:
    """Print ``k`` of ``n`` in percent, from the counts themselves: 5 of 28 is ``"17.9"``.

    ``k`` may be negative (a difference of counts); without a denominator the result is ``"n/a"``.
    """
    return rounded(Fraction(100 * int(k), int(n)), decimals) if n else Cell(NOT_AVAILABLE)


def is_missing(value: object) -> bool:
    """Tell whether a value of a frame is undefined: None, NaN or pandas' NA."""
    if value is None:
        return True
    try:
        return bool(value != value)
    except TypeError:
        # pandas' NA is neither equal to itself nor unequal.
        return True


#: An interval that so few clusters, or clusters so much alike, do not have; and a p value that could not be small.
TOO_FEW_TO_SAY, TOO_FEW_DIFFER = "too few to say", "too few\ndiffering\nclusters"
#: Below so many clusters that differ; see :data:`afterimage.statistics.matched.MIN_DIFFERING`.
_MIN_DIFFERING = 5

#: One row of a table's frame: column to value.
Row = Mapping[str, Any]
#: A count: a column's name, or a function of the row.
Count = str | Callable[[Row], int]


class Column(Protocol):
    """One column of a reader's table."""

    @property
    def header(self) -> str:
        """The header of the column."""

    @property
    def numeric(self) -> bool:
        """Whether cells are aligned to the right."""

    def cell(self, row: Row) -> str:
        """Print the value of one row."""


@dataclass(frozen=True)
class Text:
    """Names or whole numbers, printed as they are.

    Attributes:
        words: What to print instead of some values, by value or as a function of it.
        optional: Whether a missing value leaves the cell empty: not every row has one.
        if_several: Whether the column is shown only where it holds more than one value.
    """

    header: str
    column: str
    words: Mapping[Any, str] | Callable[[Any], str] = field(default_factory=dict)
    numeric: bool = False
    optional: bool = False
    if_several: bool = False

    def cell(self, row: Row) -> str:
        value = value_of(row, self.column)
        if is_missing(value):
            return "" if self.optional else NOT_AVAILABLE
        if callable(self.words):
            return self.words(value)
        if value in self.words or isinstance(value, Cell):
            return self.words.get(value, value)
        return Cell(str(value), value=as_number(value)) if self.numeric else str(value)


def whole(header: str, column: str, optional: bool = False) -> Text:
    return Text(header, column, numeric=True, optional=optional)


@dataclass(frozen=True)
class Share:
    """Percent with its counts, and its interval below: ``17.9 (5/28)``, ``[7.9, 35.6]``.

    Attributes:
        k: Numerator.
        n: Denominator; where it is 0 the cell reads "n/a".
        low: The frame's column with the lower bound in percent; None for a share without interval.
        high: The same for the upper bound.
        value: The frame's column with the percentage, of tables with rows of reference: these have no interval, and a
            guess has no numerator.
    """

    header: str
    k: Count
    n: Count = "n"
    low: str | None = None
    high: str | None = None
    decimals: int = 1
    value: str | None = None
    numeric: bool = True

    def cell(self, row: Row) -> str:
        if self.value is not None and isinstance(self.k, str) and is_missing(row[self.k]):
            return rounded(_number(row, self.value), self.decimals)
        k, n = _count(row, self.k), _count(row, self.n)
        if not n:
            return NOT_AVAILABLE
        bounds = _bounds(row, self, self.decimals, optional=self.value is not None)
        printed = percent(k, n, self.decimals)
        return printed.with_text(f"{printed} ({k}/{n}){bounds}")


@dataclass(frozen=True)
class Difference:
    """Difference of two shares of one ``n`` in percentage points, signed; its interval below.

    Attributes:
        first: Numerator of the share from which the other is subtracted.
        second: Numerator of the share that is subtracted.
        n: The common denominator; where it is 0 the cell reads "n/a".
        low: The frame's column with the lower bound in percentage points; None for no interval.
        high: The same for the upper bound.
    """

    header: str
    first: Count
    second: Count
    n: Count = "n"
    low: str | None = None
    high: str | None = None
    decimals: int = 1
    numeric: bool = True

    def cell(self, row: Row) -> str:
        n = _count(row, self.n)
        if not n:
            return NOT_AVAILABLE
        difference = _count(row, self.first) - _count(row, self.second)
        sign = "+" if difference > 0 else ""
        printed = percent(difference, n, self.decimals)
        return printed.with_text(f"{sign}{printed}{_bounds(row, self, self.decimals)}")


@dataclass(frozen=True)
class Number:
    """A measured number, and its interval below where there is one.

    Attributes:
        low: The frame's column with the lower bound; None for no interval.
        high: The same for the upper bound.
        bound_decimals: Digits after the point of the bounds; as of the number itself where None.
        optional: Whether an undefined interval leaves its line away: not every row has one.
    """

    header: str
    column: str
    low: str | None = None
    high: str | None = None
    decimals: int = 1
    bound_decimals: int | None = None
    optional: bool = False
    numeric: bool = True

    def cell(self, row: Row) -> str:
        printed = rounded(_number(row, self.column), self.decimals)
        if printed == NOT_AVAILABLE:
            return printed
        decimals = self.decimals if self.bound_decimals is None else self.bound_decimals
        return printed.with_text(f"{printed}{_bounds(row, self, decimals, self.optional)}")


@dataclass(frozen=True)
class Interval:
    """The two bounds of an interval alone, with one decimal; empty if there is none.

    Attributes:
        low: The frame's column with the lower bound.
        high: The same for the upper bound.
    """

    header: str
    low: str
    high: str
    decimals: int = 1
    numeric: bool = True

    def cell(self, row: Row) -> str:
        return _bounds(row, self, self.decimals, optional=True).lstrip("\n")


@dataclass(frozen=True)
class Counted:
    """A count out of another, ``12 of 30``; the first alone where they agree or the second is unknown.

    Attributes:
        column: The frame's column; a missing count leaves the cell empty.
        of: The column of the whole.
    """

    header: str
    column: str
    of: str | None = None
    numeric: bool = True

    def cell(self, row: Row) -> str:
        value = value_of(row, self.column)
        if is_missing(value):
            return ""
        total = None if self.of is None else value_of(row, self.of)
        if total is None or is_missing(total) or int(total) == int(value):
            return Cell(str(int(value)), value=float(value))
        return Cell(
            Note("{value} of {most}", value=int(value), most=int(total)),
            value=float(value),
        )


@dataclass(frozen=True)
class PValue:
    """A p value with three decimals; smaller ones read ``<0.001``.

    Attributes:
        differing: The column with the number of clusters that differ; of too few, their word stands here.
    """

    header: str
    column: str
    differing: str | None = None
    numeric: bool = True

    def cell(self, row: Row) -> str:
        if self.differing is not None and 0 <= _number(row, self.differing) < _MIN_DIFFERING:
            return NOT_AVAILABLE if is_missing(row[self.column]) else TOO_FEW_DIFFER
        value = _number(row, self.column)
        return Cell("<0.001", value=0.001) if value < 0.001 else rounded(value, 3)


@dataclass(frozen=True)
class Printed:
    """A cell computed by a function of the row, where no other column fits.

    Attributes:
        text: Returns the cell: a number is printed by :func:`rounded`, what stands around it comes with
            :meth:`Cell.with_text`.
    """

    header: str
    text: Callable[[Row], str]
    numeric: bool = True

    def cell(self, row: Row) -> str:
        return self.text(row)


def value_of(row: Row, column: str) -> Any:
    """Return a row's value.

    Raises:
        AfterimageError: The row has no such column.
    """
    if column not in row:
        raise AfterimageError(
            f"table: no column '{column}' to print; the frame has {', '.join(map(str, row))}."
        )
    return row[column]


def bounds_text(row: Row, low: str, high: str, decimals: int, optional: bool = False) -> str:
    """Return an interval as the line below a number, ``\\n[7.9, 35.6]``.

    Args:
        optional: Whether an undefined interval is no line at all, instead of ``[too few to say]``.
    """
    bounds = [rounded(_number(row, name), decimals) for name in (low, high)]
    if NOT_AVAILABLE in bounds:
        return "" if optional else f"\n[{TOO_FEW_TO_SAY}]"
    return f"\n[{', '.join(bounds)}]"


def as_number(value: object) -> float | None:
    """Return a value of a frame, a number or one that is kept as text, as a number; None if it is no finite one."""
    try:
        number = float(str(value))
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _number(row: Row, column: str) -> Any:
    value = value_of(row, column)
    return float("nan") if is_missing(value) else value


def _count(row: Row, count: Count) -> int:
    return int(value_of(row, count)) if isinstance(count, str) else int(count(row))


def _bounds(
    row: Row,
    column: "Share | Difference | Number | Interval",
    decimals: int,
    optional: bool = False,
) -> str:
    if column.low is None or column.high is None:
        return ""
    return bounds_text(row, column.low, column.high, decimals, optional)


def where_known(number: Number) -> Printed:
    """Return the column with cells that are empty, instead of ``n/a``, where the row has no such number."""

    def text(row: Row) -> str:
        return "" if is_missing(value_of(row, number.column)) else number.cell(row)

    return Printed(number.header, text)
