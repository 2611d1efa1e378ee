"""What people decided: which figures count. All that later stages read of the human filter."""

import csv
import os
from pathlib import Path

from afterimage.errors import AfterimageError

#: One row per figure; ``keep`` is ``true`` or ``false``; ``source`` is the same in all rows.
DECISION_COLUMNS = ("figure", "keep", "source")


def kept_figures(path: str | os.PathLike) -> frozenset[str]:
    """Return the figures that count, out of a file with the columns ``DECISION_COLUMNS``.

    Raises:
        AfterimageError: The file is missing, or is not what the human filter writes.
    """
    return frozenset(row["figure"] for row in _decisions(path) if row["keep"] == "true")


def decision_source(path: str | os.PathLike) -> str:
    """Return who decided about all figures: ``paper``, ``participants`` or ``synthetic``.

    Raises:
        AfterimageError: As :func:`kept_figures`, or there is not exactly one source.
    """
    sources = sorted({row["source"] for row in _decisions(path)})
    if len(sources) != 1:
        raise AfterimageError(f"{path}: found decisions from {sources}; expected one source.")
    return sources[0]


def _decisions(path: str | os.PathLike) -> list[dict[str, str]]:
    if not Path(path).is_file():
        raise AfterimageError(f"{path}: no such file; expected the decisions of the human filter.")
    with Path(path).open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        rows = list(reader)
    if tuple(reader.fieldnames or ()) != DECISION_COLUMNS or any(
        row["keep"] not in ("true", "false") for row in rows
    ):
        raise AfterimageError(
            f"{path}: not a file of decisions (expected the columns {','.join(DECISION_COLUMNS)}, "
            "and true or false under keep); delete it and run again."
        )
    return rows
