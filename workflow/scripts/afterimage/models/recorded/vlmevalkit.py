"""The result files of VLMEvalKit (its repository at 0044c57): ``<model>_<dataset>.xlsx``, ``.tsv`` or ``.csv``.

A row has the columns of the data set but for the image (``index``, ``question``, ``answer``, options as ``A`` to ``D``,
...) and ``prediction``, the answer; where the run split them (``SPLIT_THINK``), ``thinking`` has the reasoning. What
failed has the harness' own sentence as prediction. Its ``.pkl`` files are not read: reading one may run what it holds.
"""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from afterimage.errors import AfterimageError, unknown_name
from afterimage.files.recorded_rows import Row, ending, read_csv, read_tsv
from afterimage.files.recorded_value import text_of
from afterimage.files.workbook import read_workbook
from afterimage.models.recorded.answer import RecordedAnswer, field_of, filled

_FAILED = "Failed to obtain answer"


def read_vlmevalkit(path: Path, template: str) -> Iterator[RecordedAnswer]:
    """Yield the answers of a result file.

    Raises:
        AfterimageError: The file is of another kind, cannot be read, or has no predictions.
    """
    kind = ending(path)
    if kind == ".pkl":
        raise AfterimageError(
            f"{path}: a pickle may run code when it is read; expected the result as .xlsx, .tsv or .csv."
        )
    if kind not in _READERS:
        raise unknown_name("ending", kind, _READERS, str(path))
    for row in _READERS[kind](path):
        place, record = row.where, row.values
        said = text_of(field_of(record, "prediction", place), f"{place}: field 'prediction'")
        question = text_of(record.get("question"), f"{place}: field 'question'")
        failed = said is None or said.startswith(_FAILED)
        yield RecordedAnswer(
            place,
            filled(template, record, place),
            None if failed else f"{_thought(record, place)}{said}",
            prompt=question or None,
        )


def _thought(record: Mapping[str, Any], place: str) -> str:
    """Return the reasoning between the marks by which it is told from the answer."""
    thinking = text_of(record.get("thinking"), f"{place}: field 'thinking'")
    return f"<think>{thinking}</think>\n" if thinking else ""


_READERS: dict[str, Callable[[Path], Iterator[Row]]] = {
    ".xlsx": read_workbook,
    ".xls": read_workbook,
    ".ods": read_workbook,
    ".tsv": read_tsv,
    ".csv": read_csv,
}
