"""Figures of a page, each with its caption and, of a chart, its pictures for other screens."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from afterimage.report.table_entries import lead_of
from afterimage.report.thumbnails import data_url


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
