"""Cells of tables that hold published numbers, and why one is absent."""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import NamedTuple, TypedDict

from afterimage.contract.paper import CellRef, Number, Size
from afterimage.errors import AfterimageError
from afterimage.files.attempts import NOT_FINISHED
from afterimage.files.csv_rows import read_rows
from afterimage.files.paths import DEFAULT_RESULTS, with_folder


class Cell(NamedTuple):
    """A number of a study.

    Attributes:
        value: In the published unit.
        k: Count; None for none.
        n: Denominator; None for none.
        low: Lower bound; None for none.
        high: Upper bound.
        deviation: Standard deviation of scores; None for none.
        reproduced: Whether recorded answers print as published; None if that is no question.
        reason: Why not.
    """

    value: float
    k: int | None
    n: int | None
    low: float | None
    high: float | None
    deviation: float | None = None
    reproduced: bool | None = None
    reason: str = ""


class Counterpart(TypedDict):
    """The study's model that corresponds to a printed one.

    Attributes:
        name: Of the model; "" for none.
        replayed: Whether it gives recorded answers.
    """

    name: str
    reason: str
    replayed: bool


class Standing(TypedDict):
    """The relation of a study to a paper.

    Attributes:
        absent: Why it has nothing of the paper; "" if it has.
        data: Parts of the suite's data to how sure it is that they are the paper's (:class:`releases.Evidence`).
        missing: Tables that compare with no paper, and why.
        models: Printed models to the study's.
        margin: By how much of the scale two numbers may differ and still be called consistent.
        part: The module that locates the numbers.
        recorded: The file of the rescored recorded answers; "" for none.
        suite: The suite that measures the paper; "" for none.
    """

    absent: str
    data: Mapping[str, Sequence[str]]
    missing: Mapping[str, str]
    models: Mapping[str, Counterpart]
    margin: float
    part: str
    recorded: str
    suite: str


class Files:
    """CSV files, each read once; of those that a job got as input only."""

    def __init__(self, given: Iterable[str], results: str | PurePath = DEFAULT_RESULTS) -> None:
        """Take the paths that may be read, and the folder of results."""
        self._given = frozenset(map(str, given))
        self._results = str(results)
        self._rows: dict[str, list[dict[str, str]]] = {}

    def path(self, name: str) -> str:
        """Return the path of a file that is named from the folder of results, as ``CellRef`` and ``Size`` do."""
        return with_folder(name, self._results)

    def has(self, name: str) -> bool:
        return self.path(name) in self._given

    def rows(self, name: str) -> list[dict[str, str]]:
        path = self.path(name)
        if path not in self._rows:
            self._rows[path] = read_rows(path)
        return self._rows[path]

    def cell(self, path: str, ref: CellRef, model: str) -> Cell | None:
        """Return the cell of a model at a place; None if no row has a value there.

        Raises:
            AfterimageError: The file lacks a column.
        """
        wanted = {ref.named_in: model, **ref.rows}
        path = self.path(path)
        for row in self._finished(path):
            _require(row, (*wanted, *_columns(ref)), path)
            if all(row[column] == value for column, value in wanted.items()) and row[ref.value]:
                return _cell(row, ref)
        return None

    def unfinished(self, path: str, model: str) -> str:
        """Return why a file has no numbers of a model that has not answered everything; "" if that is not so."""
        rows = self.rows(path) if self.has(path) else ()
        reasons = (row.get(NOT_FINISHED) for row in rows if row.get("model") == model)
        return next(filter(None, reasons), "")

    def asked(self, ref: CellRef, model: str) -> dict[str, int]:
        """Return how many were asked about in the columns :attr:`CellRef.asked`; none where there is no such row.

        Raises:
            AfterimageError: The file lacks a column.
        """
        path = self.path(ref.asked_file)
        wanted = {ref.named_in: model, **({} if ref.asked_in else ref.rows)}
        for row in self._finished(path) if self.has(path) else ():
            _require(row, (*wanted, *ref.asked), path)
            if all(row[column] == value for column, value in wanted.items()):
                return {column: _whole(row[column] or "0") for column in ref.asked}
        return {}

    def _finished(self, path: str) -> list[dict[str, str]]:
        return [row for row in self.rows(path) if not row.get(NOT_FINISHED)]

    def count(self, size: Size) -> int:
        """Count what was drawn.

        Raises:
            AfterimageError: A file lacks a column.
        """
        measured, *decisions = map(self.path, size.files)
        kept = {
            row["figure"] for path in decisions for row in self.rows(path) if row["keep"] == "true"
        }
        found = set()
        for row in self.rows(measured):
            _require(row, (size.column, "figure", *size.matching), measured)
            if (not decisions or row["figure"] in kept) and _matches(row, size.matching):
                found.add(row[size.column])
        return len(found)


def _cell(row: Mapping[str, str], ref: CellRef) -> Cell:
    counts = [row[column] for column in ref.n]
    n = ref.times * sum(map(_whole, counts)) if counts and all(counts) else None
    low, high, deviation = (
        ref.factor * float(row[side]) if side and row[side] else None
        for side in (ref.low, ref.high, ref.deviation)
    )
    return Cell(
        ref.factor * float(row[ref.value]),
        _whole(row[ref.k]) if ref.k and row[ref.k] else None,
        n,
        low,
        high,
        deviation,
        row[ref.reproduced] == "True" if ref.reproduced and row[ref.reproduced] else None,
        row[ref.reason] if ref.reason else "",
    )


def _columns(ref: CellRef) -> tuple[str, ...]:
    spread = (ref.low, ref.high, ref.deviation)
    return (ref.value, ref.k, *ref.n, *spread, ref.reproduced, ref.reason)


def _whole(text: str) -> int:
    return int(float(text))


def _matches(row: Mapping[str, str], matching: Mapping[str, str]) -> bool:
    return all(re.fullmatch(pattern, row[column]) for column, pattern in matching.items())


def _require(row: Mapping[str, str], columns: Iterable[str], path: str) -> None:
    for column in columns:
        if column and column not in row:
            raise AfterimageError(f"{path}: column '{column}' is missing; found {', '.join(row)}.")


# ---- absence ----


def why_not(number: Number, ref: CellRef, state: Standing) -> str:
    """Return why a study cannot have a number that one of its tables would show; "" if it can."""
    if state["absent"]:
        return state["absent"]
    printed = ref.models or (() if ref.model else (number.model,))
    lacking = [state["models"][name] for name in printed if not state["models"][name]["name"]]
    if not lacking:
        return ""
    # What is to be fetched comes before who is to be asked about it.
    return state["missing"].get(ref.table) or lacking[0]["reason"]


def row_name(number: Number, ref: CellRef, state: Standing) -> str:
    """Return the name of the row that holds a number: that of a model, of several together, or of no model."""
    names = sorted(state["models"][name]["name"] for name in ref.models or (number.model,))
    return " + ".join(names)


def why_other(number: Number, ref: CellRef, model: str, state: Standing, files: Files) -> str:
    """Return why a study's number is about other images or questions than the paper's; "" if it is not.

    The study's settings may say so. Else as many have to be asked about as the paper asked about, in each column that
    :attr:`CellRef.asked` names, or the same multiple of it in all: repeats, or further drawings of the same.
    """
    # What guessing gives does not depend on whose data there are.
    if number.model == "random":
        return ""
    if ref.table in state["missing"]:
        return state["missing"][ref.table]
    if not ref.asked:
        return "how many of which the paper asked about is not printed, so these cannot be told to be the same"
    found = files.asked(ref, model)
    times = {found.get(column, 0) / count for column, count in ref.asked.items()}
    if len(times) == 1 and (most := times.pop()) > 0 and most.is_integer():
        return ""
    differing = {
        column: found.get(column, 0)
        for column, count in ref.asked.items()
        if found.get(column, 0) != count
    }
    column, count = next(iter(differing.items()))
    return (
        f"other images or questions than the paper's: {files.path(ref.asked_file)} has {count} in the column "
        f"{column}, the paper {ref.asked[column]}"
    )
