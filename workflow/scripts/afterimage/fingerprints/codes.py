"""Fingerprints of code by meaning: what a job would execute, not how it is written down.

Snakemake tracks the text and the time stamp of a script but nothing that the script imports. A fingerprint covers the
definitions of this package that a job reaches, as syntax trees without comments, docstrings and layout. Passed to a
rule as ``params: code=...``, it reruns a job exactly when the code behind the job has changed. What fingerprints were
of is kept from run to run, to say which definition has changed since a result was made. Standard library only: the
Snakefile imports this module whenever it is parsed.
"""

import contextlib
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from afterimage.files.paths import write_text
from afterimage.fingerprints.reach import Component, Node, Reach
from afterimage.fingerprints.scripts import Scripts


class Fingerprint(NamedTuple):
    """What a job's code and packages are.

    Attributes:
        parts: The parts that it begins with.
        digests: Of all definitions that these reach.
        pins: Name and hash of each file of pinned packages.
    """

    parts: Sequence[str]
    digests: Sequence[str]
    pins: Sequence[tuple[str, str]]

    @property
    def text(self) -> str:
        """64 hexadecimal digits for all of it."""
        lines = [*self.digests, *map(" ".join, self.pins)]
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def fingerprint(reach: Reach, parts: Iterable[str], data: Iterable[Path] = ()) -> Fingerprint:
    """Hash all definitions that some reach.

    Args:
        reach: The definitions of the scripts.
        parts: Where a job begins: a script, and each part that the job finds by name at run time, since no import names
            it: ``package.module:name``, or a module for all of it.
        data: Pinned environments and the like: text files that count by their lines without ``#`` comments.

    Returns:
        The same for sources that differ only in comments, docstrings, layout, the order of definitions and of
        neighbouring imports, time stamps or location.

    Raises:
        ProvenanceError: A file is missing, is not valid Python, or imports relatively; or a part is not in its module.
    """
    named = list(parts)
    begin = reach.begin_all(named)
    pins = [(path.name, lines_hash(path)) for path in sorted(data)]
    return Fingerprint(named, reach.digests(begin), pins)


def lines_hash(path: Path) -> str:
    """Return a hash of the lines of a text file, without ``#`` comments and empty ones."""
    lines = (
        line.partition("#")[0].rstrip() for line in path.read_text(encoding="utf-8").splitlines()
    )
    return hashlib.sha256("\n".join(line for line in lines if line).encode()).hexdigest()


# ---- of a study's jobs ----

#: The script that every rule runs.
DOOR = "job"


class Codes:
    """The code behind jobs: the door, the function that it calls, and what that finds by name.

    Attributes:
        reach: The definitions of the scripts.
    """

    def __init__(self, scripts: Scripts, environments: Path) -> None:
        """Take the sources and the folder of the pinned environments."""
        self.reach = Reach(scripts)
        self._environments = environments
        self._codes: dict[tuple[str, ...], str] = {}
        self._found: dict[str, Fingerprint] = {}

    def begin(self, run: str, parts: Sequence[str]) -> list[str]:
        """Return the parts from which all code of a job is reached.

        Args:
            run: The function that it calls, ``package.module:name``.
            parts: What that finds by name.
        """
        return [DOOR, run, *parts]

    def code(self, stage: str, run: str, parts: Sequence[str], environment: str) -> str:
        """Return the fingerprint of a job with its packages, and the name of its stage."""
        # Asked for once per job, and there may be thousands.
        key = (stage, run, *parts, environment)
        if key not in self._codes:
            pins = self._environments / f"{environment}.txt"
            found = fingerprint(self.reach, self.begin(run, parts), data=[pins])
            # Snakemake prints old and new value as the reason of a rerun; the name makes that readable.
            self._codes[key] = f"code of {stage} {found.text[:16]}"
            self._found[self._codes[key]] = found
        return self._codes[key]

    def keep(self, folder: Path) -> None:
        """Keep what the fingerprints are of that were asked for, for ``afterimage why``."""
        keep_codes(folder, self._found, self.reach.components)


# ---- kept from run to run ----
#
# Fingerprints are hashes of hashes: what is kept of one is its own components and the digests of those that they reach,
# so that what two jobs or two versions of the code share is kept once. Only a run that makes something keeps anything;
# the file decides about no rerun and may be removed at any time.

#: The file within the folder that is handed in.
KEPT_CODES = "codes.json"
#: Fingerprints that are kept at most, the latest ones: a default study has some hundred.
_MAX_KEPT = 5000


def keep_codes(
    folder: Path, codes: Mapping[str, Fingerprint], components: Mapping[str, Component]
) -> None:
    """Add fingerprints to those that are kept.

    Args:
        folder: Where what is known of the code is kept.
        codes: The name of a fingerprint to what it is of.
        components: What is behind their digests.
    """
    kept = _read_kept(folder)
    if codes.keys() <= kept["codes"].keys():
        return
    added = {
        code: [list(entry.digests), dict(entry.pins), list(entry.parts)]
        for code, entry in codes.items()
    }
    others = {code: entry for code, entry in kept["codes"].items() if code not in added}
    latest = {**others, **added}
    latest = dict(islice(latest.items(), max(0, len(latest) - _MAX_KEPT), None))
    known = {**kept["components"], **{digest: list(entry) for digest, entry in components.items()}}
    needed = _reached_digests((digest for entry in latest.values() for digest in entry[0]), known)
    text = {"codes": latest, "components": {digest: known[digest] for digest in sorted(needed)}}
    # Whoever may not write here does without.
    with contextlib.suppress(OSError):
        write_text(folder / KEPT_CODES, json.dumps(text, separators=(",", ":")))


class Kept:
    """The fingerprints that are kept."""

    def __init__(self, folder: Path) -> None:
        """Read them; none where the file is missing or damaged."""
        self._kept = _read_kept(folder)

    def __contains__(self, code: str) -> bool:
        """Tell whether a fingerprint is kept."""
        return code in self._kept["codes"]

    def meanings(self, code: str) -> dict[Node, str]:
        """Return each definition that a fingerprint is of, with its meaning."""
        components = self._kept["components"]
        reached = _reached_digests(self._kept["codes"][code][0], components)
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


def _reached_digests(digests: Iterable[str], components: Mapping[str, Any]) -> set[str]:
    found: set[str] = set()
    waiting = list(digests)
    while waiting:
        digest = waiting.pop()
        if digest not in found:
            found.add(digest)
            waiting += components[digest][1]
    return found


def _read_kept(folder: Path) -> dict[str, Any]:
    try:
        kept: dict[str, Any] = json.loads((folder / KEPT_CODES).read_text(encoding="utf-8"))
        _reached_digests(
            (digest for entry in kept["codes"].values() for digest in entry[0]), kept["components"]
        )
    except (OSError, ValueError, TypeError, KeyError, AttributeError, IndexError):
        return {"codes": {}, "components": {}}
    return kept
