"""What a reader's table shows of a frame: columns, caption, notes, rows of reference.

Headers and cells may hold several lines, separated by ``\\n``: LaTeX, whose pages are narrow, sets them
below each other; Markdown sets them on one line.

A layout is a few plain values, so that a table of any suite is described in a dozen lines. It
decides what is printed in each cell; how a cell looks in Markdown, LaTeX or HTML is decided in
:mod:`afterimage.showing.table_files`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import pandas as pd

from afterimage.errors import AfterimageError
from afterimage.showing.rounding import NOT_AVAILABLE, percent, rounded
from afterimage.showing.table_cells import Cell

#: A count is a column's name, or is worked out from the row.
Count = str | Callable[[Mapping], int]


@dataclass(frozen=True)
class Text:
    """A column of names or whole numbers, printed as they are.

    Attributes:
        header: What stands above the column.
        column: The frame's column.
        words: What to print instead of some values.
        numeric: Whether cells are aligned to the right.
    """

    header: str
    column: str
    words: Mapping[object, str] = field(default_factory=dict)
    numeric: bool = False

    def cell(self, row: Mapping) -> str:
        """Print the value of one row."""
        value = _value(row, self.column)
        if pd.isna(value):
            return NOT_AVAILABLE
        return self.words.get(value, str(value))


@dataclass(frozen=True)
class Share:
    """Percent with its counts, and its interval below: ``17.9 (5/28)``, ``[7.9, 35.6]``.

    Attributes:
        header: What stands above the column.
        k: Numerator.
        n: Denominator; where it is 0 the cell reads "n/a".
        low: The frame's column with the lower bound in percent; None for a share without interval.
        high: The same for the upper bound.
        decimals: Digits after the point.
    """

    header: str
    k: Count
    n: Count = "n"
    low: str | None = None
    high: str | None = None
    decimals: int = 1
    numeric: bool = True

    def cell(self, row: Mapping) -> str:
        """Print the share of one row."""
        k, n = _count(row, self.k), _count(row, self.n)
        if not n:
            return NOT_AVAILABLE
        return f"{percent(k, n, self.decimals)} ({k}/{n}){_bounds(row, self)}"


@dataclass(frozen=True)
class Difference:
    """Difference of two shares of one ``n`` in percentage points, signed; its interval below.

    Attributes:
        header: What stands above the column.
        first: Numerator of the share from which the other is subtracted.
        second: Numerator of the share that is subtracted.
        n: The common denominator; where it is 0 the cell reads "n/a".
        low: The frame's column with the lower bound in percentage points; None for no interval.
        high: The same for the upper bound.
        decimals: Digits after the point.
    """

    header: str
    first: Count
    second: Count
    n: Count = "n"
    low: str | None = None
    high: str | None = None
    decimals: int = 1
    numeric: bool = True

    def cell(self, row: Mapping) -> str:
        """Print the difference of one row."""
        n = _count(row, self.n)
        if not n:
            return NOT_AVAILABLE
        difference = _count(row, self.first) - _count(row, self.second)
        sign = "+" if difference > 0 else ""
        return f"{sign}{percent(difference, n, self.decimals)}{_bounds(row, self)}"


@dataclass(frozen=True)
class Number:
    """A measured number, and its interval below where there is one.

    Attributes:
        header: What stands above the column.
        column: The frame's column.
        low: The frame's column with the lower bound; None for no interval.
        high: The same for the upper bound.
        decimals: Digits after the point.
    """

    header: str
    column: str
    low: str | None = None
    high: str | None = None
    decimals: int = 1
    numeric: bool = True

    def cell(self, row: Mapping) -> str:
        """Print the number of one row."""
        printed = rounded(_value(row, self.column), self.decimals)
        return printed if printed == NOT_AVAILABLE else f"{printed}{_bounds(row, self)}"


@dataclass(frozen=True)
class PValue:
    """A p value with three decimals; smaller ones read ``<0.001``."""

    header: str
    column: str
    numeric: bool = True

    def cell(self, row: Mapping) -> str:
        """Print the p value of one row."""
        value = _value(row, self.column)
        return "<0.001" if value < 0.001 else rounded(value, 3)


Column = Text | Share | Difference | Number | PValue


@dataclass(frozen=True)
class Span:
    """A heading over neighbouring columns.

    Attributes:
        header: What stands above them.
        columns: How many there are.
    """

    header: str
    columns: int


@dataclass(frozen=True)
class Layout:
    """A reader's table.

    Attributes:
        title: One line: what the table shows.
        columns: From left to right; the first names the row.
        notes: Sentences below the table: denominators, intervals, sources.
        warnings: Sentences that nobody may overlook; they stand first, in capitals.
        reference_rows: Rows of comparison below the others (a baseline, a quoted result), each as
            header -> printed cell; cells that are not given stay empty.
        csv_formats: printf formats of float columns in the CSV that differ from ``%.4f``.
        split_by: Header of a column of names; printed pages get one table for each of its values.
        group_by: The frame's column with the heading that a row stands below; neighbouring rows with the same
            heading share it, and rows without one (an empty text) stand by themselves.
        spans: Headings over columns, from the left; the numbers of columns sum to that of all.
        contested: Header of a column to the frame's column with the values of which the greatest stands out.
        contest: Tells of a row whether it competes there; all do where it is None.
        condensed: Makes the readers' rows out of the whole frame, which the CSV has; None where they are the same.
    """

    title: str
    columns: tuple[Column, ...]
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    reference_rows: tuple[Mapping[str, str], ...] = ()
    csv_formats: Mapping[str, str] = field(default_factory=dict)
    split_by: str | None = None
    group_by: str | None = None
    spans: tuple[Span, ...] = ()
    contested: Mapping[str, str] = field(default_factory=dict)
    contest: Callable[[Mapping], bool] | None = None
    condensed: Callable[[pd.DataFrame], pd.DataFrame] | None = None


def reader_rows(frame: pd.DataFrame, layout: Layout) -> list[list[str]]:
    """Print every cell of ``frame``; lines inside a cell are separated by ``\\n``.

    Raises:
        AfterimageError: The layout names a column that the frame lacks.
    """
    rows = frame.to_dict(orient="records")
    leading = _leading(rows, layout)
    return [
        [
            Cell(column.cell(row)).styled(0, "best")
            if (number, column.header) in leading
            else column.cell(row)
            for column in layout.columns
        ]
        for number, row in enumerate(rows)
    ]


def row_headings(frame: pd.DataFrame, layout: Layout) -> list[str]:
    """Return for each row the heading that begins above it; an empty text where none does."""
    if layout.group_by is None:
        return [""] * len(frame)
    names = ["" if pd.isna(name) else str(name) for name in frame[layout.group_by]]
    return [
        name if name != before else "" for before, name in zip(["", *names], names, strict=False)
    ]


def _leading(rows: list[dict], layout: Layout) -> set[tuple[int, str]]:
    """Return the cells, by row and header, that hold the greatest value of their column."""
    competing = [
        number for number, row in enumerate(rows) if layout.contest is None or layout.contest(row)
    ]
    leading = set()
    for header, column in layout.contested.items():
        values = {number: _value(rows[number], column) for number in competing}
        known = {number: value for number, value in values.items() if not pd.isna(value)}
        best = max(known.values(), default=None)
        leading |= {(number, header) for number, value in known.items() if value == best}
    return leading


def reference_rows(layout: Layout) -> list[list[str]]:
    """Return the rows of reference in the order of the columns.

    Raises:
        AfterimageError: A row names a header that no column has.
    """
    headers = [column.header for column in layout.columns]
    for row in layout.reference_rows:
        for header in row:
            if header not in headers:
                raise AfterimageError(
                    f"table '{layout.title}': a row of reference has a cell under '{header}'; "
                    f"expected one of: {', '.join(headers)}."
                )
    return [[row.get(header, "") for header in headers] for row in layout.reference_rows]


def split(frame: pd.DataFrame, layout: Layout) -> list[tuple[pd.DataFrame, Layout]]:
    """Return one frame and layout for each value of the layout's ``split_by``, or the two as they are.

    Each part is headed by its value and lacks the column; rows of reference stay with their part.
    """
    named = [column for column in layout.columns if column.header == layout.split_by]
    if not named:
        return [(frame, layout)]
    (column,) = named
    others = tuple(other for other in layout.columns if other is not column)
    parts = []
    for _, part in frame.groupby(column.column, sort=False):
        cell = column.cell(part.iloc[0].to_dict())
        references = tuple(
            {header: text for header, text in row.items() if header != column.header}
            for row in layout.reference_rows
            if row.get(column.header, cell) == cell
        )
        parts.append(
            (
                part,
                replace(
                    layout,
                    title=f"{layout.title}: {cell}",
                    columns=others,
                    reference_rows=references,
                ),
            )
        )
    return parts


def text_layout(frame: pd.DataFrame, title: str, notes: tuple[str, ...] = ()) -> Layout:
    """Describe a frame whose cells are printed already: every column as it is."""
    names = [str(name) for name in frame.columns]
    columns = [Text(name, name, numeric=position > 0) for position, name in enumerate(names)]
    return Layout(title, tuple(columns), notes)


def _value(row: Mapping, column: str) -> object:
    if column not in row:
        raise AfterimageError(
            f"table: no column '{column}' to print; the frame has {', '.join(map(str, row))}."
        )
    return row[column]


def _count(row: Mapping, count: Count) -> int:
    return int(_value(row, count)) if isinstance(count, str) else int(count(row))


def _bounds(row: Mapping, column: Share | Difference | Number) -> str:
    if column.low is None or column.high is None:
        return ""
    low, high = (rounded(_value(row, name), column.decimals) for name in (column.low, column.high))
    defined = NOT_AVAILABLE not in (low, high)
    return f"\n[{low}, {high}]" if defined else f"\n[{NOT_AVAILABLE}]"
