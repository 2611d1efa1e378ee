"""A set of the hub as a set of images: its Parquet columns as the cells of a ``questions.csv``.

Standard library only until a set is read.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from afterimage.files.hub_lock import HubSet, fetched_files, link_of, locked_hashes
from afterimage.suites.images.csv_rows import Row, fault, shown_cell
from afterimage.suites.images.names import (
    ANSWER,
    ANSWER_TYPE,
    IMAGE,
    OPTIONS,
    QUESTION,
    REQUIRED_COLUMNS,
    SETS_KEY,
)

#: A set as the study names it: ``hub``, ``revision``, ``split``, ``columns``.
Spec = Mapping[str, Any]
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_KINDS = {IMAGE: "image", QUESTION: "text", OPTIONS: "list", ANSWER: "answer", ANSWER_TYPE: "text"}

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
        },
    },
}


def hub_set(spec: Spec) -> HubSet:
    """Return the data set and the files that a set is read from."""
    return HubSet(spec["hub"], (f"*{spec.get('split', 'test')}-*.parquet",), spec.get("revision"))


def sets_of(settings: Mapping[str, Any]) -> Sequence[HubSet]:
    """Return the data sets that a study's sets come from, from its settings as they are written."""
    sets = settings.get("sets")
    named = sets.values() if isinstance(sets, Mapping) else ()
    return [hub_set(one) for one in named if isinstance(one, Mapping) and "hub" in one]


def place_of(spec: Spec) -> str:
    """Return the folder of a set's files, as messages name it."""
    return link_of(spec["hub"]).as_posix()


def state_of(name: str, spec: Spec) -> str:
    """Return what changes with the content of a set's files.

    Raises:
        AfterimageError: The set was not fetched.
    """
    fetched_files(hub_set(spec), f"{SETS_KEY}.{name}")
    return json.dumps(locked_hashes(hub_set(spec)))


def read_rows(name: str, spec: Spec) -> tuple[str, list[str], list[Row]]:
    """Return the file (of several, the folder), the columns and the rows, numbered from 0 through all files.

    An image's name is the hash of its content. An answer among options is an option's text, its letter, or, in a column
    of whole numbers, its place from 0.

    Raises:
        AfterimageError: The set was not fetched, or a column is missing or holds something else than it should.
    """
    from afterimage.files.others_parquet import image_digests, rows_of

    columns = _columns(spec)
    files = list(fetched_files(hub_set(spec), f"{SETS_KEY}.{name}").values())
    kinds = {own: _KINDS.get(meant, "answer") for meant, own in columns.items()}
    digests = {file: image_digests(file, columns[IMAGE]) for file in files}
    where = files[0] if len(files) == 1 else place_of(spec)
    rows = []
    for line, (file, number, values) in enumerate(rows_of(files, kinds)):
        cells = {meant: _cell(values[own]) for meant, own in columns.items()}
        row = Row(line, {OPTIONS: "", **cells, IMAGE: digests[file][number] or ""})
        rows.append(_with_answer(where, row, values, columns))
    return (
        where,
        [*REQUIRED_COLUMNS, *(one for one in columns if one not in REQUIRED_COLUMNS)],
        rows,
    )


def image_places(name: str, spec: Spec) -> dict[str, tuple[str, dict[str, Any]]]:
    """Return the first place of each image, by its name: file, and row and column in it."""
    from afterimage.files.others_parquet import image_digests

    column = _columns(spec)[IMAGE]
    found: dict[str, tuple[str, dict[str, Any]]] = {}
    for file in fetched_files(hub_set(spec), f"{SETS_KEY}.{name}").values():
        for row, digest in enumerate(image_digests(file, column)):
            if digest is not None:
                found.setdefault(digest, (file, {"row": row, "column": column}))
    return found


def _columns(spec: Spec) -> dict[str, str]:
    return {
        **{one: one for one in (IMAGE, QUESTION, ANSWER)},
        **spec.get("columns", {}),
    }


def _cell(value: object) -> str:
    """Return a value as a CSV would have it; a list with its texts apart."""
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
    """Return a row whose answer, however the set names an option, is the option's text."""
    options = values[columns[OPTIONS]] if OPTIONS in columns else None
    answer = values[columns[ANSWER]]
    if isinstance(answer, list):
        return row
    if not options:
        return Row(row.line, {**row.cells, ANSWER: _escaped(row.cells[ANSWER])})
    place = None
    if isinstance(answer, int) and not isinstance(answer, bool):
        place = answer
    elif row.cells[ANSWER] not in [str(one).strip() for one in options]:
        letter = row.cells[ANSWER].strip("().")
        place = _LETTERS.find(letter) if len(letter) == 1 else None
    if place is None:
        return Row(row.line, {**row.cells, ANSWER: _escaped(row.cells[ANSWER])})
    if not 0 <= place < len(options):
        expected = f"one of the {len(options)} options, as text, letter or place from 0"
        raise fault(where, row, columns[ANSWER], shown_cell(row.cells[ANSWER]), expected)
    return Row(row.line, {**row.cells, ANSWER: _escaped(options[place])})
