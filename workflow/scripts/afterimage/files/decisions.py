"""What people decided: which figures count. All that later stages read of the human filter."""

import csv
import os
from pathlib import Path

from afterimage.errors import AfterimageError

#: One row per figure; ``source`` is one of ``SOURCES``. Column to its meaning.
DECISION_COLUMNS = {
    "figure": "the illusion",
    "keep": "`true` or `false`",
    "source": "who decided: `paper`; `participants`; `synthetic` (simulated, marked in every table); "
    "`config` (the configuration departs from the paper)",
}

#: Who decided: the paper; participants of this study; simulated participants; the configuration,
#: where it departs from the paper.
SOURCES = ("paper", "participants", "synthetic", "config")


def kept_figures(path: str | os.PathLike[str]) -> frozenset[str]:
    """Return the figures that count, out of a file with the columns ``DECISION_COLUMNS``.

    Raises:
        AfterimageError: The file is missing, or is not what the human filter writes.
    """
    return frozenset(row["figure"] for row in _rows(path) if row["keep"] == "true")


def decision_source(path: str | os.PathLike[str]) -> str:
    """Return who decided, one of ``SOURCES``.

    A study that takes over the paper's decisions but for some is one that the configuration
    decided: ``config``.

    Raises:
        AfterimageError: The file is missing, or is not what the human filter writes.
    """
    sources = {row["source"] for row in _rows(path)}
    return "config" if "config" in sources else sources.pop()


def _rows(path: str | os.PathLike[str]) -> list[dict[str, str]]:
    if not Path(path).is_file():
        raise AfterimageError(f"{path}: no such file; expected the decisions of the human filter.")
    try:
        with Path(path).open(encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file)
            rows = list(reader)
            columns = tuple(reader.fieldnames or ())
    except (csv.Error, UnicodeDecodeError):
        rows, columns = [], ()
    sources = {row.get("source") for row in rows}
    if (
        columns != tuple(DECISION_COLUMNS)
        or any(row["keep"] not in ("true", "false") for row in rows)
        or not (sources <= {"paper", "config"} or sources in ({"participants"}, {"synthetic"}))
        or not rows
    ):
        raise AfterimageError(
            f"{path}: not a file of decisions (expected the columns {','.join(DECISION_COLUMNS)} "
            "and one row per figure); delete it and run again."
        )
    return rows
