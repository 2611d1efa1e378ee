"""Reads a set of the hub as a set of images: its Parquet columns become the cells of a ``questions.csv``.

Standard library only until a set is read.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from afterimage.files.hub_lock import HubSet, fetched_files, link_of, locked_hashes
from afterimage.suites.images.csv_rows import (
    ANSWER,
    ANSWER_TYPE,
    IMAGE,
    OPTIONS,
    QUESTION,
    REQUIRED_COLUMNS,
    SETS_KEY,
    Row,
    cell_fault,
    shown_cell,
)

#: A set as the study names it: ``hub``, ``revision``, ``split``, ``columns``.
Spec = Mapping[str, Any]
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#: The most images of a question.
MAX_IMAGES = 8
_KINDS = {QUESTION: "text", OPTIONS: "list", ANSWER: "answer", ANSWER_TYPE: "text"}

#: The part of the schema that a set of the hub follows.
SCHEMA: Mapping[str, Any] = {
    "type": ["string", "object"],
    "required": ["hub"],
    "additionalProperties": False,
    "properties": {
        "hub": {
            "description": "OWNER/NAME of a data set",
            "type": "string",
            "pattern": "^[A-Za-z0-9][A-Za-z0-9._-]*/[A-Za-z0-9][A-Za-z0-9._-]*$",
        },
        "revision": {
            "description": "A commit, branch or tag for the first fetch.",
            "type": ["string", "null"],
        },
        "split": {"description": "How its files' names begin; test by default.", "type": "string"},
        "columns": {
            "description": "image, question, answer, options, answer_type and factors, to the set's own columns.",
            "type": "object",
            "additionalProperties": {"type": "string"},
            "properties": {
                IMAGE: {
                    "description": "A column of images or of lists of images; or several columns of images, in order.",
                    "type": ["string", "array"],
                    "items": {"type": "string"},
                    "minItems": 1,
                    "maxItems": MAX_IMAGES,
                    "uniqueItems": True,
                }
            },
        },
    },
}


def hub_set(spec: Spec) -> HubSet:
    """Return the data set, with the patterns of the files that are read."""
    return HubSet(spec["hub"], (f"*{spec.get('split', 'test')}-*.parquet",), spec.get("revision"))


def sets_of(settings: Mapping[str, Any]) -> Sequence[HubSet]:
    sets = settings.get("sets")
    named = sets.values() if isinstance(sets, Mapping) else ()
    return [hub_set(spec) for spec in named if isinstance(spec, Mapping) and "hub" in spec]


def folder_of(spec: Spec) -> str:
    """Return the folder of a set's files, as messages name it."""
    return link_of(spec["hub"]).as_posix()


def state_of(name: str, spec: Spec) -> str:
    """Return a text that changes with the content of a set's files.

    Raises:
        AfterimageError: The set was not fetched.
    """
    fetched_files(hub_set(spec), SETS_KEY.below(f".{name}"))
    return json.dumps(locked_hashes(hub_set(spec)))


def read_rows(name: str, spec: Spec) -> tuple[str, list[str], list[Row]]:
    """Return the file (of several, the folder), the columns and the rows, numbered from 0 through all files.

    An image's name is the hash of its content; a row has one to eight. An answer among options is an option's text, its
    letter, or, in a column of whole numbers, its index from 0.

    Raises:
        AfterimageError: The set was not fetched, or a column is missing or holds something else than it should.
    """
    from afterimage.files.external_parquet import rows_of

    columns = _columns(spec)
    shown = _image_columns(spec)
    files = list(fetched_files(hub_set(spec), SETS_KEY.below(f".{name}")).values())
    kinds = {column: _KINDS.get(meaning, "answer") for meaning, column in columns.items()}
    kinds |= dict.fromkeys(shown, "images")
    where = files[0] if len(files) == 1 else folder_of(spec)
    images = (row for file in files for row in _images(file, shown))
    rows = []
    for line, (_, _, values) in enumerate(rows_of(files, kinds)):
        cells = {meaning: _cell(values[column]) for meaning, column in columns.items()}
        names = [digest for digest, _, _ in next(images)]
        row = Row(line, {OPTIONS: "", **cells, IMAGE: names[0] if names else ""}, tuple(names[1:]))
        if len(names) > MAX_IMAGES:
            raise cell_fault(where, row, shown[0], f"{len(names)} images", f"1 to {MAX_IMAGES}")
        rows.append(_with_answer(where, row, values, columns))
    header = dict.fromkeys((*REQUIRED_COLUMNS, *columns))
    return where, list(header), rows


def image_locations(name: str, spec: Spec) -> dict[str, tuple[str, dict[str, Any]]]:
    """Return the first location of each image by its name: file; row, column and, in a list, index as ``place``."""
    found: dict[str, tuple[str, dict[str, Any]]] = {}
    for file in fetched_files(hub_set(spec), SETS_KEY.below(f".{name}")).values():
        for row, images in enumerate(_images(file, _image_columns(spec))):
            for digest, column, index in images:
                listed = {"place": index} if index else {}
                found.setdefault(digest, (file, {"row": row, "column": column, **listed}))
    return found


def _images(file: str, columns: Sequence[str]) -> Iterator[list[tuple[str, str, int]]]:
    """Yield the images of each row in order: hash, column and index in the column's list; null entries are skipped."""
    from afterimage.files.external_parquet import image_digests

    for row in zip(*(image_digests(file, column) for column in columns), strict=True):
        yield [
            (digest, column, index)
            for column, digests in zip(columns, row, strict=True)
            for index, digest in enumerate(digests)
            if digest is not None
        ]


def _image_columns(spec: Spec) -> list[str]:
    named = spec.get("columns", {}).get(IMAGE, IMAGE)
    return [named] if isinstance(named, str) else list(named)


def _columns(spec: Spec) -> dict[str, str]:
    """Return the set's columns, except those of images, by their meaning."""
    named = {name: name for name in (QUESTION, ANSWER)} | spec.get("columns", {})
    return {meaning: column for meaning, column in named.items() if meaning != IMAGE}


def _cell(value: object) -> str:
    """Return a value as a CSV cell; the texts of a list are separated by ``|``."""
    if isinstance(value, list):
        return "|".join(map(_escaped, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value).strip()


def _escaped(text: object) -> str:
    return str(text).strip().replace("\\", "\\\\").replace("|", "\\|")


def _with_answer(
    where: str, row: Row, values: Mapping[str, Any], columns: Mapping[str, str]
) -> Row:
    """Return the row with the text of the right option as its answer, however the set refers to options."""
    options = values[columns[OPTIONS]] if OPTIONS in columns else None
    answer = values[columns[ANSWER]]
    if isinstance(answer, list):
        return row
    if not options:
        return row._replace(cells={**row.cells, ANSWER: _escaped(row.cells[ANSWER])})
    index = None
    if isinstance(answer, int) and not isinstance(answer, bool):
        index = answer
    elif row.cells[ANSWER] not in [str(option).strip() for option in options]:
        letter = row.cells[ANSWER].strip("().")
        index = _LETTERS.find(letter) if len(letter) == 1 else None
    if index is None:
        return row._replace(cells={**row.cells, ANSWER: _escaped(row.cells[ANSWER])})
    if not 0 <= index < len(options):
        expected = f"one of the {len(options)} options, as text, letter or place from 0"
        raise cell_fault(where, row, columns[ANSWER], shown_cell(row.cells[ANSWER]), expected)
    return row._replace(cells={**row.cells, ANSWER: _escaped(options[index])})
