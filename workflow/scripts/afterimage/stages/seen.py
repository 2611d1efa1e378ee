"""Measures the stimuli again as a model's processor passes them on."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from afterimage.contract.model import eyes_part, model_of
from afterimage.contract.parts import resolve
from afterimage.errors import AfterimageError
from afterimage.files.csv_rows import frame_text
from afterimage.files.paths import write_text
from afterimage.models.interface import reason_of
from afterimage.stages.inference import answerer
from afterimage.stages.measurements import findings, measured_row
from afterimage.stages.stage import Stage, each_of_suites

if TYPE_CHECKING:
    import numpy as np

    from afterimage.planning.plan import Plan
    from afterimage.planning.suites import StudySuite
    from afterimage.stages.running import Files
    from afterimage.stages.stage import Names

logger = logging.getLogger(__name__)


# ---- specs and parts ----


def measuring(studied: StudySuite) -> dict[str, Any]:
    """Return the part that measures each figure of a suite in a processor's output."""
    return {name: figure.measure_seen or figure.measure for name, figure in studied.figures.items()}


def seen_parts(plan: Plan, at: Names) -> list[str]:
    """Return the part that applies a model's processor to images, and those that measure the result."""
    eyes = eyes_part(plan.models[at.model].backend)
    return [eyes, *sorted(set(measuring(plan.studied[at.suite]).values()))]


def seen_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what affects the processor's output: the model's checkpoint and the processor's settings."""
    entry = plan.models[at.model]
    settings = {key: entry.settings[key] for key in ("chat_template", "processor")}
    answering = {**answerer(plan, at.model), "entry": {**entry.answering(), "settings": settings}}
    del answering["model"]
    return {**answering, "measure": measuring(plan.studied[at.suite]), "suite": at.suite}


# ---- functions of jobs ----


#: Columns of the image's size after processing; a suite's size columns are left out.
_SEEN_SIZE = ("seen_width_px", "seen_height_px")
_SIZE_COLUMNS = ("width_px", "height_px", "size_px")
#: The smallest side of an image that the suites can measure.
_MIN_SIDE_PX = 64


def measure_seen(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, resources: Mapping[str, Any]
) -> None:
    """Measure each stimulus as the model's processor passes it on, and write one row per stimulus.

    A stimulus whose measurement deviates is no error; it is flagged (``holds`` is False), so that an answer about it is
    not taken for one about the drawing.

    Args:
        spec: ``suite``; ``entry``, the model's backend, model_id, revision and settings; ``measure``, figure to the
            reference of the part that measures it.
        inputs: ``stimuli``, the Parquet files of the suite's figures.
        outputs: ``seen``, the CSV file to write.

    Raises:
        AfterimageError: The processor cannot be loaded, its output is no image, or an image cannot be read.
    """
    import pandas as pd

    from afterimage.files.png import decode_png
    from afterimage.files.stimulus import read_images

    entry = model_of(spec["entry"]["model_id"], spec["entry"])
    processor, see = resolve(eyes_part(entry.backend))(entry)
    measure = _measure(spec)
    rows = [
        _row(row, pixels, _seen(see, pixels), measure, processor)
        for file in inputs["stimuli"]
        for row, png in read_images(file)
        for pixels in [decode_png(png, f"{file}, stimulus '{row['stimulus_id']}'")]
    ]
    flagged = sum(not row["holds"] for row in rows)
    logger.info(
        "%d of %d stimuli of %s are flagged after %s", flagged, len(rows), spec["suite"], processor
    )
    frame = pd.DataFrame(rows).astype(dict.fromkeys(_SEEN_SIZE, "Int64"))
    write_text(outputs["seen"], frame_text(frame))


Measure = Callable[[Mapping[str, Any], "np.ndarray"], dict[str, Any]]


def _measure(spec: Mapping[str, Any]) -> Measure:
    """Return a function that measures an image of any size: stimulus record and pixels to a row."""
    parts = {figure: resolve(part) for figure, part in spec["measure"].items()}

    def first(record: Mapping[str, Any], pixels: np.ndarray) -> dict[str, Any]:
        found = parts[record["figure"]](pixels, record["factors"])
        return measured_row(record, findings(found, record["factors"])[0], pixels)

    return first


def _enlarged(pixels: np.ndarray) -> np.ndarray:
    """Return an image that is too small to be measured, enlarged by a whole factor, which adds no information."""
    times = -(-_MIN_SIDE_PX // min(pixels.shape[:2]))
    return pixels.repeat(times, axis=0).repeat(times, axis=1)


def _seen(see: Callable[[np.ndarray], np.ndarray], drawn: np.ndarray) -> np.ndarray | str:
    """Return the processor's output for an image, or why it rejects this image."""
    try:
        return see(drawn)
    except AfterimageError:
        # The processor's output cannot be turned into an image for any stimulus.
        raise
    except BaseException as error:
        return reason_of(error, "the image processor does not take it")


def _row(
    row: Mapping[str, Any],
    drawn: np.ndarray,
    seen: np.ndarray | str,
    measure: Measure,
    processor: str,
) -> dict[str, Any]:
    if isinstance(seen, str):
        measured: dict[str, Any] = {"holds": False, "remark": seen}
    else:
        try:
            measured = measure(row, _enlarged(seen))
        except BaseException as error:
            measured = {"holds": False, "remark": reason_of(error, "it cannot be measured")}
    height, width = (None, None) if isinstance(seen, str) else seen.shape[:2]
    return {
        "stimulus_id": row["stimulus_id"],
        "figure": row["figure"],
        "image_processor": processor,
        "drawn_width_px": drawn.shape[1],
        "drawn_height_px": drawn.shape[0],
        "seen_width_px": width,
        "seen_height_px": height,
        **{name: value for name, value in measured.items() if name not in _SIZE_COLUMNS},
    }


STAGES = (
    Stage(
        "measure_seen",
        measure_seen,
        "inference",
        parts=seen_parts,
        spec=seen_spec,
        jobs=each_of_suites("model", lambda plan, suite: plan.seeing),
    ),
)
