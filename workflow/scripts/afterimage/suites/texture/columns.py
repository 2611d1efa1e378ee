"""The suite's CSV tables, column by column (docs/texture.md), and how they are read.

Standard library only, because the Snakefile imports this module whenever it is parsed.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from afterimage.errors import AfterimageError, unknown_name
from afterimage.files.csv_rows import peoples_rows, separator_of
from afterimage.files.external_text import read_text_file
from afterimage.files.row_ids import RowIds, name_text, require_one_spelling
from afterimage.files.written_values import whole_number_in, without_point_zero

#: The separator of words in one cell; no word may contain it.
WORD_SEPARATOR = "、"

_FILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_IDENTIFIER = re.compile(r"[^\s/]+")


@dataclass(frozen=True)
class Column:
    """One column.

    Attributes:
        name: Its header.
        expected: What a cell must hold, for error messages.
        read: Turns a cell without blanks at its ends into a value; raises ValueError.
        blank: Whether a cell may be empty; the value is then None.
        needed: Whether every file must have the column.
    """

    name: str
    expected: str
    read: Callable[[str], object]
    blank: bool = False
    needed: bool = True


@dataclass(frozen=True)
class Table:
    """One kind of file.

    Attributes:
        file: Its usual name.
        columns: In their usual order.
        unique: Columns whose values together may occur once only.
    """

    file: str
    columns: tuple[Column, ...]
    unique: tuple[str, ...] = ()


def _matching(pattern: re.Pattern[str]) -> Callable[[str], str]:
    def read(cell: str) -> str:
        # Data frames write numbered images and objects as 12.0.
        name = without_point_zero(cell)
        if not pattern.fullmatch(name):
            raise ValueError
        return name

    return read


def _one_of(*values: str) -> Callable[[str], str]:
    def read(cell: str) -> str:
        name = without_point_zero(cell)
        if name not in values:
            raise ValueError
        return name

    return read


def _fraction(cell: str) -> float:
    # Where a comma stands before the fraction, none stands between thousands: the number is 1 at most.
    value = float(cell.replace(",", "."))
    if not 0 <= value <= 1:
        raise ValueError
    return value


def _count(cell: str) -> int:
    number = whole_number_in(cell)
    if number is None or number < 0:
        raise ValueError
    return number


def _two_way(cell: str) -> bool:
    return {"1": True, "0": False}[without_point_zero(cell)]


def _time(cell: str) -> str:
    datetime.fromisoformat(cell)
    return cell


def _word(cell: str) -> str:
    if WORD_SEPARATOR in cell or "\n" in cell:
        raise ValueError
    return cell


def _words(cell: str) -> tuple[str, ...]:
    words = tuple(_word(word.strip()) for word in cell.split(WORD_SEPARATOR))
    if not all(words):
        raise ValueError
    return words


def _identifier(name: str, blank: bool = False, needed: bool = True) -> Column:
    return Column(name, "a name without blanks and '/'", _matching(_IDENTIFIER), blank, needed)


def _text(name: str, blank: bool = False, needed: bool = True) -> Column:
    return Column(name, "a text", str, blank, needed)


def _free(name: str) -> Column:
    return _text(name, blank=True, needed=False)


def _a_word(name: str, blank: bool = False) -> Column:
    return Column(name, f"a word without '{WORD_SEPARATOR}' or line breaks", _word, blank)


def _moment(name: str) -> Column:
    expected = "a time such as 2025-01-31T09:30:00, or nothing"
    return Column(name, expected, _time, blank=True, needed=False)


def _yes(name: str) -> Column:
    return Column(name, "1 or 0, or nothing where no answer was given", _two_way, blank=True)


#: People, or made up; made-up answers never count as people's.
_SOURCE = Column("source", "human or simulated", _one_of("human", "simulated"))
_ITEM_ID = Column("item_id", "a name without blanks", _matching(re.compile(r"\S+")))
_POSITIONS = range(5)

IMAGES = Table(
    "images.csv",
    (
        Column(
            "image_id",
            "letters, digits, '.', '_' and '-', a letter or digit first",
            _matching(_FILE_NAME),
        ),
        _text("file"),
        Column("width", "a whole number of px", _count),
        Column("height", "a whole number of px", _count),
        _free("source"),
        _free("licence"),
    ),
    unique=("image_id",),
)

AREA_MODES = ("mask_union", "mask_largest", "bbox")
OBJECTS = Table(
    "objects.csv",
    (
        _identifier("image_id"),
        _identifier("object_id"),
        _text("object_ja"),
        _text("category", blank=True),
        Column("area_fraction", "a number from 0 to 1", _fraction),
        Column("area_mode", f"one of {', '.join(AREA_MODES)}", _one_of(*AREA_MODES)),
    ),
    unique=("image_id", "object_id", "area_mode"),
)

TRIPLES = Table(
    "triples.csv",
    (
        _identifier("triple_id"),
        _identifier("image_id"),
        _identifier("object_id"),
        _a_word("word"),
        _text("worker_id", blank=True),
        _moment("collected_at"),
    ),
    unique=("triple_id",),
)

PAIRS = Table(
    "pairs.csv",
    (
        _identifier("pair_id"),
        _identifier("image_id"),
        _identifier("object_id"),
        *(_a_word(f"w{position + 1}") for position in _POSITIONS),
        *(
            Column(f"origin{position + 1}", "natural or random", _one_of("natural", "random"))
            for position in _POSITIONS
        ),
        *(
            _identifier(f"source_triple{position + 1}", blank=True, needed=False)
            for position in _POSITIONS
        ),
    ),
    unique=("pair_id",),
)

VOTES = Table(
    "votes.csv",
    (
        _identifier("pair_id"),
        _a_word("word"),
        _text("annotator_id"),
        _yes("vote"),
        _SOURCE,
        _free("form_id"),
        _moment("answered_at"),
    ),
)

CLASSIFICATION_ITEMS = Table(
    "items_cls.csv",
    (
        _ITEM_ID,
        Column("k", "2 or 5", lambda cell: int(_one_of("2", "5")(cell))),
        _identifier("image_id"),
        _identifier("object_id"),
        *(_a_word(f"option_{position}", blank=position > 1) for position in _POSITIONS),
        Column(
            "gold_index", "a whole number from 0 to 4", lambda cell: int(_one_of(*"01234")(cell))
        ),
        _a_word("gold_word"),
        *(_free(f"neg_origin_{position}") for position in _POSITIONS),
        _free("seed"),
    ),
    unique=("item_id",),
)

GENERATION_ITEMS = Table(
    "items_gen.csv",
    (
        _ITEM_ID,
        _identifier("image_id"),
        _identifier("object_id"),
        Column("human_words", f"words joined by '{WORD_SEPARATOR}'", _words, blank=True),
    ),
    unique=("item_id",),
)

#: Word pairs: ``word`` may not be offered as wrong where ``gold`` is right.
COMPATIBLE = Table("compatible.csv", (_a_word("gold"), _a_word("word")))

#: Words that count as ``stands_for`` in a separate, labelled analysis.
SYNONYMS = Table("synonyms.csv", (_a_word("word"), _a_word("stands_for")), unique=("word",))

#: People's answers to classification items: the number of the option that they chose.
CLASSIFIED = Table(
    "classified.csv",
    (
        _ITEM_ID,
        _text("annotator_id"),
        Column(
            "option",
            "a whole number from 0 to 4, or nothing",
            lambda cell: int(_one_of(*"01234")(cell)),
            blank=True,
        ),
        _SOURCE,
        _free("form_id"),
        _moment("answered_at"),
    ),
)

#: People's answers to a model's words.
JUDGEMENTS = Table(
    "judgements.csv",
    (
        _ITEM_ID,
        _text("model"),
        _a_word("word"),
        _text("annotator_id"),
        _yes("yes"),
        replace(_SOURCE, blank=True, needed=False),
        _free("form_id"),
        _moment("answered_at"),
    ),
)


# Reading the suite's CSV tables: every row is checked, and a fault is one sentence with its line.

# Who wrote or answered.
_PEOPLE = ("annotator_id", "worker_id")
Row = dict[str, Any]


def read_rows(path: str | Path, table: Table) -> list[Row]:
    """Read a file of one of the kinds in this module.

    Blanks around cells and rows without content are dropped; columns may come in any order, separated by commas,
    semicolons or tabs; UTF-8, UTF-16 and Shift_JIS are read where they are certain.

    Returns:
        One dict per row: the columns' values, None for empty cells, and ``line``, where the row begins.

    Raises:
        AfterimageError: The file is missing or is not such a file, with the first fault and its line.
    """
    rows = _numbered_rows(path, table)
    header = _header(next(rows, (1, [])), path, table)
    result: list[Row] = []
    for line, cells in rows:
        if len(cells) != len(header):
            raise AfterimageError(
                f"{path}: line {line}: found {len(cells)} fields; expected {len(header)}."
            )
        values = dict(zip((column.name for column in header), cells, strict=True))
        row: Row = {
            column.name: _value(values.get(column.name, ""), column, path, line)
            for column in table.columns
        }
        result.append({**row, "line": line})
    _require_unique(({**row, "path": path} for row in result), table)
    return result


def _value(cell: str, column: Column, path: str | Path, line: int) -> object:
    if not cell:
        if column.blank:
            return None
        raise AfterimageError(
            f"{path}: line {line}: column '{column.name}' is empty; expected {column.expected}."
        )
    try:
        return column.read(cell)
    except (ValueError, KeyError):
        shown = cell if len(cell) <= 40 else f"{cell[:37]}..."
        raise AfterimageError(
            f"{path}: line {line}: column '{column.name}' is '{shown}'; expected {column.expected}."
        ) from None


def _header(first: tuple[int, list[str]], path: str | Path, table: Table) -> list[Column]:
    _, names = first
    known = {column.name: column for column in table.columns}
    expected = ",".join(known)
    if not any(names):
        raise AfterimageError(f"{path}: its first line is empty; expected the header {expected}.")
    for name in names:
        if name not in known:
            raise unknown_name("column", name, known, f"{path}: line 1")
        if names.count(name) > 1:
            raise AfterimageError(
                f"{path}: column '{name}' occurs {names.count(name)} times; expected once."
            )
    for column in table.columns:
        if column.needed and column.name not in names:
            raise AfterimageError(
                f"{path}: column '{column.name}' is missing; expected the header {expected}."
            )
    return [known[name] for name in names]


def read_people(paths: Iterable[str], table: Table) -> list[Row]:
    """Read all files of one kind, each row with its ``path``; ids and people must be unique over all of them.

    Raises:
        AfterimageError: A file is missing or a row is not what it should be, an id stands in two files, or two
            annotators' names differ in case alone.
    """
    rows = [{**row, "path": path} for path in paths for row in read_rows(path, table)]
    _require_unique(rows, table)
    people = [column.name for column in table.columns if column.name in _PEOPLE]
    for name in people:
        require_one_spelling(name, ((str(row[name] or ""), _where(row)) for row in rows))
    return rows


def _require_unique(rows: Iterable[Row], table: Table) -> None:
    """Check that no two rows agree in the unique columns, or differ there in case alone."""
    if not table.unique:
        return
    known = RowIds[object](", ".join(table.unique), name_text)
    for row in rows:
        known.add(", ".join(str(row[name]) for name in table.unique), _where(row), _where(row))


def _where(row: Row) -> str:
    return f"{row['path']}: line {row['line']}"


def _numbered_rows(path: str | Path, table: Table) -> Iterator[tuple[int, list[str]]]:
    """Yield each row that holds anything, with the line that it begins on."""
    text = read_text_file(path, f"{table.file} (docs/texture.md)")
    try:
        for line, cells, is_whole in peoples_rows(text, separator_of(text)):
            if any(cells) or line == 1 or not (cells or is_whole):
                yield line, cells
    except ValueError as error:
        raise AfterimageError(f"{path}: {error}; expected {table.file}.") from None
