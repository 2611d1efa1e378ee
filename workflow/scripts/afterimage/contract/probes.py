"""Probes: items that ask a suite's question in another way, and how their ids and factors name them."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

#: The factor that names the probe; rows of the suite itself lack it.
PROBE = "probe"
#: The probes that tell who claims to see what is not shown, and which items need no image.
CLAIMING = ("silent", "guess", "say_missing", "blank")


def is_probe(row: Mapping[str, Any]) -> bool:
    """Tell whether a row with ``factors`` (schemas ITEM, GRADE) is a probe."""
    return PROBE in row["factors"]


def without_probes(rows: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Yield the rows of the suite itself."""
    return (row for row in rows if not is_probe(row))


def probe_id(item_id: str, probe: str) -> str:
    """Return the id of an item's probe."""
    return f"{item_id}~{probe}"


def probed_id(item_id: str, probe: str) -> str:
    """Return the id of the item that a probe was made from."""
    return item_id.removesuffix(f"~{probe}")
