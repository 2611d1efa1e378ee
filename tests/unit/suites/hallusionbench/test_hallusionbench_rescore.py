"""Recorded answers to HallusionBench, judged by people, give the published scores."""

import argparse
import json

import pandas as pd
import pytest

from afterimage.errors import AfterimageError
from afterimage.files.records import OUTCOMES
from afterimage.grading.recorded import with_outcome
from afterimage.suites.hallusionbench import tables
from afterimage.suites.hallusionbench.rescore import add_arguments, rescore, run


def question(figure, number, human, gold="1", response="Yes.", category="VD", visual="1"):
    return {
        "category": category,
        "subcategory": " figure",
        "visual_input": visual,
        "set_id": "0",
        "figure_id": figure,
        "question_id": number,
        "question": "Is it so?",
        "gt_answer": gold,
        "response": response,
        "human_check": human,
    }


@pytest.fixture
def folder(tmp_path):
    def write(lines, name="answers.jsonl"):
        (tmp_path / name).write_text("".join(f"{json.dumps(line)}\n" for line in lines))
        return tmp_path

    return write


def scored(folder):
    frame, _ = rescore(folder)
    return {row.metric: (row.correct, row.n) for row in frame.itertuples()}


def test_figures_and_pairs_count_when_all_their_questions_are_right(folder):
    judged = [("0", "0", "1"), ("0", "1", "1"), ("1", "0", "1"), ("1", "1", "0")]
    scores = scored(folder([question(*one) for one in judged]))
    assert scores["question_acc"] == scores["question_acc (aAcc)"] == (3, 4)
    assert scores["figure_acc"] == (1, 2)
    assert scores["question_pair_acc (qAcc)"] == (1, 2)
    assert scores["question_pair_acc divided by the number of questions (as published then)"] == (
        1,
        4,
    )


def test_outcomes_that_came_through_the_backend_recorded_give_the_same_scores(folder):
    judged = [("0", "0", "1"), ("0", "1", "1"), ("1", "0", "1"), ("1", "1", "0")]
    rows = [question(*one) for one in judged]
    grades = [
        with_outcome(
            {**row, "key": "Yes", "answer": None, "correct": False, "image_shown": "yes"},
            {"finish_reason": OUTCOMES[row["human_check"] == "1"]},
        )
        for row in rows
    ]
    counted = {score.metric: score[1:3] for score, _ in tables.scores(pd.DataFrame(grades))}
    scores = scored(folder(rows))
    for ours, theirs in (
        ("question", "question_acc"),
        ("figure", "figure_acc"),
        ("pair", "question_pair_acc (qAcc)"),
    ):
        assert counted[ours] == scores[theirs]


def test_uncertain_is_right_only_where_no_image_was_shown(folder):
    blind = question("0", "0", "2", category="VS", visual="0")
    seen = question("1", "0", "2", category="VS")
    scores = scored(folder([blind, seen]))
    assert scores["question_acc"] == (1, 2)
    assert scores["figure_acc"] == (0, 1)


def test_easy_and_hard_need_edited_images_that_are_marked_as_such(folder):
    plain = [question("0", "0", "1"), question("1", "0", "0")]
    assert 'hard_pair_acc (leaderboard "Hard")' not in scored(folder(plain))
    edited = [*plain, question("2", "0", "1", visual="2")]
    scores = scored(folder(edited))
    assert scores['hard_pair_acc (leaderboard "Hard")'] == (1, 1)
    assert scores['easy_pair_acc (leaderboard "Easy")'] == (0, 1)


def test_the_parser_is_compared_with_people_where_it_decides(folder):
    scores = scored(
        folder(
            [
                question("0", "0", "1", response="Yes, it is."),
                question("0", "1", "0", response="No."),
                question("0", "2", "1", gold="0", response="Yes, but both are equal."),
                question("0", "3", "1", response="They are equal."),
            ]
        )
    )
    assert scores["leading yes/no present"] == (3, 4)
    assert scores["parser abstains"] == (1, 4)
    assert scores["parser vs gt_answer agrees with human_check==1"] == (2, 3)


def test_without_peoples_judgement_only_the_readings_are_scored(folder):
    unjudged = {
        key: value for key, value in question("0", "0", "1").items() if key != "human_check"
    }
    frame, notes = rescore(folder([unjudged]))
    assert set(frame["metric"]) == {
        "leading yes/no present",
        "leading yes/no equals gt_answer",
        "parser decides",
        "parser leaves open",
        "parser abstains",
        "parser equals gt_answer",
    }
    assert "no human_check" in notes[0]


def test_a_repeated_question_counts_twice_as_the_authors_count_it_and_is_told(folder):
    frame, notes = rescore(folder([question("0", "0", "0"), question("0", "0", "1")]))
    assert frame.set_index("metric").loc["question_acc", ["correct", "n"]].tolist() == [1, 2]
    assert "1 questions stand twice" in notes[0]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 1: not a JSON object"),
        ("[1]", r"found \[1\]"),
        (json.dumps({"category": "VS"}), "expected also: subcategory"),
        (json.dumps(question("0", "0", "7")), "found human_check '7'"),
    ],
)
def test_a_line_that_is_not_right_is_refused_in_one_sentence(tmp_path, line, message):
    (tmp_path / "bad.jsonl").write_text(line + "\n")
    with pytest.raises(AfterimageError, match=message):
        rescore(tmp_path)


def test_a_folder_without_records_is_refused(tmp_path):
    with pytest.raises(AfterimageError, match=r"no \*\.jsonl"):
        rescore(tmp_path)
    with pytest.raises(AfterimageError, match="no such folder"):
        rescore(tmp_path / "nowhere")


def test_the_command_prints_a_table_or_csv(folder, capsys):
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    where = str(folder([question("0", "0", "1")]))
    assert run(parser.parse_args([where, "--format", "csv"])) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "file,metric,correct,n,pct"
    assert "answers.jsonl,question_acc,1,1,100.0000" in lines
    assert run(parser.parse_args([where])) == 0
    assert "question_acc" in capsys.readouterr().out


@pytest.fixture(scope="module")
def reference(reference):
    return reference / "hallusionbench"


def test_every_row_of_the_reference_is_reproduced(reference):
    expected = pd.read_csv(reference / "expected.csv")
    scores, _ = rescore(reference)
    joined = expected.merge(scores, on=["file", "metric"], how="left")
    assert len(joined) == len(expected) == 19
    assert (joined["correct"] == joined["recomputed_correct"]).all()
    assert (joined["n"] == joined["recomputed_n"]).all()
    assert (joined["pct"] - joined["recomputed_pct"]).abs().max() < 1e-4


def test_the_parser_agrees_with_people_as_often_as_a_leading_word_does(reference):
    scores, _ = rescore(reference)
    of_file = scores[scores["file"] == "gpt4v_269.jsonl.gz"].set_index("metric")["pct"]
    assert of_file["parser vs gt_answer agrees with human_check==1"] >= 91
    assert of_file["parser decides"] > of_file["leading yes/no present"]
