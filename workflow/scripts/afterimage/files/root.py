"""The folder of the Snakefile, and paths from there: of a clone, or of what a wheel has installed (docs/running.md).

Resources, rules, schemas and the registry lie below it, and the package at ``workflow/scripts/afterimage``. Standard
library only.
"""

from pathlib import Path

#: The folder of the Snakefile.
ROOT = Path(__file__).resolve().parents[4]


def shipped(path: str) -> str:
    """Return the path of a file that comes with the workflow, given from the Snakefile's folder.

    It stays as it is for whoever works in that folder, so that a clone can be moved with its results.
    """
    return path if Path.cwd() == ROOT else str(ROOT / path)


def anchored(path: str | Path) -> str | Path:
    """Return a path that a study names: from the working folder or, where nothing is there, from the Snakefile's."""
    return path if Path(path).exists() or not (ROOT / path).exists() else ROOT / path
