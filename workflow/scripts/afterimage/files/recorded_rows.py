"""Files of recorded answers, whoever wrote them: JSON lines, CSV or Parquet; text may be gzipped.

The one reader of what was answered elsewhere: for the backend ``recorded`` and for ``afterimage rescore``.
"""

import csv
import gzip
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any, NamedTuple

from afterimage.errors import AfterimageError
from afterimage.files.json_text import parsed_json

_JSON_LINES = (".jsonl", ".jsonl.gz")
# A model may have answered at length.
_LONGEST_CSV_FIELD = 1 << 24


class Row(NamedTuple):
    """One record, and where it stands for a message: ``file``, ``line 3`` or ``row 3`` (from 1)."""

    file: Path
    place: str
    values: dict[str, Any]

    @property
    def where(self) -> str:
        """File and place, as a message names them."""
        return f"{self.file}, {self.place}"


def json_line_files(folder: str | Path, expected: str = "one with *.jsonl.gz files") -> list[Path]:
    """Return the JSON-lines files of a folder by name; none where there are none.

    Raises:
        AfterimageError: There is no such folder.
    """
    if not Path(folder).is_dir():
        raise AfterimageError(f"{folder}: no such folder; expected {expected}.")
    return sorted(path for path in Path(folder).iterdir() if path.name.endswith(_JSON_LINES))


def ending(path: Path) -> str:
    """Return the ending that tells what a file is: ``.csv`` of ``a.csv`` and of ``a.csv.gz``."""
    return path.with_suffix("").suffix if path.suffix == ".gz" else path.suffix


def read_json_lines(path: Path, torn: list[str] | None = None) -> Iterator[Row]:
    """Yield the objects of one file; blank lines are passed over.

    Args:
        path: The file.
        torn: Where what cannot be read is noted (``line 3``, ``all after line 7``) and left out; an error without.

    Raises:
        AfterimageError: The file cannot be unpacked or decoded, or a line is not a JSON object.
    """
    number = 0
    try:
        with _opened(path, "rb") as lines:
            for number, line in enumerate(lines, start=1):
                if not line.strip():
                    continue
                try:
                    yield Row(path, f"line {number}", _object(line))
                except UnicodeDecodeError as error:
                    if torn is None:
                        raise _unreadable(path, error) from None
                    torn.append(f"line {number}")
                except ValueError as error:
                    if torn is None:
                        raise AfterimageError(
                            f"{path}, line {number}: not a JSON object ({error}); expected one on each line."
                        ) from None
                    torn.append(f"line {number}")
    except (OSError, EOFError, zlib.error) as error:
        if torn is None:
            raise _unreadable(path, error) from None
        # A packed file that is cut off still gives the lines before.
        torn.append(f"all after line {number}")


def read_tsv(path: Path) -> Iterator[Row]:
    """Yield the rows of a file like CSV with tabs for commas; see :func:`read_csv`."""
    return read_csv(path, delimiter="\t")


def read_csv(path: Path, delimiter: str = ",") -> Iterator[Row]:
    """Yield the rows of a CSV file in UTF-8; every cell is a text, so that ``NA`` is one, too.

    Args:
        path: The file.
        delimiter: What stands between two cells.

    Raises:
        AfterimageError: The file is no CSV, or a row has another number of fields than the header.
    """
    csv.field_size_limit(_LONGEST_CSV_FIELD)
    try:
        with _opened(path, "rt", encoding="utf-8-sig", newline="") as lines:
            for number, record in enumerate(
                csv.DictReader(lines, strict=True, delimiter=delimiter), start=1
            ):
                if None in record or None in record.values():
                    raise AfterimageError(
                        f"{path}, row {number}: its number of fields is not that of the header; expected the same."
                    )
                yield Row(path, f"row {number}", record)
    except (csv.Error, UnicodeDecodeError, OSError, EOFError, zlib.error) as error:
        raise AfterimageError(f"{path}: not a readable CSV file in UTF-8 ({error}).") from None


def read_parquet(path: Path) -> Iterator[Row]:
    """Yield the rows of a Parquet file.

    Raises:
        AfterimageError: It is none.
    """
    # Planning imports this module by way of suites, and never reads Parquet.
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            number = 0
            for batch in file.iter_batches(batch_size=256):
                for record in batch.to_pylist():
                    number += 1
                    yield Row(path, f"row {number}", record)
    except (pa.ArrowException, ValueError, OSError) as error:
        reason = " ".join(str(error).split())
        raise AfterimageError(f"{path}: not a readable Parquet file ({reason}).") from None


#: By what a file is called in settings.
READERS: dict[str, Callable[[Path], Iterator[Row]]] = {
    "jsonl": read_json_lines,
    "csv": read_csv,
    "parquet": read_parquet,
}


def require_keys(row: Row, keys: Sequence[str]) -> None:
    """Raise one sentence if the record lacks a key."""
    missing = [key for key in keys if key not in row.values]
    if missing:
        raise AfterimageError(
            f"{row.where}: found the keys {', '.join(sorted(row.values)) or 'none'}; expected also: "
            f"{', '.join(missing)}."
        )


def _opened(path: Path, mode: str, **how: str) -> IO[Any]:
    opened: Any = gzip.open if path.suffix == ".gz" else open
    file: IO[Any] = opened(path, mode, **how)
    return file


def _object(line: bytes) -> dict[str, Any]:
    values = parsed_json(line)
    if not isinstance(values, dict):
        raise ValueError(f"found {line.decode().strip()[:60]}")
    return values


def _unreadable(path: Path, error: Exception) -> AfterimageError:
    return AfterimageError(f"{path}: cannot be read as JSON lines in UTF-8 ({error}).")
