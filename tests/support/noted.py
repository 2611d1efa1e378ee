"""Notes, a line of JSON each, that processes under test leave in a file for the test."""

import json
from pathlib import Path


def noted(path: Path, kind: str | None = None) -> list[list]:
    """Return the notes so far, or what follows in those of a kind; not a line that is still being written."""
    lines = path.read_text().splitlines(keepends=True) if path.exists() else []
    notes = [json.loads(line) for line in lines if line.endswith("\n")]
    return notes if kind is None else [words for what, *words in notes if what == kind]
