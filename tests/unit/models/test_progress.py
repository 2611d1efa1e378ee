"""Progress: the numbers, and where they are shown."""

import io
import json
import logging
import time

import pytest

from afterimage.models.interface import Reply
from afterimage.models.progress import Progress, note, shown


class Clock:
    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def test_rate_and_remaining_time_count_neither_the_journal_nor_the_failed(clock):
    progress = Progress(clock)
    progress.expect(100, from_journal=40)
    progress.start()
    clock.now += 20
    progress.answered, progress.failed = 10, 10
    assert progress.per_second == 0.5
    assert progress.seconds_left == 80
    assert str(progress) == (
        "50 of 100 answers there, 40 of them from the journal, 10 failed, 30 per minute, 1 min left"
    )


def test_before_the_first_answer_there_is_no_rate(clock):
    progress = Progress(clock)
    progress.expect(3, from_journal=0)
    assert progress.seconds_left is None
    progress.start()
    clock.now += 60
    assert progress.per_second is None
    assert str(progress) == "0 of 3 answers there, 0 of them from the journal, 0 failed"


def test_a_clock_that_stands_still_is_no_division_by_zero(clock):
    progress = Progress(clock)
    progress.start()
    progress.answered = 1
    assert progress.per_second is None


def test_later_rounds_add_to_what_is_expected_and_time_goes_on(clock):
    progress = Progress(clock)
    progress.expect(10, from_journal=0)
    progress.start()
    clock.now += 10
    progress.answered = 10
    assert progress.seconds_left == 0
    progress.expect(20, from_journal=5)
    progress.start()
    assert progress.per_second == 1
    assert progress.seconds_left == 15


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(20, "20 s"), (80, "1 min"), (3600, "60 min"), (7260, "2 h 1 min"), (360000, "100 h 0 min")],
)
def test_remaining_time_is_given_in_a_unit_of_its_size(clock, seconds, words):
    progress = Progress(clock)
    progress.expect(1 + seconds, from_journal=0)
    progress.start()
    clock.now += 1
    progress.answered = 1
    assert str(progress).endswith(f", 1 per second, {words} left")


def test_a_log_gets_lines_while_nothing_is_answered(caplog):
    progress = Progress()
    progress.expect(3, from_journal=1)
    with caplog.at_level(logging.INFO), shown(progress, "m", io.StringIO(), seconds=0.02):
        deadline = time.monotonic() + 60
        while len(caplog.messages) < 3 and time.monotonic() < deadline:
            time.sleep(0.01)
    assert set(caplog.messages) == {"m: 1 of 3 answers there, 1 of them from the journal, 0 failed"}
    assert len(caplog.messages) >= 3


def test_no_line_comes_after_the_end(caplog):
    with caplog.at_level(logging.INFO), shown(Progress(), "m", io.StringIO(), seconds=0.02):
        pass
    # On a busy machine one may come before.
    before = len(caplog.messages)
    time.sleep(0.06)
    assert len(caplog.messages) == before


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_on_a_terminal_there_is_a_bar_and_elsewhere_nothing_is_drawn(monkeypatch):
    monkeypatch.setattr("afterimage.models.progress._SECONDS_BEFORE_BAR", 0)
    drawn = {}
    for stream in (Terminal(), io.StringIO()):
        progress = Progress()
        progress.expect(4, from_journal=1)
        with shown(progress, "m", stream) as refresh:
            progress.start()
            progress.answered, progress.failed = 1, 1
            refresh()
            time.sleep(0.15)
            progress.answered = 2
            refresh()
        drawn[stream.isatty()] = stream.getvalue()
    assert "75% |" in drawn[True]
    assert "m: 3 of 4 answers there, 1 of them from the journal, 1 failed" in drawn[True]
    assert drawn[False] == ""


def test_whoever_shows_the_run_finds_how_far_a_job_is(tmp_path, monkeypatch):
    state = tmp_path / "job.json"
    monkeypatch.setenv("AFTERIMAGE_STATE", str(state))
    progress = Progress()
    progress.expect(10, from_journal=2)
    progress.count_tokens(Reply(0, "Left.", prompt_tokens=100, cached_tokens=60))
    with shown(progress, "mine", seconds=0.01):
        progress.answered += 3
        while not state.exists():
            time.sleep(0.01)
    found = json.loads(state.read_text())
    assert (found["expected"], found["from_journal"], found["answered"]) == (10, 2, 3)
    assert (found["prompt_tokens"], found["completion_tokens"]) == (100, 0)
    assert (found["cached_tokens"], found["cache_written_tokens"]) == (60, 0)
    assert not list(tmp_path.glob("*.part"))


def test_a_display_that_cannot_be_written_to_fails_no_job(tmp_path, monkeypatch):
    monkeypatch.setenv("AFTERIMAGE_STATE", str(tmp_path / "no folder" / "job.json"))
    note(Progress())
