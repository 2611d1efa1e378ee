"""The papers' printed numbers, read from ``resources/published``. Read whenever a plan is made: nothing slow."""

import csv
from collections.abc import Iterable
from pathlib import Path

from afterimage.contract.paper import Number
from afterimage.errors import AfterimageError

#: Printed names that are no models: facts, chance, people.
NO_MODELS = ("none", "random", "human")


def read_numbers(files: Iterable[str | Path]) -> list[Number]:
    """Read printed numbers; the name of a file is that of its paper.

    Raises:
        AfterimageError: A column is missing or unknown, or a number stands there twice.
    """
    numbers = [number for path in files for number in _read(Path(path))]
    seen = set()
    for number in numbers:
        if number.name in seen:
            raise AfterimageError(f"published numbers: '{number.name}' stands there twice.")
        seen.add(number.name)
    return numbers


def _read(path: Path) -> list[Number]:
    expected = Number._fields[1:]
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.reader(file)
        found = tuple(next(reader, ()))
        if found != expected:
            raise AfterimageError(
                f"{path}: found the columns {', '.join(found)}; expected {', '.join(expected)}."
            )
        numbers = []
        for row in reader:
            if len(row) != len(expected):
                raise AfterimageError(
                    f"{path}, line {reader.line_num}: found {len(row)} cells; expected {len(expected)}."
                )
            numbers.append(Number(path.stem, *row))
    return numbers
