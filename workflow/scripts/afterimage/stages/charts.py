"""Charts: pictures of finished tables."""

import os
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import pandas as pd

from afterimage.files import atomic_path


def draw_chart(
    suite: str,
    chart: str,
    tables: Sequence[str | os.PathLike],
    outputs: Sequence[str | os.PathLike],
) -> None:
    """Draw one chart from the CSV tables that it shows, in each of the formats that ``outputs`` end in."""
    frames = {Path(table).stem: pd.read_csv(table) for table in tables}
    figure = import_module(f"afterimage.suites.{suite}.charts.{chart}").draw(frames)
    for output in outputs:
        with atomic_path(output) as temporary:
            # Without dates in the file, the same tables give the same bytes.
            figure.savefig(temporary, metadata=_undated(Path(output).suffix))


def _undated(suffix: str) -> dict:
    return {"CreationDate": None} if suffix == ".pdf" else {}
