"""Charts: pictures of finished tables."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from afterimage.contract.parts import resolve
from afterimage.files.csv_rows import read_frame
from afterimage.jobs.running import Files
from afterimage.showing.saving import save_figure


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
    frames = {Path(table).stem: read_frame(table) for table in inputs["tables"]}
    draw = resolve(spec["part"])
    figure = draw(frames, spec["chart"]) if "chart" in spec else draw(frames)
    save_figure(figure, outputs.values())
