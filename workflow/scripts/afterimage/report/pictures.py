"""Figures and thumbnails of the report."""

import base64
import io
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from PIL import Image

from afterimage.report.table_entries import lead_of

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


# ---- figures ----


def figure_entries(
    paths: Iterable[str], screens: Iterable[str], captions: Mapping[str, str]
) -> list[dict[str, Any]]:
    """Return what a page shows of its figures.

    Args:
        paths: The pictures, each named as its figure.
        screens: Charts for other screens: ``<figure>.<dark, narrow or narrow_dark>.png``.
        captions: Figure to caption.
    """
    variants = _screens(screens)
    return [_figure(path, captions, variants) for path in paths]


def _screens(paths: Iterable[str]) -> dict[str, dict[str, str]]:
    """Return a chart's name to its pictures for other screens, by kind."""
    found: dict[str, dict[str, str]] = {}
    for path in map(Path, paths):
        name, kind, _ = path.name.split(".")
        found.setdefault(name, {})[kind] = data_url("image/png", path.read_bytes())
    return found


def _figure(
    path: str, captions: Mapping[str, str], variants: Mapping[str, Mapping[str, str]]
) -> dict[str, Any]:
    name = Path(path).stem
    lead, caption = lead_of(captions.get(name) or f"{name.replace('_', ' ')}.")
    return {
        "name": name,
        "lead": lead,
        "caption": caption,
        "png": data_url("image/png", Path(path).read_bytes()),
        "variants": variants.get(name, {}),
        "file": path,
    }
