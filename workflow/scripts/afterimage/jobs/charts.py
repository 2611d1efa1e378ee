"""Charts: pictures of finished tables."""

import os
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import pandas as pd

from afterimage.files.whole import atomic_path


def draw_chart(
    suite: str,
    chart: str,
    tables: Sequence[str | os.PathLike],
    outputs: Sequence[str | os.PathLike],
) -> None:
    """Draw one chart from the CSV tables that it shows, in each of the formats that ``outputs`` end in.

    A suite whose charts share a module says so with ``catalogue.chart_module``; the module is then told which chart
    to draw.
    """
    frames = {Path(table).stem: pd.read_csv(table) for table in tables}
    catalogue = import_module(f"afterimage.suites.{suite}.catalogue")
    name = catalogue.chart_module(chart) if hasattr(catalogue, "chart_module") else chart
    module = import_module(f"afterimage.suites.{suite}.charts.{name}")
    figure = module.draw(frames) if name == chart else module.draw(frames, chart)
    for output in outputs:
        with atomic_path(output) as temporary:
            # Without dates in the file, the same tables give the same bytes.
            figure.savefig(temporary, metadata=_undated(Path(output).suffix))


def _undated(suffix: str) -> dict:
    return {"CreationDate": None} if suffix == ".pdf" else {}
