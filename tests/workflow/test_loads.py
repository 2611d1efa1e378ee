"""How often a served model is started for a study of several suites and shards: once, and no result is lost by it."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
import slurm_cluster
from made_once import made_once
from noted import noted
from slurm_cluster import SlurmCluster
from workspace import Workspace

from afterimage.files.parquet import read_records
from afterimage.files.records import RESPONSE

SERVER = Path(__file__).parents[1] / "support" / "fake_model_server.py"
MERGED = [f"results/responses/{suite}/hosted.parquet" for suite in ("illusion_vqa", "blindtest")]
#: Three of illusions, each of 16 items, and three of grids.
SHARDS = 6
SITE = (
    *("--workflow-profile", "profiles/slurm", "--slurm-no-account", "--latency-wait", "10"),
    *("--default-resources", "slurm_partition=only"),
    *("--slurm-init-seconds-before-status-checks", "12", "--seconds-between-status-checks", "12"),
)


class Study(Workspace):
    """Two suites in six shards for one model behind a server that jobs start."""

    def serve(self, *options):
        """Let the model be served with these options."""
        command = [sys.executable, str(SERVER), "--notes", ".", "--port", "{port}", *options]
        hosted = {
            "backend": "served",
            "model_id": "some/model",
            "serve": {"command": command, "start_timeout": 300},
            "client": {"retries": 1, "concurrency": 2},
            "resources": {"gpu": 1, "mem_mb": 400, "runtime": 7},
        }
        self.configure(
            {
                "models": ["hosted"],
                "own_models": {"hosted": hosted},
                "shard_size": 8,
                "suites": {
                    "illusion_vqa": {
                        "illusions": ["fick", "hering", "orbison"],
                        "prompts": ["zero_shot"],
                    },
                    "blindtest": {"tasks": ["grid"], "limit": 4},
                },
            }
        )

    def notes(self, kind):
        return noted(self.folder / "notes.jsonl", kind)

    def rows(self):
        return [row for path in MERGED for row in read_records(self.folder / path, RESPONSE)]

    def jobs(self):
        folder = self.folder / "results/logs/run_model"
        return len(list(folder.glob("*/hosted/*.log")))


@pytest.fixture(scope="module")
def drawn_suites(root, tmp_path_factory):
    """The folder of the study with its items, nobody asked."""

    def make(folder):
        drawn = Study(root, folder)
        drawn.serve()
        drawn.run("items")

    return made_once(tmp_path_factory, "drawn_suites", make)


@pytest.fixture
def study(drawn_suites, tmp_path):
    return Study.copy(drawn_suites, tmp_path / "study")


def test_a_server_starts_once_for_all_suites_and_shards(root, tmp_path):
    study = Study(root, tmp_path / "study")
    study.serve()
    # With one core nothing is drawn while the model is asked: it is asked last.
    study.run("--cores", "1", *MERGED)
    assert study.jobs() == SHARDS
    assert len(study.notes("started")) == 1
    rows = study.rows()
    assert all(row["text"].startswith("echo: ") for row in rows)
    asked = len(study.notes("asked"))
    assert asked <= len(rows)
    # A suite's responses are made again without the other's, and without the model.
    shutil.rmtree(study.folder / "results/responses/blindtest")
    planned = study.planned(*MERGED)
    assert not any("illusion_vqa" in job for job in planned)
    study.run(*MERGED)
    assert (len(study.notes("asked")), len(study.notes("started"))) == (asked, 1)


def test_a_server_that_dies_while_it_answers_for_other_jobs_fails_none(study):
    study.serve("--answers", "30")
    study.run(*MERGED)
    assert len(study.notes("started")) == 2
    rows = study.rows()
    assert all(row["text"].startswith("echo: ") for row in rows)
    # What was under way when it died is asked again.
    assert len(study.notes("asked")) <= len(rows) + 2


def test_a_run_that_is_killed_while_a_job_asks_for_others_loses_no_answer(study):
    study.serve("--seconds-per-answer", "0.1")
    command = [sys.executable, "-m", "snakemake", "--cores", "2", "--nocolor", *MERGED]
    process = subprocess.Popen(
        command,
        cwd=study.folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    deadline = time.monotonic() + 240
    while len(study.notes("asked")) < 30:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    study.run("--unlock")
    study.run(*MERGED)
    assert len(study.notes("started")) == 2
    rows = study.rows()
    assert all(row["text"].startswith("echo: ") for row in rows)
    asked = Counter(map(tuple, study.notes("asked")))
    # Two were under way.
    assert sum(asked.values()) <= len(rows) + 2


@pytest.mark.slurm
def test_a_cluster_starts_one_server_for_each_gpu(study, tmp_path):
    if reason := slurm_cluster.missing():
        pytest.skip(reason)
    study.serve("--seconds-per-answer", "0.05")
    with SlurmCluster(tmp_path / "slurm", gpus=1) as cluster:
        finished = subprocess.run(
            [sys.executable, "-m", "snakemake", "--nocolor", *SITE, *MERGED],
            cwd=study.folder,
            env=cluster.environment,
            capture_output=True,
            text=True,
            timeout=900,
            check=False,
        )
        assert finished.returncode == 0, finished.stdout + finished.stderr
        assert len(cluster.jobs()) == SHARDS
    assert len(study.notes("started")) == 1
    assert all(row["text"].startswith("echo: ") for row in study.rows())
