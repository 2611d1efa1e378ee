"""Inference on a real SLURM cluster of one node with two GPU slots: jobs are cancelled and killed, and nothing that was
answered is asked again."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest
import slurm_cluster
from loopback_api import LoopbackApi, completion, refused
from slurm_cluster import LIVING, SlurmCluster
from workspace import SMALL_STUDY, Workspace

from afterimage.files.parquet import read_records
from afterimage.files.records import RESPONSE

MERGED = "results/responses/illusion_vqa/hosted.parquet"
RESPONDER = "results/responses/illusion_vqa/chance.parquet"
SHARDS = 6
ITEMS_PER_SHARD = 8
#: The same of one illusion, asked by one job, and what is made of its answers.
ITEMS = 16
TABLES = ("results/tables/fake_vqa.csv", "results/tables/cost.csv")
#: While jobs are to be caught in mid-run, and while they are to come to their end.
SLOW, FAST = 3, 0.05
MEMORY_MB, MINUTES = 400, 7
#: What a site puts into its own copy of the profile; the times suit jobs of seconds.
SITE = (
    *("--workflow-profile", "profiles/slurm", "--slurm-no-account", "--latency-wait", "10"),
    *("--default-resources", "slurm_partition=only"),
    # A look at the queue that finds nothing new makes the plug-in wait 10 s longer before the next.
    *("--slurm-init-seconds-before-status-checks", "12", "--seconds-between-status-checks", "12"),
)


class Study(Workspace):
    """Six shards for a model on a loopback server, and a responder that is no work for a cluster."""

    def __init__(self, root, folder, cluster, api, models=("hosted",), **settings):
        own_models = {
            name: {
                "backend": "openai_compatible",
                "model_id": name,
                "settings": {"base_url": api.url, "max_tokens": 20},
                "client": {"concurrency": 1},
                "resources": {"gpu": 1, "mem_mb": MEMORY_MB, "runtime": MINUTES},
            }
            for name in models
        }
        suite = {"illusions": ["fick", "hering", "orbison"], "prompts": ["zero_shot"]}
        super().__init__(
            root,
            folder,
            {
                **SMALL_STUDY,
                "models": [*models, "chance"],
                "own_models": own_models,
                "suites": {"illusion_vqa": suite},
                "shard_size": 4,
                **settings,
            },
        )
        self._cluster = cluster

    def start(self, *arguments, targets=(MERGED, RESPONDER)):
        """Start Snakemake on the cluster; its output goes to a file."""
        output = self.folder / f"snakemake-{time.monotonic_ns()}.txt"
        with output.open("wb") as file:
            process = subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    "snakemake",
                    "--nocolor",
                    *SITE,
                    *arguments,
                    *targets,
                ],
                cwd=self.folder,
                env=self._cluster.environment,
                stdout=file,
                stderr=subprocess.STDOUT,
            )
        process.said = output.read_text
        return process

    def journaled(self):
        """Return the answers in the journal, file by file in the order of the files' names."""
        return [
            [json.loads(line)["text"] for line in whole_lines(path)[1:]]
            for path in sorted((self.folder / "journal/hosted").glob("*.jsonl"))
        ]

    def shards(self):
        """Return the names of the finished shards."""
        return {path.name for path in (self.folder / MERGED).with_suffix("").glob("0*.parquet")}


def whole_lines(path):
    return [line for line in path.read_text().splitlines(keepends=True) if line.endswith("\n")]


def await_that(condition, process, seconds=600):
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        assert process.poll() is None, process.said()
        assert time.monotonic() < deadline, process.said()
        time.sleep(0.05)
    return found


def kill_9(cluster, job):
    """Kill what a job runs, as a node that runs out of memory does."""
    asking = [pid for pid in cluster.processes(job) if b"run_model" in command_of(pid)]
    assert asking
    for pid in asking:
        # SLURM itself ends what is left of a step whose first process is gone.
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def command_of(pid):
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""


@pytest.fixture
def cluster(tmp_path):
    if reason := slurm_cluster.missing():
        pytest.skip(reason)
    with SlurmCluster(tmp_path / "slurm") as running:
        yield running


@pytest.mark.slurm
def test_cancelled_and_killed_jobs_lose_no_answer_and_ask_none_again(root, tmp_path, cluster):
    bodies, pace = {}, [SLOW]

    def answer(call):
        text = f"answer number {len(bodies)}"
        bodies[text] = json.dumps(call.body, sort_keys=True)
        return completion(text, seconds=pace[0])

    with LoopbackApi(answer) as api:
        study = Study(root, tmp_path / "study", cluster, api)
        first = study.start("--retries", "0")
        await_that(lambda: sum(len(answers) >= 2 for answers in study.journaled()) == 2, first)
        cancelled, killed = [job for job in cluster.jobs() if job.state == "RUNNING"]
        cluster.run("scancel", cancelled.job_id)
        kill_9(cluster, killed)
        pace[0] = FAST
        assert first.wait(timeout=900) != 0
        output = first.said()
        assert "Traceback" not in output
        assert len(study.shards()) == SHARDS - 2, output
        states = {job.job_id: job.state for job in cluster.jobs()}
        assert states[cancelled.job_id] == "CANCELLED"
        assert states[killed.job_id] == "FAILED"
        assert Counter(states.values())["COMPLETED"] == SHARDS - 2 == len(states) - 2
        # What happened to the two is where the profile says that it is.
        logs = [path.stem for path in (study.folder / ".snakemake/slurm_logs").rglob("*.log")]
        assert sorted(logs) == sorted([cancelled.job_id, killed.job_id])

        before = len(api.calls)
        known = {text for answers in study.journaled() for text in answers}
        assert known <= set(bodies)
        assert len(known) >= (SHARDS - 2) * ITEMS_PER_SHARD + 4
        pace[0] = SLOW
        second = study.start()
        await_that(lambda: len(api.calls) > before, second)
        (doomed,) = await_that(
            lambda: [job for job in cluster.jobs()[SHARDS:] if job.state == "RUNNING"][:1], second
        )
        await_that(
            lambda: [pid for pid in cluster.processes(doomed) if b"run_model" in command_of(pid)],
            second,
        )
        kill_9(cluster, doomed)
        pace[0] = FAST
        assert second.wait(timeout=900) == 0, second.said()

    assert len(study.shards()) == SHARDS
    rows = list(read_records(study.folder / MERGED, RESPONSE))
    assert len(rows) == SHARDS * ITEMS_PER_SHARD
    # Every answer that was known after the first run stands, and its request was not sent again.
    assert known <= {row["text"] for row in rows}
    asked_later = {json.dumps(call.body, sort_keys=True) for call in api.calls[before:]}
    assert not asked_later & {bodies[text] for text in known}
    # Three jobs were ended by force, each with one request under way.
    assert len(api.calls) <= SHARDS * ITEMS_PER_SHARD + 3
    # Two GPU slots, two jobs at a time.
    assert api.most_at_once == 2

    # The job that came again got twice the memory and the time.
    jobs = cluster.jobs()
    assert all(job.gpus in ("N/A", "gres:gpu:1", "gpu:1") for job in jobs)
    asked = [(int(job.memory.rstrip("M")), job.time_limit) for job in jobs]
    assert asked[:-1] == [(MEMORY_MB, f"{MINUTES}:00")] * (SHARDS + 2)
    assert asked[-1] == (2 * MEMORY_MB, f"{2 * MINUTES}:00")
    # The responder, the drawing and the merging were none of the cluster's business.
    assert all("rule_run_model_wildcards_illusion_vqa_hosted" in job.comment for job in jobs)
    assert not [job for job in jobs if job.state in LIVING]
    assert (study.folder / RESPONDER).is_file()


@pytest.mark.slurm
def test_a_job_is_started_again_after_its_answers_are_safe_and_after_the_last_time_tables_are_made(
    root, tmp_path, cluster
):
    """One model needs the three starts that the profile gives a job; another has not finished after them."""
    answers_a_start = {"slow": 6, "stuck": 1}
    one_job = {"illusion_vqa": {"illusions": ["fick"], "prompts": ["zero_shot"]}}
    asked = {model: [] for model in answers_a_start}
    since = dict.fromkeys(answers_a_start, 0)

    def answer(call):
        model = call.body["model"]
        if since[model] == answers_a_start[model]:
            since[model] = 0
            return refused(401, "account closed")
        since[model] += 1
        asked[model].append(json.dumps(call.body, sort_keys=True))
        return completion("Left.")

    with LoopbackApi(answer) as api:
        study = Study(
            root, tmp_path / "study", cluster, api, answers_a_start, suites=one_job, shard_size=8
        )
        process = study.start(targets=TABLES)
        assert process.wait(timeout=900) != 0
    output = process.said()
    assert "Traceback" not in output
    assert output.rstrip().splitlines()[-1].startswith("Not finished: "), output
    assert f"ERROR: not finished: stuck on illusion_vqa: {ITEMS - 3} without answer" in output

    # Every start went on where the one before had ended.
    assert {model: len(bodies) for model, bodies in asked.items()} == {
        "slow": ITEMS,
        "stuck": 3,
    }
    assert all(len(bodies) == len(set(bodies)) for bodies in asked.values())
    jobs = cluster.jobs()
    states = {
        model: [job.state for job in jobs if f"illusion_vqa_{model}" in job.comment]
        for model in answers_a_start
    }
    assert states["slow"] == states["stuck"] == ["FAILED", "FAILED", "COMPLETED"]

    for table in TABLES:
        rows = {row["model"]: row for row in csv.DictReader((study.folder / table).open())}
        assert rows["stuck"]["not_finished"].startswith(
            f"not finished: 3 of {ITEMS} answered, HTTP status 401"
        )
        assert not rows["slow"]["not_finished"] and not rows["chance"]["not_finished"]


def test_the_profile_for_slurm_reruns_no_more_than_the_default_one(drawn):
    workspace = drawn
    pytest.importorskip("snakemake_executor_plugin_slurm", reason="the plug-in is not installed")
    target = "results/responses/illusion_vqa/chance.parquet"
    workspace.run(target)
    slurm = ("--workflow-profile", "profiles/slurm", target)
    workspace.edit("workflow/scripts/job.py", "^from afterimage", "# Mended.\nfrom afterimage")
    (workspace.folder / "workflow/scripts/afterimage/stages/items.py").touch()
    assert workspace.planned(target) == {}
    assert workspace.planned(*slurm) == {}
    workspace.edit(
        "workflow/scripts/afterimage/models/chance.py", r"_guess\(seed, ", "_guess(1 + seed, "
    )
    planned = list(workspace.planned(*slurm))
    assert planned == ["Asking chance about illusion_vqa"]
