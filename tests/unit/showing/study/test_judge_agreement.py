"""Parser and judge side by side."""

import math

import numpy as np
import pandas as pd
import pytest
from judged_rows import AGGREGATIONS, fields, item, parsed, response
from statsmodels.stats.inter_rater import cohens_kappa
from table_forms import layout_of, write_table

from afterimage.grading.judge.judgements import Verdict, answer_sha, judged_grades
from afterimage.showing.study.agreement import (
    AGREEMENT,
    ROUNDS,
    _kappas,
    disagreements,
)
from afterimage.showing.tables.compute import frame_of

SETTINGS = {"confidence": 0.95, "resamples": 200, "seed": 1}
RIGHT, WRONG = (1, 1, 1, 1, 1), (0, 0, 0, 0, 0)


def grades(*said, kind="right", model="m", by_reference=False):
    """Grade answers, each given as text and votes; the votes may be None."""
    items, answers, votes = {}, [], {}
    for number, (text, values) in enumerate(said):
        entry, row = item(number, kind), response(number, text, kind, model=model)
        items[entry["item_id"]] = entry
        answers.append(row)
        if values is not None:
            votes[entry["item_id"], 0] = Verdict(
                values, AGGREGATIONS[kind], kind, "paper", "judge", answer_sha(row, entry), "output 1" in text,
                by_reference,
            )  # fmt: skip
    rows = judged_grades(parsed(items, answers), answers, items, fields, AGGREGATIONS, votes)
    return pd.DataFrame(list(rows))


def test_agreement_and_kappa_follow_from_the_four_counts():
    answers = (
        [("Yes", RIGHT)] * 20 + [("Yes", WRONG)] * 5 + [("No", RIGHT)] * 10 + [("No", WRONG)] * 15
    )
    (row,) = frame_of(AGREEMENT, grades(*answers), SETTINGS).to_dict("records")
    assert [row[name] for name in ("both_right", "only_parser", "only_judge", "both_wrong")] == [
        20, 5, 10, 15,
    ]  # fmt: skip
    assert (row["agree_k"], row["n"]) == (35, 50)
    assert row["kappa"] == pytest.approx(0.4)
    assert row["agree_low"] < 70 < row["agree_high"]
    assert row["kappa_low"] < 0.4 < row["kappa_high"]
    assert (row["judge"], row["judge_prompt_set"], row["question_type"]) == (
        "judge",
        "paper",
        "right",
    )


def test_the_kappa_of_the_resamples_is_that_of_statsmodels():
    tables = np.random.default_rng(3).integers(1, 40, size=(50, 4))
    found = _kappas(tables.astype(float))[:, 0]
    assert found == pytest.approx(
        [cohens_kappa(t.reshape(2, 2), return_results=False) for t in tables]
    )


def test_where_both_always_say_the_same_kappa_is_undefined():
    (row,) = frame_of(AGREEMENT, grades(("Yes", RIGHT), ("Yes", RIGHT)), SETTINGS).to_dict(
        "records"
    )
    assert math.isnan(row["kappa"]) and math.isnan(row["kappa_low"])
    assert row["agree_k"] == 2


def test_unparsed_and_undecided_count_as_wrong_and_are_counted():
    undecided = (1, 1, None, 0, 0)
    answers = [("Who knows?", RIGHT), ("Who knows?", WRONG), ("Yes", undecided), ("No", undecided)]
    (row,) = frame_of(AGREEMENT, grades(*answers), SETTINGS).to_dict("records")
    assert [row[name] for name in ("both_right", "only_parser", "only_judge", "both_wrong")] == [
        0,
        1,
        1,
        2,
    ]
    assert (row["unparsed"], row["undecided"]) == (2, 2)
    assert (row["cut_off"], row["refused"]) == (0, 0)
    assert (row["parsed_n"], row["parsed_agree_k"]) == (2, 1)


def test_answers_that_no_judge_saw_are_not_compared():
    found = frame_of(AGREEMENT, grades(("Yes", RIGHT), ("No", None)), SETTINGS)
    assert found["n"].tolist() == [1]
    assert frame_of(AGREEMENT, grades(("Yes", None)), SETTINGS).empty
    assert frame_of(ROUNDS, grades(("Yes", None)), SETTINGS).empty


def test_every_answer_on_which_the_two_differ_is_listed():
    frame = grades(("Yes", RIGHT), ("Yes", WRONG), ("Who knows?", RIGHT), ("No", WRONG))
    listed = disagreements(frame)
    assert listed["item_id"].tolist() == ["right_1", "right_2"]
    assert listed["correct_grader"].tolist() == [True, False]
    assert listed["correct_judge"].tolist() == [False, True]
    assert listed["votes"].tolist() == ["0 0 0 0 0", "1 1 1 1 1"]
    assert listed["read_as"].tolist()[0] == "Yes"


def test_the_judge_is_compared_with_itself():
    answers = [
        ("Yes", (1, 0, 1, 0, 1)),
        ("Yes", RIGHT),
        ("No", (None, None, None, 1, 1)),
        ("output 1", WRONG),
    ]
    (row,) = frame_of(ROUNDS, grades(*answers), SETTINGS).to_dict("records")
    assert (row["n"], row["rounds"]) == (4, 5)
    assert (row["unanimous_k"], row["unanimous_n"]) == (2, 3)
    assert (row["undecided"], row["abstained_rounds"], row["injection_suspects"]) == (1, 3, 1)
    assert row["right_k"] == 2
    assert math.isnan(row["score"])


@pytest.mark.parametrize(
    "by_reference, said, unsaid",
    [(True, "a seed decides", "temperature 0"), (False, "At temperature 0", "a seed decides")],
)
def test_what_unanimity_is_worth_depends_on_the_kind_of_judge(by_reference, said, unsaid):
    frame = grades(("Yes", RIGHT), ("No", None), by_reference=by_reference)
    notes = " ".join(layout_of(ROUNDS, frame, SETTINGS).notes)
    assert said in notes and unsaid not in notes


def test_of_ratings_the_mean_stands_beside_the_score_that_most_rounds_agree_on():
    answers = [
        ("A", (2, 2, 2, 2, 2)),
        ("B", (1, 2, 1, 2, 1)),
        ("C", (0, 1, 2, 0, 1)),
        ("D", (2, 2, None, None, None)),
    ]
    (row,) = frame_of(ROUNDS, grades(*answers, kind="rate"), SETTINGS).to_dict("records")
    assert row["score"] == pytest.approx((2 + 1.4 + 0.8) / 3)
    assert (row["score_majority"], row["score_majority_n"]) == (1.5, 2)
    assert (row["missing"], row["undecided"]) == (1, 0)
    assert (row["unanimous_k"], row["unanimous_n"]) == (1, 3)


def test_models_and_kinds_of_question_have_rows_of_their_own():
    frame = pd.concat(
        [grades(("Yes", RIGHT), model=model) for model in ("b", "a")]
        + [grades(("A", (2,) * 5), kind="rate", model="b")],
        ignore_index=True,
    )
    assert frame_of(AGREEMENT, frame, SETTINGS)["model"].tolist() == ["b", "a"]
    assert frame_of(ROUNDS, frame, SETTINGS)[["model", "question_type"]].values.tolist() == [
        ["b", "right"],
        ["a", "right"],
        ["b", "rate"],
    ]


def test_several_kinds_of_question_are_also_compared_together():
    frame = grades(("Yes", RIGHT), ("No", RIGHT))
    first, second = frame["readings"]
    frame["readings"] = [first, {**second, "judge_prompt": "other"}]
    found = frame_of(AGREEMENT, frame, SETTINGS)
    assert found["question_type"].tolist() == ["right", "other", "all"]
    assert found["n"].tolist() == [1, 1, 2]
    assert found["agree_k"].tolist() == [1, 0, 1]


def test_both_tables_can_be_written_with_and_without_rows(tmp_path):
    forms = {form: tmp_path / f"t.{form}" for form in ("csv", "markdown", "latex", "html")}
    for frame in (grades(("Yes", RIGHT), ("No", RIGHT)), grades(("Yes", None))):
        write_table(frame_of(AGREEMENT, frame, SETTINGS), forms, AGREEMENT, None, SETTINGS)
        write_table(frame_of(ROUNDS, frame, SETTINGS), forms, ROUNDS, frame, SETTINGS)
        assert "Unanimous" in forms["html"].read_text()
