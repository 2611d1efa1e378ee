"""The papers' printed numbers, read from ``resources/published``. Read whenever a plan is made: nothing slow."""

import csv
from collections.abc import Iterable
from pathlib import Path

from afterimage.contract.paper import NONE, SEEN, SOURCE, Number
from afterimage.errors import AfterimageError

#: Printed names that are no models: facts, chance, people, a mean over models.
HUMAN = "human"
NO_MODELS = (NONE, "random", HUMAN, "mean")
#: The columns of a file; the last ones may be left out, and then all was seen in the source.
_COLUMNS = Number._fields[1:]
_LEFT_OUT = _COLUMNS[: -len(Number._field_defaults)]


def read_numbers(files: Iterable[str | Path]) -> list[Number]:
    """Read printed numbers; the name of a file is that of its paper.

    Raises:
        AfterimageError: A column is missing or unknown, a number stands there twice, or where it was seen is unknown.
    """
    numbers = [number for path in files for number in _read(Path(path))]
    seen = set()
    for number in numbers:
        if number.name in seen:
            raise AfterimageError(f"published numbers: '{number.name}' stands there twice.")
        seen.add(number.name)
    return numbers


def is_quoted(number: Number) -> bool:
    """Tell whether a number may stand in a row of its own: a result, seen as printed, of a model or of people."""
    is_somebody = number.model == HUMAN or number.model not in NO_MODELS
    return is_somebody and number.is_result and number.seen == SOURCE


def _read(path: Path) -> list[Number]:
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.reader(file)
        found = tuple(next(reader, ()))
        if found not in (_COLUMNS, _LEFT_OUT):
            raise AfterimageError(
                f"{path}: found the columns {', '.join(found)}; expected {', '.join(_COLUMNS)}."
            )
        numbers = []
        for row in reader:
            if len(row) != len(found):
                raise AfterimageError(
                    f"{path}, line {reader.line_num}: found {len(row)} cells; expected {len(found)}."
                )
            number = Number(path.stem, *row)
            if number.seen not in SEEN:
                raise AfterimageError(
                    f"{path}, line {reader.line_num}: 'seen' is '{number.seen}'; expected {', '.join(SEEN)}."
                )
            numbers.append(number)
    return numbers
