"""Fixtures for whole runs: a study with nothing run yet, one with its stimuli drawn, and a finished one."""

from collections.abc import Callable
from pathlib import Path

import pytest
from made_once import made_once
from workspace import Workspace

#: The items of the small study: one illusion per shard.
ITEMS = [
    f"results/items/illusion_vqa/{shard}.parquet"
    for shard in ("000024-000031", "000048-000055", "000112-000119")
]


@pytest.fixture
def rerun_table(record_property) -> Callable[[tuple[str, str, str]], None]:
    """Add a row to the rerun table that ends the tests' report: edit, jobs, example of a reason."""
    return lambda row: record_property("rerun", row)


@pytest.fixture
def workspace(root, tmp_path) -> Workspace:
    """A fresh copy of the workflow with the small study, nothing run yet."""
    return Workspace(root, tmp_path / "study")


@pytest.fixture(scope="session")
def drawn_study(root, tmp_path_factory) -> Path:
    """The folder of the small study with stimuli and items, nobody asked; to be copied, never changed."""

    def make(folder: Path) -> None:
        Workspace(root, folder).run(*ITEMS)

    return made_once(tmp_path_factory, "drawn_study", make)


@pytest.fixture(scope="session")
def finished_study(drawn_study, tmp_path_factory) -> Path:
    """The folder of the small study, finished; to be copied, never changed."""

    def make(folder: Path) -> None:
        Workspace.copy(drawn_study, folder).run()

    return made_once(tmp_path_factory, "finished_study", make)


@pytest.fixture
def drawn(drawn_study, tmp_path) -> Workspace:
    """A copy of the small study with stimuli and items, nobody asked."""
    return Workspace.copy(drawn_study, tmp_path / "study")


@pytest.fixture
def finished(finished_study, tmp_path) -> Workspace:
    """A copy of the small study, finished."""
    return Workspace.copy(finished_study, tmp_path / "study")
