"""Tables: what counts, what does not, and what stays empty."""

import math

import pandas as pd
import pytest
from illusionbench_rows import answer_row, counted, declared, frame, scored, table_settings
from table_forms import (
    csv_text,
    html_text,
    latex_text,
    layout_of,
    markdown_text,
    model_rows,
    worked_out,
)

from afterimage.errors import AfterimageError
from afterimage.grading.parsed import UNFINISHED
from afterimage.grading.readers import roman, true_false
from afterimage.grading.readers.description import BLANK, DECLINED
from afterimage.showing.tables.compute import frame_of
from afterimage.statistics.shares import share_of_totals
from afterimage.suites.illusionbench import charts as data_chart
from afterimage.suites.illusionbench import charts as radar_chart
from afterimage.suites.illusionbench.names import CATEGORIES
from afterimage.suites.illusionbench.tables_descriptions import (
    bin_of,
    printed_change,
    relative_change,
)

illusionbench_data = declared("illusionbench_data")
illusionbench_description = declared("illusionbench_description")
illusionbench_description_detail = declared("illusionbench_description_detail")
illusionbench_fp_ratio = declared("illusionbench_fp_ratio")
illusionbench_mcq = declared("illusionbench_mcq")
illusionbench_numerals = declared("illusionbench_numerals")
illusionbench_radar = declared("illusionbench_radar")
illusionbench_step_by_step = declared("illusionbench_step_by_step")
illusionbench_tf = declared("illusionbench_tf")
pairs_illusionbench = declared("pairs_illusionbench")

SETTINGS = table_settings()
OPTIONS = [("I", "a dog"), ("II", "a cat"), ("III", "a cow"), ("IV", "a bee")]
#: What a judge adds to a grade.
JUDGED = {"judge": "stub", "judge_prompt_set": "paper"}


def graded(model, question, parsed, key, image, index=0, **changes):
    """A graded answer of a stub model, as it was read."""
    outcome = {"answer": parsed.answer, "outcome": parsed.outcome, "reason": parsed.reason}
    row = {"key": key, **outcome, "correct": parsed.answer == key, **changes}
    return answer_row(model, question, image, index, **row)


def said(model, reply, *index, **changes):
    """A graded true-or-false answer: key, image and number follow the reply."""
    return graded(model, "true_false", true_false.parse(reply), *index, **changes)


def chosen(model, reply, *index, **changes):
    """A graded multiple-choice answer: key, image and number follow the reply."""
    factors = {"shuffle_round": "0", "permutation": "0 1 2 3", **changes}
    return graded(model, "multiple_choice", roman.parse(reply, OPTIONS), *index, **factors)


def judged(model, kind, score, image, votes, **changes):
    """A description that a judge has scored."""
    readings = {
        **JUDGED,
        "votes": votes,
        "score_majority": changes.pop("majority", str(round(score))),
        "judge_prompt": "semantic_content",
        "aggregation": "mean",
    }
    return answer_row(
        model,
        kind,
        image,
        answer=None,
        outcome="unparsed",
        correct=False,
        score=score,
        decided_by="judge",
        readings=readings,
        **changes,
    )


def one(table, grades, settings=SETTINGS):
    rows = model_rows(table, grades, settings).to_dict("records")
    (row,) = [row for row in rows if row["group"] != "Without looking"]
    return row


class TestAccuracy:
    def test_accuracy_is_micro_over_questions(self):
        grades = frame(
            counted("m", "true_false", 1, 1, category="classical"),
            counted("m", "true_false", 0, 3, category="trap"),
        )
        row = one(illusionbench_tf, grades)
        assert (row["classical"], row["trap"], row["all"]) == (1.0, 0.0, 0.25)
        assert (row["all_k"], row["all_n"]) == (1, 4)

    def test_column_without_images_is_empty_and_not_zero(self):
        grades = frame(counted("m", "true_false", 1, 2))
        row = one(illusionbench_tf, grades)
        assert math.isnan(row["real_scene"])
        assert row["real_scene_n"] == 0
        text = csv_text(*worked_out(illusionbench_tf, grades, SETTINGS))
        header, line = (text.split("\n")[index].split(",") for index in (0, 1))
        assert line[header.index("real_scene")] == ""
        assert line[header.index("real_scene_low")] == ""

    def test_every_column_has_its_own_best_constant_answer_and_its_guess(self):
        grades = frame(
            counted("m", "true_false", 1, 3, category="trap", offered=["True", "False"]),
            [answer_row("m", "true_false", "other", key="False", offered=["True", "False"])],
        )
        made = frame_of(illusionbench_tf, grades, SETTINGS).set_index("model")
        best, guess = made.loc["best constant answer"], made.loc["uniform guessing"]
        assert [best[f"{name}_answer"] for name in ("trap", "classical", "all")] == [
            *("True", "False", "True"),
        ]
        assert best[["trap", "classical", "all"]].tolist() == [1, 1, 0.75]
        assert (best["all_k"], best["all_n"], best["real_scene_n"]) == (3, 4, 0)
        assert (guess["all"], guess["all_n"]) == (0.5, 4)
        assert best[["real_scene", "all_low", "all_unparsed_k"]].isna().all()
        assert made["kind"].tolist() == ["measured", "reference", "reference"]

    def test_options_under_numerals_have_a_best_position_and_no_constant_answer(self):
        listed = {"offered": ["I", "II", "III", "IV"], "is_listed": True}
        rows = [chosen("m", "I", key, f"i{n}", **listed) for n, key in enumerate(("II", "II", "I"))]
        made = frame_of(illusionbench_mcq, frame(rows), SETTINGS).set_index("model")
        assert list(made.index) == ["m", "uniform guessing", "best position"]
        assert made.loc["best position", ["all_answer", "all_k"]].tolist() == ["second", 2]
        layout = layout_of(illusionbench_mcq, frame(rows), SETTINGS)
        assert layout.rows[-1].cells[-2:] == ("66.67\n2/3 (second)", "")
        assert "right more often than: m." in layout.notes[-1]

    def test_unparsed_answers_are_wrong_and_counted(self):
        grades = frame(
            [said("refusal", "I cannot help with that.", "False", f"i{n}") for n in range(4)]
        )
        row = one(illusionbench_tf, grades)
        assert (row["all"], row["all_unparsed_k"], row["all_n"]) == (0.0, 4, 4)

    @pytest.mark.parametrize(
        ("reply", "expected"),
        [
            ("II", 1.0),
            ("(ii)", 1.0),
            ("The answer is II.", 1.0),
            ("I think it is II", 1.0),
            ("VI", 0.0),
            ("", 0.0),
        ],
    )
    def test_stub_models_are_graded_as_they_speak(self, reply, expected):
        grades = frame([chosen("stub", reply, "II", f"i{n}") for n in range(3)])
        assert one(illusionbench_mcq, grades)["all"] == expected

    def test_only_the_first_order_of_options_counts(self):
        rows = [chosen("m", "II", "II", "i0"), chosen("m", "I", "II", "i0", 1, shuffle_round="1")]
        row = one(illusionbench_mcq, frame(rows))
        assert (row["all_n"], row["all_k"]) == (1, 1)

    def test_interval_holds_the_estimate_and_is_the_same_again(self):
        rows = [
            answer_row("m", "true_false", f"i{image}", index, correct=(image * index) % 3 > 0)
            for image in range(20)
            for index in range(3)
        ]
        first, again = (one(illusionbench_tf, frame(rows)) for _ in range(2))
        assert first["all_low"] < first["all"] < first["all_high"]
        assert (first["all_low"], first["all_high"]) == (again["all_low"], again["all_high"])

    def test_answers_about_one_image_are_worth_one(self):
        row = one(illusionbench_tf, frame(counted("m", "true_false", 1, 2)))
        expected = share_of_totals([1], [2])
        assert expected.effective_n == 1
        assert (row["all_low"], row["all_high"]) == pytest.approx((expected.low, expected.high))

    def test_models_are_compared_on_the_same_questions(self):
        rows = [*counted("m", "true_false", 3, 8), *counted("w", "true_false", 1, 8)]
        (row,) = frame_of(pairs_illusionbench, frame(rows), SETTINGS).to_dict("records")
        assert (row["question"], row["n"], row["difference"]) == ("true_false", 8, 25)
        assert row["p"] == row["p_holm"] <= 1

    def test_missing_factor_is_named(self):
        grades = frame(counted("m", "true_false", 1, 2)).drop(columns="difficulty")
        with pytest.raises(AfterimageError, match="column 'difficulty' is missing"):
            frame_of(illusionbench_tf, grades, SETTINGS)


class TestVerdicts:
    """Parser, judge and people may say different things; the table says whose word counts."""

    ROWS = (
        {"correct": True, "decided_by": "review"}
        | {
            "readings": {
                "correct_grader": "false",
                "correct_judge": "false",
                "correct_review": "true",
            }
        },
        {"correct": False, "decided_by": "judge"}
        | {"readings": {"correct_grader": "true", "correct_judge": "undecided"}},
        {"correct": True, "decided_by": "judge"}
        | {"readings": {"correct_grader": "false", "correct_judge": "true"}},
        {"correct": True, "decided_by": "parser", "readings": {"correct_grader": "true"}},
    )

    @pytest.mark.parametrize(
        ("decided_by", "right", "answers"), [("final", 3, 4), ("judge", 1, 3), ("parser", 2, 4)]
    )
    def test_each_verdict_gives_its_own_accuracy(self, decided_by, right, answers):
        rows = [answer_row("m", "true_false", f"i{n}", **row) for n, row in enumerate(self.ROWS)]
        row = one(illusionbench_tf, frame(rows), table_settings(decided_by=decided_by))
        assert (row["all_k"], row["all_n"]) == (right, answers)

    def test_note_names_the_verdict_and_the_data(self):
        grades = frame(counted("m", "true_false", 1, 2))
        for decided_by in ("parser", "judge", "final"):
            notes = layout_of(illusionbench_tf, grades, table_settings(decided_by=decided_by)).notes
            assert any(decided_by.split()[0] in note for note in notes)
            assert any(
                "Data: the set drawn here (seed 20250102), 24 images" in note for note in notes
            )

    def test_note_lists_what_was_left_out(self):
        grades = frame(counted("m", "true_false", 1, 2))
        left = {"image: no image file": 44, "multiple_choice: no options in the text": 2}
        settings = table_settings(exclusions=left, source="release", version="abc", images=1000)
        text = " ".join(layout_of(illusionbench_tf, grades, settings).notes)
        assert "46 rows" in text
        assert "image: no image file (44)" in text
        assert "official release (annotations abc), 1000 images" in text


class TestGroups:
    def settings(self):
        groups = [["Closed-Source VLMs", ["shut"]], ["Opened-Source VLMs", ["open", "free"]]]
        return table_settings(model_groups=groups)

    def grades(self):
        parts = [
            counted(model, "true_false", right, 4)
            for model, right in (("pixels", 4), ("free", 1), ("new", 3), ("shut", 2), ("open", 3))
        ]
        return frame(*parts)

    def test_models_stand_in_their_groups_and_yardsticks_last(self):
        made = frame_of(illusionbench_tf, self.grades(), self.settings())
        assert list(zip(made["group"], made["model"], strict=True)) == [
            ("Closed-Source VLMs", "shut"),
            ("Opened-Source VLMs", "free"),
            ("Opened-Source VLMs", "open"),
            ("Other models", "new"),
            ("Reference responders", "pixels"),
            ("Without looking", "best constant answer"),
        ]

    def test_best_model_is_bold_and_yardsticks_do_not_compete(self):
        grades, settings = self.grades(), self.settings()
        made, layout = worked_out(illusionbench_tf, grades, settings)
        markdown = markdown_text(made, layout)
        bold = [line for line in markdown.split("\n") if "**75.00**" in line]
        assert [line.split("|")[1].strip() for line in bold] == ["open", "new"]
        assert "**100.00**" not in markdown
        assert "**Opened-Source VLMs**" in markdown
        html = html_text(made, layout)
        assert html.count("<strong>75.00</strong>") == 2 * 3
        assert 'colspan="5">Image Category</th>' in html
        assert html.count('<tr class="group">') == 5
        latex = latex_text(made, layout)
        assert r"\textbf{75.00}" in latex
        assert r"\multicolumn{11}{@{}l}{\textit{Closed-Source VLMs}} \\" in latex
        assert r"\multicolumn{5}{c}{Image Category}" in latex

    def test_model_name_is_data_in_every_form(self):
        grades = frame(counted("<b>a_b & c</b>", "true_false", 1, 2))
        made, layout = worked_out(illusionbench_tf, grades, SETTINGS)
        assert "&lt;b&gt;a_b &amp; c&lt;/b&gt;" in html_text(made, layout)
        assert r"a\_b \& c" in latex_text(made, layout)


class TestPeople:
    def write(self, tmp_path, rows):
        path = tmp_path / "human.csv"
        pd.DataFrame(rows, columns=["evaluator", "item_id", "answer"]).to_csv(path, index=False)
        return table_settings(human_vqa=str(path))

    def grades(self):
        rows = [said("m", "True", "True", f"i{n}", n) for n in range(4)]
        return frame(rows, [chosen("m", "II", "II", "i0")])

    def test_row_is_the_mean_of_the_people(self, tmp_path):
        ids = [f"i{n}/true_false/{n}" for n in range(4)]
        rows = [("ann", name, "True") for name in ids[:3]] + [
            ("ben", ids[0], "False"),
            ("ben", ids[3], "yes"),
        ]
        settings = self.write(tmp_path, rows)
        made = frame_of(illusionbench_tf, self.grades(), settings)
        row = made.set_index("model").loc["Human"]
        assert row["all"] == pytest.approx((1.0 + 0.5) / 2)
        assert row["all_n"] == 5
        assert pd.isna(row["all_k"])
        layout = layout_of(illusionbench_tf, self.grades(), settings)
        assert "75.00" in markdown_text(made, layout)
        assert "n=5" in markdown_text(made, layout)

    def test_each_question_type_takes_its_own_answers(self, tmp_path):
        settings = self.write(tmp_path, [("ann", "i0/multiple_choice/0", "ii")])
        made = frame_of(illusionbench_mcq, self.grades(), settings).set_index("model")
        assert made.loc["Human", "all"] == 1.0
        assert (
            frame_of(illusionbench_tf, self.grades(), settings)
            .set_index("model")
            .loc["Human", "all_n"]
            == 0
        )

    @pytest.mark.parametrize(
        ("rows", "message"),
        [
            (
                [("ann", "i9/true_false/0", "True")],
                "line 2: unknown item 'i9/true_false/0': did you mean",
            ),
            (
                [("ann", "i0/true_false/0", said) for said in ("True", "False")],
                "'ann' answered item 'i0/true_false/0' twice",
            ),
        ],
    )
    def test_fault_in_the_file_is_named(self, tmp_path, rows, message):
        with pytest.raises(AfterimageError, match=message):
            frame_of(illusionbench_tf, self.grades(), self.write(tmp_path, rows))


class TestFpRatio:
    def test_always_true_has_ratio_one_and_always_false_zero(self):
        rows = [
            said(model, reply, key, f"i{n}", n)
            for model, reply in (("always_true", "True"), ("always_false", "False"))
            for n, key in enumerate(["True", "False", "False"] * 4)
        ]
        made = frame_of(illusionbench_fp_ratio, frame(rows), SETTINGS).set_index("model")
        assert made.loc["always_true", "all"] == 1.0
        assert made.loc["always_false", "all"] == 0.0
        assert made.loc["always_true", "all_fp_rate"] == 1.0
        assert made.loc["always_true", "all_negatives_n"] == 8
        same = [name for name in made if not name.endswith(("_low", "_high"))]
        for said_always in ("true", "false"):
            unseeing, model = made.loc[f"always {said_always}"], made.loc[f"always_{said_always}"]
            assert unseeing[same[1:]].fillna(-1).tolist() == model[same[1:]].fillna(-1).tolist()
        guess = made.loc["uniform guessing"]
        shares = guess[["all", "all_fp_rate", "all_fn_rate"]].tolist()
        assert shares == pytest.approx([2 / 3, 0.5, 0.5], abs=1e-4)
        assert guess[["all_fp_k", "all_other_k", "all_low"]].isna().all()
        assert made.loc["always true"]["all_low":"all_high"].isna().all()
        layout = layout_of(illusionbench_fp_ratio, frame(rows), SETTINGS)
        assert [row.cells[-1] for row in layout.rows[2:]] == [
            *("0.6667", "1.0000\nFP 8/8\nFN 0/4", "0.0000\nFP 0/8\nFN 4/4")
        ]

    def test_without_errors_there_is_no_ratio(self):
        rows = [said("oracle", key, key, f"i{n}", n) for n, key in enumerate(["True", "False"])]
        row = one(illusionbench_fp_ratio, frame(rows))
        assert math.isnan(row["all"])
        assert (row["all_fp_k"], row["all_fn_k"]) == (0, 0)

    def test_unparsed_answers_are_neither(self):
        rows = [said("m", "The answer is true", "False", "i0"), said("m", "Maybe.", "False", "i1")]
        row = one(illusionbench_fp_ratio, frame(rows))
        assert (row["all"], row["all_fp_k"], row["all_fn_k"], row["all_other_k"]) == (1.0, 1, 0, 1)

    def test_answer_that_people_found_right_is_no_error(self):
        row = said("m", "True", "False", "i0") | {
            "correct": True,
            "decided_by": "review",
            "readings": {"correct_grader": "false", "correct_review": "true"},
        }
        assert one(illusionbench_fp_ratio, frame([row]))["all_fp_k"] == 0


class TestDescriptions:
    def test_without_a_judge_cells_are_empty_and_one_sentence_says_why(self):
        grades = frame(scored("pixels", "semantic", [None, None]))
        for table in (
            illusionbench_description,
            illusionbench_description_detail,
            illusionbench_step_by_step,
        ):
            made, layout = worked_out(table, grades, SETTINGS)
            assert "so n is 0" in layout.notes[0]
            markdown_text(made, layout)
        row = one(illusionbench_description, grades)
        assert math.isnan(row["semantic"])
        assert (row["semantic_n"], row["semantic_asked"], row["semantic_missing"]) == (0, 2, 2)

    def test_mean_deviation_majority_and_unanimity(self):
        grades = frame(
            [
                judged("m", "semantic", 2.0, "a", "2 2 2 2 2"),
                judged("m", "semantic", 0.4, "b", "0 1 0 1 0", majority="0"),
                judged("m", "illusion", 1.0, "a", "1 1 1 1 1"),
            ],
            scored("m", "step_by_step", [None]),
        )
        row = one(illusionbench_description, grades)
        assert row["semantic"] == pytest.approx(1.2)
        assert row["semantic_sd"] == pytest.approx(math.sqrt(2 * 0.8**2))
        assert row["semantic_majority"] == pytest.approx(1.0)
        assert row["semantic_unanimous"] == pytest.approx(0.5)
        assert row["all"] == pytest.approx(3.4 / 3)
        assert (row["all_n"], row["all_missing"]) == (3, 1)
        cell = markdown_text(*worked_out(illusionbench_description, grades, SETTINGS))
        assert "1.2000 ± 1.1314" in cell
        assert "Judged by stub (prompts 'paper', 5 rounds)" in cell

    def test_details_pool_all_types_in_their_last_row(self):
        grades = frame(
            [
                judged("m", "semantic", 2.0, "a", "2 2 2", category="trap", difficulty="hard"),
                judged("m", "illusion", 1.0, "a", "1 1 1", category="trap", difficulty="hard"),
            ]
        )
        made = frame_of(illusionbench_description_detail, grades, SETTINGS).set_index(
            "question_type"
        )
        assert list(made.index) == ["semantic", "illusion", "step_by_step", "all"]
        assert made.loc["all", "trap"] == 1.5
        assert made.loc["all", "hard_n"] == 2
        assert made.loc["semantic", "classical_n"] == 0


class TestStepByStep:
    @pytest.mark.parametrize(
        ("score", "expected"),
        [
            (2.0, "high"),
            (1.4, "high"),
            (1.33, "high"),
            (1.33 - 1e-12, "high"),
            (1.2, "mid"),
            (0.8, "mid"),
            (0.6, "low"),
            (0.0, "low"),
        ],
    )
    def test_scores_fall_into_the_papers_bins(self, score, expected):
        assert bin_of(score) == expected

    def test_means_and_changes_by_hand(self):
        scores = {
            "a": (2.0, 1.0, 2.0),
            "b": (1.4, 2.0, 2.0),
            "c": (1.0, 1.0, 0.0),
            "d": (0.2, 0.0, 1.0),
        }
        rows = [
            judged("m", kind, score, image, "1 1 1")
            for image, triple in scores.items()
            for kind, score in zip(("illusion", "semantic", "step_by_step"), triple, strict=True)
        ]
        rows.append(judged("m", "illusion", 2.0, "e", "2 2 2"))
        row = one(illusionbench_step_by_step, frame(rows))
        assert (row["high_n"], row["high_semantic"], row["high_step_by_step"]) == (2, 1.5, 2.0)
        assert row["high_change"] == pytest.approx(100 / 3, abs=1e-3)
        assert (row["mid_semantic"], row["mid_step_by_step"], row["mid_change"]) == (
            1.0,
            0.0,
            -100.0,
        )
        assert (row["low_semantic"], row["low_step_by_step"]) == (0.0, 1.0)
        assert math.isnan(row["low_change"])

    def test_empty_bin_is_empty(self):
        rows = [
            judged("m", kind, 2.0, "a", "2 2 2")
            for kind in ("illusion", "semantic", "step_by_step")
        ]
        row = one(illusionbench_step_by_step, frame(rows))
        assert row["low_n"] == 0
        assert math.isnan(row["low_semantic"])

    def test_change_is_printed_with_its_arrow_and_colour(self):
        assert (printed_change(2.74), printed_change(-8.02), printed_change(0.0)) == (
            "(↑2.7%)",
            "(↓8.0%)",
            "(↑0.0%)",
        )
        assert relative_change(0.0, 1.0) is None
        rows = [
            judged("m", kind, score, image, "1 1 1")
            for image, step in (("a", 2.0), ("b", 1.0))
            for kind, score in (("illusion", 2.0), ("semantic", 1.0), ("step_by_step", step))
        ]
        grades = frame(rows)
        made, layout = worked_out(illusionbench_step_by_step, grades, SETTINGS)
        assert '<span class="rise">(↑50.0%)</span>' in html_text(made, layout)
        assert r"\textcolor{red}{($\uparrow$50.0\%)}" in latex_text(made, layout)
        assert r"\providecommand{\textcolor}[2]{#2}" in latex_text(made, layout)

    def test_blank_and_refused_first_steps_are_flagged(self):
        rows = [
            answer_row("m", "illusion", "a", reason=BLANK.reason),
            answer_row("m", "illusion", "b", reason=DECLINED.reason),
            answer_row("m", "illusion", "c", reason="judge: mean 1"),
            answer_row("m", "illusion", "d", reason=UNFINISHED.reason),
            *(answer_row("m", "step_by_step", image) for image in "abcd"),
        ]
        assert one(illusionbench_step_by_step, frame(rows))["flagged_memory_k"] == 3


class TestData:
    def test_images_and_questions_are_counted_once_whoever_answers(self):
        easy, hard = ({"category": "trap", "difficulty": name} for name in ("easy", "hard"))
        rows = [
            *(said(model, "True", "True", "i0") | easy for model in ("m", "n")),
            said("m", "True", "True", "i1") | hard,
            judged("m", "semantic", 1.0, "i1", "1 1 1") | hard,
            *(
                chosen("m", "I", "I", "i0", shuffle_round=str(number))
                | easy
                | {"item_id": f"i0/mcq/{number}"}
                for number in (0, 1)
            ),
        ]
        made = frame_of(illusionbench_data, frame(rows), SETTINGS).set_index("category")
        assert list(made.index) == [*CATEGORIES, "total"]
        counts = ["images", "images_easy", "images_neutral", "images_hard"]
        kinds = ["instances", "statements", "choices", "descriptions"]
        for row in ("trap", "total"):
            assert list(made.loc[row, counts]) == [2, 1, 0, 1]
            assert list(made.loc[row, kinds]) == [4, 2, 1, 1]
            assert list(made.loc[row, ["false_k", "false_share", "goldens"]]) == [0, 0, 1]
        assert list(made.loc["classical", ["images", *kinds, "goldens"]]) == [0] * 6
        figure = data_chart.draw_data({"illusionbench_data": made.reset_index()})
        texts = [text.get_text() for text in figure.axes[0].texts]
        assert "2 images, 4 questions" in texts

    def test_false_statements_and_the_words_of_golden_descriptions_are_the_datas_own(self):
        golden = "A wall. There is no illusion."
        rows = [
            said("m", "True", "False", "i0"),
            said("m", "True", "True", "i1", 1),
            said("m", "True", "False", "i1", 2),
            *(
                judged("m", kind, 1.0, "i0", "1 1 1") | {"key": golden}
                for kind in ("semantic", "illusion")
            ),
            judged("m", "semantic", 1.0, "i1", "1 1 1") | {"key": "One two."},
        ]
        total = frame_of(illusionbench_data, frame(rows), SETTINGS).iloc[-1]
        assert (total["false_k"], total["statements"]) == (2, 3)
        assert total["false_share"] == pytest.approx(200 / 3)
        assert (total["goldens"], total["golden_words"]) == (2, 4.0)

    @pytest.mark.parametrize(
        "source, rated",
        [
            ("drawn", "by how much the figure differs (percent, of plates CIEDE2000); nobody has"),
            ("folder", "as the folder's images.csv says."),
            ("release", "as people rated them (paper, section III)."),
        ],
    )
    def test_the_note_says_whence_difficulty_comes_in_the_set_that_was_asked_about(
        self, source, rated
    ):
        settings = table_settings(source=source)
        notes = layout_of(illusionbench_data, frame([said("m", "True", "True", "i0")]), settings)
        assert f"Easy, neutral and hard are images, {rated}" in " ".join(notes.notes)


class TestNumerals:
    def test_leaning_to_a_place_is_seen(self):
        rows = [chosen("m", "I", key, f"i{n}", n) for n, key in enumerate(("I", "II", "III", "IV"))]
        made = frame_of(illusionbench_numerals, frame(rows), SETTINGS).set_index("numeral")
        assert list(made["chosen_k"]) == [4, 0, 0, 0]
        assert list(made["right_k"]) == [1, 0, 0, 0]
        assert made["same_k"].isna().all()

    def test_who_does_not_look_chooses_each_alike_or_the_most_frequent_key(self):
        listed = {"offered": ["I", "II", "III", "IV"], "is_listed": True}
        rows = [chosen("m", "I", key, f"i{n}", n, **listed) for n, key in enumerate(("II", "II"))]
        made = frame_of(illusionbench_numerals, frame(rows), SETTINGS).set_index("model")
        guess, best = made.loc["uniform guessing"], made.loc["best position"]
        assert (guess["chosen"].tolist(), best["chosen"].tolist()) == ([25] * 4, [0, 100, 0, 0])
        assert set(best["answer"]) == {"II"}
        assert guess["answer"].isna().all()
        assert guess["accuracy"].fillna(-1).tolist() == [-1, 25, -1, -1]
        assert best["accuracy"].fillna(-1).tolist() == [-1, 100, -1, -1]
        assert guess[["chosen_k", "right_k", "low", "same_k"]].isna().all(axis=None)

    def test_same_option_in_every_order_counts_and_same_numeral_does_not(self):
        orders = ("0 1 2 3", "1 0 2 3")
        rows = []
        for model, replies in (("content", ("I", "II")), ("place", ("I", "I")), ("mute", ("", ""))):
            for number, (order, reply) in enumerate(zip(orders, replies, strict=True)):
                row = chosen(model, reply, "I", "i0", shuffle_round=str(number), permutation=order)
                suffix = f"/shuffle_{number}" if number else ""
                rows.append(row | {"item_id": f"i0/multiple_choice/1/p{suffix}"})
        made = (
            frame_of(illusionbench_numerals, frame(rows), SETTINGS)
            .drop_duplicates("model")
            .set_index("model")
        )
        assert made["same_k"].to_dict() == {"content": 1, "place": 0, "mute": 0}
        assert set(made["questions_n"]) == {1}


class TestRadar:
    def test_values_are_those_of_the_tables(self):
        grades = frame(
            [said("m", "True", "True", "i0", category="trap", offered=["True", "False"])],
            [chosen("m", "I", "II", "i0", category="trap", offered=["I", "II"])],
            [judged("m", "semantic", 1.4, "i0", "1 2 1", category="trap")],
        )
        made = frame_of(illusionbench_radar, grades, SETTINGS)
        reference = made[made["kind"] == "reference"].set_index(["model", "series", "axis"])
        # "True" is right of the one statement; nobody answers where nothing was asked.
        assert reference.loc[
            ("best constant answer", "T/F", "P5"), ["value", "answer"]
        ].to_list() == [1.0, "True"]
        assert reference["value"]["uniform guessing", "T/F", "P5"] == 0.5
        assert math.isnan(reference["value"]["uniform guessing", "T/F", "P1"])
        made_by_models = made[made["kind"] == "measured"]
        assert len(made_by_models) == 2 * 5 + 2 * 5
        values = made_by_models.set_index(["series", "axis"])["value"]
        assert values["T/F", "P5"] == 1.0
        assert values["Mul", "P5"] == 0.0
        assert values["Sem", "D5"] == pytest.approx(1.4)
        assert math.isnan(values["Illu", "D5"])
        figure = radar_chart.draw_radar({"illusionbench_radar": made})
        assert len(figure.axes) == 2

    @pytest.mark.parametrize("other, alike", [("True", True), ("False", False)])
    def test_a_line_that_another_covers_is_a_band_and_the_legend_says_so(self, other, alike):
        grades = frame(
            [said("a", "True", "True", "i0", category="trap")],
            [said("b", other, "True", "i0", category="trap")],
        )
        figure = radar_chart.draw_radar(
            {"illusionbench_radar": frame_of(illusionbench_radar, grades, SETTINGS)}
        )
        words = [text.get_text() for text in figure.legends[0].get_texts()]
        assert ("a (band below b, alike in part)" in words) is alike
        line = figure.axes[0].lines[0]
        assert (line.get_linewidth() > 5, line.get_alpha() is not None) == (alike, alike)

    def test_a_chart_in_which_nobody_has_a_score_is_not_drawn(self):
        made = frame_of(illusionbench_radar, frame([said("m", "True", "True", "i0")]), SETTINGS)
        figure = radar_chart.draw_radar({"illusionbench_radar": made})
        assert [axes.get_title(loc="center") for axes in figure.axes] == ["Perception: accuracy"]

    def test_the_judge_stands_in_a_column_and_above_the_chart(self):
        by_facts = judged("m", "semantic", 1.0, "i0", "1 1 1")
        by_facts["readings"] |= {"judge": "facts", "reference_judge": "true"}
        by_model = judged("m", "illusion", 1.0, "i0", "1 1 1")
        by_model["readings"] |= {"judge": "qwen-plus"}
        grades = frame([said("m", "True", "True", "i0")], [by_facts], [by_model])
        made = frame_of(illusionbench_radar, grades, SETTINGS)
        judges = made[made["n"] > 0].groupby("series")["judge"].agg(lambda names: names.iloc[0])
        assert judges["Sem"] == "facts (reference judge)"
        assert judges["Illu"] == "qwen-plus"
        assert made.loc[made["series"] == "T/F", "judge"].isna().all()
        perception, description = radar_chart.draw_radar({"illusionbench_radar": made}).axes
        assert perception.get_title(loc="center") == "Perception: accuracy"
        assert description.get_title(loc="center").split("\n")[1:] == [
            "judge: facts (reference judge)",
            "judge: qwen-plus",
        ]

    def test_a_figure_without_any_score_says_so(self):
        made = frame_of(illusionbench_radar, frame([said("m", "True", "True", "i0")]), SETTINGS)
        figure = radar_chart.draw_radar({"illusionbench_radar": made.assign(value=math.nan)})
        assert figure.axes == []
        assert [text.get_text() for text in figure.texts] == ["no answer has a score"]


TABLES = (
    illusionbench_tf,
    illusionbench_mcq,
    illusionbench_description,
    illusionbench_step_by_step,
    illusionbench_fp_ratio,
    illusionbench_description_detail,
    illusionbench_numerals,
    illusionbench_radar,
    illusionbench_data,
)


@pytest.mark.parametrize("question", ["true_false", "multiple_choice", "semantic"])
def test_every_table_is_made_where_one_kind_of_question_is_asked_alone(question):
    rows = {
        "true_false": [said("m", "True", "True", "i0")],
        "multiple_choice": [chosen("m", "I", "I", "i0")],
        "semantic": [judged("m", "semantic", 1.0, "i0", "1 1 1")],
    }
    grades = frame(rows[question])
    if question != "multiple_choice":
        grades = grades.drop(columns=["shuffle_round", "permutation"])
    for table in TABLES:
        made, layout = worked_out(table, grades, SETTINGS)
        for form in (csv_text, markdown_text, latex_text, html_text):
            assert form(made, layout)


def test_repeats_are_pooled_and_said_so():
    rows = [
        said("m", reply, "True", "i0") | {"repeat": n} for n, reply in enumerate(("True", "False"))
    ]
    row = one(illusionbench_tf, frame(rows))
    assert (row["all_n"], row["all_k"]) == (2, 1)
    notes = layout_of(illusionbench_tf, frame(rows), SETTINGS).notes
    assert "Answers of 2 repeats are pooled." in notes
