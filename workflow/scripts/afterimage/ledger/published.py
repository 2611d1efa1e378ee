"""The papers' printed numbers, read from ``resources/published``. Read whenever a plan is made: nothing slow."""

import csv
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from afterimage.errors import AfterimageError

#: Printed names that are no models: facts, chance, people.
NO_MODELS = ("none", "random", "human")


class Number(NamedTuple):
    """One printed number.

    Attributes:
        paper: The paper, the name of its file.
        table: "table2", "task1", or "text" for running text.
        model: The model as the table spells it, in our notation; "none" for facts, "random", "human".
        subset: Which column or part.
        metric: What is measured.
        published: The printed digits.
        unit: percent, fraction, score_0_2 or count.
        denominator: Over how many it is; "" where that is not known.
        attainable_k: A count that prints as the value; "" for none.
        attainable: How sure denominator and count are.
        misprint: What is impossible about it and what fits; "" for nothing.
    """

    paper: str
    table: str
    model: str
    subset: str
    metric: str
    published: str
    unit: str
    denominator: str
    attainable_k: str
    attainable: str
    misprint: str

    @property
    def name(self) -> str:
        """Its name, as part of a path."""
        return "/".join(self[:5])

    @property
    def is_result(self) -> bool:
        """Whether it belongs to a table of results; table 1 of IllusionBench+ compares sizes of data sets."""
        return self.table != "text" and self[:2] != ("illusionbench_plus", "table1")


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
