"""A model that fails leaves the others whole: their tables are made, it is named in all of them, and the next run asks
what is missing and nothing else."""

import base64
import csv
import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest
from flaky_backend import add_flaky
from loopback_api import LoopbackApi, completion
from workspace import SMALL_STUDY

from afterimage.files.parquet import read_records
from afterimage.files.records import RESPONSE

TABLE = "results/tables/{}"
MERGED = "results/responses/illusion_vqa/flaky.parquet"
KEY = "AFTERIMAGE_TEST_KEY"
#: Items of the small study, in two shards; the third has none.
ITEMS = 32


@pytest.fixture
def study(drawn):
    """The small study with a responder, a model whose account is closed, and one without a key."""
    with LoopbackApi(lambda call: completion("Left.")) as server:
        add_flaky(drawn.folder)
        keyless = {
            "backend": "openai_compatible",
            "model_id": "some-model",
            "settings": {"base_url": server.url, "api_key_env": KEY, "max_tokens": 10},
        }
        drawn.configure(
            {
                **SMALL_STUDY,
                "models": ["chance", "flaky", "keyless"],
                "own_models": {"flaky": {"backend": "flaky"}, "keyless": keyless},
            }
        )
        yield drawn


def rows(study, table):
    with (study.folder / TABLE.format(f"{table}.csv")).open(newline="") as file:
        return list(csv.DictReader(file))


def asked(study):
    return (study.folder / "asked").read_text().split()


def test_failed_models_are_named_everywhere_and_asked_again_until_they_have_answered(
    study, monkeypatch, rerun_table
):
    monkeypatch.delenv(KEY, raising=False)
    failed = study.snakemake()
    assert failed.returncode != 0
    sentence = next(line for line in failed.stdout.splitlines() if "not finished: flaky" in line)
    assert "flaky on illusion_vqa: 22 without answer (HTTP status 401: account closed)" in sentence
    assert re.search(rf"keyless on illusion_vqa: 32 without answer \(.*{KEY}", sentence)
    assert "Traceback" not in failed.stdout
    _require_whole_but_for_two(study)

    again = study.planned()
    assert {job for job in again if job.startswith("Asking")} == {
        f"Asking {model} about illusion_vqa, stimuli {shard}"
        for model in ("flaky", "keyless")
        for shard in ("000024-000031", "000048-000055")
    }
    assert not [job for job in again if "chance" in job or "timuli of" in job]
    # A cluster's job outlives the Snakemake that would have noted with which parameters it ran.
    for path in (study.folder / "results/responses").rglob("flaky/*.parquet"):
        name = base64.urlsafe_b64encode(str(path.relative_to(study.folder)).encode()).decode()
        (study.folder / ".snakemake/metadata" / name).unlink()
    assert set(study.planned()) == set(again)
    before = asked(study)
    assert study.snakemake().returncode != 0
    assert len(asked(study)) == len(before) + 2 * 5
    # The same failure, and still not the last attempt: one shard of sixteen has six left, the other too.
    assert set(study.planned()) == set(again)

    (study.folder / "closed").unlink()
    monkeypatch.setenv(KEY, "secret")
    study.run()
    assert len(asked(study)) == len(set(asked(study))) == ITEMS
    merged = study.folder / "results/responses/illusion_vqa/flaky.parquet"
    assert all(row["text"] == "Left." for row in read_records(merged, RESPONSE))
    assert "not finished" not in (study.folder / "results/report/index.html").read_text()
    assert not any("not_finished" in row for row in rows(study, "fake_vqa"))
    assert study.planned() == {}
    rerun_table(("a model failed", "what is missing of it, and what follows", ""))


QUERIES = [
    ("--dry-run",),
    ("--list-rules",),
    ("--list-target-rules",),
    ("--summary",),
    ("--detailed-summary",),
    ("--list-changes", "params"),
    ("--dag",),
    ("--rulegraph",),
    ("--lint",),
    ("--unlock",),
]


def _state(folder):
    """Return every file of a study that a query must leave alone: its bytes and its times."""
    places = ("results", "journal", ".snakemake/metadata")
    files = [path for place in places for path in (folder / place).rglob("*") if path.is_file()]
    return {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in files}


def test_a_query_writes_nothing_and_what_may_only_be_read_plans_just_the_same(study, monkeypatch):
    monkeypatch.delenv(KEY, raising=False)
    assert study.snakemake().returncode != 0
    before, planned = _state(study.folder), study.planned()
    assert any(job.startswith("Asking flaky") for job in planned)
    for query in QUERIES:
        study.snakemake(*query)
        assert _state(study.folder) == before, query
    for path in before:
        path.chmod(0o444)
    assert study.planned() == planned


def test_a_job_with_missing_answers_fails_while_retries_are_left(study, monkeypatch):
    """Each start asks what is missing and nothing twice; after the last one the tables are made all the same."""
    monkeypatch.setenv(KEY, "secret")
    failed = study.snakemake("--retries", "2")
    assert failed.returncode != 0
    output = " ".join(failed.stdout.split())
    # Sixteen items a job, five answers a start.
    counts = re.findall(
        r"(\d+) of 16 answers are missing .*? is started (.*?) for the others", output
    )
    assert counts == [("11", "up to 2 times more"), ("6", "once more")]
    assert "not finished: flaky on illusion_vqa: 2 without answer" in output
    assert len(asked(study)) == len(set(asked(study))) == 2 * 15
    assert any(row["not_finished"] for row in rows(study, "fake_vqa"))
    (study.folder / "closed").unlink()
    study.run()
    assert len(asked(study)) == len(set(asked(study))) == ITEMS
    assert study.planned() == {}


def _require_whole_but_for_two(study):
    for path in sorted((study.folder / "results/tables").glob("*.csv")):
        found = {row["model"]: row for row in rows(study, path.stem) if row["not_finished"]}
        assert set(found) == {"flaky", "keyless"}, path
        assert found["flaky"]["not_finished"] == (
            "not finished: 10 of 32 answered, HTTP status 401: account closed"
        )
        for row in found.values():
            named = ("model", "suite", "not_finished")
            assert not any(value for name, value in row.items() if name not in named), path
        shown = json.loads(path.with_suffix(".json").read_text())
        assert any("NOT COMPLETE: FLAKY, KEYLESS" in words for words in shown["warnings"]), path
    measured = rows(study, "fake_vqa")
    assert any(row["model"] == "chance" and not row["not_finished"] for row in measured)
    for page in ("index", "illusion_vqa"):
        text = (study.folder / f"results/report/{page}.html").read_text()
        assert "This page is not complete" in text
        assert "flaky on Illusion VQA not finished: 10 of 32 answered, HTTP status 401" in text


def test_ctrl_c_leaves_nothing_half_written_and_says_how_to_go_on(study):
    (study.folder / "closed").unlink()
    (study.folder / "slow").touch()
    with (study.folder / "said").open("w") as said:
        process = subprocess.Popen(
            [sys.executable, "-m", "snakemake", "--cores", "2", "--nocolor", MERGED],
            cwd=study.folder,
            stdout=said,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            # What a shell starts in the background ignores it.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
    deadline = time.monotonic() + 300
    # Both jobs take their time over the fifth answer.
    while not (study.folder / "asked").exists() or len(asked(study)) < 2 * 5:
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.05)
    # A terminal sends it to all processes of the run.
    os.killpg(process.pid, signal.SIGINT)
    assert process.wait(timeout=240) != 0
    words = (study.folder / "said").read_text()
    assert "No file of answers yet of: flaky on illusion_vqa." in words
    assert "the same command goes on" in words
    assert "memory? time?" not in words
    assert "(Ctrl-C)" in words
    left = [path for path in (study.folder / "results").rglob("*") if path.name.startswith(".")]
    assert left == []
    assert not list((study.folder / "results/responses/illusion_vqa/flaky").glob("00004*.parquet"))

    (study.folder / "slow").unlink()
    study.run(MERGED)
    assert len(set(asked(study))) == ITEMS
    # What was being answered when it came may be asked once more, in each of two jobs.
    assert len(asked(study)) <= ITEMS + 2
