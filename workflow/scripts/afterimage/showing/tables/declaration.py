"""Declarations of tables: which answers make a row, which values are computed from them, what readers see.

Importing a declaration imports neither numpy nor pandas, so that a study can be planned quickly. It is computed in
``tables/compute.py`` and laid out in ``tables/layout.py``. How to declare one, with examples:
docs/extending.md."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from afterimage.showing.tables.baselines import Reference
from afterimage.showing.tables.columns import Column, Printed, Row, Text, is_missing
from afterimage.showing.tables.values import Value

if TYPE_CHECKING:
    import pandas as pd

#: "confidence", "resamples" and "seed", and the settings of the table's suite.
Settings = Mapping[str, Any]
#: Splits answers: yields, for each part, the columns that name it, and its answers.
Split = Callable[["pd.DataFrame", Settings], Iterable[tuple[Mapping[str, Any], "pd.DataFrame"]]]
#: A note, with slots for settings (``{coverage}``, ``{seed}``), or a function of grades and settings.
TableNote = str | Callable[["pd.DataFrame", Settings], Iterable[str]]


@dataclass(frozen=True)
class By:
    """Splits answers by the levels of a column, or of several at once.

    Attributes:
        factors: One column, or several whose combinations are the levels.
        names: The table's names for them; those of the columns unless given.
        levels: The levels in order, with or without answers; without, those that occur.
        first: Of levels that occur, those that come first, in this order.
        order: Of the other levels that occur: as they are first seen, sorted, or so that 10 follows 9.
        total: Name of a last level that holds all answers; None for none.
        references: Baselines beside the models: reference rows are below the models' and split like theirs.
    """

    factors: str | tuple[str, ...]
    names: str | tuple[str, ...] = ()
    levels: tuple[Any, ...] = ()
    first: tuple[Any, ...] = ()
    order: Literal["seen", "sorted", "natural"] = "seen"
    total: str | None = None
    references: tuple[Reference, ...] = ()


@dataclass(frozen=True)
class Best:
    """Which cells are marked as the greatest of their column: models compete, yardsticks never do.

    Attributes:
        columns: Header of a column to the frame's column with its values.
        among: Tells whether a model's row competes; all do where it is None.
        within: Columns of the frame; only rows that agree in them compete with each other.
    """

    columns: Mapping[str, str]
    among: Callable[[Row], bool] | None = None
    within: tuple[str, ...] = ()


@dataclass(frozen=True)
class Span:
    """A heading over neighbouring columns.

    Attributes:
        header: The heading.
        columns: The number of columns below it.
    """

    header: str
    columns: int


@dataclass(frozen=True)
class PaperForm:
    """A table as its paper prints it, for authors: one line a row, numbers alone, models by their printed names.

    Attributes:
        caption: One sentence, with the number of the table in its paper.
        columns: As in a :class:`Table`, without counts and intervals; the first names the row. No number has two lines.
        rows: Takes the whole frame of the CSV, and returns the rows that the paper prints: models', without reference
            rows. Reference responders have rows only where no model has.
        note: One line below the table.
        swapped: Whether rows become columns, so that models are side by side.
        named_once: Whether neighbouring rows of one name have it in the first row alone.
        best, group_by, spans: As in a :class:`Table`; each group's rows are swapped separately.
    """

    caption: str
    columns: tuple[Column | Across, ...]
    rows: Callable[[pd.DataFrame], pd.DataFrame]
    note: str
    swapped: bool = False
    named_once: bool = False
    best: Best | None = None
    group_by: str | None = None
    spans: tuple[Span, ...] = ()


@dataclass(frozen=True)
class Table:
    """A table: the columns of its CSV, and what readers see of it.

    Attributes:
        name: Name of its files.
        title: One line: what it shows; with slots for settings, as notes.
        rows: How answers are split into rows, step by step, each a :class:`By` or a :data:`Split`; or, for tables that
            no steps describe, a function of grades and settings that returns the whole frame.
        csv: The columns of the CSV from left to right: names of the levels by which rows are split, and values.
        columns: The reader's columns; the first names the row. Or a function of grades and settings that returns them.
            An :class:`Across` is as many columns as the readers' frame has levels.
        of: Chooses or prepares the answers of the rows; all grades as they are where it is None.
        notes: Sentences below the table: denominators, intervals, sources.
        findings: Functions that return sentences about the whole frame, which follow the notes.
        warnings: Sentences that nobody may overlook; they come first, in capitals.
        empty: Reasons why no row has a number, without a full stop; the first is used, only where this is so.
        references: Returns reference rows below the others (a baseline, a quoted result), each as header -> printed
            cell; cells that are not given stay empty.
        readers: Makes the readers' rows from the whole frame of the CSV; None if they are the same.
        best: Which cells are marked as best.
        group_by: The frame's column with the heading above a row; neighbouring rows with the same heading share it, and
            an empty text is no heading.
        split_by: Header of a column of names; printed pages get one table for each of its values.
        spans: Headings over columns, from the left; the numbers of columns sum to that of all.
        csv_formats: printf formats of float columns in the CSV that differ from ``%.4f``.
        paper: The paper's form, for tables of a paper.
    """

    name: str
    title: str
    rows: tuple[By | Split, ...] | Callable[[pd.DataFrame, Settings], pd.DataFrame]
    csv: tuple[str | Value, ...] = ()
    columns: (
        tuple[Column | Across, ...]
        | Callable[[pd.DataFrame, Settings], tuple[Column | Across, ...]]
    ) = ()
    of: Callable[[pd.DataFrame, Settings], pd.DataFrame] | None = None
    notes: tuple[TableNote, ...] = ()
    findings: tuple[Callable[[pd.DataFrame], Iterable[str]], ...] = ()
    warnings: tuple[TableNote, ...] = ()
    empty: tuple[TableNote, ...] = ()
    references: Callable[[pd.DataFrame, Settings], Iterable[Mapping[str, str]]] | None = None
    readers: Callable[[pd.DataFrame], pd.DataFrame] | None = None
    best: Best | None = None
    group_by: str | None = None
    split_by: str | None = None
    spans: tuple[Span, ...] = ()
    csv_formats: Mapping[str, str] = field(default_factory=dict)
    paper: PaperForm | None = None

    @property
    def csv_names(self) -> tuple[str, ...]:
        """Columns of the CSV, as far as they are declared."""
        return tuple(
            name
            for value in self.csv
            for name in ((value,) if isinstance(value, str) else value.names)
        )


def each(
    listed: pd.DataFrame, settings: Settings
) -> Iterator[tuple[Mapping[str, Any], pd.DataFrame]]:
    """Make one row of every row of a frame; its cells name the row."""
    for index, row in enumerate(listed.to_dict(orient="records")):
        yield row, listed.iloc[index : index + 1]


# ---- rows side by side, as papers print them ----

# In a reader's row: level to the CSV's row that is printed in its column.
_LEVELS = "levels"


def side_by_side(
    frame: pd.DataFrame, rows: Sequence[str], across: str, sums: Sequence[str], but: Sequence[str]
) -> pd.DataFrame:
    """Join the rows of a frame that differ in one column; :class:`Across` prints each.

    Args:
        frame: The whole table.
        rows: Columns that name a reader's row.
        across: The column whose levels become columns.
        sums: Counts that are summed over the levels, and missing where one is.
        but: Levels that hold answers of other levels, and are left out of sums.
    """
    import pandas as pd

    joined: dict[tuple[Hashable, ...], dict[str, Any]] = {}
    for row in frame.to_dict(orient="records"):
        key = tuple(row[name] for name in rows)
        joined.setdefault(key, {})[row[across]] = row
    readers = [
        {
            **dict(zip(rows, key, strict=True)),
            **{
                name: _sum([row[name] for level, row in levels.items() if level not in but])
                for name in sums
            },
            _LEVELS: levels,
        }
        for key, levels in joined.items()
    ]
    # As objects: a count that is missing is None, and makes no fractions of the others.
    return pd.DataFrame(readers, columns=[*rows, *sums, _LEVELS], dtype=object)


def _sum(counts: Sequence[Any]) -> int | None:
    return None if any(map(is_missing, counts)) else sum(counts)


@dataclass(frozen=True)
class Across:
    """A column for each level that :func:`side_by_side` has joined.

    Attributes:
        text: Prints a row of the CSV.
        headers: Level to header; the level's name with spaces for underscores where none is given.
    """

    text: Callable[[Row], str]
    headers: Mapping[str, str] = field(default_factory=dict)

    def columns(self, readers: pd.DataFrame) -> list[Printed]:
        """Return the columns of a reader's frame, in the order in which its rows have the levels; none without rows."""
        if readers.empty:
            return []
        levels = dict.fromkeys(level for row in readers[_LEVELS] for level in row)
        return [
            Printed(self.headers.get(level, level.replace("_", " ")), partial(self._cell, level))
            for level in levels
        ]

    def _cell(self, level: str, row: Row) -> str:
        return self.text(row[_LEVELS][level]) if level in row[_LEVELS] else ""


__all__ = [
    "Across",
    "Best",
    "By",
    "Column",
    "PaperForm",
    "Settings",
    "Span",
    "Split",
    "Table",
    "TableNote",
    "Text",
    "each",
    "side_by_side",
]
