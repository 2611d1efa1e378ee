"""Where a study says that another model than was asked gave answers: notes of tables, last lines, the report."""

import pandas as pd
import pytest
from judged_rows import item, response

from afterimage.contract.model import ANSWERED_BY
from afterimage.files.attempts import Attempt, last_attempt, note_attempt, others_noted
from afterimage.files.parquet import write_records
from afterimage.files.records import RESPONSE
from afterimage.grading.grade import grade
from afterimage.report.provenance import answer_rows, answered_by_rows
from afterimage.showing.tables.judgement_columns import other_models_note
from afterimage.stages.run_messages import missing_answers, other_models

ASKED = {"backend": "openai_compatible", "model_id": "gpt-4o"}


def rows():
    names = [
        None,
        "gpt-4o-2024-11-20",
        "gpt-4o-mini",
        "gpt-4o-mini",
        "openai/gpt-4o",
        "gpt-4-turbo",
    ]
    return [response(number, "Yes", revision=name, **ASKED) for number, name in enumerate(names)]


def test_a_grade_says_which_other_model_answered_and_a_table_how_many():
    grades = [grade(row, item(number)) for number, row in enumerate(rows())]
    assert [row["readings"].get(ANSWERED_BY) for row in grades] == [
        *(None, None, "gpt-4o-mini", "gpt-4o-mini", None, "gpt-4-turbo"),
    ]
    note = other_models_note(pd.DataFrame(grades))
    assert note == (
        "Answers that another model gave, as the server says: 2 of m by gpt-4o-mini; 1 of m by gpt-4-turbo."
    )
    assert other_models_note(pd.DataFrame(grades[:2])) is None
    # Others' outcomes have no readings.
    assert other_models_note(pd.DataFrame([{"model": "m", "readings": float("nan")}])) is None


def test_no_answer_yet_is_no_other_models():
    row = response(0, None, revision="gpt-4o-mini", finish_reason="failed: x", **ASKED)
    assert ANSWERED_BY not in grade(row, item(0))["readings"]


def test_the_report_says_so_beside_the_model(tmp_path):
    path = tmp_path / "r.parquet"
    write_records(path, rows(), RESPONSE)
    ((model, said),) = answered_by_rows(answer_rows({"m": path}))
    assert model == "m"
    assert said.endswith("2 of m by gpt-4o-mini; 1 of m by gpt-4-turbo.")


def test_the_last_lines_say_so_whether_or_not_answers_are_missing(tmp_path):
    one, two = tmp_path / "1.parquet", tmp_path / "2.parquet"
    for path in (one, two):
        path.touch()
    note_attempt(one, 4, [], {"gpt-4o-mini": 2})
    note_attempt(two, 4, ["server error 500"], {"gpt-4o-mini": 1})
    answers = {str(one): ("m", "s"), str(two): ("m", "s")}
    said = "Answers that another model gave, as the server says: 3 of m by gpt-4o-mini."
    assert other_models(answers) == said
    assert "1 without answer" in missing_answers(answers)
    # Nothing has failed in the first, so that nothing is made again.
    assert last_attempt(one) == Attempt(0, 4, 0, "")
    note_attempt(one, 4, [])
    assert others_noted(one) == {}
    assert other_models({str(one): ("m", "s")}) == ""


@pytest.mark.parametrize("noted", ["", "[]", "{}", '{"others": 3}', '{"others": {"a": "b"}}'])
def test_a_note_that_cannot_be_read_says_nothing(noted, tmp_path):
    (tmp_path / "r.attempt.json").write_text(noted)
    assert others_noted(tmp_path / "r.parquet") == {}
