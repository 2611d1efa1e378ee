"""Responders that know nothing about a user's images have no rows, instead of 0 of n."""

import pandas as pd
import pytest
from picture_folders import make_set

from afterimage.files.parquet import write_records
from afterimage.files.records import GRADE
from afterimage.planning.plan import Plan
from afterimage.stages.all_stages import spec_of
from afterimage.stages.tables import make_table

MODELS = ["chance", "textbook_cued", "pixels"]


@pytest.fixture
def plan(root, tmp_path, monkeypatch):
    monkeypatch.chdir(root)
    make_set(tmp_path, "a.png,Which?,x|y,y")
    suites = {"images": {"sets": {"mine": str(tmp_path)}}, "illusion_vqa": {"illusions": ["fick"]}}
    return Plan({"models": MODELS, "suites": suites}, root)


def grade(model, number):
    correct = model == "chance" and number % 2 == 0
    return {
        "item_id": f"i{number}",
        "suite": "images",
        "model": model,
        "repeat": 0,
        "stimulus_id": f"s{number}",
        "figure": "mine",
        "prompt": "direct",
        "question": "0",
        "key": "1",
        "offered": ["0", "1"],
        "is_listed": True,
        "answer": "1" if correct else None,
        "outcome": "exact" if correct else "unparsed",
        "reason": "" if correct else "refused: it cannot tell",
        "reasoning_given": False,
        "correct": correct,
        "score": None,
        "readings": {},
        "decided_by": "parser",
        "factors": {"set": "mine", "answer_type": "choice", "guessing": "0.5"},
    }


def test_planning_knows_who_cannot_answer_a_suite(plan):
    assert spec_of(plan, "make_table", table="images")["unable"] == ["textbook_cued", "pixels"]
    assert "unable" not in spec_of(plan, "make_table", table="genuine_vqa")


def test_they_have_no_rows_and_the_table_says_so(plan, tmp_path):
    paths = [tmp_path / f"{model}.parquet" for model in MODELS]
    for path, model in zip(paths, MODELS, strict=True):
        write_records(path, [grade(model, number) for number in range(4)], GRADE)
    outputs = {form: tmp_path / f"t.{form}" for form in ("csv", "markdown", "latex", "html")}
    spec = spec_of(plan, "make_table", table="images")
    make_table(spec, {"grades": paths, "decisions": []}, outputs, {})
    rows = pd.read_csv(outputs["csv"])
    assert rows["model"].tolist() == ["chance", "uniform guessing", "best position"]
    assert rows["accuracy"].tolist() == [50, 50, 100]
    assert rows.loc[0, ["unparsed_k", "cut_off_k", "refused_k"]].tolist() == [2, 0, 2]
    written = outputs["markdown"].read_text()
    assert "Omitted: textbook_cued, pixels;" in written
    assert "2 (0 cut off, 2 refused)" in written
    assert "Suite images, version 1." in written
