"""The suite's own scores, on answers that are right, wrong, left open and unread."""

import pandas as pd
import pytest
from table_forms import model_rows

from afterimage.showing.tables.compute import frame_of
from afterimage.showing.tables.layout import lay_out
from afterimage.statistics.intervals import wilson_interval
from afterimage.suites.hallusionbench.tables import HALLUSIONBENCH, PAIRS

SETTINGS = {"confidence": 0.95}


def graded(category, figure, number, key, answer, visual="1", shown="yes"):
    return {
        "model": "m",
        "prompt": "plain",
        "item_id": f"{category}/{figure}/{number}",
        "repeat": 0,
        "category": category,
        "subcategory": "chart",
        "set_id": "0",
        "figure_id": figure,
        "question_id": number,
        "visual_input": visual,
        "image_shown": shown,
        "key": key,
        "answer": answer,
        "outcome": "unparsed" if answer is None else "exact",
        "reason": "off_topic: says neither" if answer is None else "",
        "correct": answer == key,
    }


@pytest.fixture
def scores():
    grades = pd.DataFrame(
        [
            graded("VS", "0", "0", "Yes", "Uncertain", visual="0", shown="no"),
            graded("VS", "1", "0", "Yes", "Yes"),
            graded("VS", "2", "0", "No", "Yes", visual="2"),
            graded("VD", "0", "0", "Yes", "Yes"),
            graded("VD", "0", "1", "No", "No"),
            graded("VD", "1", "0", "No", "No", visual="2"),
            graded("VD", "1", "1", "Yes", None, visual="2"),
            graded("VD", "2", "1", "Yes", "Uncertain"),
        ]
    )
    frame = frame_of(HALLUSIONBENCH, grades, SETTINGS)
    assert tuple(frame.columns) == HALLUSIONBENCH.csv_names
    # Eight scores of the model and of each constant answer; a guess leans nowhere.
    assert len(lay_out(HALLUSIONBENCH, frame, grades, SETTINGS).rows) == len(frame) == 8 + 8 + 8 + 5
    measured = model_rows(HALLUSIONBENCH, grades, SETTINGS)
    return {row.metric: (row.k, row.n, row.unparsed_k) for row in measured.itertuples()}


def test_leaving_open_is_right_without_an_image_and_wrong_with_one(scores):
    assert scores["question"] == (5, 8, 1)


def test_a_figure_needs_all_its_questions_and_an_image(scores):
    assert scores["figure"][:2] == (2, 5)


def test_a_pair_needs_one_question_right_about_all_figures(scores):
    # VS 0: wrong about figure 2; VD 0: right about both; VD 1: unread about figure 1.
    assert scores["pair"][:2] == (1, 3)


def test_easy_and_hard_pairs_are_told_apart_by_the_edited_image(scores):
    assert scores["easy"][:2] == (2, 3)
    assert scores["hard"][:2] == (1, 3)


def test_the_leaning_towards_yes_counts_read_answers_only(scores):
    assert scores["yes_share"][:2] == (3, 5)
    assert scores["gold_yes_share"][:2] == (2, 5)
    assert scores["fp_ratio"][:2] == (1, 1)


def test_who_does_not_look_is_scored_by_the_same_metrics():
    rows = [
        graded("VD", "0", "0", "Yes", "Yes"),
        graded("VD", "0", "1", "No", "No"),
        graded("VD", "1", "0", "No", "No", visual="2"),
    ]
    frame = frame_of(HALLUSIONBENCH, pd.DataFrame(rows), SETTINGS).set_index(["model", "metric"])
    # Two questions about the first figure, one about the second; one question about both.
    guess = frame.loc["uniform guessing", "value"]
    assert guess[["question", "figure", "pair"]].tolist() == [50, 37.5, 37.5]
    assert frame.loc[("always no", "question"), ["k", "n"]].tolist() == [2, 3]
    assert frame.loc[("always no", "figure"), ["k", "n"]].tolist() == [1, 2]
    assert frame.loc[("always yes", "yes_share"), "value"] == 100
    assert frame.loc[["always no", "uniform guessing"], ["low", "unparsed_k"]].isna().all(axis=None)


def test_intervals_and_pairs_of_models_take_a_picture_and_its_edited_ones_together():
    rows = [
        graded("VD", figure, number, "Yes", "Yes")
        | {"set_id": name, "item_id": f"{name}{figure}{number}"}
        for name in ("0", "1", "2")
        for figure in ("0", "1")
        for number in ("0", "1")
    ]
    right = pd.DataFrame(rows)
    wrong = right.assign(model="w", answer="No", correct=False)
    question = model_rows(HALLUSIONBENCH, right, SETTINGS).set_index("metric").loc["question"]
    low, high = wilson_interval(3, 3)
    assert (question["sets"], question["n"]) == (3, 12)
    assert (question["low"], question["high"]) == pytest.approx((100 * low, 100 * high))
    (row,) = frame_of(PAIRS, pd.concat([right, wrong]), SETTINGS).to_dict("records")
    assert (row["category"], row["n"], row["clusters"]) == ("VD", 12, 3)
    assert row["p"] == pytest.approx(0.125)
