"""The same said twice: identical answers count once and that is said, different ones are a fault that names both.

Public report: EleutherAI/lm-evaluation-harness issue 1687, every sample in the log twice.
"""

import csv
import json
import logging

import pytest
from form_samples import answered, as_csv, choice_task, listed

from afterimage.errors import AfterimageError
from afterimage.models.recorded.matching import matched
from afterimage.models.recorded.reading import read_answers
from afterimage.people.forms.joining import join
from afterimage.people.forms.returned_files import read_returned
from afterimage.planning.schemas import completed, read_schema
from afterimage.showing.study.judges_and_people import HUMAN_COLUMNS, read_human_scores
from afterimage.suites.shahgir_illusionvqa.rescore import read_recorded as read_illusionvqa

ITEMS = {"0": "Question 0?", "1": "Question 1?"}


@pytest.fixture
def match(root, tmp_path):
    """Match files of answers to two items."""
    schema = read_schema(root / "workflow/schemas/backends/recorded.schema.yaml")

    def match(*files, **settings):
        whole = completed({"file": "x", **settings}, schema, "settings")
        answers = [one for path in files for one in read_answers(path, whole)]
        return [row["text"] for row in matched(answers, ITEMS, whole, "files")]

    return match


def lmms_eval(path, *said):
    path.write_text(
        "".join(
            json.dumps({"doc_id": number, "input": f"Question {number}?", "resps": [[text]]}) + "\n"
            for number, text in said
        )
    )
    return path


def table(path, *rows):
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([("item_id", "text", "why"), *rows])
    return path


def test_a_line_that_stands_twice_counts_once_and_is_told(match, tmp_path, caplog):
    path = lmms_eval(tmp_path / "s.jsonl", (0, "Yes"), (1, "No"), (1, "No"))
    with caplog.at_level(logging.WARNING):
        assert match(path, format="lmms_eval") == ["Yes", "No"]
    assert "1 answer given again, the same, counted once; the first for '1'" in caplog.text
    assert "s.jsonl, line 3" in caplog.text


def test_shards_of_a_run_that_was_resumed_may_overlap(match, tmp_path, caplog):
    first = lmms_eval(tmp_path / "0.jsonl", (0, "Yes"), (1, "No"))
    second = lmms_eval(tmp_path / "1.jsonl", (1, "No"))
    with caplog.at_level(logging.WARNING):
        assert match(first, second, format="lmms_eval") == ["Yes", "No"]
    assert "1.jsonl, line 1" in caplog.text


def test_an_id_that_a_frame_wrote_with_point_zero_is_the_same_id(match, tmp_path):
    path = table(tmp_path / "a.csv", ("0", "Yes", ""), ("1", "No", ""), ("1.0", "No", ""))
    assert match(path) == ["Yes", "No"]


@pytest.mark.parametrize("other", ["Yes", "no", "No.", ""])
def test_different_answers_are_a_fault_that_names_both(match, tmp_path, other):
    path = lmms_eval(tmp_path / "s.jsonl", (0, "Yes"), (1, "No"), (1, other))
    with pytest.raises(AfterimageError) as told:
        match(path, format="lmms_eval", missing="empty", unknown="ignore")
    assert "1 answer given twice and differently, the first for '1'" in str(told.value)
    assert "s.jsonl, line 2 and" in str(told.value) and "s.jsonl, line 3)" in str(told.value)


def test_an_answer_that_was_cut_off_once_is_another_answer(match, tmp_path):
    rows = ("0", "Yes", ""), ("1", "No", "stop"), ("1", "No", "length")
    with pytest.raises(AfterimageError, match="given twice and differently"):
        match(table(tmp_path / "a.csv", *rows), columns={"finish_reason": "why"})


def test_a_request_that_failed_before_it_was_answered_says_nothing_twice(match, tmp_path):
    path = tmp_path / "a.jsonl"
    lines = [("0", "Yes"), ("1", None), ("1", "No")]
    path.write_text("".join(json.dumps({"item_id": i, "text": t}) + "\n" for i, t in lines))
    assert match(path) == ["Yes", "No"]


@pytest.fixture
def rows():
    return listed([choice_task("a")])


def joined(tmp_path, tasks, *files):
    read = []
    for number, given in enumerate(files):
        path = tmp_path / f"{number}.csv"
        path.write_text(as_csv(given), newline="")
        read += read_returned(path)
    return join(tasks, read)


def test_a_person_s_file_that_came_twice_counts_once_and_is_reported(tmp_path, rows):
    given = answered(rows, lambda row, field: "1")
    found = joined(tmp_path, rows, given, given)
    (reported,) = found.report
    assert len(found.given) == 1
    assert reported["kind"] == "duplicate_answer" and "the same" in reported["detail"]


def test_two_contrary_answers_of_one_person_in_two_sheets_are_both_named(tmp_path, rows):
    sheets = [answered(rows, lambda row, field, code=code: code, answered_at="") for code in "12"]
    found = joined(tmp_path, rows, *sheets)
    assert not found.given
    assert {row["kind"] for row in found.report} == {"contradictory_answer"}
    assert len(found.report) == 2 and "1.csv, line 2" in found.report[0]["detail"]


def test_a_score_that_came_twice_counts_once_and_another_one_is_a_fault(tmp_path, caplog):
    path = tmp_path / "scores.csv"
    rows = "i,A,q,ada,2\n" * 2
    path.write_text(f"{','.join(HUMAN_COLUMNS)}\n{rows}")
    with caplog.at_level(logging.WARNING):
        assert len(read_human_scores(path, {"A": "m"})) == 1
    assert "1 scores given again, the same, counted once" in caplog.text
    path.write_text(f"{','.join(HUMAN_COLUMNS)}\n{rows}i,A,q,ada,1\n")
    with pytest.raises(AfterimageError, match=r"'ada' scored .* twice and differently"):
        read_human_scores(path, {"A": "m"})


def test_illusionvqa_s_recorded_answers_that_differ_are_named(tmp_path):
    item = {
        "subset": "s",
        "id": 1,
        "image": "a",
        "category": "c",
        "options": ["x"],
        "gold_index": 0,
    }
    answer = {"subset": "s", "model": "m", "condition": "c", "id": 1}
    lines = [item, *({**answer, "response": said} for said in ("a", "a", "b"))]
    (tmp_path / "r.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (note,) = read_illusionvqa(tmp_path).notes
    assert "2 answers stand twice, 1 of them differently, the first in" in note
    assert "r.jsonl, line 4; the later one counts" in note
