"""Images as files of their own, for people to look at: a view that no job reads."""

import os
from pathlib import Path

from afterimage.files.stimulus import StimulusImages, find_stimulus, read_images
from afterimage.files.whole import atomic_path


def write_images(stimuli: str | os.PathLike[str]) -> int:
    """Write each image of a figure's file beside it, named by stimulus id, and return their number."""
    folder = Path(stimuli).parent
    count = 0
    for record, png in read_images(stimuli):
        _write(folder / f"{record['stimulus_id']}.png", png)
        count += 1
    return count


def write_image(
    stimuli: str | os.PathLike[str], stimulus_id: str, image: str | os.PathLike[str]
) -> None:
    """Write one image of a figure's file.

    Raises:
        AfterimageError: The file holds no stimulus of this name.
    """
    _write(Path(image), StimulusImages().png(find_stimulus(stimuli, stimulus_id)))


def remove_images(folder: str | os.PathLike[str]) -> None:
    """Remove the images of an earlier drawing, which may show something else or be no stimulus any more."""
    for image in Path(folder).glob("*.png"):
        image.unlink()


def _write(path: Path, png: bytes) -> None:
    # What can be written again at any time need not survive a power cut.
    with atomic_path(path, synced=False) as temporary:
        temporary.write_bytes(png)
