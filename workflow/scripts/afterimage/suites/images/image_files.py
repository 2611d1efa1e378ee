"""Where an image of a set lies. Standard library only."""

import unicodedata
from pathlib import Path


def image_path(folder: str, image: str) -> str:
    """Return the path of an image, in the spelling (composed or not) in which the file system has it."""
    root = Path(folder).expanduser()
    for form in ("NFC", "NFD"):
        path = root / unicodedata.normalize(form, image)
        if path.is_file():
            return path.as_posix()
    return (root / image).as_posix()
