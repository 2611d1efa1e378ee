"""Servers that a job starts itself and that die, hang, print a gigabyte, or load for longer than their time."""

import sys
import time
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest
from faulty_model import SETTINGS, request

from afterimage.contract.model import ModelEntry
from afterimage.models.asking import Asking
from afterimage.models.progress import Progress
from afterimage.models.served import server, watchdog

SERVER = Path(__file__).parents[1] / "support" / "fake_model_server.py"


@pytest.fixture
def asked(tmp_path):
    """Ask ten questions through the journal; the server is started with the given options."""

    def ask(*options, start_timeout=120.0, **client):
        words = [sys.executable, str(SERVER), "--notes", str(tmp_path), "--port", "{port}"]
        entry = ModelEntry(
            "m",
            "served",
            "some/model",
            settings={**SETTINGS, "command": [*words, *options]},
            client={"concurrency": 2, "retries": 0, "timeout_seconds": 60, **client},
            serve={
                "health": "/health",
                "start_timeout": start_timeout,
                "log": str(tmp_path / "logs"),
            },
        )
        with Asking(entry, None, tmp_path / "journal", Progress()) as asking:
            hashes = {number: request(number).sha256 for number in range(10)}
            asking.ask(hashes, dict.fromkeys(hashes, (0,)), lambda missing: map(request, missing))
        return asking

    return ask


@pytest.fixture
def started(tmp_path):
    """Tell how often a server was started."""
    return lambda: (tmp_path / "notes.jsonl").read_text().count('"started"')


def test_what_a_server_answered_before_it_died_is_kept_and_the_rest_asked_of_the_next(asked):
    first = asked("--answers", "4")
    assert 3 <= len(first.replies) <= 4
    assert first.failures[9].startswith("not asked: ")
    second = asked("--answers", "4")
    assert first.replies.keys() < second.replies.keys()


def test_a_server_that_hangs_ends_the_asking_in_bounded_time_and_is_ended_itself(asked, tmp_path):
    began = time.monotonic()
    asking = asked("--seconds-per-answer", "600", timeout_seconds=0.5)
    assert time.monotonic() - began < 200
    assert "no answer within 0.5 s" in asking.failures[0]
    assert len(asking.failures) == 10
    # Three in a row are enough to know; two were under way.
    assert (tmp_path / "notes.jsonl").read_text().count('"asked"') <= 4


def test_a_server_that_loads_for_longer_than_its_time_is_one_sentence(
    asked, started, tmp_path, monkeypatch
):
    # Its time begins to run out when it loads, however long the machine takes to start it.
    notes = tmp_path / "notes.jsonl"
    looks = (2.0 * number if notes.exists() and started() else 0.0 for number in count())
    clock = SimpleNamespace(monotonic=lambda: next(looks), sleep=time.sleep)
    monkeypatch.setattr(server, "time", clock)
    asking = asked("--seconds-to-start", "60", start_timeout=1.0)
    assert "its server is not healthy after 1 s" in asking.broken
    assert started() == 1


def test_a_server_that_prints_a_gigabyte_fills_no_disk_and_its_last_words_are_kept(asked, tmp_path):
    asking = asked("--megabytes", "1000", "--fail", "no such GPU")
    assert "no such GPU" in asking.broken
    (log,) = (tmp_path / "logs").iterdir()
    assert log.stat().st_size <= watchdog.MAX_LOG_BYTES + 2**20
    text = log.read_text()
    assert text.startswith("loading")
    assert "was left out" in text
    assert text.endswith("no such GPU\n")


def test_a_server_that_prints_a_gigabyte_answers_all_the_same(asked):
    asking = asked("--megabytes", "1000")
    assert len(asking.replies) == 10


def test_a_server_that_sends_each_response_three_times_answers_each_question_once(asked):
    asking = asked("--copies", "3")
    texts = {number: replies[0].text for number, replies in asking.replies.items()}
    assert texts == {number: f"echo: Question {number}" for number in range(10)}
