"""A job whose model is loaded asks the run's other shards, and never at their expense."""

import json
import os
import sys
from types import ModuleType, SimpleNamespace

import pytest
from asked_items import item

from afterimage.contract.model import Backend
from afterimage.files.attempts import PendingShard, write_pending
from afterimage.files.parquet import read_records, write_records
from afterimage.files.records import ITEM, RESPONSE
from afterimage.models.interface import Failure, Reply
from afterimage.models.journaling.claims import Claims
from afterimage.stages.inference import run_model

SHARDS = 4


class Study:
    """Four shards of three items each, and a model that counts how often it is loaded."""

    def __init__(self, folder, monkeypatch):
        self.folder = folder
        self.loads = 0
        self.asked = []
        self.fails = set()
        module = ModuleType("afterimage.models.scripted")
        module.BACKEND = Backend(self._load, loads=True)
        monkeypatch.setitem(sys.modules, "afterimage.models.scripted", module)
        for shard in range(SHARDS):
            self.make_items(shard)
        self.note()

    def items(self, shard):
        return self.folder / f"items-{shard}.parquet"

    def make_items(self, shard, images=1):
        rows = [item(number) for number in range(3 * shard, 3 * shard + 3)]
        for row in rows:
            part = row["messages"][0]["parts"][0]
            row["messages"][0]["parts"] += [part] * (images - 1)
        write_records(self.items(shard), rows, ITEM)

    def note(self, remade=(), is_timed=False):
        shards = [
            PendingShard("illusion_vqa", str(self.items(shard)), "run.log", (), shard in remade)
            for shard in range(SHARDS)
        ]
        write_pending(self.folder / "pending.json", {"m": shards}, is_timed)

    def run(self, shard, client=None):
        """Run a shard's job; returns its texts."""
        entry = {"backend": "scripted", "model_id": "m", "revision": None, "settings": {}}
        run_model(
            {"suite": "illusion_vqa", "model": "m", "entry": entry},
            {"shards": [self.items(shard)]},
            {"responses": self.folder / f"r-{shard}.parquet"},
            {
                "journal": self.folder / "journal",
                "pending": str(self.folder / "pending.json"),
                "runtime": 1,
                "client": json.dumps({"client": client or {}}),
            },
        )
        return [row["text"] for row in read_records(self.folder / f"r-{shard}.parquet", RESPONSE)]

    def _load(self, entry, part):
        self.loads += 1

        def answer(requests):
            for request in requests:
                text = request.messages[0].text
                self.asked.append(text)
                yield (
                    Failure(request.number, "busy")
                    if text in self.fails
                    else Reply(request.number, text)
                )

        return answer


def texts(*shards):
    return [f"Question {number}" for shard in shards for number in range(3 * shard, 3 * shard + 3)]


@pytest.fixture
def study(tmp_path, monkeypatch):
    return Study(tmp_path, monkeypatch)


def test_one_load_answers_all_shards_the_last_first(study):
    assert [study.run(shard) for shard in range(SHARDS)] == [
        texts(shard) for shard in range(SHARDS)
    ]
    assert study.loads == 1
    assert study.asked == texts(0, 3, 2, 1)


def test_a_run_that_notes_no_shards_asks_as_many_times_as_it_has_jobs(study):
    (study.folder / "pending.json").unlink()
    for shard in range(SHARDS):
        study.run(shard)
    assert study.loads == SHARDS


def test_items_that_are_missing_or_of_an_earlier_run_are_not_asked(study):
    study.items(1).unlink()
    study.note(remade={2})
    earlier = (study.folder / "pending.json").stat().st_mtime - 10
    os.utime(study.items(2), (earlier, earlier))
    study.run(0)
    assert study.asked == texts(0, 3)
    # Made anew meanwhile.
    study.make_items(2)
    study.asked.clear()
    study.make_items(1)
    study.run(1)
    assert study.asked == texts(1, 2)


def test_a_failure_elsewhere_is_left_to_its_own_job(study):
    study.fails = {"Question 10"}
    assert study.run(0) == texts(0)
    assert set(study.asked) == set(texts(0, 1, 2, 3))
    study.fails = set()
    study.asked.clear()
    assert study.run(3) == texts(3)
    assert study.asked == ["Question 10"]
    assert study.loads == 2


def test_items_that_cannot_be_read_fail_no_other_job(study):
    study.items(3).write_bytes(b"no table")
    assert study.run(0) == texts(0)


def test_a_shard_that_another_job_is_asking_is_not_waited_for(study, monkeypatch):
    study.run(1)
    keys = []
    claim = Claims.claim

    def noting(self, wanted):
        keys.append(frozenset(wanted))
        return claim(self, wanted)

    monkeypatch.setattr(Claims, "claim", noting)
    study.folder.joinpath("journal").rename(study.folder / "elsewhere")
    study.run(0)
    theirs = keys[1]
    (study.folder / "journal").rename(study.folder / "first")
    study.asked.clear()
    with claim(Claims(study.folder / "journal" / "m"), theirs):
        assert study.run(0) == texts(0)
    assert study.asked == texts(0, 2, 1)


def test_a_job_of_a_cluster_begins_no_shard_that_its_time_may_not_suffice_for(study, monkeypatch):
    study.note(is_timed=True)
    clock = SimpleNamespace(monotonic=lambda: 4.0 * len(study.asked))
    monkeypatch.setattr("afterimage.stages.inference.time", clock)
    # A shard takes twelve seconds, the job has sixty: after four, twice as long does not fit any more.
    study.run(0)
    assert len(study.asked) == 12
    study.asked.clear()
    (study.folder / "journal").rename(study.folder / "before")
    clock.monotonic = lambda: 8.0 * len(study.asked)
    study.run(0)
    assert study.asked == texts(0)


def test_a_limit_of_costs_holds_for_the_jobs_own_shard(study):
    assert study.run(0, client={"max_cost": 1}) == texts(0)
    assert study.asked == texts(0)


def test_requests_with_more_images_than_the_model_was_loaded_for_are_left_to_their_job(study):
    study.make_items(3, images=2)
    study.run(0)
    assert study.asked == texts(0, 2, 1)
