"""What is said when a run ends, and how often its jobs are started again."""

from afterimage.files.attempts import note_attempt
from afterimage.planning.job_environment import hand_on, retries_left
from afterimage.stages.run_messages import missing_answers, missing_files


def test_missing_answers_are_summed_over_shards_with_their_commonest_reason(tmp_path):
    first, second, whole = (str(tmp_path / f"{name}.parquet") for name in "abc")
    answers = {first: ("m", "s"), second: ("m", "s"), whole: ("other", "s")}
    for path in answers:
        (tmp_path / path).touch()
    assert missing_answers(answers) == ""
    note_attempt(first, 8, ["HTTP 401"] * 2)
    note_attempt(second, 8, ["HTTP 500"])
    said = missing_answers(answers)
    assert said.startswith("not finished: m on s: 3 without answer (HTTP 401). ")
    assert "other on s" not in said
    note_attempt(first, 8, [])
    note_attempt(second, 8, [])
    assert missing_answers(answers) == ""


def test_files_that_were_never_written_are_named_once_for_each_model_and_suite(tmp_path):
    answers = {str(tmp_path / f"{n}.parquet"): (f"m{n // 2}", "s") for n in range(40)}
    said = missing_files(answers)
    assert said.startswith("No file of answers yet of: m0 on s; m1 on s; ")
    assert "m11 on s; and 8 more. " in said
    for path in answers:
        (tmp_path / path).touch()
    assert missing_files(answers) == ""


def test_a_job_knows_how_often_it_is_started_again(monkeypatch):
    monkeypatch.delenv("AFTERIMAGE_RETRIES", raising=False)
    assert retries_left(1) == 0
    monkeypatch.setenv("AFTERIMAGE_RETRIES", "9")
    hand_on(2)
    assert [retries_left(attempt) for attempt in (1, 2, 3, 4)] == [2, 1, 0, 0]
