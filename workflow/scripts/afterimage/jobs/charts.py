"""Charts: pictures of finished tables."""

from collections.abc import Mapping
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from PIL import Image

from afterimage.contract.parts import resolve
from afterimage.files.attempts import NOT_ALL, NOT_FINISHED, NOTHING_ANSWERED, NOTHING_ASKED
from afterimage.files.csv_rows import frame_text, read_frame
from afterimage.files.paths import atomic_path
from afterimage.files.png import encode_png
from afterimage.jobs.running import Files
from afterimage.note import Note
from afterimage.showing.charts.finished_figure import make_narrow, on_dark, save_figure, say
from afterimage.showing.looks import study_of

_SCREENS = _DARK, _NARROW, _NARROW_DARK = "dark", "narrow", "narrow_dark"
_NOT_SHOWN = {
    NOT_ALL: "not finished and not shown: {models}",
    NOTHING_ANSWERED: "nothing answered and not shown: {models}",
    NOTHING_ASKED: "nothing asked and not shown: {models}",
}
# Between lines of what is not shown.
_LINE_INCHES = 0.2


def draw_chart(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, beside: Mapping[str, Any]
) -> None:
    """Draw one chart from the CSV tables that it shows, in each of the formats that ``outputs`` end in.

    Args:
        spec: ``part``, where the function is that draws it, and ``chart``, its name where that function draws several;
            ``kinds``, the study's models, so that each looks as it does on every page; ``language``, where that is not
            English.
        inputs: ``tables``, CSV files of the tables' names.
        outputs: The pictures to write, by format; and, for other screens, ``dark``, ``narrow`` and ``narrow_dark``.
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
        with study_of(dict(spec.get("kinds", ()))):
            figure = draw(frames, spec["chart"]) if "chart" in spec else draw(frames)
    said: list[str] = [
        Note(_NOT_SHOWN[state], models=", ".join(names)) for state, names in left_out.items()
    ]
    if all(empty) and not said:
        said = ["nothing to show: the table has no rows"]
    for line, words in enumerate(said):
        below = _LINE_INCHES * line / figure.get_figheight()
        figure.text(0, -0.01 - below, words, va="top")
    say(figure, spec, "cells", "texts")
    _save(figure, outputs)


def _save(figure: Figure, outputs: Files) -> None:
    """Write the picture, and those of it for a dark ground and for a phone where they are among the outputs."""
    save_figure(figure, [path for form, path in outputs.items() if form not in _SCREENS])
    if _DARK in outputs:
        _darken(outputs["png"], outputs[_DARK])
    if _NARROW in outputs:
        make_narrow(figure)
        save_figure(figure, [outputs[_NARROW]])
        _darken(outputs[_NARROW], outputs[_NARROW_DARK])


def _darken(picture: str, output: str) -> None:
    with Image.open(picture) as opened:
        pixels = np.asarray(opened.convert("RGB"))
    with atomic_path(output) as temporary:
        Path(temporary).write_bytes(encode_png(on_dark(pixels)))


def _read(table: str) -> tuple[pd.DataFrame, dict[str, str]]:
    """Return a table's rows, and the models that it has no numbers of to their state (``files/attempts.py``)."""
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
