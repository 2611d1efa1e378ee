"""What a run's jobs inherit from its environment: the package next to the Snakefile, and the number of retries.

Standard library only.
"""

import os

_RETRIES = "AFTERIMAGE_RETRIES"


def import_from(folder: str) -> None:
    """Put ``folder`` first on the module path of every Python that this process starts.

    Snakemake appends a script's folder to the path, behind installed packages: a second checkout in the same
    environment would run the first one's code under its own fingerprint.
    """
    others = [part for part in os.environ.get("PYTHONPATH", "").split(os.pathsep) if part]
    os.environ["PYTHONPATH"] = os.pathsep.join(dict.fromkeys([folder, *others]))


def hand_on(retries: int) -> None:
    """Let every process that this one starts know how often the run starts a job again.

    Snakemake starts each job of a cluster with ``--retries 0``, whatever the run was given; they inherit its
    environment.
    """
    os.environ[_RETRIES] = str(retries)


def retries_left(attempt: int) -> int:
    """Return how often a job is started again where this attempt, counted from 1, fails."""
    return max(int(os.environ.get(_RETRIES, "0")) + 1 - attempt, 0)
