"""Small pictures for the pages: drawn figures without loss, photographs with some."""

import base64
import io

from PIL import Image

# Lossless WebP of a flat figure takes a few kB; what takes more is a photograph or noise.
_LARGEST_LOSSLESS = 16_000
_QUALITY = 82


def thumbnail(png: bytes, side: int) -> dict:
    """Return a picture that fits into a square, as a data URL.

    Args:
        png: The stimulus.
        side: Greatest width and height in pixels; smaller pictures keep their size.

    Returns:
        ``thumbnail`` (data URL), ``width`` and ``height`` of the stimulus itself in pixels.
    """
    with Image.open(io.BytesIO(png)) as opened:
        picture = opened.convert("RGB")
    width, height = picture.size
    picture.thumbnail((side, side), Image.Resampling.HAMMING)
    small = _webp(picture, lossless=True, quality=20, method=1)
    if len(small) > _LARGEST_LOSSLESS:
        small = _webp(picture, quality=_QUALITY, method=2)
    return {"thumbnail": data_url("image/webp", small), "width": width, "height": height}


def data_url(media_type: str, content: bytes) -> str:
    """Return bytes as an address that needs no file."""
    return f"data:{media_type};base64,{base64.b64encode(content).decode('ascii')}"


def _webp(picture: Image.Image, **options: object) -> bytes:
    stored = io.BytesIO()
    picture.save(stored, "WEBP", **options)
    return stored.getvalue()
