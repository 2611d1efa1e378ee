"""Tables of a page, each with its files and the command that makes it again."""

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from afterimage.report.table_page import read_table_page


def table_entry(
    name: str,
    html: str | os.PathLike,
    csv: str | os.PathLike,
    caption: str,
    published: Sequence[Mapping] = (),
) -> dict:
    """Return what a page shows of a table.

    Args:
        name: The table's name.
        html: The readers' table.
        csv: The whole table.
        caption: What it shows, in words.
        published: What the papers print in its place, as :func:`published_rows.published_by_table` returns it.
    """
    return {
        **read_table_page(html),
        "name": name,
        "caption": caption,
        "published": list(published),
        "csv": Path(csv).read_text(encoding="utf-8"),
        "file": str(csv),
        "command": f"snakemake --cores 8 {csv}",
    }


def caption_texts(paths: Iterable[str | os.PathLike]) -> dict[str, str]:
    """Return captions of Snakemake's report as plain text, by the name of what they are about."""
    return {Path(path).stem: _plain(Path(path).read_text(encoding="utf-8")) for path in paths}


def _plain(text: str) -> str:
    return " ".join(text.split()).replace("``", "").replace("*", "")
