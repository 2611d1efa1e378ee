"""The journal in whole runs: whatever happens to results, shards, items, code or processes, no answer is lost or
asked for twice."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from noted import noted
from workspace import SMALL_STUDY, Workspace

from afterimage.files.parquet import read_records
from afterimage.files.records import ITEM, RESPONSE

PACKAGE = "workflow/scripts/afterimage"
MERGED = "results/responses/illusion_vqa/counter.parquet"
#: Items of the small study: two illusions of eight images and two questions; the third is left out.
ITEMS = 32

COUNTER = '''"""A backend that notes in a file what it is asked, and answers something new each time."""

import json
import os
import time
from itertools import count
from pathlib import Path

from afterimage.contract.model import Backend
from afterimage.models.interface import Reply


def note(*words):
    with open("asked.jsonl", "ab", buffering=0) as file:
        file.write(json.dumps(words).encode() + b"\\\\n")


def load(entry, part):
    note("loaded", os.getpid())

    def answer(requests):
        for number, request in zip(count(), requests):
            note("asked", request.sha256)
            if Path("slow").exists():
                time.sleep(0.1)
            while number >= 5 and Path("held").exists():
                time.sleep(0.01)
            yield Reply(request.number, f"{request.sha256} {os.getpid()} {number}", latency_seconds=0.1)

    return answer


BACKEND = Backend(load)
'''.replace("\\\\n", "\\n")


COMMAND = "import sys; from afterimage.commands.cli import main; sys.exit(main())"


class Study(Workspace):
    """The small study with the counting model."""

    def prepare(self):
        (self.folder / PACKAGE / "models/counter.py").write_text(COUNTER)
        (self.folder / "workflow/schemas/backends/counter.schema.yaml").write_text(
            "type: object\nproperties: {}\n"
        )
        self.configure()

    def configure(self, study=None, **changes):
        own = {"models": ["counter"], "own_models": {"counter": {"backend": "counter"}}}
        super().configure({**SMALL_STUDY, **own, **changes})

    @property
    def notes(self):
        return noted(self.folder / "asked.jsonl")

    @property
    def asked(self):
        return [what for kind, what in self.notes if kind == "asked"]

    def forget(self):
        """Remove the notes of earlier runs."""
        (self.folder / "asked.jsonl").unlink(missing_ok=True)

    def rows(self):
        return list(read_records(self.folder / MERGED, RESPONSE))

    def pixels(self):
        """Item id to the pixels of its image."""
        return {
            item["item_id"]: item["images"][0]["pixels_sha256"]
            for path in (self.folder / "results/items/illusion_vqa").glob("*.parquet")
            for item in read_records(path, ITEM, columns=("item_id", "images"))
        }


@pytest.fixture(scope="module")
def finished(drawn_study, tmp_path_factory):
    """A study whose counting model has answered everything."""
    study = Study.copy(drawn_study, tmp_path_factory.mktemp("journal") / "study")
    study.prepare()
    study.run(MERGED)
    assert len(study.asked) == len(set(study.asked)) == ITEMS
    return study


@pytest.fixture
def study(finished, tmp_path):
    """A copy of the finished study with nothing asked yet in it."""
    copy = Study.copy(finished.folder, tmp_path / "study")
    copy.forget()
    return copy


def test_a_run_after_all_results_were_deleted_asks_nothing_and_loads_no_model(study):
    before = study.rows()
    shutil.rmtree(study.folder / "results")
    shutil.rmtree(study.folder / ".snakemake")
    study.run(MERGED)
    assert study.notes == []
    assert study.rows() == before


def test_other_shards_dropped_items_and_changed_code_ask_nothing_and_shift_no_answer(study):
    before = {row["item_id"]: row for row in study.rows()}
    study.edit(f"{PACKAGE}/models/counter.py", "zip.count.., requests.", "enumerate(requests)")
    study.edit(
        f"{PACKAGE}/stages/inference.py", "answered %d items of", "gave answers to %d items of"
    )
    study.configure(shard_size=3)
    study.run(MERGED)
    assert {row["item_id"]: row for row in study.rows()} == before

    suites = {"illusion_vqa": {"illusions": ["ebbinghaus"], "prompts": ["zero_shot"]}}
    study.configure(shard_size=5, suites=suites)
    study.run(MERGED)
    rows = study.rows()
    assert len(rows) == ITEMS / 2
    assert all(row == before[row["item_id"]] for row in rows)
    assert study.notes == []


def test_images_redrawn_under_the_same_ids_are_asked_about_again_and_only_they(study):
    pixels, before = study.pixels(), {row["item_id"]: row for row in study.rows()}
    study.edit(f"{PACKAGE}/suites/illusions/figures/sizes.py", r"28\.0, 116\.0", "28.0, 115.0")
    study.run(MERGED)
    now = study.pixels()
    redrawn = {item for item in pixels if now[item] != pixels[item]}
    assert 0 < len(redrawn) < ITEMS
    rows = {row["item_id"]: row for row in study.rows()}
    assert sorted(study.asked) == sorted(rows[item]["request_sha256"] for item in redrawn)
    assert {item for item in rows if rows[item] != before[item]} == redrawn
    assert all(row["text"].startswith(row["request_sha256"]) for row in rows.values())


def test_moving_the_journal_reruns_nothing(study):
    assert study.planned(MERGED) == {}
    study.configure(journal="elsewhere/answers")
    assert study.planned(MERGED) == {}
    (study.folder / "journal").rename(study.folder / "kept")
    study.configure(journal="kept")
    shutil.rmtree(study.folder / "results/responses")
    study.run(MERGED)
    assert study.notes == []
    assert not (study.folder / "journal").exists()


def test_a_journal_below_results_is_refused(study):
    study.configure(journal="results/journal")
    failed = study.snakemake("--dry-run")
    assert failed.returncode != 0
    assert "config key 'journal': found 'results/journal', which is below results" in failed.stdout


def test_reference_responders_leave_no_journal(study):
    study.configure(models=["counter", "chance", "pixels"])
    study.run(*(MERGED.replace("counter", model) for model in ("counter", "chance", "pixels")))
    assert [path.name for path in (study.folder / "journal").iterdir()] == ["counter"]


def journal(study, *words):
    return subprocess.run(
        [sys.executable, "-c", COMMAND, "journal", *words],
        cwd=study.folder,
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def test_a_refresh_asks_everything_again_as_it_says_and_undone_gives_the_answers_back(study):
    before = {row["item_id"]: row["text"] for row in study.rows()}
    assert study.planned(MERGED) == {}
    said = journal(study, "refresh", "counter", "--yes")
    assert f"{ITEMS} answers are to be withdrawn" in said
    assert f"{ITEMS} answers withdrawn" in said
    # Snakemake asks what the journal lacks, whatever results are there.
    assert any(task.startswith("Asking counter") for task in study.planned(MERGED))
    study.run(MERGED)
    assert len(study.asked) == ITEMS
    after = {row["item_id"]: row["text"] for row in study.rows()}
    assert all(after[item] != before[item] for item in before)
    assert study.planned(MERGED) == {}
    study.forget()
    shutil.rmtree(study.folder / "results/responses")
    study.run(MERGED)
    assert study.notes == []
    assert {row["item_id"]: row["text"] for row in study.rows()} == after
    journal(study, "restore", "counter")
    study.run(MERGED)
    assert study.notes == []
    assert {row["item_id"]: row["text"] for row in study.rows()} == before


@pytest.mark.parametrize(
    "killed", ["snakemake", "snakemake and its jobs", "snakemake, and the next is not patient"]
)
def test_after_kill_9_only_what_was_not_recorded_is_asked(drawn_study, tmp_path, killed):
    study = Study.copy(drawn_study, tmp_path / "study")
    study.prepare()
    for name in ("slow", "held"):
        (study.folder / name).touch()
    process = started(study)
    # Both jobs are in the middle, and stay there until somebody was killed.
    while len(study.asked) < 2 * 6:
        assert process.poll() is None
        time.sleep(0.05)
    if killed == "snakemake and its jobs":
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.wait()
    (study.folder / "held").unlink()
    if killed != "snakemake, and the next is not patient":
        wait_for_jobs(study)
    asked_before = len(study.asked)
    assert not (study.folder / MERGED).exists()
    study.run("--unlock")
    study.run(MERGED)
    rows = study.rows()
    assert len(rows) == ITEMS
    counts = Counter(study.asked)
    assert set(counts) == {row["request_sha256"] for row in rows}
    jobs = 2
    assert sum(counts.values()) <= ITEMS + jobs
    assert asked_before >= 2 * 6
    if killed != "snakemake and its jobs":
        # Its jobs went on to their end, and nothing of theirs is asked again.
        assert max(counts.values()) == 1


def test_two_runs_at_once_on_one_journal_ask_nothing_twice(drawn_study, tmp_path):
    studies = [Study.copy(drawn_study, tmp_path / name) for name in ("one", "two")]
    for study, shard_size in zip(studies, (8, 6), strict=True):
        study.prepare()
        study.configure(journal=str(tmp_path / "journal"), shard_size=shard_size)
        (study.folder / "slow").touch()
    runs = [started(study) for study in studies]
    assert [run.wait(timeout=600) for run in runs] == [0, 0]
    counts = Counter([*studies[0].asked, *studies[1].asked])
    assert (len(counts), max(counts.values())) == (ITEMS, 1)
    one, two = ({row["item_id"]: row["text"] for row in study.rows()} for study in studies)
    assert one == two


def started(study):
    return subprocess.Popen(
        [sys.executable, "-m", "snakemake", "--cores", "2", "--nocolor", MERGED],
        cwd=study.folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def wait_for_jobs(study):
    """Wait until the jobs that outlived Snakemake have ended."""
    jobs = [what for kind, what in study.notes if kind == "loaded"]
    deadline = time.monotonic() + 240
    while any(is_running(job) for job in jobs):
        assert time.monotonic() < deadline
        time.sleep(0.1)


def is_running(process):
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    # A dead process may wait for somebody to ask how it ended.
    return state != "Z"
