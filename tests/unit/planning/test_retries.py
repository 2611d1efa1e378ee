"""How often a job is started again, as the run was given it."""

from afterimage.planning.inherited import hand_on, left_after


def test_a_job_knows_how_often_it_is_started_again(monkeypatch):
    monkeypatch.delenv("AFTERIMAGE_RETRIES", raising=False)
    assert left_after(1) == 0
    monkeypatch.setenv("AFTERIMAGE_RETRIES", "9")
    hand_on(2)
    assert [left_after(attempt) for attempt in (1, 2, 3, 4)] == [2, 1, 0, 0]
