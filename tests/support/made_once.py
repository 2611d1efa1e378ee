"""What is expensive to make, and only read or copied afterwards: made once per test run, by one of its workers."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """Return a folder or file that all workers of this test run share.

    Args:
        factory: Pytest's, for the folder of this test run.
        name: The name that nothing else of this test run has.
        make: Called with a path to make the folder or file at, once; what it leaves half-done is not kept.
    """
    # A worker's own folder lies in the one that all workers of a test run share.
    alone = "PYTEST_XDIST_WORKER" not in os.environ
    base = factory.getbasetemp() if alone else factory.getbasetemp().parent
    made = base / name
    with FileLock(base / f"{name}.lock"):
        if not made.exists():
            unfinished = base / f"{name}.unfinished"
            shutil.rmtree(unfinished, ignore_errors=True)
            make(unfinished)
            unfinished.rename(made)
    return made
