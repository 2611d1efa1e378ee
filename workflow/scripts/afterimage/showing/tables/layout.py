"""A reader's table, laid out: cells with text, number and style, independent of the output format.

The renderers decide how a cell looks in Markdown, LaTeX or HTML; JSON is the layout itself. Rows that were printed
elsewhere are below the table's own rows, and nothing is computed from both."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from string import Formatter
from typing import TYPE_CHECKING, Any, NamedTuple

from afterimage.errors import AfterimageError
from afterimage.files.attempts import Unfinished
from afterimage.note import Note
from afterimage.showing.language import Words, words_of
from afterimage.showing.looks import PAPER, kind_of
from afterimage.showing.tables.baselines import MEASURED
from afterimage.showing.tables.bounds import coverage_of
from afterimage.showing.tables.columns import (
    NOT_AVAILABLE,
    Cell,
    Column,
    Style,
    Text,
    as_cell,
    is_missing,
    number_of,
    value_of,
)
from afterimage.showing.tables.declaration import Across, Best, Settings, Span, Table, TableNote

if TYPE_CHECKING:
    import pandas as pd


class Line(NamedTuple):
    text: str
    style: Style = ""


def lines_of(cell: str) -> list[Line]:
    styles = cell.styles if isinstance(cell, Cell) else {}
    return [Line(text, styles.get(number, "")) for number, text in enumerate(cell.split("\n"))]


# ---- the table ----

#: Why a table without a reason of its own is empty.
NO_ANSWERS = "no answer of the study belongs there"


@dataclass(frozen=True)
class Head:
    """A column's header, and whether its cells are aligned to the right."""

    header: str
    numeric: bool


@dataclass(frozen=True)
class LaidRow:
    """One row: its cells, the heading above it, if any, and whether it is no model's."""

    cells: tuple[str, ...]
    group: str = ""
    is_yardstick: bool = False


@dataclass(frozen=True)
class Layout:
    """A reader's table.

    Attributes:
        title: One line: what the table shows.
        columns: From left to right; the first names the row.
        rows: The cells; some are :class:`Cell`, which have a number and styles.
        references: Reference rows below the others.
        notes: Sentences below the table.
        warnings: Sentences above everything, in capitals.
        empty: Why no row but reference rows has a number; empty if one has.
        unfinished: Models without numbers here, since they have not answered everything.
        spans: Headings over columns, from the left; the numbers of columns sum to that of all.
        split_by: Header of the column by which printed pages are split; None for none.
        language: The code of the language that it is in.
        label: LaTeX's label of a table in its paper's form, in which a row is one line; empty in the readers' form.
    """

    title: str
    columns: tuple[Head, ...]
    rows: tuple[LaidRow, ...]
    references: tuple[tuple[str, ...], ...] = ()
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    empty: str = ""
    unfinished: tuple[Unfinished, ...] = ()
    spans: tuple[Span, ...] = ()
    split_by: str | None = None
    language: str = "en"
    label: str = ""

    @property
    def headings(self) -> list[str]:
        """The heading right above each row; an empty text where there is none."""
        groups = [row.group for row in self.rows]
        return [
            group if group != before else ""
            for before, group in zip(["", *groups], groups, strict=False)
        ]


def lay_out(
    table: Table,
    frame: pd.DataFrame,
    grades: pd.DataFrame,
    settings: Settings,
    quoted: pd.DataFrame | None = None,
) -> Layout:
    """Print every cell of a table.

    Args:
        frame: The result of :func:`compute.frame_of`.
        grades: The answers of the frame; notes that are functions read them.
        settings: The table's settings; notes have slots for them.
        quoted: Rows that others printed (:func:`quoted_frame`), shown below and used for nothing else.

    Raises:
        AfterimageError: A column is not in the frame, or a reference row names a header that no column has.
    """
    shown = frame if table.readers is None else table.readers(frame)
    columns = _columns(table, shown, grades, settings)
    rows = shown.to_dict(orient="records")
    yardsticks = [_is_yardstick(row, settings) for row in rows]
    leading = _leading_cells(rows, table.best, yardsticks)
    groups = [""] * len(rows)
    if table.group_by is not None:
        groups = [
            "" if is_missing(row[table.group_by]) else str(row[table.group_by]) for row in rows
        ]
    references = () if table.references is None else table.references(grades, settings)
    slots = _slots(settings)
    laid = Layout(
        title=_filled(table.title, slots),
        columns=tuple(Head(column.header, column.numeric) for column in columns),
        rows=tuple(
            LaidRow(
                tuple(_cell(column, row, (number, column.header) in leading) for column in columns),
                group,
                yardsticks[number],
            )
            for number, (row, group) in enumerate(zip(rows, groups, strict=True))
        ),
        references=(
            *(_reference(table.title, row, columns) for row in references),
            *_quoted_rows(table, quoted, columns),
        ),
        notes=(
            *_note_texts(table.notes, slots, grades, settings),
            *(sentence for finding in table.findings for sentence in finding(frame)),
        ),
        warnings=tuple(_note_texts(table.warnings, slots, grades, settings)),
        spans=table.spans,
        # Without rows there is nothing to split.
        split_by=table.split_by if rows else None,
    )
    if _has_numbers(laid):
        return laid
    return replace(laid, empty=next(_note_texts(table.empty, slots, grades, settings), NO_ANSWERS))


def split(layout: Layout) -> list[Layout]:
    """Return one layout for each value of the ``split_by`` column, or the layout itself without one.

    Each part has the value in its title and lacks the column; reference rows stay with their part.
    """
    headers = [column.header for column in layout.columns]
    if layout.split_by not in headers:
        return [layout]
    index = headers.index(layout.split_by)

    def without(cells: Sequence[str]) -> tuple[str, ...]:
        return (*cells[:index], *cells[index + 1 :])

    return [
        replace(
            layout,
            title=f"{layout.title}: {value}",
            columns=tuple(column for column in layout.columns if column.header != layout.split_by),
            rows=tuple(
                replace(row, cells=without(row.cells))
                for row in layout.rows
                if row.cells[index] == value
            ),
            references=tuple(
                without(row) for row in layout.references if row[index] in (value, "")
            ),
        )
        for value in dict.fromkeys(row.cells[index] for row in layout.rows)
    ]


def _has_numbers(layout: Layout) -> bool:
    """Tell whether a row other than reference rows has a number; any row will do where no column is numeric."""
    numeric = [index for index, column in enumerate(layout.columns) if column.numeric]
    return any(
        not numeric or any(number_of(row.cells[index]) is not None for index in numeric)
        for row in layout.rows
    )


def _columns(
    table: Table, frame: pd.DataFrame, grades: pd.DataFrame, settings: Settings
) -> list[Column]:
    columns = table.columns(grades, settings) if callable(table.columns) else table.columns
    spread = (
        printed
        for column in columns
        for printed in (column.columns(frame) if isinstance(column, Across) else [column])
    )
    return [
        column
        for column in spread
        if not (isinstance(column, Text) and column.if_several)
        or frame.loc[frame[column.column] != "", column.column].nunique() > 1
    ]


def _cell(column: Column, row: Mapping[str, Any], leads: bool) -> str:
    printed = column.cell(row)
    return as_cell(printed).styled(0, "best") if leads else printed


def _is_yardstick(row: Mapping[str, Any], settings: Settings) -> bool:
    """Tell whether a row is no model's: a responder's, a baseline's, people's, or recorded elsewhere."""
    kind, name = row.get("kind"), str(row.get("model", ""))
    if kind is not None and not is_missing(kind) and kind != MEASURED:
        return True
    return name in settings.get("yardsticks", ()) or kind_of(name) != "model"


def _leading_cells(
    rows: list[dict[str, Any]], best: Best | None, yardsticks: Sequence[bool]
) -> set[tuple[int, str]]:
    """Return the cells (row number, header) with the greatest value of their column, or of their block in it."""
    if best is None:
        return set()
    blocks: dict[tuple[Any, ...], list[int]] = {}
    for number, row in enumerate(rows):
        if not yardsticks[number] and (best.among is None or best.among(row)):
            blocks.setdefault(tuple(row[name] for name in best.within), []).append(number)
    leading: set[tuple[int, str]] = set()
    for competing in blocks.values():
        for header, column in best.columns.items():
            values = {number: value_of(rows[number], column) for number in competing}
            known = {number: value for number, value in values.items() if not is_missing(value)}
            greatest = max(known.values(), default=None)
            leading |= {(number, header) for number, value in known.items() if value == greatest}
    return leading


def _reference(title: str, row: Mapping[str, str], columns: Sequence[Column]) -> tuple[str, ...]:
    headers = [column.header for column in columns]
    for header in row:
        if header not in headers:
            raise AfterimageError(
                f"table '{title}': a row of reference has a cell under '{header}'; "
                f"expected one of: {', '.join(headers)}."
            )
    return tuple(row.get(header, "") for header in headers)


def _quoted_rows(
    table: Table, quoted: pd.DataFrame | None, columns: Sequence[Column]
) -> Iterator[tuple[str, ...]]:
    if quoted is None or quoted.empty:
        return
    shown = quoted if table.readers is None else table.readers(quoted)
    for row in shown.to_dict(orient="records"):
        yield quoted_cells(row, columns)


def _slots(settings: Settings) -> dict[str, Any]:
    """Return the values for slots of titles and notes."""
    if "confidence" not in settings:
        return dict(settings)
    return {**settings, "coverage": coverage_of(settings)}


def _note_texts(
    notes: Sequence[TableNote], slots: Mapping[str, Any], grades: pd.DataFrame, settings: Settings
) -> Iterator[str]:
    for note in notes:
        if callable(note):
            yield from note(grades, settings)
        else:
            yield _filled(note, slots)


def _filled(template: str, slots: Mapping[str, Any]) -> Note:
    """Fill a declared text's slots with settings; in a note, those of its slots' texts."""
    if isinstance(template, Note) and template.slots:
        texts = {
            name: _filled(value, slots) if isinstance(value, str) else value
            for name, value in template.slots.items()
        }
        return Note(template.template, **texts)
    named = [name for _, name, _, _ in Formatter().parse(template) if name is not None]
    if not named:
        return Note(template.format())
    # A slot may name a part of a setting: {pope[answer_rule]}.
    names = dict.fromkeys(name.partition("[")[0] for name in named)
    return Note(template, **{name: slots[name] for name in names})


# ---- rows that were printed elsewhere ----

#: Their heading in a table with headings.
HEADING = "As printed"


def quoted_frame(
    table: Table,
    frame: pd.DataFrame,
    rows: Iterable[tuple[Mapping[str, Any], Mapping[str, Any]]],
) -> pd.DataFrame:
    """Return quoted rows with the columns of a table's frame; cells that were not printed are missing.

    Args:
        rows: Of each, the columns that identify the row, and the others. Rows for which the table has none of its own,
            such as another prompt's, are left out.
    """
    import pandas as pd

    columns = list(frame.columns)
    if frame.empty:
        rows = ()
    heading = {} if table.group_by is None else {table.group_by: HEADING}
    kept = [
        {"kind": PAPER, **heading, **key, **cells} for key, cells in rows if _has_row(frame, key)
    ]
    return pd.DataFrame(kept, columns=columns, dtype=object)


def quoted_cells(row: Mapping[str, Any], columns: Sequence[Column]) -> tuple[str, ...]:
    """Print a quoted row; cells are empty if nothing was printed."""
    cells = (column.cell(row) for column in columns)
    return tuple("" if cell == NOT_AVAILABLE else cell for cell in cells)


def _has_row(frame: pd.DataFrame, key: Mapping[str, str]) -> bool:
    matching = frame
    for column, value in key.items():
        matching = matching[matching[column].astype(str) == value]
    return len(matching) > 0


# ---- the table in the study's language ----


def in_language(layout: Layout, settings: Mapping[str, Any]) -> Layout:
    """Return a table translated into the study's language.

    Args:
        settings: "language" is absent for English.
    """
    words, cells = words_of(settings, "texts"), words_of(settings, "cells")
    if words.language == layout.language:
        return layout
    return replace(
        layout,
        language=words.language,
        title=words.translate(layout.title),
        columns=tuple(
            replace(head, header=words.translate(head.header)) for head in layout.columns
        ),
        rows=tuple(
            replace(
                row,
                cells=tuple(_translated_cell(cell, cells) for cell in row.cells),
                group=cells.translate(row.group),
            )
            for row in layout.rows
        ),
        references=tuple(
            tuple(_translated_cell(cell, cells) for cell in row) for row in layout.references
        ),
        notes=tuple(words.translate(note) for note in layout.notes),
        warnings=tuple(words.translate(warning) for warning in layout.warnings),
        empty=words.translate(layout.empty),
        spans=tuple(replace(span, header=words.translate(span.header)) for span in layout.spans),
        split_by=layout.split_by and words.translate(layout.split_by),
    )


def _translated_cell(cell: str, words: Words) -> str:
    """Translate a cell as a whole or, without a translation of that, line by line."""
    lines = cell.split("\n")
    whole = words.translate(cell)
    if whole == cell:
        whole = "\n".join(words.translate(line) for line in lines)
    return as_cell(cell).with_text(whole)
