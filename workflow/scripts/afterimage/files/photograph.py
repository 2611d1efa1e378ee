"""An external picture, decoded once: 8-bit RGB as displayed, whatever the file's format."""

import io
import logging
import re
import struct
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageFile

from afterimage.errors import AfterimageError, fault
from afterimage.files.opened_image import opened_image

logger = logging.getLogger(__name__)

_EXIF_ORIENTATION = 0x0112
# Of a TIFF: 0 where white is 0, which Pillow turns for 8 bits only.
_PHOTOMETRIC = 0x0106
_TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
_XMP_ORIENTATION = re.compile(r"""tiff:Orientation(?:\s*=\s*\\?["']|>)\s*([0-9])""")
# PNG names a transparent grey by its level; Pillow spreads the levels over 8 bits.
_FEW_LEVELS = {"L;2": 85, "L;4": 17}


def read_photograph(path: str | Path) -> np.ndarray:
    """Decode an image file; see :func:`decode_photograph`.

    Raises:
        AfterimageError: The file is missing, or is no readable image.
    """
    if not Path(path).is_file():
        raise AfterimageError(f"{path}: no such file; expected an image.")
    return decode_photograph(Path(path).read_bytes(), str(path))


def decode_photograph(data: bytes, where: str) -> np.ndarray:
    """Decode an image: turned as its EXIF says, transparent parts on white, 16 bits scaled to 8.

    Args:
        data: The file's bytes, in any form that Pillow reads; what is behind the image's end is passed over.
        where: What the bytes are, for the message.

    Returns:
        uint8 RGB, shape (height, width, 3).

    Raises:
        AfterimageError: The image has more than ``MAX_PIXELS`` pixels, or 32 bits a channel.
        UnreadableImageError: The bytes are no readable image.
    """
    with opened_image(io.BytesIO(data), where) as image:
        form = _raw_form(image)
        image.load()
        turn = _TURNS.get(_orientation(image, where))
        flat = _flat(image, form, data, where)
        return np.asarray(flat if turn is None else flat.transpose(turn))


def _flat(image: Image.Image, form: str, data: bytes, where: str) -> Image.Image:
    """Return an image as it is seen on white, in RGB."""
    if image.mode == "I" and image.format == "PPM":
        # Pillow has scaled what has at most 16 bits to 16.
        image = Image.fromarray(np.asarray(image).astype(np.uint16))
    if image.mode in ("I", "F"):
        raise fault(
            where, "found 32 bits a channel; expected 8 or 16, of which black and white are known."
        )
    key = image.info.get("transparency")
    if image.mode.startswith("I;16"):
        # Pillow would clip 16-bit greys, not scale them, and loses which of them is transparent.
        levels = np.asarray(image)
        if getattr(image, "tag_v2", {}).get(_PHOTOMETRIC) == 0:
            levels = 65535 - levels
        image = _without(Image.fromarray((levels >> 8).astype(np.uint8)), levels == key)
    elif form == "RGB;16B" and key is not None:
        image = _without(image, _has_colour(image, data, key))
    elif form in _FEW_LEVELS and key is not None:
        image.info["transparency"] = key * _FEW_LEVELS[form]
    if "A" in image.getbands() or "transparency" in image.info:
        layered = image.convert("RGBA")
        paper = Image.new("RGBA", layered.size, (255, 255, 255, 255))
        image = Image.alpha_composite(paper, layered)
    return image.convert("RGB")


def _without(image: Image.Image, transparent: np.ndarray) -> Image.Image:
    """Return an image that is transparent where a mask says so and nowhere else."""
    layered = image.convert("RGBA")
    layered.putalpha(Image.fromarray(np.where(transparent, 0, 255).astype(np.uint8)))
    return layered


def _has_colour(image: Image.Image, data: bytes, colour: tuple[int, int, int]) -> np.ndarray:
    """Return where an image has a colour of 16 bits a channel; Pillow keeps the upper eight."""
    with Image.open(io.BytesIO(data)) as again:
        again.tile = [tile._replace(args="RGB;16L") for tile in again.tile]
        lower = np.asarray(again).astype(np.uint16)
    whole = (np.asarray(image).astype(np.uint16) << 8) | lower
    same: np.ndarray = (whole == np.array(colour, dtype=np.uint16)).all(axis=-1)
    return same


def _raw_form(image: ImageFile.ImageFile) -> str:
    """Return the raw mode of an image that is not loaded yet, such as ``L;4``; "" if unknown."""
    args = image.tile[0][3] if image.tile else ""
    return args if isinstance(args, str) else str(args[0]) if args else ""


def _orientation(image: Image.Image, where: str) -> int:
    """Return which way is up as EXIF tells it, as browsers read it; where XMP says otherwise, warn."""
    if hasattr(image, "tag_v2"):
        # A TIFF was turned when it was loaded.
        return 1
    found = _exif_orientation(image.info)
    packet = image.info.get("xmp") or image.info.get("XML:com.adobe.xmp") or ""
    other = _XMP_ORIENTATION.search(packet if isinstance(packet, str) else repr(packet))
    if other and int(other[1]) != found:
        logger.warning(
            "%s: its XMP says orientation %s, its EXIF %d, which alone counts, as in browsers; if it stands on its "
            "side, save it upright",
            *(where, other[1], found),
        )
    return found


def _exif_orientation(info: Mapping[Any, Any]) -> int:
    content = info.get("exif")
    try:
        if content is None and "Raw profile type exif" in info:
            content = bytes.fromhex("".join(info["Raw profile type exif"].split("\n")[3:]))
        exif = Image.Exif()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exif.load(content or b"")
            return int(exif.get(_EXIF_ORIENTATION, 1))
    except (ValueError, TypeError, SyntaxError, KeyError, IndexError, struct.error, OSError):
        # Damaged notes of a camera are none.
        return 1
