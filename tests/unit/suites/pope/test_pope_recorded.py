"""Recorded answers in any order, with gaps, repeats and torn lines: joined by id, checked against the words."""

import gzip
import itertools
import json
import random

import numpy as np
import pytest

from afterimage.commands import cli
from afterimage.errors import AfterimageError
from afterimage.suites.pope.recorded import read_recorded
from afterimage.suites.pope.rescore import (
    ALL_QUESTIONS,
    COLUMNS,
    MEAN,
    as_text,
    rescore,
)

STRATEGIES = ("random", "popular", "adversarial")
OBJECTS = ("snowboard", "car", "person", "sandwich", "skis", "truck")
IMAGES = 20


def questions(strategy, typo=False):
    """Six questions per image, as official files have them."""
    noun = "imange" if typo else "image"
    return [
        {
            "question_id": 6 * number + index + 1,
            "image": f"COCO_{number:04d}.jpg",
            "text": f"Is there a {name} in the {noun}?",
            "label": "yes" if index % 2 == 0 else "no",
        }
        for number in range(IMAGES)
        for index, name in enumerate(OBJECTS)
    ]


def answers(strategy, typo=False):
    """Answers that are wrong on every tenth question: 8 false noes and 4 false yeses of each hundred and twenty."""
    return [
        {"split": strategy, **row, "prompt": "...", "response": answer(row)}
        for row in questions(strategy, typo)
    ]


def answer(row):
    right = row["label"] == "yes"
    return "Yes" if right ^ (row["question_id"] % 10 == 0) else "No, there is none."


def all_answers(typo=False):
    return [row for strategy in STRATEGIES for row in answers(strategy, typo)]


@pytest.fixture
def write(tmp_path):
    def write(rows, name="model-1_responses.jsonl.gz", folder="answers", ending=""):
        path = tmp_path / folder / name
        path.parent.mkdir(exist_ok=True)
        text = "".join(f"{json.dumps(row)}\n" for row in rows) + ending
        data = text.encode()
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        return path.parent

    return write


@pytest.fixture
def official(write):
    """A folder with both releases of the question files."""
    for typo, suffix in ((False, ""), (True, "_first_release")):
        for strategy in STRATEGIES:
            folder = write(
                questions(strategy, typo), f"coco_pope_{strategy}{suffix}.json", "official"
            )
    write([{"person": 3}], "coco_co_occur.json", "official")
    return folder


def row_of(frame, split, model="model-1"):
    (row,) = frame[(frame["model"] == model) & (frame["split"] == split)].to_dict(orient="records")
    return row


class TestComplete:
    def test_scores_follow_from_the_answers(self, write):
        frame = rescore(write(all_answers()))
        assert tuple(frame.columns) == COLUMNS
        assert list(frame["split"]) == [*STRATEGIES, MEAN]
        row = row_of(frame, "popular")
        assert (row["n"], row["n_questions"]) == (120, 120)
        # Of the questions 10, 20, ... all are even, so their keys are no: twelve false yeses.
        assert (row["tp"], row["fp"], row["tn"], row["fn"]) == (60, 12, 48, 0)
        assert row["accuracy"] == pytest.approx(108 / 120)
        assert row["precision"] == pytest.approx(60 / 72)
        assert row["f1"] == pytest.approx(120 / 132)
        assert row["yes_ratio"] == pytest.approx(72 / 120)

    def test_the_mean_is_that_of_the_three_f1(self, write):
        row = row_of(rescore(write(all_answers())), MEAN)
        assert (row["n"], row["n_questions"]) == (360, 360)
        assert row["f1"] == pytest.approx(120 / 132)
        assert np.isnan(row["accuracy"])

    @pytest.mark.parametrize("given", [True, False])
    def test_order_and_packing_change_nothing(self, write, official, given):
        rows = all_answers()
        random.Random(1).shuffle(rows)
        shuffled = write(rows, "model-1.jsonl", "shuffled")
        files = official if given else None
        expected = rescore(write(all_answers()), files)
        assert rescore(shuffled, files).equals(expected)
        assert list(expected["split"]) == [*STRATEGIES, MEAN]

    def test_files_are_models_and_other_files_are_not_looked_at(self, write):
        write([{"question_id": 1, "model": "x", "caption": "A dog."}], "captions.jsonl.gz")
        write([], "empty.jsonl")
        write(all_answers(), "second_answers.jsonl")
        frame = rescore(write(all_answers()))
        assert set(frame["model"]) == {"model-1", "second"}

    def test_a_line_may_name_its_model_and_a_files_name_its_split(self, write):
        rows = [
            {key: value for key, value in row.items() if key != "split"}
            for row in answers("popular")
        ]
        frame = rescore(write([row | {"model": "named"} for row in rows], "run_popular.jsonl"))
        assert list(zip(frame["model"], frame["split"], strict=True)) == [("named", "popular")]

    def test_splits_of_other_names_are_scored_too(self, write):
        frame = rescore(write(answers("hard"), "m.jsonl"))
        assert list(frame["split"]) == ["hard"]

    def test_ids_may_be_texts(self, write, official):
        rows = [row | {"question_id": f"{row['question_id']:05d}"} for row in all_answers()]
        assert rescore(write(rows), official)["n"].tolist() == [120, 120, 120, 360]

    def test_another_rule_reads_otherwise(self, write):
        found = rescore(write(all_answers()), rule="exact")
        row = row_of(found, "random")
        # "No, there is none." is no exact no: not read, and so neither tn nor fn.
        assert (row["tp"], row["fp"], row["tn"], row["fn"]) == (60, 12, 0, 0)
        assert (row["n"], row["accuracy"], row["recall"]) == (120, 0.5, 1)


class TestGaps:
    @pytest.fixture
    def gappy(self, write):
        """Answers of which thirty of the popular ones are missing, all of them to positives."""
        rows = [row for row in all_answers() if not (row["split"] == "popular" and _is_gone(row))]
        return write(rows)

    def test_without_question_files_scores_are_over_the_answers_that_exist(self, gappy):
        frame = rescore(gappy)
        row = row_of(frame, "popular")
        assert (row["n"], row["n_questions"]) == (90, 120)
        assert row["tp"] + row["fp"] + row["tn"] + row["fn"] == 90
        assert row["accuracy"] == pytest.approx((row["tp"] + row["tn"]) / 90)
        assert not [split for split in frame["split"] if split.endswith(ALL_QUESTIONS)]

    def test_with_them_they_are_also_over_all_questions_asked(self, gappy, official):
        frame = rescore(gappy, official)
        existing, over_all = row_of(frame, "popular"), row_of(frame, f"popular{ALL_QUESTIONS}")
        assert (existing["n"], existing["n_questions"]) == (90, 120)
        assert (over_all["n"], over_all["n_questions"]) == (120, 120)
        assert [over_all[name] for name in ("tp", "fp", "tn", "fn")] == [
            existing[name] for name in ("tp", "fp", "tn", "fn")
        ]
        assert over_all["accuracy"] == pytest.approx((over_all["tp"] + over_all["tn"]) / 120)
        assert over_all["precision"] == existing["precision"]
        assert over_all["recall"] == pytest.approx(over_all["tp"] / 60)
        assert over_all["yes_ratio"] == pytest.approx((over_all["tp"] + over_all["fp"]) / 120)
        assert row_of(frame, f"{MEAN}{ALL_QUESTIONS}")["f1"] < row_of(frame, MEAN)["f1"]

    def test_missing_answers_are_named(self, gappy, official):
        recorded = read_recorded(gappy, official)
        (remark,) = recorded.models["model-1"]["popular"].remarks
        assert remark == "30 of 120 answers are missing, the first to question_id 1."
        assert "30 of 120 answers are missing" in as_text(recorded)
        (remark,) = read_recorded(gappy).models["model-1"]["popular"].remarks
        assert remark.startswith("30 answers are missing up to the highest question_id")

    def test_a_split_without_any_answer_is_there_with_zero_of_all(self, write, official):
        rows = [row for row in all_answers() if row["split"] != "adversarial"]
        frame = rescore(write(rows), official)
        row = row_of(frame, "adversarial")
        assert (row["n"], row["n_questions"]) == (0, 120)
        assert np.isnan(row["accuracy"])
        assert row_of(frame, f"adversarial{ALL_QUESTIONS}")["accuracy"] == 0
        assert np.isnan(row_of(frame, MEAN)["f1"])

    def test_ids_that_count_something_else_do_not_tell_the_number_of_questions(self, write):
        rows = [row | {"question_id": 10_000_000 + row["question_id"]} for row in answers("random")]
        assert rescore(write(rows))["n_questions"].isna().all()


def _is_gone(row):
    return row["question_id"] % 4 == 1


class TestDisorder:
    def test_repeated_lines_count_once(self, write, official):
        rows = all_answers()
        folder = write([*rows, *rows[:7], *rows[3:5]])
        assert rescore(folder, official).equals(rescore(write(rows, folder="once"), official))
        (remark,) = read_recorded(folder).models["model-1"]["random"].remarks
        assert remark == "9 lines repeat an answer; it counts once."

    def test_a_question_that_is_answered_differently_has_no_answer(self, write, official):
        rows = all_answers()
        folder = write([*rows, rows[0] | {"response": "No"}])
        assert row_of(rescore(folder), "random")["n"] == 119
        row = row_of(rescore(folder, official), "random")
        assert (row["n"], row["tp"]) == (119, 59)
        remarks = read_recorded(folder, official).models["model-1"]["random"].remarks
        assert (
            "1 questions have contradictory answers, the first is question_id 1; none of them counts."
            in remarks
        )

    def test_answers_that_read_alike_do_not_contradict(self, write):
        rows = all_answers()
        assert row_of(rescore(write([*rows, rows[0] | {"response": "Yes."}])), "random")["n"] == 120

    def test_an_answer_to_other_words_or_another_image_is_left_out(self, write, official):
        rows = all_answers()
        rows[4]["text"] = "Is there a unicorn in the image?"
        rows[6]["image"] = "COCO_9999.jpg"
        split = read_recorded(write(rows), official).models["model-1"]["random"]
        assert len(split.answers) == 118
        assert split.remarks[0] == (
            "2 answers were given to other questions than those with their ids, the first to question_id 5: "
            "'Is there a unicorn in the image?' is not 'Is there a skis in the image?'; left out."
        )

    def test_lines_that_slip_by_one_are_noticed(self, write, official):
        rows = answers("random")
        slipped = [
            {**row, "response": other["response"], "text": other["text"]}
            for row, other in itertools.pairwise(rows)
        ]
        with pytest.raises(AfterimageError, match="none of its 119 answers belongs to a question"):
            rescore(write(slipped), official)

    def test_the_right_answer_counts_where_a_stranger_has_its_id(self, write, official):
        rows = all_answers()
        stranger = rows[0] | {"text": "Is there a unicorn in the image?", "response": "No"}
        assert row_of(rescore(write([stranger, *rows]), official), "random")["n"] == 120

    def test_torn_and_foreign_lines_are_named_and_cost_no_other(self, write, official):
        rows = all_answers()
        folder = write(
            [rows[0], [1, 2], {"question_id": 3, "response": None, "split": "random"}, *rows[1:]],
            "m_responses.jsonl",
            ending='{"split": "ran',
        )
        recorded = read_recorded(folder, official)
        assert recorded.remarks == (
            "m_responses.jsonl: 2 unreadable, the first line 2; left out.",
            "m_responses.jsonl: 1 lines without question_id, split or response, the first line 3; left out.",
        )
        assert rescore(folder, official)["n"].tolist() == [120, 120, 120, 360]

    def test_a_packed_file_that_is_cut_off_still_gives_its_lines(self, write, tmp_path):
        path = write(all_answers(), "cut_responses.jsonl.gz") / "cut_responses.jsonl.gz"
        path.write_bytes(path.read_bytes()[:-200])
        recorded = read_recorded(path.parent)
        assert "unreadable" in recorded.remarks[0]
        assert sum(len(split.answers) for split in recorded.models["cut"].values()) > 50


class TestReleases:
    def test_answers_are_joined_to_the_release_whose_words_they_were_given_to(
        self, write, official
    ):
        for typo, name in ((True, "first"), (False, "current")):
            write(all_answers(typo), f"{name}_responses.jsonl")
        recorded = read_recorded(official.parent / "answers", official)
        found = {
            model: {split.questions.path.rpartition("/")[2] for split in splits.values()}
            for model, splits in recorded.models.items()
        }
        assert all("first_release" in name for name in found["first"])
        assert not any("first_release" in name for name in found["current"])
        assert all(
            not split.remarks for splits in recorded.models.values() for split in splits.values()
        )

    def test_records_without_words_are_joined_by_id_and_it_is_said(self, write, official):
        bare = [
            {key: row[key] for key in ("split", "question_id", "response")} for row in all_answers()
        ]
        split = read_recorded(write(bare), official).models["model-1"]["random"]
        assert len(split.answers) == 120
        assert "joined by question_id alone" in split.remarks[0]

    def test_records_without_labels_need_the_question_files(self, write, official):
        bare = [
            {key: row[key] for key in ("split", "question_id", "response")} for row in all_answers()
        ]
        frame = rescore(write(bare))
        assert frame["n"].tolist() == [0, 0, 0, 0]

    def test_the_question_files_labels_count(self, write, official):
        rows = all_answers()
        rows[0]["label"] = "no"
        split = read_recorded(write(rows), official).models["model-1"]["random"]
        assert split.answers[0].label == "yes"
        assert "1 labels differ from the question file's, which count." in split.remarks

    def test_answers_and_questions_may_lie_in_one_folder(self, write, official):
        for strategy in STRATEGIES:
            write(questions(strategy), f"coco_pope_{strategy}.jsonl", "answers")
        folder = write(all_answers())
        assert rescore(folder, folder)["n"].tolist() == [120, 120, 120, 360]


class TestFaults:
    def test_folders_that_are_not_as_expected_are_one_sentence(self, write, official, tmp_path):
        with pytest.raises(
            AfterimageError, match="no such folder; expected one with recorded answers"
        ):
            rescore(tmp_path / "none")
        with pytest.raises(
            AfterimageError, match="no file of answers; expected answers of the form"
        ):
            rescore(official)
        folder = write(all_answers())
        with pytest.raises(AfterimageError, match="no question file; expected names such as"):
            rescore(folder, folder)
        with pytest.raises(
            AfterimageError, match="no such folder; expected one with question files"
        ):
            rescore(folder, tmp_path / "none")


class TestCommand:
    def test_csv_is_alone_on_standard_output_and_remarks_on_standard_error(
        self, write, official, capsys
    ):
        folder = write(all_answers()[:-5])
        assert (
            cli.main(
                ["rescore", "pope", str(folder), "--questions", str(official), "--format", "csv"]
            )
            == 0
        )
        out, err = capsys.readouterr()
        lines = out.splitlines()
        assert (
            lines[0]
            == "model,split,n,n_questions,tp,fp,tn,fn,accuracy,precision,recall,f1,yes_ratio"
        )
        assert (
            lines[1]
            == "model-1,random,120,120,60,12,48,0,0.900000,0.833333,1.000000,0.909091,0.600000"
        )
        assert "5 of 120 answers are missing, the first to question_id 116" in err

    def test_undefined_scores_are_empty(self, write, capsys):
        rows = [row | {"response": "No"} for row in answers("random")]
        cli.main(["rescore", "pope", str(write(rows)), "--format", "csv"])
        assert (
            capsys.readouterr().out.splitlines()[1]
            == "model-1,random,120,120,0,0,60,60,0.500000,,0.000000,,0.000000"
        )

    def test_text_has_intervals_the_strict_rule_and_the_version(self, write, official, capsys):
        assert (
            cli.main(
                [
                    "rescore",
                    "pope",
                    str(write(all_answers())),
                    "--questions",
                    str(official),
                ]
            )
            == 0
        )
        out = capsys.readouterr().out
        assert "90.00 [" in out
        assert "strict accuracy" in out
        assert "mean F1 of the three strategies: 90.91" in out
        assert "random: unknown version, SHA-256" in out

    def test_a_fault_is_one_sentence_and_code_1(self, tmp_path, capsys):
        assert cli.main(["rescore", "pope", str(tmp_path / "none")]) == 1
        assert capsys.readouterr().err.startswith("afterimage: ")
