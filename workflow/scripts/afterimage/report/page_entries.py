"""A page's entries for tables, with their published numbers, and for figures; thumbnails of images."""

import base64
import io
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from PIL import Image

from afterimage.command_line import snakemake
from afterimage.contract.paper import Number
from afterimage.errors import AfterimageError
from afterimage.ledger.cells import Files
from afterimage.ledger.entries import entries
from afterimage.note import Note

# ---- published numbers ----

_UNITS = {"percent": " %", "points": " points"}


def published_by_table(
    numbers: Iterable[Number], spec: Mapping[str, Any], files: Files
) -> dict[str, list[dict[str, str]]]:
    """Return, for each table, the published numbers and the study's.

    Args:
        spec: As :func:`stages.ledger.suite_spec` returns it: the papers of one suite.

    Returns:
        Table to rows with ``row``, ``column``, ``printed``, ``here``, ``interval``, ``status``, ``verdict``,
        ``difference`` (with its interval), ``misprint``, ``reason`` and ``source``; all of them texts.
    """
    everything = list(numbers)
    suite_numbers = [number for number in everything if number.paper in spec["papers"]]
    tables: dict[str, list[dict[str, str]]] = {}
    for number, entry in zip(
        suite_numbers, entries(suite_numbers, everything, spec, files), strict=True
    ):
        ref = import_module(spec["papers"][number.paper]["part"]).cell(number)
        if ref is not None:
            tables.setdefault(ref.table, []).append(_row(entry))
    return tables


def _row(entry: Mapping[str, str]) -> dict[str, str]:
    unit = _UNITS.get(entry["unit"], "")
    return {
        "row": entry["model"],
        "column": _column(entry["subset"].replace("_", " "), entry["metric"].replace("_", " ")),
        "printed": f"{entry['published']}{unit}",
        "here": f"{entry['value']}{unit}{_counts(entry)}" if entry["value"] else "",
        "interval": f"[{entry['low']}, {entry['high']}]" if entry["low"] else "",
        "status": entry["status"].replace("_", " "),
        "verdict": entry["verdict"],
        "difference": _difference(entry),
        "misprint": entry["misprint"],
        "reason": entry["reason"],
        "source": f"{entry['paper']}, {entry['table']}",
    }


def _column(subset: str, metric: str) -> str:
    if not (subset and metric):
        return subset or metric
    return Note("{label}, {measure}", label=subset, measure=metric)


def _difference(entry: Mapping[str, str]) -> str:
    bounds = f" [{entry['difference_low']}, {entry['difference_high']}]"
    return f"{entry['difference']}{bounds}" if entry["difference_low"] else entry["difference"]


def _counts(entry: Mapping[str, str]) -> str:
    return f" ({entry['k']}/{entry['n']})" if entry["k"] and entry["n"] else ""


# ---- table entries ----

# Encloses a figure's heading in its caption.
_LEAD_MARK = "**"


def table_entry(
    name: str,
    shown: str | os.PathLike[str],
    csv: str | os.PathLike[str],
    caption: str,
    published: Sequence[Mapping[str, Any]] = (),
    study: Sequence[str] = (),
) -> dict[str, Any]:
    """Return a page's entry for a table.

    Args:
        shown: The readers' table as JSON (:mod:`afterimage.showing.tables.renderers`).
        published: Its published numbers, as :func:`published_by_table` returns them.
        study: The command-line options that name the study.

    Raises:
        AfterimageError: The file is not such a table.
    """
    return {
        **_read(shown),
        "name": name,
        "caption": _plain(caption),
        "published": list(published),
        "csv": Path(csv).read_text(encoding="utf-8"),
        "file": str(csv),
        "command": snakemake(*study, targets=[str(csv)], is_shared=True),
    }


def caption_texts(
    paths: Iterable[str | os.PathLike[str]], translations: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Return captions of Snakemake's report by the name of the table or figure, with their markup.

    Args:
        paths: The captions in English, in reStructuredText.
        translations: Name to caption in the study's language; English is used for names without one.
    """
    return {
        name: (translations or {}).get(name) or Path(path).read_text(encoding="utf-8")
        for path in paths
        for name in [Path(path).stem]
    }


def lead_of(caption: str) -> tuple[str, str]:
    """Return a figure's heading, the part of its caption between two ``**``, and the rest, both without markup."""
    _, mark, marked = caption.partition(_LEAD_MARK)
    lead, _, rest = marked.partition(_LEAD_MARK) if mark else (caption, "", "")
    return _plain(lead), _plain(rest)


def _plain(text: str) -> str:
    return " ".join(text.split()).replace("``", "").replace("*", "")


def _read(path: str | os.PathLike[str]) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(Path(path).read_text(encoding="utf-8"))
    except ValueError as error:
        raise AfterimageError(
            f"{path}: not a table of this workflow ({error}); delete it and run again."
        ) from error
    missing = [key for key in ("title", "columns", "rows") if key not in found]
    if missing:
        raise AfterimageError(
            f"{path}: not a table of this workflow (no '{missing[0]}'); delete it and run again."
        )
    return found


# ---- pictures ----

# Lossless WebP of a flat figure takes a few kB; photographs and noise take more.
_LARGEST_LOSSLESS = 16_000
# A file of at most so many bytes is its own thumbnail.
_SMALL = 4_000
_QUALITY = 82
_LOSSLESS: dict[str, Any] = {"lossless": True, "quality": 20, "method": 1}


def thumbnail(png: bytes, side: int, max_exact: int = 0) -> dict[str, Any]:
    """Return a picture that fits into a square, as a data URL, and the stimulus itself where it is small enough.

    Args:
        side: Limit of width and height in pixels; smaller pictures keep their size.
        max_exact: Limit of the stimulus's own file in bytes, above which it is left out.

    Returns:
        ``thumbnail`` (data URL), ``width`` and ``height`` of the stimulus itself in pixels; ``full`` (data URL), the
        file that a model is shown, missing where it has more than ``max_exact`` bytes and None if the thumbnail is
        that file.
    """
    with Image.open(io.BytesIO(png)) as opened:
        picture = opened.convert("RGB")
    width, height = picture.size
    shown: dict[str, Any] = {"width": width, "height": height}
    if len(png) <= min(max_exact, _SMALL):
        return {"thumbnail": data_url("image/png", png), **shown, "full": None}
    picture.thumbnail((side, side), Image.Resampling.HAMMING)
    small = _webp(picture, **_LOSSLESS)
    if len(small) > _LARGEST_LOSSLESS:
        small = _webp(picture, quality=_QUALITY, method=2)
    # The file itself, since encoding it again could change pixels.
    shown |= {"full": data_url("image/png", png)} if len(png) <= max_exact else {}
    return {"thumbnail": data_url("image/webp", small), **shown}


def data_url(media_type: str, content: bytes) -> str:
    """Return bytes as a data URL."""
    return f"data:{media_type};base64,{base64.b64encode(content).decode('ascii')}"


def _webp(picture: Image.Image, **options: object) -> bytes:
    stored = io.BytesIO()
    picture.save(stored, "WEBP", **options)
    return stored.getvalue()


# ---- figures ----


def figure_entries(
    paths: Iterable[str], screens: Iterable[str], captions: Mapping[str, str]
) -> list[dict[str, Any]]:
    """Return a page's entries for figures.

    Args:
        paths: The pictures, named after their figures.
        screens: Charts for other screens: ``<figure>.<dark, narrow or narrow_dark>.png``.
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
