"""Fingerprints of code by meaning: what a job would execute, not how it is written down.

Snakemake tracks the text and the time stamp of a script but nothing that the script imports. A fingerprint
covers a script and every module of this package that it reaches by import, as syntax trees without comments,
docstrings and layout. Passed to a rule as ``params: code=...``, it reruns a job exactly when the code behind the
job has changed. Standard library only: the Snakefile imports this module whenever it is parsed.
"""

import hashlib
from collections.abc import Iterable
from pathlib import Path

from afterimage.planning.scripts import Scripts


def fingerprint(scripts: Scripts, sources: Iterable[str], data: Iterable[Path] = ()) -> str:
    """Return a hash over source files and all modules of the package that they import.

    Args:
        scripts: The scripts and the package.
        sources: Paths relative to their folder, e.g. ``"job.py"``; modules that a job finds by name at
            run time must be given here, since no import statement names them.
        data: Pinned environments and the like: text files that count by their lines without ``#`` comments.

    Returns:
        64 hexadecimal digits. Equal for sources that differ only in comments, docstrings, layout, the order of
        neighbouring imports, time stamps or location.

    Raises:
        ProvenanceError: A source is missing, is not valid Python, or imports relatively.
    """
    digest = hashlib.sha256()
    for name in sorted(closure(scripts, sources)):
        digest.update(f"{name} {scripts.facts(name).meaning}\n".encode())
    for path in sorted(data):
        digest.update(f"{path.name} {_lines_hash(path)}\n".encode())
    return digest.hexdigest()


def closure(scripts: Scripts, sources: Iterable[str]) -> set[str]:
    """Return the given sources and every package file that they import, directly or not."""
    found: set[str] = set()
    waiting = list(sources)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting.extend(scripts.reached(name))
    return found


def _lines_hash(path: Path) -> str:
    lines = (
        line.partition("#")[0].rstrip() for line in path.read_text(encoding="utf-8").splitlines()
    )
    return hashlib.sha256("\n".join(line for line in lines if line).encode()).hexdigest()
