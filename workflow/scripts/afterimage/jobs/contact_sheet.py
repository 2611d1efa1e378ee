"""The contact sheet: stimuli of a suite on one page, one row per figure."""

import os
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from afterimage.files.png import decode_png
from afterimage.files.stimulus import StimulusImages, read_stimuli
from afterimage.files.whole import atomic_path
from afterimage.showing.contact_sheet import compose


def draw_contact_sheet(
    stimuli: Sequence[str | os.PathLike[str]],
    shown: Sequence[Sequence[str]],
    sheet: str | os.PathLike[str],
    columns: int,
) -> None:
    """Write the sheet as PNG; one image at a time is decoded.

    Args:
        stimuli: The Parquet files of the figures, schema STIMULUS.
        shown: Pairs of figure and stimulus id, row by row.
        sheet: The file to write.
        columns: Images per row.
    """
    images = StimulusImages()
    records = {
        f"{record['figure']}/{record['stimulus_id']}.png": record
        for path in stimuli
        for record in read_stimuli(path)
    }

    def read(name: str | os.PathLike[str]) -> npt.NDArray[np.uint8]:
        return decode_png(images.png(records[os.fspath(name)]), os.fspath(name))

    page = compose([f"{figure}/{name}.png" for figure, name in shown], read, columns)
    with atomic_path(sheet) as temporary:
        page.save(temporary, format="PNG")
