"""Results on storage: nothing lies where it was, so that a job finds only what it declares (docs/cluster.md)."""

import shutil
import subprocess
import sys

import pytest
from workspace import Workspace

pytest.importorskip("snakemake_storage_plugin_fs", reason="the storage plug-in is not installed")

ON_STORAGE = (
    *("--default-storage-provider", "fs", "--default-storage-prefix", "store"),
    *("--shared-fs-usage", "persistence", "software-deployment", "source-cache", "sources"),
)
STUDIES = {
    "smoke": {
        "illusion_vqa": {"illusions": ["ebbinghaus", "fick"]},
        "pope": {"scenes": 30, "nested_scenes": 1},
    },
    "others_files": {"images": {"sets": {"signs": "resources/examples/own_images"}}},
}


@pytest.mark.parametrize("name", STUDIES)
def test_a_study_runs_on_storage(root, tmp_path, name):
    if shutil.which("rsync") is None:
        pytest.skip("rsync is not installed")
    study = {
        "models": ["chance", "pixels"],
        "suites": STUDIES[name],
        "statistics": {"resamples": 200},
    }
    folder = Workspace(root, tmp_path / "study", study).folder
    command = [sys.executable, "-m", "snakemake", "--cores", "2", "--nocolor", *ON_STORAGE]
    finished = subprocess.run(
        command,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=900,
        check=False,
    )
    assert finished.returncode == 0, finished.stdout[-5000:]
    assert not (folder / "results").exists()
    made = {path.name for path in (folder / "store" / "results" / "tables").glob("*.csv")}
    assert "cost.csv" in made and (folder / "store" / "results" / "report" / "index.html").is_file()
    again = subprocess.run(
        [*command, "--dry-run"], cwd=folder, capture_output=True, text=True, check=True
    )
    assert "Nothing to be done" in again.stdout + again.stderr
