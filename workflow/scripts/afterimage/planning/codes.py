"""Fingerprints of the jobs of a study: which parts are behind each, and one hash for all that these reach."""

from collections.abc import Sequence
from pathlib import Path

from afterimage.planning.fingerprint import Fingerprint, fingerprint
from afterimage.planning.kept import keep
from afterimage.planning.reach import Reach
from afterimage.planning.scripts import Scripts

#: The script that every rule runs.
DOOR = "job"


class Codes:
    """The code behind jobs: the door, the function of ``jobs/`` that it calls, and what that finds by name.

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
            run: Module and function of ``jobs/``.
            parts: What that finds by name.
        """
        return [DOOR, f"afterimage.jobs.{run}", *parts]

    def code(self, stage: str, run: str, parts: Sequence[str], environment: str) -> str:
        """Return the fingerprint of a job with its packages, and the name of its stage."""
        # Asked for once per job, and there may be thousands.
        asked = (stage, run, *parts, environment)
        if asked not in self._codes:
            pins = self._environments / f"{environment}.txt"
            found = fingerprint(self.reach, self.begin(run, parts), data=[pins])
            # Snakemake prints old and new value as the reason of a rerun; the name makes that readable.
            self._codes[asked] = f"code of {stage} {found.text[:16]}"
            self._found[self._codes[asked]] = found
        return self._codes[asked]

    def keep(self, folder: Path) -> None:
        """Keep what the fingerprints are of that were asked for, for ``afterimage why``."""
        keep(folder, self._found, self.reach.components)
