"""Fingerprints of code by meaning: what a job would execute, not how it is written down.

Snakemake tracks the text and the time stamp of a script but nothing that the script imports. A fingerprint covers the
definitions of this package that a job reaches, as syntax trees without comments, docstrings and layout. Passed to a
rule as ``params: code=...``, it reruns a job exactly when the code behind the job has changed. Standard library only:
the Snakefile imports this module whenever it is parsed.
"""

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from afterimage.planning.reach import Reach


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
