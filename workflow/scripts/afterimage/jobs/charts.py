"""Charts: pictures of finished tables."""

from collections.abc import Mapping
from io import StringIO
from pathlib import Path
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from afterimage.contract.parts import resolve
from afterimage.files.csv_rows import frame_text, read_frame
from afterimage.files.unfinished import NOT_FINISHED
from afterimage.jobs.running import Files
from afterimage.showing.looks import study_of
from afterimage.showing.said_figure import say
from afterimage.showing.saving import save_figure


def draw_chart(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, beside: Mapping[str, Any]
) -> None:
    """Draw one chart from the CSV tables that it shows, in each of the formats that ``outputs`` end in.

    Args:
        spec: ``part``, where the function is that draws it, and ``chart``, its name where that function draws several;
            ``kinds``, the study's models, so that each looks as it does on every page; ``language``, where that is not
            English.
        inputs: ``tables``, CSV files of the tables' names.
        outputs: The pictures to write, by format.
        beside: Nothing.
    """
    read = {Path(table).stem: _read(table) for table in inputs["tables"]}
    frames = {name: frame for name, (frame, _) in read.items()}
    left_out = dict.fromkeys(name for _, names in read.values() for name in names)
    if left_out and any(frame.empty for frame in frames.values()):
        figure = Figure(figsize=(4, 1))
    else:
        draw = resolve(spec["part"])
        with study_of(dict(spec.get("kinds", ()))):
            figure = draw(frames, spec["chart"]) if "chart" in spec else draw(frames)
    if left_out:
        figure.text(0, -0.01, f"not finished and not shown: {', '.join(left_out)}", va="top")
    say(figure, spec, "cells", "texts")
    save_figure(figure, outputs.values())


def _read(table: str) -> tuple[pd.DataFrame, list[str]]:
    """Return a table's rows, and the models that it has no numbers of since they are not finished."""
    frame = read_frame(table)
    if NOT_FINISHED not in frame:
        return frame, []
    texts = read_frame(table, dtype=str, keep_default_na=False)
    is_left_out = texts[NOT_FINISHED] != ""
    names = texts["model"][is_left_out].tolist()
    # Read once more without these rows: their empty cells would make decimals of whole numbers.
    rest = frame_text(texts[~is_left_out].drop(columns=NOT_FINISHED))
    return read_frame(StringIO(rest)), names
