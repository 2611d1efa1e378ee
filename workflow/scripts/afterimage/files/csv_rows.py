"""CSV files that a job writes: UTF-8, a header, Unix line ends, whole or not at all."""

import csv
import os
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from afterimage.files.whole import atomic_path


def write_csv(
    path: str | os.PathLike[str], rows: Iterable[Mapping[str, Any]], columns: Collection[str]
) -> int:
    """Write rows with these columns, from left to right, and return their number."""
    count = 0
    with atomic_path(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        for row in rows:
            writer.writerow(row)
            count += 1
    return count
