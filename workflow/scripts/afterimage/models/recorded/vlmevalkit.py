"""The result files of VLMEvalKit (its repository at 0044c57): ``<model>_<dataset>.xlsx``, ``.tsv`` or ``.csv``.

A row has the columns of the data set but for the image (``index``, ``question``, ``answer``, options as ``A`` to ``D``,
...) and ``prediction``, the answer; where the run split them (``SPLIT_THINK``), ``thinking`` has the reasoning. What
failed has the harness' own sentence as prediction. Its ``.pkl`` files are not read: reading one may run what it holds.
"""

import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from afterimage.command_line import install
from afterimage.errors import AfterimageError, unknown_name
from afterimage.files.recorded_rows import Row, ending, read_csv, read_tsv
from afterimage.models.recorded.answer import RecordedAnswer, field_of, filled

_FAILED = "Failed to obtain answer"
#: A workbook is a zip archive; unpacked it may be so large.
_MOST_BYTES = 1 << 30


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
        said = _text(field_of(record, "prediction", place))
        question = _text(record.get("question"))
        yield RecordedAnswer(
            place,
            filled(template, record, place),
            None if said.startswith(_FAILED) else _thought(record) + said,
            prompt=question or None,
        )


def _thought(record: Mapping[str, Any]) -> str:
    """Return the reasoning between the marks by which it is told from the answer."""
    thinking = _text(record.get("thinking"))
    return f"<think>{thinking}</think>\n" if thinking else ""


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def _read_xlsx(path: Path) -> Iterator[Row]:
    try:
        import openpyxl
    except ImportError:
        raise AfterimageError(
            f"{path}: needs the library openpyxl ({install('[xlsx]')}); or save the result as .tsv."
        ) from None
    try:
        with zipfile.ZipFile(path) as archive:
            size = sum(member.file_size for member in archive.infolist())
        if size > _MOST_BYTES:
            raise AfterimageError(
                f"{path}: holds {size >> 20} MiB; expected at most {_MOST_BYTES >> 20}."
            )
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
        rows = book.worksheets[0].iter_rows(values_only=True)
        header = [_text(name) for name in next(rows, ())]
        for number, cells in enumerate(rows, start=1):
            if any(cell is not None for cell in cells):
                yield Row(path, f"row {number}", dict(zip(header, cells, strict=False)))
        book.close()
    except (zipfile.BadZipFile, ValueError, KeyError, TypeError, OSError, IndexError) as error:
        raise AfterimageError(f"{path}: not a readable workbook ({error}).") from None


_READERS: dict[str, Callable[[Path], Iterator[Row]]] = {
    ".xlsx": _read_xlsx,
    ".tsv": read_tsv,
    ".csv": read_csv,
}
