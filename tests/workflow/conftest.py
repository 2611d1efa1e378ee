"""Fixtures for whole runs, and the rerun table at the end of the report."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from workspace import Workspace

RERUN_TABLE = pytest.StashKey[list]()


def pytest_configure(config):
    config.stash[RERUN_TABLE] = []


@pytest.fixture(scope="session")
def rerun_table(request) -> list:
    """Rows of the rerun table: edit, jobs, example of a reason."""
    return request.config.stash[RERUN_TABLE]


def pytest_terminal_summary(terminalreporter, config):
    rows = config.stash[RERUN_TABLE]
    if rows:
        terminalreporter.section("what reruns after which edit")
        for edit, jobs, reason in rows:
            terminalreporter.write_line(f"{edit}")
            terminalreporter.write_line(f"    reruns: {jobs}")
            if reason:
                terminalreporter.write_line(f"    reason: {reason}")


@pytest.fixture
def workspace(root, tmp_path) -> Workspace:
    """A fresh copy of the workflow with the small study, nothing run yet."""
    return Workspace(root, tmp_path / "study")
