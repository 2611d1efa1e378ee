"""What fingerprints were of, kept from run to run: which definition has changed since a result was made.

Fingerprints are hashes of hashes: what is kept of one is its own components and the digests of those that they reach,
so that what two jobs or two versions of the code share is kept once. Only a run that makes something keeps anything;
the file decides about no rerun and may be removed at any time. Standard library only.
"""

import contextlib
import json
from collections.abc import Iterable, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from afterimage.files.whole import write_text
from afterimage.planning.fingerprint import Fingerprint
from afterimage.planning.reach import Component, Node

#: The file within the folder that is handed in.
KEPT_CODES = "codes.json"
#: Fingerprints that are kept at most, the latest ones: a default study has some hundred.
_MOST = 5000


def keep(
    folder: Path, codes: Mapping[str, Fingerprint], components: Mapping[str, Component]
) -> None:
    """Add fingerprints to those that are kept.

    Args:
        folder: Where what is known of the code is kept.
        codes: The name of a fingerprint to what it is of.
        components: What is behind their digests.
    """
    kept = _read(folder)
    if codes.keys() <= kept["codes"].keys():
        return
    added = {
        code: [list(own.digests), dict(own.pins), list(own.parts)] for code, own in codes.items()
    }
    others = {code: own for code, own in kept["codes"].items() if code not in added}
    latest = {**others, **added}
    latest = dict(islice(latest.items(), max(0, len(latest) - _MOST), None))
    known = {**kept["components"], **{digest: list(own) for digest, own in components.items()}}
    needed = _reached((digest for own in latest.values() for digest in own[0]), known)
    text = {"codes": latest, "components": {digest: known[digest] for digest in sorted(needed)}}
    # Whoever may not write here does without.
    with contextlib.suppress(OSError):
        write_text(folder / KEPT_CODES, json.dumps(text, separators=(",", ":")))


class Kept:
    """The fingerprints that are kept."""

    def __init__(self, folder: Path) -> None:
        """Read them; none where the file is missing or damaged."""
        self._kept = _read(folder)

    def __contains__(self, code: str) -> bool:
        """Tell whether a fingerprint is kept."""
        return code in self._kept["codes"]

    def meanings(self, code: str) -> dict[Node, str]:
        """Return each definition that a fingerprint is of, with its meaning."""
        components = self._kept["components"]
        reached = _reached(self._kept["codes"][code][0], components)
        return {
            Node(file, key): meaning
            for digest in reached
            for file, key, meaning in components[digest][0]
        }

    def parts(self, code: str) -> list[str]:
        """Return the parts that a fingerprint began with."""
        parts: list[str] = self._kept["codes"][code][2]
        return parts

    def pins(self, code: str) -> dict[str, str]:
        """Return the files of pinned packages, each with its hash."""
        pins: dict[str, str] = self._kept["codes"][code][1]
        return pins


def _reached(digests: Iterable[str], components: Mapping[str, Any]) -> set[str]:
    found: set[str] = set()
    waiting = list(digests)
    while waiting:
        digest = waiting.pop()
        if digest not in found:
            found.add(digest)
            waiting += components[digest][1]
    return found


def _read(folder: Path) -> dict[str, Any]:
    try:
        kept: dict[str, Any] = json.loads((folder / KEPT_CODES).read_text(encoding="utf-8"))
        _reached(
            (digest for own in kept["codes"].values() for digest in own[0]), kept["components"]
        )
    except (OSError, ValueError, TypeError, KeyError, AttributeError, IndexError):
        return {"codes": {}, "components": {}}
    return kept
