"""Fingerprints of the jobs of a study: which source files are behind each, and one hash for all of them."""

from collections.abc import Sequence
from pathlib import Path

from afterimage.planning.fingerprint import fingerprint
from afterimage.planning.scripts import Scripts

#: The script that every rule runs.
DOOR = "job.py"


class Codes:
    """The code behind jobs: the door, the function of ``jobs/`` that it calls, and what that finds by name."""

    def __init__(self, scripts: Scripts, environments: Path) -> None:
        """Take the sources and the folder of the pinned environments."""
        self._scripts = scripts
        self._environments = environments
        self._codes: dict[tuple[str, ...], str] = {}

    def sources(self, run: str, modules: Sequence[str]) -> list[str]:
        """Return the files from which all code of a job is reached by import.

        Args:
            run: Module and function of ``jobs/``.
            modules: What that finds by name.
        """
        names = (f"afterimage.jobs.{run.partition(':')[0]}", *modules)
        return [DOOR, *map(self._file, names)]

    def code(self, stage: str, run: str, modules: Sequence[str], environment: str) -> str:
        """Return the fingerprint of a job with its packages, and the name of its stage."""
        # Asked for once per job, and there may be thousands.
        asked = (stage, run, *modules, environment)
        if asked not in self._codes:
            pins = self._environments / f"{environment}.txt"
            code = fingerprint(self._scripts, self.sources(run, modules), data=[pins])
            # Snakemake prints old and new value as the reason of a rerun; the name makes that readable.
            self._codes[asked] = f"code of {stage} {code[:16]}"
        return self._codes[asked]

    def _file(self, module: str) -> str:
        # One that does not exist is named by the fingerprint.
        return self._scripts.module_file(module) or f"{module.replace('.', '/')}.py"
