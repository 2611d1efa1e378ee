"""The ledger: a study's tables, the papers' numbers, and what the two have to do with each other."""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from afterimage.files.csv_rows import frame_text, read_rows, write_csv
from afterimage.files.paths import anchored, write_text
from afterimage.jobs.running import Files
from afterimage.ledger.cells import Files as Sources
from afterimage.ledger.entries import COLUMNS, entries
from afterimage.ledger.published import in_words, macros, read_numbers


def make_ledger(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, beside: Mapping[str, Any]
) -> None:
    """Write one row for every printed number as CSV.

    Args:
        spec: As :func:`planning.ledger.ledger_spec` returns it.
        inputs: ``published``, the files of printed numbers; ``sources``, the study's files from which numbers are had.
        outputs: ``ledger``, the CSV to write, with the columns :data:`ledger.entries.COLUMNS`.
        beside: Nothing.
    """
    numbers = read_numbers(inputs["published"])
    rows = entries(
        numbers, numbers, spec, Sources(inputs["sources"], Path(outputs["ledger"]).parent)
    )
    write_csv(outputs["ledger"], rows, COLUMNS)


def write_number(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, beside: Mapping[str, Any]
) -> None:
    """Write one printed number's value and interval as one line of text; ``spec["number"]`` is its name."""
    numbers = read_numbers(inputs["published"])
    (number,) = (number for number in numbers if number.name == spec["number"])
    # <results>/numbers/<the number's name, of several parts>.txt
    results = Path(outputs["number"]).parents[1 + number.name.count("/")]
    (entry,) = entries([number], numbers, spec, Sources(inputs["sources"], results))
    write_text(outputs["number"], in_words(entry))


def write_macros(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, beside: Mapping[str, Any]
) -> None:
    """Write the ledger's numbers as LaTeX macros."""
    write_text(outputs["macros"], macros(read_rows(inputs["ledger"]), inputs["ledger"]))


def rescore(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, beside: Mapping[str, Any]
) -> None:
    """Write a suite's tables, formed again by its module ``part`` from recorded answers in ``folder``, as CSV."""
    cells = import_module(spec["part"]).rescore(anchored(spec["folder"]))
    write_text(outputs["cells"], frame_text(cells, float_format="%.4f"))
