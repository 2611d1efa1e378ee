"""Images for people to look at, as files of their own and on contact sheets: views that no job reads."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from afterimage.files.human_responses import kept_figures
from afterimage.files.paths import atomic_path
from afterimage.stages.stage import Stage, each, once_if

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from afterimage.planning.plan import Plan
    from afterimage.stages.running import Files
    from afterimage.stages.stage import Names


# ---- specs and parts ----


#: Images of a study that are written as files too.
MAX_IMAGE_FILES = 5000


def image_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return which stimulus is written."""
    return {"stimulus": at.stimulus}


def sheet_spec(plan: Plan, at: Names) -> dict[str, Any]:
    """Return what a contact sheet depends on, its images apart."""
    columns, stimuli = plan.studied[plan.sheets[at.sheet]].sheets[at.sheet]
    return {"columns": columns, "stimuli": stimuli}


def sheet_figures(plan: Plan, sheet: str) -> list[str]:
    """Return the figures whose stimuli a contact sheet shows."""
    _, stimuli = plan.studied[plan.sheets[sheet]].sheets[sheet]
    return list(dict.fromkeys(figure for figure, _ in stimuli))


def are_written(plan: Plan) -> bool:
    """Tell whether images are written as files too, for people: there are few enough to look through a folder."""
    return sum(studied.positions.drawn for studied in plan.studied.values()) <= MAX_IMAGE_FILES


# ---- functions of jobs ----


def write_images(stimuli: str | os.PathLike[str]) -> int:
    """Write each image of a figure's file beside it, named by stimulus id, and return their number."""
    from afterimage.files.stimulus import read_images

    folder = Path(stimuli).parent
    count = 0
    for record, png in read_images(stimuli):
        _write(folder / f"{record['stimulus_id']}.png", png)
        count += 1
    return count


def write_image(
    spec: Mapping[str, Any], inputs: Files, outputs: Files, resources: Mapping[str, Any]
) -> None:
    """Write one image of a figure's file (``stimuli``), that of ``spec["stimulus"]``, as ``image``.

    Raises:
        AfterimageError: The file holds no stimulus of this name.
    """
    from afterimage.files.stimulus import StimulusImages, find_stimulus

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
    spec: Mapping[str, Any], inputs: Files, outputs: Files, resources: Mapping[str, Any]
) -> None:
    """Write stimuli of a suite on one page, a row per figure, as PNG; one image at a time is decoded.

    Args:
        spec: ``stimuli``, pairs of figure and stimulus id, row by row; ``columns``, images per row.
        inputs: ``stimuli``, the Parquet files of the figures, schema STIMULUS; ``decisions``, the human filter's, of a
            suite that has one: figures that it drops are marked.
        outputs: ``sheet``, the file to write.
    """
    from afterimage.files.png import decode_png
    from afterimage.files.stimulus import StimulusImages, read_stimuli
    from afterimage.showing.charts.contact_sheet import compose

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


STAGES = (
    Stage("write_image", write_image, "stimuli", spec=image_spec, jobs=once_if(are_written)),
    Stage(
        "draw_contact_sheet",
        draw_contact_sheet,
        "figures",
        spec=sheet_spec,
        jobs=each("sheet", lambda plan: plan.sheets),
    ),
)
