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
from afterimage.showing.said_figure import say
from afterimage.showing.saving import save_figure

# Between lines of what is not shown.
_LINE_INCHES = 0.2


def draw_chart(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, beside: Mapping[str, Any]
) -> None:
    """Draw one chart from the CSV tables that it shows, in each of the formats that ``outputs`` end in.

    Args:
        spec: ``part``, where the function is that draws it, and ``chart``, its name where that function draws several;
            ``language``, where that is not English.
        inputs: ``tables``, CSV files of the tables' names.
        outputs: The pictures to write, by format.
        beside: Nothing.
    """
    read = {Path(table).stem: _read(table) for table in inputs["tables"]}
    frames = {name: frame for name, (frame, _) in read.items()}
    left_out: dict[str, dict[str, None]] = {}
    for _, states in read.values():
        for name, state in states.items():
            left_out.setdefault(state, {})[name] = None
    empty = [frame.empty for frame in frames.values()]
    if all(empty) or (left_out and any(empty)):
        figure = Figure(figsize=(4, 1))
    else:
        draw = resolve(spec["part"])
        figure = draw(frames, spec["chart"]) if "chart" in spec else draw(frames)
    said = [f"{state} and not shown: {', '.join(names)}" for state, names in left_out.items()]
    if all(empty) and not said:
        said = ["nothing to show: the table has no rows"]
    for line, words in enumerate(said):
        below = _LINE_INCHES * line / figure.get_figheight()
        figure.text(0, -0.01 - below, words, va="top")
    say(figure, spec, "cells", "texts")
    save_figure(figure, outputs.values())


def _read(table: str) -> tuple[pd.DataFrame, dict[str, str]]:
    """Return a table's rows, and the models that it has no numbers of to their state (``files/unfinished.py``)."""
    frame = read_frame(table)
    if NOT_FINISHED not in frame:
        return frame, {}
    texts = read_frame(table, dtype=str, keep_default_na=False)
    is_left_out = texts[NOT_FINISHED] != ""
    sentences = zip(texts["model"][is_left_out], texts[NOT_FINISHED][is_left_out], strict=True)
    states = {name: sentence.partition(":")[0] for name, sentence in sentences}
    # Read once more without these rows: their empty cells would make decimals of whole numbers.
    rest = frame_text(texts[~is_left_out].drop(columns=NOT_FINISHED))
    return read_frame(StringIO(rest)), states
