"""What is read first is what the tables say: scores, intervals, whose they are, and what is missing."""

import pytest

from afterimage.contract.finding import load_suite, suite_names
from afterimage.contract.front import Front, Score
from afterimage.report.chart import strip_chart
from afterimage.report.front import front_rows, with_marks
from afterimage.report.overview import (
    BASELINE,
    answered_on,
    first_screen,
    has_cost,
    missing,
    sentence,
)

TABLE = """kind,model,task,accuracy,low,high
measured,gpt,lines,48.25,40.1,56.9
measured,gpt,mean,60,50,70
measured,gpt,mean,1,0,2
measured,chance,mean,25,20,30
measured,stranger,mean,99,98,100
recorded,GPT-4o (recorded),mean,71.3,62,80
human,Human,mean,,,
reference,uniform guessing,mean,20,,
reference,best constant answer,mean,33.3,,
"""
KINDS = {"gpt": "model", "chance": "responder", "broken": "model"}


def spec(*labels: str, top: float = 100) -> dict:
    scores = [
        {"label": label, "table": "t", "value": "accuracy", "low": "low", "high": "high", "where": {"task": label}}
        for label in labels
    ]  # fmt: skip
    return {"scores": scores, "main": labels[-1], "measure": "accuracy", "top": top}


@pytest.fixture
def tables(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(TABLE, encoding="utf-8")
    return {"t": path}


def test_rows_are_the_tables_in_the_studys_order_and_by_whose_they_are(tables):
    shown = front_rows(spec("lines", "squares", "mean"), tables, KINDS)
    assert [column["label"] for column in shown["columns"]] == ["lines", "mean"]
    assert [(row["name"], row["kind"]) for row in shown["rows"]] == [
        ("gpt", "model"),
        ("chance", "responder"),
        ("GPT-4o (recorded)", "recorded"),
        ("uniform guessing", "baseline"),
        ("best constant answer", "baseline"),
    ]
    first, mean = shown["rows"][0]["cells"]
    assert (first["text"], first["interval"]) == ("48.2", "40.1 to 56.9")
    # Of several rows that fit, such as those of several prompts, the first.
    assert (mean["value"], mean["low"], mean["high"]) == (60, 50, 70)
    assert shown["rows"][1]["cells"][0] is None


def test_a_score_out_of_one_is_shown_in_percent(tables):
    shown = front_rows(spec("mean", top=200), tables, KINDS)
    assert shown["rows"][0]["cells"][0]["text"] == "30.0"


def test_the_best_baseline_is_marked_in_every_cell_of_its_column(tables):
    shown = with_marks(front_rows(spec("lines", "mean"), tables, KINDS))
    assert [one["mark"] for one in shown["rows"][0]["cells"]] == [None, 33.3]


def test_the_matrix_has_a_row_for_everybody_and_one_for_who_does_not_look(tables):
    suites = [{"suite": name, "title": name, "href": f"{name}.html"} for name in ("one", "two")]
    front = front_rows(spec("mean"), tables, KINDS)
    first = first_screen(suites, {"one": front, "two": front_rows(spec("none"), tables, KINDS)})
    rows = [(row["name"], row["cells"]) for group in first["groups"] for row in group["rows"]]
    assert [name for name, _ in rows] == ["gpt", "chance", "GPT-4o (recorded)", BASELINE]
    assert all(cells[1] is None for _, cells in rows)
    assert rows[-1][1][0]["value"] == 33.3


def test_the_chart_draws_what_the_matrix_has_and_no_more(tables):
    front = with_marks(front_rows(spec("mean"), tables, KINDS))
    rows = [{**row, "look": {}} for row in front["rows"] if row["kind"] != "baseline"]
    chart = strip_chart([{"title": "one", "label": "mean"}], rows)
    (band,) = chart["bands"]
    assert len(band["marks"]) == 3
    ordered = [mark["low"] < mark["x"] < mark["high"] for mark in band["marks"]]
    assert all(ordered)
    assert band["marks"][1]["x"] < band["mark"] < band["marks"][0]["x"]
    assert 0 < band["bottom"] <= chart["height"]


def test_what_is_missing_says_why(tables):
    fronts = {
        "one": front_rows(spec("mean"), tables, KINDS),
        "two": front_rows(spec("none"), tables, KINDS),
    }
    titles = {"one": "One", "two": "The second"}
    said = missing(fronts, KINDS, {"one": ["broken"], "two": []}, titles)
    assert said == [
        {"what": "broken on One", "why": "the suite has told it nothing about its images"},
        {"what": "Human on One", "why": "people have not answered yet"},
        {"what": "The second", "why": "no table of the suite has a score in percent"},
    ]
    said = missing({"one": fronts["one"]}, KINDS, {"one": []}, titles)
    assert said[0] == {"what": "broken on One", "why": "none of its answers has a score yet"}


def test_a_study_is_said_in_one_sentence():
    suites = [{"title": name, "items": 1000, "answers": 3000} for name in ("pope", "texture")]
    assert sentence(KINDS, suites) == (
        "2 models and 1 reference responder on 2 suites (pope and texture): 2,000 questions, 6,000 answers."
    )
    assert sentence({"a": "recorded"}, suites[:1]).startswith(
        "1 model recorded elsewhere on 1 suite (pope): "
    )


def test_days_are_said_once_where_they_are_one():
    assert answered_on(["2026-11-22", "2026-11-22"]) == "Answers of 22 November 2026."
    assert (
        answered_on(["2026-11-22", "2026-11-02"])
        == "Answers of 2 November 2026 to 22 November 2026."
    )
    assert answered_on([]) == ""


@pytest.mark.parametrize(
    ("cost", "tokens", "expected"), [("0.0", "9", False), ("0.1", "9", True), ("", "9", True), ("", "0", False)]
)  # fmt: skip
def test_cost_is_shown_only_where_there_is_one(cost, tokens, expected):
    assert has_cost([{"cost": cost, "prompt_tokens": tokens}]) is expected


def test_every_suite_with_a_front_names_its_main_score():
    for name in suite_names():
        front = load_suite(name).front
        if isinstance(front, Front):
            assert isinstance(front.main_score, Score)
            labels = [score.label for score in front.scores]
            assert len(set(labels)) == len(labels)
