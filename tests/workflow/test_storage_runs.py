"""Results on storage: nothing lies where it was, so that a job finds only what it declares (docs/running.md)."""

import shutil
import subprocess
import sys

import pytest
from flaky_backend import add_flaky
from workspace import SMALL_STUDY, Workspace

pytest.importorskip("snakemake_storage_plugin_fs", reason="the storage plug-in is not installed")

ON_STORAGE = (
    *("--default-storage-provider", "fs", "--default-storage-prefix", "store"),
    *("--shared-fs-usage", "persistence", "software-deployment", "source-cache", "sources"),
)
TABLE = "results/tables/fake_vqa.csv"
STUDIES = {
    "smoke": {
        "illusion_vqa": {"illusions": ["ebbinghaus", "fick"]},
        "pope": {"scenes": 30, "nested_scenes": 1},
    },
    "others_files": {"images": {"sets": {"signs": "resources/examples/own_images"}}},
}


@pytest.fixture(autouse=True)
def rsync():
    """The program that the plug-in copies files with."""
    if shutil.which("rsync") is None:
        pytest.skip("rsync is not installed")


def run(folder, *arguments):
    command = [sys.executable, "-m", "snakemake", "--cores", "2", "--nocolor", *ON_STORAGE]
    return subprocess.run(
        [*command, *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=900,
        check=False,
    )


@pytest.mark.parametrize("name", STUDIES)
def test_a_study_runs_on_storage(root, tmp_path, name):
    study = {
        "models": ["chance", "pixels"],
        "suites": STUDIES[name],
        "statistics": {"resamples": 200},
    }
    folder = Workspace(root, tmp_path / "study", study).folder
    finished = run(folder)
    assert finished.returncode == 0, finished.stdout[-5000:]
    assert "did not run" not in finished.stdout
    assert not (folder / "results").exists()
    made = {path.name for path in (folder / "store" / "results" / "tables").glob("*.csv")}
    assert "cost.csv" in made and (folder / "store" / "results" / "report" / "index.html").is_file()
    assert "Nothing to be done" in run(folder, "--dry-run").stdout


def test_what_a_model_left_out_fails_the_run_and_the_same_command_asks_for_it(root, tmp_path):
    flaky = {"own_models": {"flaky": {"backend": "flaky"}}, "models": ["chance", "flaky"]}
    folder = Workspace(root, tmp_path / "study", {**SMALL_STUDY, **flaky}).folder
    add_flaky(folder)
    first = run(folder, "--", TABLE)
    assert first.returncode == 1
    assert "not finished: flaky on illusion_vqa: 22 without answer" in first.stdout
    (folder / "closed").unlink()
    assert run(folder, "--", TABLE).returncode == 0
    asked = (folder / "asked").read_text().split()
    assert len(asked) == len(set(asked)) == 32
    assert "Nothing to be done" in run(folder, "--dry-run", "--", TABLE).stdout
