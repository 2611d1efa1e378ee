"""PNG files without metadata, and the hash of the pixels in them."""

import hashlib
import io
import os
from pathlib import Path

import numpy as np
from PIL import Image, UnidentifiedImageError

from afterimage.errors import AfterimageError


def encode(pixels: np.ndarray) -> bytes:
    """Encode an image, shape (height, width, 3), uint8, as an 8-bit RGB PNG.

    The file holds header, pixels and end alone: no alpha, gamma, colour profile, text or time.
    """
    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, format="PNG")
    return stream.getvalue()


def decode(path: str | os.PathLike) -> np.ndarray:
    """Read the pixels of an 8-bit RGB image file, shape (height, width, 3), uint8.

    Raises:
        AfterimageError: If the file is missing, unreadable or no 8-bit RGB image.
    """
    try:
        return decode_bytes(Path(path).read_bytes(), str(path))
    except OSError as error:
        raise AfterimageError(f"{path}: cannot be read: {error.strerror or error}.") from error


def decode_bytes(data: bytes, name: str = "image") -> np.ndarray:
    """Decode an 8-bit RGB image, shape (height, width, 3), uint8; ``name`` is for error messages.

    Raises:
        AfterimageError: If the bytes are no complete 8-bit RGB image.
    """
    try:
        with Image.open(io.BytesIO(data)) as image:
            image.load()
            mode = image.mode
            pixels = np.array(image)
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError) as error:
        raise AfterimageError(f"{name}: not a readable image ({error}).") from error
    if mode != "RGB":
        raise AfterimageError(f"{name}: image mode is {mode}, expected 8-bit RGB without alpha.")
    return pixels


def pixels_sha256(pixels: np.ndarray) -> str:
    """Return the SHA-256 of the RGB bytes row by row, as hexadecimal digits."""
    return hashlib.sha256(np.ascontiguousarray(pixels)).hexdigest()
