"""The contact sheet: stimuli of a suite on one page, one row per figure."""

import os
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from afterimage.files.human_responses import kept_figures
from afterimage.files.png import decode_png
from afterimage.files.stimulus import StimulusImages, read_stimuli
from afterimage.files.whole import atomic_path
from afterimage.jobs.running import Files
from afterimage.showing.contact_sheet import compose


def draw_contact_sheet(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, beside: Mapping[str, Any]
) -> None:
    """Write the sheet as PNG; one image at a time is decoded.

    Args:
        spec: ``stimuli``, pairs of figure and stimulus id, row by row; ``columns``, images per row.
        inputs: ``stimuli``, the Parquet files of the figures, schema STIMULUS; ``decisions``, the human filter's, of a
            suite that has one: figures that it drops are marked.
        outputs: ``sheet``, the file to write.
        beside: Nothing.
    """
    images = StimulusImages()
    records = {
        f"{record['figure']}/{record['stimulus_id']}.png": record
        for path in inputs["stimuli"]
        for record in read_stimuli(path)
    }

    def read(name: str | os.PathLike[str]) -> npt.NDArray[np.uint8]:
        return decode_png(images.png(records[os.fspath(name)]), os.fspath(name))

    shown = [f"{figure}/{name}.png" for figure, name in spec["stimuli"]]
    kept = [kept_figures(path) for path in inputs["decisions"]]
    left_out = {figure for figure, _ in spec["stimuli"]}.difference(*kept) if kept else set()
    page = compose(shown, read, spec["columns"], left_out)
    with atomic_path(outputs["sheet"]) as temporary:
        page.save(temporary, format="PNG")
