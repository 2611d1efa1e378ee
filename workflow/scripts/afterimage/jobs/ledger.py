"""The ledger: a study's tables, the papers' numbers, and what the two have to do with each other."""

import csv
import io
import os
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path

from afterimage.files.whole import write_text
from afterimage.ledger.cells import Files
from afterimage.ledger.entries import COLUMNS, entries
from afterimage.ledger.macros import in_words, macros
from afterimage.ledger.published import read_numbers


def make_ledger(
    spec: Mapping,
    published: Sequence[str],
    sources: Iterable[str],
    output: str | os.PathLike,
) -> None:
    """Write one row for every printed number as CSV.

    Args:
        spec: As :meth:`ledger.planning.Ledger.spec` returns it.
        published: The files of printed numbers.
        sources: The study's files from which numbers are had.
        output: The CSV to write, with the columns :data:`ledger.entries.COLUMNS`.
    """
    numbers = read_numbers(published)
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(entries(numbers, numbers, spec, Files(sources)))
    write_text(output, text.getvalue())


def write_number(
    spec: Mapping,
    published: Sequence[str],
    sources: Iterable[str],
    output: str | os.PathLike,
) -> None:
    """Write one printed number's value and interval as one line of text; ``spec["number"]`` is its name."""
    numbers = read_numbers(published)
    (number,) = (number for number in numbers if number.name == spec["number"])
    (entry,) = entries([number], numbers, spec, Files(sources))
    write_text(output, in_words(entry))


def write_macros(ledger: str | os.PathLike, output: str | os.PathLike) -> None:
    """Write the ledger's numbers as LaTeX macros."""
    with Path(ledger).open(encoding="utf-8", newline="") as file:
        write_text(output, macros(csv.DictReader(file)))


def rescore(module: str, folder: str, output: str | os.PathLike) -> None:
    """Write a suite's tables, formed again from recorded answers by one of its modules, as CSV."""
    cells = import_module(module).rescore(folder)
    write_text(output, cells.to_csv(index=False, float_format="%.4f", lineterminator="\n"))
