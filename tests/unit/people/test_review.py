"""People look again: the queue, what comes back, what it changes."""

import math

import pandas as pd
import pytest
from judged_rows import AGGREGATIONS, fields, item, parsed, response
from table_forms import write_table

from afterimage.contract.readings import is_queued
from afterimage.errors import AfterimageError
from afterimage.files.csv_rows import write_csv
from afterimage.grading.judge.judgements import Verdict, answer_sha, judged_grades
from afterimage.people.review import (
    QUEUE_COLUMNS,
    decisions,
    of_unknown_models,
    queue_rows,
    read_reviews,
    with_decisions,
)
from afterimage.showing.study.judges_and_people import REVIEW, review_summary

SETTINGS = {"confidence": 0.95, "resamples": 200, "seed": 1}
SAID = ("Yes", "No", "Who knows?", "", "No")


class Study:
    """One model's answers: right, wrong, unread, blank, wrong; and a description."""

    def __init__(self, said=SAID, votes=None):
        self.items = {f"right_{number}": item(number) for number in range(len(said))}
        self.items["rate_0"] = item(0, "rate")
        self.responses = [response(number, text) for number, text in enumerate(said)]
        self.responses.append(response(0, "A cat.", "rate"))
        found = {
            (f"right_{number}", 0): Verdict(
                values, "majority", "right", "paper", "judge", self.sha(number), False
            )
            for number, values in (votes or {}).items()
        }
        self.grades = list(
            judged_grades(
                parsed(self.items, self.responses),
                self.responses,
                self.items,
                fields,
                AGGREGATIONS,
                found,
            )
        )

    def sha(self, number):
        return answer_sha(self.responses[number], self.items[f"right_{number}"])

    def queue(self, right_share=0.0):
        return list(queue_rows(self.grades, self.responses, self.items, fields, right_share))


def reviews(folder, *rows, header="model,item_id,answer_sha,human_correct,reviewer", name="r.csv"):
    path = folder / name
    path.write_text("\n".join([header, *rows]) + "\n")
    return read_reviews([path])


def test_the_queue_holds_what_was_judged_wrong_with_all_that_a_person_needs():
    rows = Study().queue()
    assert [row["item_id"] for row in rows] == ["right_1", "right_2", "right_4"]
    assert list(rows[0]) == list(QUEUE_COLUMNS)
    assert rows[0] | {"answer_sha": ""} == {
        "model": "m", "item_id": "right_1", "question_type": "right", "answer_sha": "", "auto_correct": "false",
        "human_correct": "", "reviewer": "", "reviewed_at": "", "note": "", "undecided": "false", "votes": "",
        "stimulus_id": "image_1", "image": "results/stimuli/s/f/image_1.png", "question": "question of right_1",
        "gold": "Yes", "answer": "No",
    }  # fmt: skip


def test_what_the_judge_could_not_decide_is_queued_and_marked_and_blank_answers_are_not():
    rows = Study(votes={0: (1, 1, None, 0, 0), 1: (1, 1, 1, 1, 0)}).queue()
    assert [(row["item_id"], row["undecided"], row["votes"]) for row in rows] == [
        ("right_0", "true", "1 1 - 0 0"),
        ("right_2", "false", ""),
        ("right_4", "false", ""),
    ]


def test_an_answer_given_in_several_repeats_is_queued_once():
    study = Study()
    again = response(1, "No", repeat=1)
    grade = {**study.grades[1], "repeat": 1}
    rows = queue_rows([*study.grades, grade], [*study.responses, again], study.items, fields, 0.0)
    assert [row["item_id"] for row in rows].count("right_1") == 1


def test_a_share_of_the_right_ones_is_queued_as_well_the_same_ones_each_time_and_growing():
    study = Study(said=["Yes"] * 400)
    chosen = {share: {row["item_id"] for row in study.queue(share)} for share in (0, 0.1, 0.3, 1)}
    assert chosen[0] == set()
    assert chosen[0.1] < chosen[0.3] < chosen[1]
    assert len(chosen[1]) == 400
    assert 25 <= len(chosen[0.1]) <= 60
    assert chosen[0.3] == {row["item_id"] for row in study.queue(0.3)}


def test_a_decision_changes_the_very_answer_that_was_looked_at(tmp_path):
    study = Study()
    given = reviews(tmp_path, f"m,right_1,{study.sha(1)},1,ada", f"m,right_2,{study.sha(2)},0,ada")
    decided, ignored = decisions(study.grades, given, 0.0)
    assert ignored == []
    final = list(with_decisions(study.grades, decided))
    assert [row["correct"] for row in final] == [True, True, False, False, False, False]
    assert [row["decided_by"] for row in final] == [
        "parser", "review", "review", "parser", "parser", "parser",
    ]  # fmt: skip
    assert final[1]["readings"]["correct_review"] == "true"


def test_a_stale_decision_is_listed_and_not_applied(tmp_path):
    study = Study()
    given = reviews(
        tmp_path,
        f"m,right_1,{study.sha(2)},1,ada",
        f"m,right_9,{study.sha(1)},1,ada",
        "m,rate_0,abc,1,ada",
    )
    decided, ignored = decisions(study.grades, given, 0.0)
    assert decided == {}
    assert [(row["line"], row["item_id"], row["reason"][:12]) for row in ignored] == [
        (2, "right_1", "stale: the a"),
        (3, "right_9", "no such item"),
        (4, "rate_0", "no such item"),
    ]


def test_by_default_people_can_only_turn_wrong_into_right(tmp_path):
    study = Study()
    given = reviews(tmp_path, f"m,right_0,{study.sha(0)},0,ada", f"m,right_1,{study.sha(1)},1,ada")
    decided, ignored = decisions(study.grades, given, 0.0)
    assert list(decided) == [("right_1", study.sha(1))]
    assert "judged right, and not among" in ignored[0]["reason"]
    decided, ignored = decisions(study.grades, given, 1.0)
    assert ignored == []
    assert decided["right_0", study.sha(0)].correct is False


def test_two_reviewers_must_agree(tmp_path):
    study = Study()
    one, two, four = (study.sha(number) for number in (1, 2, 4))
    given = reviews(
        tmp_path, f"m,right_1,{one},1,ada", f"m,right_2,{two},1,ada", f"m,right_4,{four},1,ada"
    )
    given += reviews(
        tmp_path,
        f"m,right_1,{one},1,bob",
        f"m,right_2,{two},0,bob",
        f"m,right_4,{four},0,ada",
        name="other.csv",
    )
    decided, ignored = decisions(study.grades, given, 0.0)
    assert decided == {("right_1", one): (True, "ada, bob")}
    assert {(row["item_id"], row["file"].rpartition("/")[2], row["reason"]) for row in ignored} == {
        ("right_2", "r.csv", "the reviewers disagree"),
        ("right_2", "other.csv", "the reviewers disagree"),
        ("right_4", "r.csv", "the reviewer says both"),
        ("right_4", "other.csv", "the reviewer says both"),
    }


def test_reviews_of_models_that_are_not_there_are_listed(tmp_path):
    given = reviews(tmp_path, "x,right_1,abc,1,ada", "m,right_1,abc,1,ada", "y,right_1,abc,,")
    assert [row["model"] for row in of_unknown_models(given, ["m"])] == ["x"]


def test_a_queue_can_be_filled_in_and_read_back(tmp_path):
    study = Study()
    rows = [{**row, "human_correct": "TRUE", "reviewer": "ada"} for row in study.queue()]
    rows[1] |= {"human_correct": "", "reviewer": ""}
    write_csv(tmp_path / "queue.csv", rows, QUEUE_COLUMNS)
    given = read_reviews([tmp_path / "queue.csv"])
    assert [review.correct for review in given] == [True, None, True]
    decided, ignored = decisions(study.grades, given, 0.0)
    assert (len(decided), ignored) == (2, [])


def test_a_file_with_semicolons_and_a_byte_order_mark_is_read(tmp_path):
    path = tmp_path / "r.csv"
    header = "\ufeffmodel;item_id;answer_sha;human_correct;reviewer;note"
    path.write_text(f"{header}\r\nm;right_1;abc;false;ada;a, b\r\n")
    (review,) = read_reviews([path])
    assert (review.item_id, review.correct, review.line) == ("right_1", False, 2)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("model,item_id\n", "column 'answer_sha' is missing"),
        ("", "column 'model' is missing"),
        ("model,item_id,answer_sha,human_correct,reviewer\nm,i,a,maybe,ada\nm,i,a,2,ada\n", "blank in lines 2, 3"),
        ("model,item_id,answer_sha,human_correct,reviewer\nm,i,a,1,\n", "reviewer is blank .* in line 2"),
        ('model,item_id,answer_sha,human_correct,reviewer\nm,"i,a,1,ada\n', "is not CSV"),
    ],
)  # fmt: skip
def test_a_malformed_file_of_reviews_is_one_sentence(tmp_path, text, fault):
    path = tmp_path / "r.csv"
    path.write_text(text)
    with pytest.raises(AfterimageError, match=fault):
        read_reviews([path])
    path.write_bytes(b"\xff\xfa")
    with pytest.raises(AfterimageError, match="not UTF-8"):
        read_reviews([path])
    with pytest.raises(AfterimageError, match="no such file"):
        read_reviews([tmp_path / "none.csv"])


def test_accuracy_before_and_after_and_what_was_flipped(tmp_path):
    study = Study(said=["Yes"] * 6 + ["No"] * 4)
    rows = [f"m,right_{n},{study.sha(n)},{int(n < 8)},ada" for n in (0, 6, 7, 8)]
    before = pd.DataFrame(study.grades)
    for share, after_k, expected in ((0.0, 8, math.nan), (1.0, 8, 80.0)):
        decided, ignored = decisions(study.grades, reviews(tmp_path, *rows), share)
        after = pd.DataFrame(list(with_decisions(study.grades, decided)))
        (row,) = review_summary(before, after, {"m": len(ignored)}, share, SETTINGS).to_dict(
            "records"
        )
        assert (row["n"], row["before_k"], row["after_k"]) == (10, 6, after_k)
        assert (row["flipped_to_right"], row["flipped_to_wrong"]) == (2, 0)
        assert row["queued"] == (10 if share else 4)
        assert row["reviewed"] == (4 if share else 3)
        assert row["corrected_accuracy"] == pytest.approx(expected, nan_ok=True)
        assert row["ignored"] == (0 if share else 1)
        assert row["after_low"] <= 80 <= row["after_high"]


def test_overturned_right_answers_are_carried_over_to_those_that_nobody_looked_at(tmp_path):
    study = Study(said=["Yes"] * 8 + ["No"] * 2)
    rows = [f"m,right_{n},{study.sha(n)},{value},ada" for n, value in ((0, 1), (1, 0), (8, 1))]
    decided, _ = decisions(study.grades, reviews(tmp_path, *rows), 1.0)
    after = pd.DataFrame(list(with_decisions(study.grades, decided)))
    (row,) = review_summary(pd.DataFrame(study.grades), after, {}, 1.0, SETTINGS).to_dict("records")
    assert (row["after_k"], row["flipped_to_wrong"], row["right_reviewed"]) == (8, 1, 2)
    # One of two right ones fell: half of the eight right ones stand, and one wrong one is right.
    assert row["corrected_accuracy"] == pytest.approx(50)


def test_the_summary_can_be_written(tmp_path):
    frame = pd.DataFrame(Study().grades)
    forms = {form: tmp_path / f"t.{form}" for form in ("csv", "markdown", "latex", "html")}
    summary = review_summary(frame, frame, {}, 0.0, SETTINGS)
    # The blank answer counts, and there is nothing to look at.
    assert summary[["n", "queued"]].values.tolist() == [[5, 3]]
    write_table(summary, forms, REVIEW, None, SETTINGS)
    assert "20.0 (1/5)" in forms["markdown"].read_text()


def test_a_wrong_answer_is_always_queued():
    (grade,) = [row for row in Study().grades if row["item_id"] == "right_1"]
    assert is_queued(grade, 0.0)
    assert not is_queued({**grade, "correct": True}, 0.0)
