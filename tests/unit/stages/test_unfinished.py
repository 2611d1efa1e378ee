"""What is made of a model that has not answered everything: no number anywhere, and the sentence everywhere."""

import json

import pandas as pd
import pyarrow as pa
import pytest
from matplotlib.figure import Figure

from afterimage.errors import AfterimageError
from afterimage.files.attempts import Unfinished, most_common
from afterimage.files.parquet import write_records
from afterimage.files.records import GRADE, RESPONSE
from afterimage.grading.grade import grade_responses
from afterimage.grading.judge.judgements import judged_grades
from afterimage.ledger.cells import Files
from afterimage.showing.answers import unfinished_grades, unfinished_responses, without
from afterimage.showing.tables.columns import Number, Text
from afterimage.showing.tables.declaration import Table
from afterimage.showing.tables.table_files import write_table
from afterimage.stages import charts
from afterimage.stages.forms import list_form_tasks

CLOSED = "failed: HTTP status 401: account closed"
MISSING = Unfinished("s", "two", 3, 2, "HTTP status 401: account closed")


def item(number):
    return {
        "item_id": f"item_{number}",
        "suite": "s",
        "stimulus_id": "fick_A_fake",
        "figure": "fick",
        "prompt": "zero_shot",
        "question": "actual",
        "messages": [],
        "answer_type": "choice",
        "options": [{"option_id": "red", "text": "Red."}, {"option_id": "blue", "text": "Blue."}],
        "key": "red",
        "factors": {},
    }


def response(number, model="two", text="Red."):
    empty = dict.fromkeys(RESPONSE.names)
    own = {"item_id": f"item_{number}", "suite": "s", "model": model, "repeat": 0, "settings": "{}"}
    reply = {"text": text, "answer_text": text, "finish_reason": CLOSED if text is None else "stop"}
    return {
        **empty,
        **own,
        **reply,
        "backend": "b",
        "model_id": "m",
        "request_sha256": "",
    }


RESPONSES = [response(0), response(1, text=None), response(2, text=None)]
ITEMS = [item(number) for number in range(3)]


@pytest.fixture
def grades(tmp_path):
    """A file of grades of a model that has answered one of three items."""
    write_records(tmp_path / "two.parquet", grade_responses(RESPONSES, ITEMS), GRADE)
    return tmp_path / "two.parquet"


def test_a_request_without_answer_is_graded_neither_right_nor_wrong():
    graded = list(grade_responses(RESPONSES, ITEMS))
    assert [row["correct"] for row in graded] == [True, None, None]
    assert [row["outcome"] for row in graded] == ["exact", "failed", "failed"]
    assert graded[1]["reason"] == CLOSED


def test_an_answer_that_a_judge_has_not_judged_is_not_graded():
    graded = list(
        judged_grades(
            grade_responses([response(0)], ITEMS[:1]),
            [response(0)],
            {"item_0": ITEMS[0]},
            lambda item, response: None,
            {},
            {},
            {("item_0", 0): "failed: server error 500"},
        )
    )
    assert [(row["correct"], row["outcome"], row["reason"]) for row in graded] == [
        (None, "failed", "failed: judge: server error 500")
    ]


def test_what_is_missing_is_counted_with_its_commonest_reason(grades, tmp_path):
    write_records(tmp_path / "r.parquet", RESPONSES, RESPONSE)
    assert (
        unfinished_grades([grades]) == unfinished_responses([tmp_path / "r.parquet"]) == [MISSING]
    )
    assert MISSING.sentence == "not finished: 1 of 3 answered, HTTP status 401: account closed"
    assert most_common(["a", "b\nb", "b\nb"]) == "b b"
    assert most_common(["a", "a", "not asked: b", "not asked: b", "b"]) == "b"
    assert len(most_common(["x" * 1000])) < 200


def test_whoever_is_finished_keeps_truth_values():
    frame = pd.DataFrame(
        {"suite": "s", "model": ["one", "two"], "correct": pd.Series([True, None], dtype=object)}
    )
    kept = without(frame, [MISSING])
    assert (list(kept["model"]), kept["correct"].dtype) == (["one"], bool)
    assert without(frame, []) is frame


TABLE = Table("t", "Shares", rows=(), columns=(Text("Model", "model"), Number("Share", "share")))


def written(folder, frame=None, unfinished=(MISSING,)):
    made = pd.DataFrame({"model": ["one"], "n": [4], "share": [25.0]}) if frame is None else frame
    paths = {form: folder / f"t.{form}" for form in ("csv", "markdown", "latex", "html", "json")}
    write_table(TABLE, made, paths, {}, None, unfinished)
    return {form: path.read_text() for form, path in paths.items()}


def test_its_row_says_so_in_every_form_and_whole_numbers_stay_whole(tmp_path):
    made = written(tmp_path)
    assert made["csv"] == (
        'model,n,share,not_finished\none,4,25.0000,\ntwo,,,"not finished: 1 of 3 answered, HTTP status 401: account '
        'closed"\n'
    )
    for form in ("markdown", "html", "latex"):
        assert "THIS TABLE IS NOT COMPLETE: TWO" in made[form]
        assert "not finished: 1 of 3 answered" in made[form]
    row = json.loads(made["json"])["rows"][-1]["cells"]
    assert row[0]["text"] == "two"
    assert row[1]["text"] == "not finished: 1 of 3 answered, HTTP status 401: account closed"
    assert row[1]["sort"] is None
    # The report tells it of the values, in the study's language.
    assert [Unfinished(**one) for one in json.loads(made["json"])["unfinished"]] == [MISSING]


def test_where_all_are_finished_a_table_has_no_such_column(tmp_path):
    made = written(tmp_path, unfinished=())
    assert made["csv"] == "model,n,share\none,4,25.0000\n"
    assert "NOT COMPLETE" not in made["html"]
    assert "unfinished" not in json.loads(made["json"])


def test_the_ledger_takes_no_number_and_has_the_reason(tmp_path):
    written(tmp_path)
    path = str(tmp_path / "t.csv")
    files = Files([path])
    assert files.unfinished(path, "two") == MISSING.sentence
    assert files.unfinished(path, "one") == ""


def test_a_chart_leaves_it_out_and_says_so(tmp_path, monkeypatch):
    written(tmp_path)
    seen, saved = [], []

    def draw(frames):
        seen.append(frames["t"])
        return Figure()

    monkeypatch.setattr(charts, "resolve", lambda part: draw)
    monkeypatch.setattr(
        "afterimage.showing.charts.finished_figure.save_figure",
        lambda figure, outputs: saved.append(figure),
    )
    charts.draw_chart({"part": "p"}, {"tables": [str(tmp_path / "t.csv")]}, {}, {})
    assert seen[0].to_dict("list") == {"model": ["one"], "n": [4], "share": [25.0]}
    assert seen[0]["n"].dtype == int
    assert [text.get_text() for text in saved[0].texts] == ["not finished and not shown: two"]
    written(tmp_path, pd.DataFrame({"model": [], "n": [], "share": []}))
    charts.draw_chart({"part": "p"}, {"tables": [str(tmp_path / "t.csv")]}, {}, {})
    assert (len(seen), len(saved)) == (1, 2)


def test_people_are_shown_nothing_that_is_made_of_half_the_answers(tmp_path):
    write_records(tmp_path / "r.parquet", RESPONSES, RESPONSE)
    with pytest.raises(AfterimageError, match=r"'two' on s is not finished: 1 of 3 .* it waits"):
        list_form_tasks({"part": "json"}, {"responses": [tmp_path / "r.parquet"]}, {}, {})


def test_a_file_of_grades_has_an_empty_cell_and_no_verdict(grades):
    assert GRADE.field("correct").type == pa.bool_()
    with grades.open("rb") as file:
        assert pd.read_parquet(file)["correct"].isna().sum() == 2
