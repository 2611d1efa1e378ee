"""Charts: pictures of finished tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from afterimage.contract.parts import resolve
from afterimage.files.attempts import NOT_ALL, NOT_FINISHED, NOTHING_ANSWERED, NOTHING_ASKED
from afterimage.files.csv_rows import frame_text, read_frame
from afterimage.files.paths import atomic_path
from afterimage.note import Note
from afterimage.showing.looks import study_of
from afterimage.stages.probe_tables import asking_for_claims
from afterimage.stages.stage import Stage, each, once_if, spoken
from afterimage.stages.study_tables import thinking_models, twin_models
from afterimage.stages.tables import kinds

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from afterimage.planning.plan import Plan
    from afterimage.stages.running import Files
    from afterimage.stages.stage import Jobs, Names


# ---- specs and parts ----


#: Charts that belong to no suite, and the module that draws them.
FIGURES_OF_NO_SUITE = frozenset(("claims", "thinking", "twins"))
_OF_STUDY = "afterimage.showing.study.charts"


def chart_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what a suite's chart depends on."""
    declared = plan.studied[plan.charts[at.chart]].charts[at.chart]
    named = {"chart": at.chart} if declared.named else {}
    return {**named, "kinds": kinds(plan), "part": declared.part, **spoken(plan)}


def claims_chart(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what the chart of the table ``claims``, which is no suite's, depends on."""
    return {"part": f"{_OF_STUDY}:draw_claims", **spoken(plan)}


def thinking_chart(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what the chart of the table ``thinking``, which is no suite's, depends on."""
    return {"part": f"{_OF_STUDY}:draw_thinking", **spoken(plan)}


def twins_chart(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what the chart of the table ``twins``, which is no suite's, depends on."""
    return {"kinds": kinds(plan), "part": f"{_OF_STUDY}:draw_twins", **spoken(plan)}


def chart_tables(plan: Plan, chart: str) -> tuple[str, ...]:
    """Return the tables that a chart shows."""
    return plan.studied[plan.charts[chart]].charts[chart].tables


def _chart(name: str, spec: Callable[[Plan, Names], Mapping[str, Any]], jobs: Jobs) -> Stage:
    """Return a stage that draws with the part in its spec."""
    return Stage(
        name,
        draw_chart,
        "figures",
        parts=lambda plan, at: [spec(plan, at)["part"]],
        spec=spec,
        jobs=jobs,
    )


# ---- functions of jobs ----


_SCREENS = _DARK, _NARROW, _NARROW_DARK = "dark", "narrow", "narrow_dark"
_NOT_SHOWN = {
    NOT_ALL: "not finished and not shown: {models}",
    NOTHING_ANSWERED: "nothing answered and not shown: {models}",
    NOTHING_ASKED: "nothing asked and not shown: {models}",
}
# Height of a line of the notes below a chart.
_LINE_INCHES = 0.2


def draw_chart(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, resources: Mapping[str, Any]
) -> None:
    """Draw one chart from the CSV tables that it shows, in each of the formats that ``outputs`` end in.

    Args:
        spec: ``part``, the reference to the function that draws it, and ``chart``, its name if that function draws
            several; ``kinds``, the study's models, so that each looks the same on every page; ``language``, if it is
            not English.
        inputs: ``tables``, CSV files with the tables' names.
        outputs: The pictures to write, by format; and, for other screens, ``dark``, ``narrow`` and ``narrow_dark``.
    """
    from matplotlib.figure import Figure

    from afterimage.showing.charts.finished_figure import translate_figure

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
    notes: list[str] = [
        Note(_NOT_SHOWN[state], models=", ".join(names)) for state, names in left_out.items()
    ]
    if all(empty) and not notes:
        notes = ["nothing to show: the table has no rows"]
    for line, words in enumerate(notes):
        below = _LINE_INCHES * line / figure.get_figheight()
        figure.text(0, -0.01 - below, words, va="top")
    translate_figure(figure, spec, "cells", "texts")
    _save(figure, outputs)


def _save(figure: Figure, outputs: Files) -> None:
    """Write the picture, and its versions for dark mode and phones if they are among the outputs."""
    from afterimage.showing.charts.finished_figure import make_narrow, save_figure

    save_figure(figure, [path for form, path in outputs.items() if form not in _SCREENS])
    if _DARK in outputs:
        _darken(outputs["png"], outputs[_DARK])
    if _NARROW in outputs:
        make_narrow(figure)
        save_figure(figure, [outputs[_NARROW]])
        _darken(outputs[_NARROW], outputs[_NARROW_DARK])


def _darken(picture: str, output: str) -> None:
    import numpy as np
    from PIL import Image

    from afterimage.files.png import encode_png
    from afterimage.showing.charts.finished_figure import on_dark

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
    states = {
        name: next(state for state in _NOT_SHOWN if sentence.startswith(state))
        for name, sentence in sentences
    }
    # Read once more without these rows: their empty cells would make decimals of whole numbers.
    rest = frame_text(texts[~is_left_out].drop(columns=NOT_FINISHED))
    return read_frame(StringIO(rest)), states


STAGES = (
    _chart("draw_chart", chart_spec, each("chart", lambda plan: plan.charts)),
    _chart("draw_claims", claims_chart, once_if(asking_for_claims)),
    _chart("draw_thinking", thinking_chart, once_if(thinking_models)),
    _chart("draw_twins", twins_chart, once_if(twin_models)),
)
