"""The robustness table from items and grades: orders, repeats, and what is compared with what."""

import pandas as pd
import pytest

from afterimage.errors import AfterimageError
from afterimage.files.parquet import write_records
from afterimage.files.records import GRADE, ITEM
from afterimage.stages.probe_tables import make_robustness

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
        "key": "II" if probe == "order1" else "I",
        "answer": answer,
        "outcome": "unparsed" if answer is None else "exact",
        "reason": "cut_off: long" if answer is None else "",
        "reasoning_given": False,
        "offered": ["I", "II"],
        "is_listed": True,
        "correct": correct,
        "score": None,
        "readings": {},
        "decided_by": "parser",
        "factors": {"probe": probe} if probe else {},
    }


@pytest.fixture
def table(tmp_path):
    def make(items, grades):
        write_records(tmp_path / "items.parquet", items, ITEM)
        write_records(tmp_path / "grades.parquet", grades, GRADE)
        outputs = {form: tmp_path / f"r.{form}" for form in ("csv", "markdown", "latex", "html")}
        files = {"grades": [tmp_path / "grades.parquet"], "shards": [tmp_path / "items.parquet"]}
        make_robustness(SPEC, files, outputs, {})
        return pd.read_csv(outputs["csv"])

    return make


@pytest.fixture
def made(table):
    def make(items, grades):
        frame = table(items, grades)
        return frame[frame["model"] == "a_model"].set_index("kind")

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


def test_who_does_not_look_stands_below_the_models(table):
    """Three orders of three options whose ids are no labels, and one question asked twice."""
    texts = ["cat", "dog", "hen"]
    turned = {None: [0, 1, 2], "order1": [1, 2, 0], "order2": [2, 0, 1]}
    items, grades = [], []
    for name, key in (("a", "dog"), ("b", "dog"), ("c", "cat")):
        for probe, order in turned.items():
            options = [(texts[place], texts[place]) for place in order]
            items.append(item(name, options, probe))
            asked = {"key": key, "offered": [option for option, _ in options]}
            grades.append(grade(name, key, True, probe) | asked)
            if name == "a" and probe is None:
                grades.append(grade(name, "hen", False, repeat=1) | asked)
    frame = table(items, grades).set_index(["kind", "model"])
    orders = frame.loc["option_orders"]
    assert list(orders.index) == [
        *("a_model", "uniform guessing", "best constant answer (dog)", "best position (first)")
    ]
    guess, same, place = (orders.iloc[number] for number in (1, 2, 3))
    assert (guess["items"], guess["answers"], guess["complete_items"]) == (3, 9, 3)
    expected = {"unanimous": 100 / 9, "pairs_alike": 100 / 3, "accuracy": 100 / 3}
    assert guess[list(expected)].to_dict() == pytest.approx(expected, abs=1e-3)
    assert guess["place_expected"] == pytest.approx(100 / 3, abs=1e-3)
    assert (same["unanimous_k"], same["right_k"], same["first_place_k"]) == (3, 6, 3)
    assert (place["unanimous_k"], place["right_k"], place["first_place_k"]) == (0, 3, 9)
    repeated = frame.loc["repeats"]
    assert repeated.loc["uniform guessing", "unanimous"] == pytest.approx(100 / 3, abs=1e-3)
    assert repeated.loc["best position (second)", ["right_k", "unanimous_k"]].tolist() == [2, 1]
    for row in (guess, same, place):
        assert row[["unanimous_low", "accuracy_high", "unparsed_k"]].isna().all()


def test_nothing_asked_twice_is_said(tmp_path):
    with pytest.raises(AfterimageError, match="no question of this study is asked more than once"):
        make_robustness(SPEC, {"grades": [], "shards": []}, {"csv": tmp_path / "r.csv"}, {})
