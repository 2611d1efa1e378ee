"""Images for people to look at, as files of their own and on contact sheets: views that no job reads."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from afterimage.files.human_responses import kept_figures
from afterimage.files.paths import atomic_path
from afterimage.files.png import decode_png
from afterimage.files.stimulus import StimulusImages, find_stimulus, read_images, read_stimuli
from afterimage.jobs.running import Files
from afterimage.showing.charts.contact_sheet import compose


def write_images(stimuli: str | os.PathLike[str]) -> int:
    """Write each image of a figure's file beside it, named by stimulus id, and return their number."""
    folder = Path(stimuli).parent
    count = 0
    for record, png in read_images(stimuli):
        _write(folder / f"{record['stimulus_id']}.png", png)
        count += 1
    return count


def write_image(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, beside: Mapping[str, Any]
) -> None:
    """Write one image of a figure's file (``stimuli``), that of ``spec["stimulus"]``, as ``image``.

    Raises:
        AfterimageError: The file holds no stimulus of this name.
    """
    png = StimulusImages().png(find_stimulus(inputs["stimuli"], spec["stimulus"]))
    _write(Path(outputs["image"]), png)


def remove_images(folder: str | os.PathLike[str]) -> None:
    """Remove the images of an earlier drawing, which may show something else or be no stimulus any more.

    Links are not this package's: neither they nor what lies in a folder behind one is removed.
    """
    if Path(folder).is_symlink():
        return
    for image in Path(folder).glob("*.png"):
        if image.is_file() and not image.is_symlink():
            image.unlink()


def _write(path: Path, png: bytes) -> None:
    # What can be written again at any time need not survive a power cut.
    with atomic_path(path, synced=False) as temporary:
        temporary.write_bytes(png)


def draw_contact_sheet(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, beside: Mapping[str, Any]
) -> None:
    """Write stimuli of a suite on one page, a row per figure, as PNG; one image at a time is decoded.

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
