"""Charts: pictures of finished tables."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from afterimage.contract.parts import resolve
from afterimage.files.whole import atomic_path
from afterimage.jobs.running import Files


def draw_chart(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, beside: Mapping[str, Any]
) -> None:
    """Draw one chart from the CSV tables that it shows, in each of the formats that ``outputs`` end in.

    Args:
        spec: ``part``, where the function is that draws it, and ``chart``, its name where that function draws several.
        inputs: ``tables``, CSV files of the tables' names.
        outputs: The pictures to write, by format.
        beside: Nothing.
    """
    frames = {Path(table).stem: pd.read_csv(table) for table in inputs["tables"]}
    draw = resolve(spec["part"])
    figure = draw(frames, spec["chart"]) if "chart" in spec else draw(frames)
    for output in outputs.values():
        with atomic_path(output) as temporary:
            # Without dates in the file, the same tables give the same bytes.
            figure.savefig(temporary, metadata=_undated(Path(output).suffix))


def _undated(suffix: str) -> dict[str, Any]:
    return {"CreationDate": None} if suffix == ".pdf" else {}
