"""Images of others, decoded once: 8-bit RGB as they are seen, whatever the file's form."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError

from afterimage.drawing.parametric import Drawing
from afterimage.errors import AfterimageError

#: What stands where an image should be and is not; nobody is asked about it.
PLACEHOLDER = np.full((64, 64, 3), 128, dtype=np.uint8)


def draw(parameters: Mapping) -> Drawing:
    """Decode a file; ``parameters["file"]`` is its path, or None where there is none.

    Raises:
        AfterimageError: The file is no readable image.
    """
    path = parameters["file"]
    if path is None:
        return Drawing(PLACEHOLDER)
    try:
        with Image.open(Path(path)) as image:
            pixels = np.asarray(ImageOps.exif_transpose(image).convert("RGB"))
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError) as error:
        raise AfterimageError(
            f"{path}: not a readable image ({error}); mend or remove it (removed, it counts as image_missing)."
        ) from None
    return Drawing(pixels)
