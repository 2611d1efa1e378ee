"""A picture that somebody else made, decoded once: 8-bit RGB as it is seen, whatever the file's form."""

import io
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps

from afterimage.errors import AfterimageError
from afterimage.files.opened_image import opened_image


def read_photograph(path: str | Path) -> np.ndarray:
    """Decode an image file; see :func:`decode_photograph`.

    Raises:
        AfterimageError: The file is missing, or is no readable image.
    """
    if not Path(path).is_file():
        raise AfterimageError(f"{path}: no such file; expected an image.")
    return decode_photograph(Path(path).read_bytes(), str(path))


def decode_photograph(data: bytes, where: str) -> np.ndarray:
    """Decode an image: turned as its camera noted, transparent parts on white, 16-bit greys scaled.

    Args:
        data: The file's bytes, in any form that Pillow reads.
        where: What the bytes are, for the message.

    Returns:
        uint8 RGB, shape (height, width, 3).

    Raises:
        AfterimageError: The bytes are no readable image, or one of more than ``MOST_PIXELS``.
    """
    with opened_image(io.BytesIO(data), where) as image:
        return _rgb(image)


def _rgb(image: Image.Image) -> np.ndarray:
    upright = ImageOps.exif_transpose(image)
    if upright.mode.startswith("I;16"):
        # Pillow would clip 16-bit greys, not scale them.
        upright = Image.fromarray((np.asarray(upright) >> 8).astype(np.uint8))
    if "A" in upright.getbands() or "transparency" in upright.info:
        layered = upright.convert("RGBA")
        paper = Image.new("RGBA", layered.size, (255, 255, 255, 255))
        upright = Image.alpha_composite(paper, layered)
    return np.asarray(upright.convert("RGB"))
