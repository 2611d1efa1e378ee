"""The robustness table from items and grades: orders, repeats, and what is compared with what."""

import pandas as pd
import pytest

from afterimage.errors import AfterimageError
from afterimage.files.grade import GRADE
from afterimage.files.item import ITEM
from afterimage.files.parquet import write_records
from afterimage.jobs.robustness import make_robustness

SPEC = {"confidence": 0.95, "resamples": 200, "seed": 1}


def item(name, options, probe=None):
    return {
        "item_id": f"{name}~{probe}" if probe else name,
        "suite": "demo",
        "stimulus_id": name,
        "figure": "f",
        "prompt": "p",
        "question": "q",
        "messages": [],
        "images": [],
        "answer_type": "roman",
        "options": [{"option_id": label, "text": text} for label, text in options],
        "key": options[0][0] if options else "x",
        "factors": {"probe": probe} if probe else {},
    }


def grade(name, answer, correct, probe=None, repeat=0):
    return {
        "item_id": f"{name}~{probe}" if probe else name,
        "suite": "demo",
        "model": "a_model",
        "repeat": repeat,
        "stimulus_id": name,
        "figure": "f",
        "prompt": "p",
        "question": "q",
        "key": "I",
        "answer": answer,
        "outcome": "unparsed" if answer is None else "exact",
        "reason": "cut_off: long" if answer is None else "",
        "reasoning_given": False,
        "offered": [],
        "is_listed": False,
        "correct": correct,
        "score": None,
        "readings": {},
        "decided_by": "parser",
        "factors": {"probe": probe} if probe else {},
    }


@pytest.fixture
def made(tmp_path):
    def make(items, grades):
        write_records(tmp_path / "items.parquet", items, ITEM)
        write_records(tmp_path / "grades.parquet", grades, GRADE)
        outputs = {form: tmp_path / f"r.{form}" for form in ("csv", "markdown", "latex", "html")}
        files = {"grades": [tmp_path / "grades.parquet"], "shards": [tmp_path / "items.parquet"]}
        make_robustness(SPEC, files, outputs, {})
        return pd.read_csv(outputs["csv"]).set_index("kind")

    return make


TWO_ORDERS = [
    item("a", [("I", "cat"), ("II", "dog")]),
    item("a", [("I", "dog"), ("II", "cat")], "order1"),
]


def test_an_option_is_the_same_wherever_it_stands(made):
    row = made(TWO_ORDERS, [grade("a", "I", True), grade("a", "II", True, "order1")]).loc[
        "option_orders"
    ]
    assert (row["items"], row["unanimous_k"], row["right_k"]) == (1, 1, 2)
    assert (row["first_place_k"], row["last_place_k"], row["place_expected"]) == (1, 1, 50)


def test_the_same_place_is_not_the_same_answer(made):
    row = made(TWO_ORDERS, [grade("a", "I", True), grade("a", "I", False, "order1")]).loc[
        "option_orders"
    ]
    assert (row["unanimous_k"], row["pairs_alike"], row["first_place_k"]) == (0, 0, 2)
    assert (row["accuracy_least"], row["accuracy_greatest"]) == (0, 100)


def test_repeats_are_compared_with_each_other_and_not_with_other_orders(made):
    table = made(
        TWO_ORDERS,
        [
            grade("a", "I", True),
            grade("a", "II", False, repeat=1),
            grade("a", "I", True, repeat=2),
            grade("a", "II", True, "order1"),
            grade("a", "I", False, "order1", repeat=1),
        ],
    )
    assert list(table.index) == ["option_orders", "repeats"]
    assert (table.loc["repeats", "answers"], table.loc["repeats", "right_k"]) == (3, 2)
    assert table.loc["repeats", "pairs_alike"] == pytest.approx(100 / 3, abs=1e-3)
    assert table.loc["repeats", "place_n"] == 0
    assert table.loc["option_orders", "answers"] == 2


def test_items_in_one_order_only_are_left_out(made):
    items = [*TWO_ORDERS, item("b", [])]
    grades = [grade("a", "I", True), grade("a", None, False, "order1"), grade("b", "x", True)]
    row = made(items, grades).loc["option_orders"]
    assert (row["items"], row["answers"], row["unparsed_k"], row["place_n"]) == (1, 2, 1, 1)
    assert (row["cut_off_k"], row["refused_k"]) == (1, 0)


def test_other_probes_are_no_orders(made):
    items = [item("a", [("I", "cat"), ("II", "dog")]), item("a", [("I", "cat")], "blank")]
    assert made(items, [grade("a", "I", True), grade("a", "I", True, "blank")]).empty


def test_nothing_asked_twice_is_said(tmp_path):
    with pytest.raises(AfterimageError, match="no question of this study is asked more than once"):
        make_robustness(SPEC, {"grades": [], "shards": []}, {"csv": tmp_path / "r.csv"}, {})
