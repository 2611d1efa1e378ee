"""Tables of a page, each with its files and the command that makes it again."""

import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from afterimage.command_line import snakemake
from afterimage.errors import AfterimageError

# Between a sign that ends a part of a sentence and what follows it, in English and in Japanese.
_LEAD_ENDS = re.compile(r"(?<=[.:;?!])\s+|(?<=[。：；？！])")


def table_entry(
    name: str,
    shown: str | os.PathLike,
    csv: str | os.PathLike,
    caption: str,
    published: Sequence[Mapping] = (),
    study: Sequence[str] = (),
) -> dict:
    """Return what a page shows of a table.

    Args:
        name: The table's name.
        shown: The readers' table as JSON (:mod:`afterimage.showing.as_json`).
        csv: The whole table.
        caption: What it shows, in words.
        published: What the papers print in its place, as :func:`published_rows.published_by_table` returns it.
        study: The options of a command line that name the study.

    Raises:
        AfterimageError: The file is not such a table.
    """
    return {
        **_read(shown),
        "name": name,
        "caption": caption,
        "published": list(published),
        "csv": Path(csv).read_text(encoding="utf-8"),
        "file": str(csv),
        "command": snakemake(*study, targets=[str(csv)], is_shared=True),
    }


def caption_texts(
    paths: Iterable[str | os.PathLike], said: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Return captions of Snakemake's report as plain text, by the name of what they are about.

    Args:
        paths: The captions in English.
        said: Name to caption in the study's language; where there is none, English stays.
    """
    return {
        name: (said or {}).get(name) or _plain(Path(path).read_text(encoding="utf-8"))
        for path in paths
        for name in [Path(path).stem]
    }


def lead_of(caption: str) -> tuple[str, str]:
    """Return what a caption begins with, up to its first full stop, colon or question mark, and the rest."""
    lead, *rest = _LEAD_ENDS.split(caption, maxsplit=1)
    return lead, "".join(rest)


def _plain(text: str) -> str:
    return " ".join(text.split()).replace("``", "").replace("*", "")


def _read(path: str | os.PathLike) -> dict:
    try:
        found = json.loads(Path(path).read_text(encoding="utf-8"))
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
