"""How often Snakemake starts a job again that fails, handed on to the jobs of a cluster.

Snakemake starts each of these with ``--retries 0``, whatever the run was given; they inherit its environment.
"""

import os

_RETRIES = "AFTERIMAGE_RETRIES"


def hand_on(retries: int) -> None:
    """Let every process that this one starts know how often the run starts a job again."""
    os.environ[_RETRIES] = str(retries)


def left_after(attempt: int) -> int:
    """Return how often a job is started again where this attempt, counted from 1, fails."""
    return max(int(os.environ.get(_RETRIES, "0")) + 1 - attempt, 0)
