"""Caches where the home folder cannot be written, as in containers."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from afterimage.commands.start import STUDY_CACHE, caches_in_study
from afterimage.errors import AfterimageError
from afterimage.stages.fetching import fetch_named


def test_a_home_that_can_be_written_stays(tmp_path):
    assert caches_in_study({"HOME": str(tmp_path)}) == {}
    assert caches_in_study({"HOME": str(tmp_path / "made" / "later")}) == {}


@pytest.mark.parametrize("home", ["/proc/nobody", "/dev/null", "/dev/null/x"])
def test_where_home_takes_nothing_caches_lie_in_the_study(home, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = caches_in_study({"HOME": home})
    assert {name: Path(path) for name, path in found.items()} == {
        "XDG_CACHE_HOME": tmp_path / STUDY_CACHE,
        "MPLCONFIGDIR": tmp_path / STUDY_CACHE / "matplotlib",
    }


def test_a_cache_that_somebody_set_counts(tmp_path):
    cache = str(tmp_path)
    assert (
        caches_in_study({"HOME": "/proc/x", "XDG_CACHE_HOME": cache, "MPLCONFIGDIR": cache}) == {}
    )


def test_the_workflow_starts_without_a_home(tmp_path, root):
    environment = {**os.environ, "HOME": "/proc/nobody", "XDG_CACHE_HOME": ""}
    command = [
        sys.executable,
        "-c",
        "from afterimage.commands.cli import main; main()",
        "run",
        "--version",
    ]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "The home folder cannot be written: XDG_CACHE_HOME, MPLCONFIGDIR set to" in done.stderr


def test_weights_without_a_cache_that_can_be_written_are_one_sentence(tmp_path):
    pytest.importorskip("huggingface_hub", reason="huggingface_hub is not installed")
    with pytest.raises(AfterimageError, match=r"cannot be written .* HF_HOME names another folder"):
        fetch_named(
            {"model_id": "org/name", "revision": None},
            tmp_path / "receipt.json",
            cache="/proc/nobody/hub",
        )
