"""Images as files of their own, for people to look at: a view that no job reads."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from afterimage.files.stimulus import StimulusImages, find_stimulus, read_images
from afterimage.files.whole import atomic_path
from afterimage.jobs.running import Files


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
