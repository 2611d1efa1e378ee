"""How fast a model answers, read from the times in its journal."""

from datetime import UTC, datetime, timedelta

import pytest

from afterimage.commands.forecast.journaled import answers_per_second
from afterimage.contract.model import ModelEntry
from afterimage.models.interface import Reply
from afterimage.models.journaling.entries import answerer_of
from afterimage.models.journaling.writing import Journalist

ENTRY = ModelEntry("m", "b", "m", settings={"max_tokens": 5})
ANSWERER = answerer_of(ENTRY)
START = datetime(2025, 1, 1, tzinfo=UTC)


@pytest.fixture
def job(tmp_path):
    """Record a job's answers at the given seconds."""

    def record(*seconds, answerer=ANSWERER):
        moments = iter([START, *(START + timedelta(seconds=second) for second in seconds)])
        with Journalist(tmp_path / "m", answerer, clock=lambda: next(moments)) as journalist:
            for number, _ in enumerate(seconds):
                journalist.record(f"{number:064x}", Reply(number, "x"))

    return record


def rate(tmp_path):
    return answers_per_second(tmp_path / "m", ANSWERER)


def test_the_first_answer_does_not_count_since_nobody_knows_when_it_was_asked_for(job, tmp_path):
    job(100, 102, 104, 106)
    assert rate(tmp_path) == pytest.approx(3 / 6)


def test_a_batch_counts_once_its_time_is_known(job, tmp_path):
    # Three batches of four, ten seconds each; the first one's beginning is not known.
    job(*(10 * batch + 0.001 * index for batch in (1, 2, 3) for index in range(4)))
    assert rate(tmp_path) == pytest.approx(8 / 20, rel=0.01)


def test_jobs_are_taken_together_by_their_length(job, tmp_path):
    job(0, 1, 2, 3, 4)
    job(50, 60)
    assert rate(tmp_path) == pytest.approx((4 + 1) / (4 + 10))


def test_other_settings_have_other_speeds(job, tmp_path):
    other = answerer_of(ENTRY.with_settings(max_tokens=500))
    job(*range(0, 100, 10), answerer=other)
    assert rate(tmp_path) is None
    job(0, 1, 2)
    assert rate(tmp_path) == pytest.approx(1)


@pytest.mark.parametrize("seconds", [(), (5,), (5, 5.2, 5.4)])
def test_of_too_little_no_rate_is_formed(job, tmp_path, seconds):
    if seconds:
        job(*seconds)
    assert rate(tmp_path) is None
