"""Pictures for the pages: small ones, photographs with some loss, and the very pixels of the stimulus."""

import base64
import io
from typing import Any

from PIL import Image

# Lossless WebP of a flat figure takes a few kB; what takes more is a photograph or noise.
_LARGEST_LOSSLESS = 16_000
# A file of so few bytes is its own thumbnail.
_SMALL = 4_000
_QUALITY = 82
_LOSSLESS: dict[str, Any] = {"lossless": True, "quality": 20, "method": 1}


def thumbnail(png: bytes, side: int, most_exact: int = 0) -> dict:
    """Return a picture that fits into a square, as a data URL, and the stimulus itself where it is small enough.

    Args:
        png: The stimulus.
        side: Greatest width and height in pixels; smaller pictures keep their size.
        most_exact: The greatest size in bytes at which the stimulus itself is kept too.

    Returns:
        ``thumbnail`` (data URL), ``width`` and ``height`` of the stimulus itself in pixels; ``full`` (data URL), the
        pixels that a model is shown, where they take no more than ``most_exact``; None where the thumbnail has them.
    """
    with Image.open(io.BytesIO(png)) as opened:
        picture = opened.convert("RGB")
    width, height = picture.size
    shown = {"width": width, "height": height}
    if len(png) <= min(most_exact, _SMALL):
        return {"thumbnail": data_url("image/png", png), **shown, "full": None}
    picture.thumbnail((side, side), Image.Resampling.HAMMING)
    small = _webp(picture, **_LOSSLESS)
    if len(small) > _LARGEST_LOSSLESS:
        small = _webp(picture, quality=_QUALITY, method=2)
    # The file itself: nothing is encoded again, and nothing can differ.
    shown |= {"full": data_url("image/png", png)} if len(png) <= most_exact else {}
    return {"thumbnail": data_url("image/webp", small), **shown}


def data_url(media_type: str, content: bytes) -> str:
    """Return bytes as an address that needs no file."""
    return f"data:{media_type};base64,{base64.b64encode(content).decode('ascii')}"


def _webp(picture: Image.Image, **options: object) -> bytes:
    stored = io.BytesIO()
    picture.save(stored, "WEBP", **options)
    return stored.getvalue()
