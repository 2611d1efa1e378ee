"""PNG files: plain 8-bit RGB without metadata, and the identity of an image by its pixels."""

import hashlib
import io
import os
from pathlib import Path

import numpy as np
from PIL import Image, UnidentifiedImageError

from afterimage.errors import AfterimageError


def encode_png(pixels: np.ndarray) -> bytes:
    """Encode an array (height, width, 3) of uint8 as PNG: no alpha, profile, gamma or text."""
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, format="PNG")
    return buffer.getvalue()


def decode_png(data: bytes, name: str = "image") -> np.ndarray:
    """Decode PNG bytes to an array (height, width, 3) of uint8, sRGB-coded.

    Raises:
        AfterimageError: The bytes are not an image, or one that is not 8-bit RGB.
    """
    try:
        with Image.open(io.BytesIO(data)) as image:
            image.load()
            mode = image.mode
            pixels = np.asarray(image)
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError) as error:
        raise AfterimageError(
            f"{name}: not a readable PNG ({error}); delete it and run again."
        ) from None
    if mode != "RGB":
        raise AfterimageError(f"{name}: colour mode {mode}; expected RGB with 8 bits and no alpha.")
    return pixels


def read_png(path: str | os.PathLike) -> np.ndarray:
    """Read a PNG file as :func:`decode_png` does, naming the file in every error."""
    file = Path(path)
    if not file.is_file():
        raise AfterimageError(f"{path}: no such file; expected a PNG image.")
    return decode_png(file.read_bytes(), str(path))


def pixels_sha256(pixels: np.ndarray) -> str:
    """Return the SHA-256 of the RGB bytes, row by row; PNG bytes depend on the zlib build, pixels do not."""
    return hashlib.sha256(np.ascontiguousarray(pixels, dtype=np.uint8).tobytes()).hexdigest()
