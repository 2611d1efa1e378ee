"""Scores of answerers whose scores are known in closed form, and what the tables say beside them."""

import json

import numpy as np
import pandas as pd
import pytest
from pope_material import (
    always_no,
    always_yes,
    graded,
    items_of,
    oracle,
    told,
    write_annotations,
)
from table_forms import csv_text, html_text, latex_text, layout_of, markdown_text, worked_out

from afterimage.errors import AfterimageError
from afterimage.showing.tables.compute import frame_of
from afterimage.suites.pope import tables, tables_blog
from afterimage.suites.pope.metrics import SCORES, count, scores


@pytest.fixture(scope="module")
def items(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("study"))
        return items_of(write_annotations())


def flipping(share):
    """An oracle that is wrong on every so-manieth question."""
    every = round(1 / share)

    def answer(item):
        number = int(item["factors"].get("question_id", "1"))
        right = item["key"] == "yes"
        return "Yes" if right ^ (number % every == 0) else "No"

    return answer


def verbose(item):
    """Sentences, yes and no told without these words."""
    name = item["factors"]["object"]
    return f"There is a {name} in it." if item["key"] == "yes" else f"It does not contain a {name}."


def refusing(item):
    return "I am sorry, I cannot look at images."


def cell(frame, **cell_key):
    for name, value in cell_key.items():
        frame = frame[frame[name] == value]
    (row,) = frame.to_dict(orient="records")
    return row


class TestMetrics:
    @pytest.mark.parametrize(
        ("keys", "readings", "counts"),
        [
            (("yes",) * 3 + ("no",) * 3, ("yes", "no", "", "yes", "no", ""), (1,) * 6),
            # Right whatever the key.
            (("yes", "no"), ("both", "both"), (1, 0, 1, 0, 0, 0)),
        ],
    )
    def test_answers_are_sorted_by_key_and_reading(self, keys, readings, counts):
        assert tuple(count(keys, readings).sum(axis=0)) == counts

    @pytest.mark.parametrize(
        ("counts", "expected"),
        [
            # What has no denominator is undefined and not zero.
            ((0, 0, 5, 5, 0, 0), (0.5, np.nan, 0, np.nan, 0)),
            ((0,) * 6, (np.nan,) * 5),
            # A yes that is always wrong has an F1 of zero.
            ((0, 3, 0, 3, 0, 0), (0, 0, 0, 0, 0.5)),
            # An unread answer is wrong and lowers the recall.
            ((2, 0, 2, 0, 2, 2), (0.5, 1, 0.5, 2 / 3, 0.25)),
        ],
    )
    def test_scores_follow_from_counts_one_row_or_many(self, counts, expected):
        assert scores(np.array(counts)) == pytest.approx(np.array(expected), nan_ok=True)
        many = np.array([counts, (1, 2, 3, 4, 1, 1)])
        assert np.array_equal(scores(many)[0], scores(many[0]), equal_nan=True)


@pytest.fixture(scope="module")
def frame(items):
    """The table ``pope`` of all stub answerers."""
    grades = graded(
        items,
        oracle=oracle,
        yes=always_yes,
        no=always_no,
        flips=flipping(0.1),
        verbose=verbose,
        refusing=refusing,
    )
    return frame_of(tables.POPE, grades, told())


@pytest.fixture(scope="module")
def blog(items):
    """The table ``pope_blog`` of three of them."""
    return frame_of(
        tables_blog.POPE_BLOG, graded(items, oracle=oracle, no=always_no, refusing=refusing), told()
    )


class TestPope:
    @pytest.mark.parametrize("strategy", ["random", "popular", "adversarial"])
    @pytest.mark.parametrize(
        ("models", "expected"),
        [
            (("oracle",), (100, 100, 100, 100, 50)),
            (("yes", "always yes"), (50, 50, 100, 200 / 3, 100)),
            (("no", "always no"), (50, np.nan, 0, np.nan, 0)),
            (("uniform guessing",), (50,) * 5),
        ],
    )
    def test_scores_are_as_in_the_closed_form(self, frame, models, strategy, expected):
        for model in models:
            row = cell(frame, model=model, strategy=strategy)
            assert [row[name] for name in SCORES] == pytest.approx(list(expected), nan_ok=True)
            assert (row["n"], row["keys_yes"]) == (180, 90)

    def test_a_guess_has_no_bounds(self, frame):
        row = cell(frame, model="uniform guessing", strategy="random")
        assert row["kind"] == "reference"
        assert all(np.isnan(row[name]) for name in ("accuracy_low", "f1_low", "accuracy_high"))

    def test_flips_lower_accuracy_by_their_share(self, frame):
        row = cell(frame, model="flips", strategy="adversarial")
        assert row["accuracy"] == 90
        assert row["accuracy_low"] < 90 < row["accuracy_high"]

    def test_sentences_are_read_by_the_strict_rule_and_not_by_the_official_one(self, frame):
        row = cell(frame, model="verbose", strategy="random")
        assert row["strict_accuracy"] == 100
        # "does not" holds the token that the official rule looks for; a sentence without it is a yes.
        assert row["accuracy"] == 100
        assert row["word_accuracy"] == 0

    def test_refusals_are_all_yes_to_the_official_rule_and_unparsed_to_the_strict_one(self, frame):
        row = cell(frame, model="refusing", strategy="random")
        assert row["yes_ratio"] == 100
        assert row["unparsed_k"] == 180
        assert row["strict_accuracy"] == 0
        assert row["rules_differ"] is True

    def test_the_mean_of_f1_is_unweighted(self, frame):
        row = cell(frame, model="flips", strategy="mean")
        found = frame[(frame["model"] == "flips") & (frame["strategy"] != "mean")]
        assert row["f1"] == pytest.approx(found["f1"].mean())
        assert pd.isna(row["n"])

    @pytest.mark.parametrize("model", ["uniform guessing", "always yes", "always no"])
    def test_means_stand_beside_the_means_of_who_does_not_look(self, frame, model):
        row = cell(frame, model=model, strategy="mean")
        found = frame[(frame["model"] == model) & (frame["strategy"] != "mean")]
        assert row["kind"] == "reference"
        for score in ("accuracy", "f1", "strict_accuracy"):
            # Of whoever always says no there is no F1.
            assert row[score] == pytest.approx(found[score].mean(), nan_ok=True)
        assert pd.isna(row["accuracy_low"])
        assert pd.isna(row["precision"])

    def test_the_best_of_a_block_is_marked_and_no_baseline_is(self, frame):
        assert (
            cell(frame, model="oracle", strategy="random")["best"] == "accuracy precision recall f1"
        )
        assert cell(frame, model="always yes", strategy="random")["best"] == ""

    def test_the_best_of_a_block_is_bold_in_print(self, items):
        grades = graded(items, oracle=oracle, flips=flipping(0.1))
        printed, layout = worked_out(tables.POPE, grades, told())
        assert "<strong>100.00</strong>" in html_text(printed, layout)
        assert "<strong>90.00</strong>" not in html_text(printed, layout)


class TestNotes:
    def notes(self, items, **answerers):
        return layout_of(tables.POPE, graded(items, **answerers), told()).notes

    def test_a_gap_of_more_than_a_point_between_the_rules_is_said(self, items):
        assert any(
            "refusing (is_there, random)" in note for note in self.notes(items, refusing=refusing)
        )
        assert not any("differ by more" in note for note in self.notes(items, oracle=oracle))

    def test_unequal_recall_is_said_of_a_model_and_not_of_a_deterministic_one(self, items):
        def moody(item):
            return "No" if item["factors"]["strategy"] == "random" else oracle(item)

        (note,) = [
            note
            for note in self.notes(items, moody=moody, steady=oracle)
            if "recall" in note.lower() and "moody" in note
        ]
        assert "steady" not in note

    def test_missing_images_are_said_with_their_number(self, items):
        grades = graded(items, oracle=oracle)
        counts = {
            strategy: {"images": 50, "questions": 300, "image_missing": 120, "no_negative_left": 2}
            for strategy in ("random", "popular", "adversarial")
        }
        grades.loc[grades["variant"] == "pope", "asked_of"] = json.dumps(counts)
        frame = frame_of(tables.POPE, grades, told())
        row = cell(frame, model="oracle", strategy="random")
        assert (row["n"], row["n_questions"], row["image_missing"]) == (180, 300, 120)
        notes = " ".join(layout_of(tables.POPE, grades, told()).notes)
        assert "120 of 300 questions were not asked" in notes
        assert "2 pairs of questions could not be asked" in notes

    def test_without_any_image_the_questions_are_counted_all_the_same(self, tmp_path):
        path = tmp_path / "coco_pope_random.json"
        path.write_text(
            '{"question_id": 1, "image": "a.jpg", "text": "Is there a cat in the image?", "label": "no"}'
        )
        from_files = told(source="questions", questions={"random": str(path)})
        (row,) = frame_of(tables.POPE, pd.DataFrame(), from_files).to_dict(orient="records")
        assert (row["n"], row["n_questions"], row["image_missing"]) == (0, 1, 1)
        notes = " ".join(layout_of(tables.POPE, pd.DataFrame(), from_files).notes)
        assert "random: 1 questions, unknown version, SHA-256" in notes


class TestBlog:
    def test_a_guess_is_right_about_half(self, blog):
        guesses = blog[blog["model"] == "uniform guessing"]
        assert set(guesses["accuracy"]) == {50.0} and guesses["k"].isna().all()

    @pytest.mark.parametrize(
        ("model", "expected"),
        [("always no", (0, 100, 100, 200 / 3)), ("always yes", (100, 0, 0, 100 / 3))],
    )
    def test_constant_answers_stand_below_with_two_and_one_third(self, blog, model, expected):
        found = [
            cell(blog, model=model, strategy=name)["accuracy"] for name in ("C", "R", "A", "mean")
        ]
        assert found == pytest.approx(list(expected))

    def test_the_mean_is_unweighted_over_the_strategies(self, blog):
        assert cell(blog, model="no", strategy="mean")["accuracy"] == pytest.approx(200 / 3)
        assert cell(blog, model="oracle", strategy="mean")["accuracy"] == 100

    def test_chinese_answers_are_read_strictly_and_not_by_the_blogs_own_rule(self, blog):
        row = cell(blog, model="oracle", strategy="R")
        assert (row["strict_accuracy"], row["official_accuracy"], row["seed_exact_accuracy"]) == (
            100,
            0,
            0,
        )

    def test_refusals_are_right_under_section_7_and_wrong_here(self, blog):
        row = cell(blog, model="refusing", strategy="A")
        assert (row["accuracy"], row["seed_section7_accuracy"], row["unparsed_k"]) == (
            0,
            100,
            row["n"],
        )

    def test_the_rule_of_the_accuracy_is_a_setting(self, items):
        grades = graded(items, refusing=refusing)
        frame = frame_of(tables_blog.POPE_BLOG, grades, told(blog={"answer_rule": "seed_section7"}))
        row = cell(frame, model="refusing", strategy="R")
        assert (row["answer_rule"], row["accuracy"]) == ("seed_section7", 100)

    def test_wrong_keys_of_r_are_counted_and_the_accuracy_without_them_is_given(self, items):
        grades = graded(items, oracle=oracle, yes=lambda item: "Yes")
        r = (grades["variant"] == "pope_blog") & (grades["strategy"] == "R")
        grades.loc[r & (grades["stimulus_id"] < "scenes_00010"), "gold_conflict"] = "yes"
        row = cell(frame_of(tables_blog.POPE_BLOG, grades, told()), model="yes", strategy="R")
        assert row["gold_conflict_k"] == 10
        assert (row["accuracy"], row["accuracy_without_conflicts"]) == (0, 0)
        assert "10 questions of R name an object that is in the image" in " ".join(
            layout_of(tables_blog.POPE_BLOG, grades, told()).notes
        )

    def test_a_strategy_that_was_never_asked_is_undefined_and_not_zero(self, items):
        grades = graded(items, oracle=oracle)
        a = (grades["variant"] == "pope_blog") & (grades["strategy"] == "A")
        frame = frame_of(tables_blog.POPE_BLOG, grades[~a], told())
        assert pd.isna(cell(frame, model="oracle", strategy="A")["accuracy"])
        assert "mean" not in set(frame["strategy"])

    def test_a_models_captions_mark_the_table(self, items):
        marked = told(blog={"caption_source": "model", "allow_model_captions": True})
        layout = layout_of(tables_blog.POPE_BLOG, graded(items, oracle=oracle), marked)
        assert layout.warnings == ("the captions are a model's own: the keys are no ground truth",)
        assert layout_of(tables_blog.POPE_BLOG, graded(items, oracle=oracle), told()).warnings == ()


class TestExtended:
    def test_each_kind_has_its_row_and_the_mean_is_unweighted(self, items):
        frame = frame_of(tables.POPE_EXTENDED, graded(items, oracle=oracle, yes=always_yes), told())
        accuracy = frame[frame["model"] == "yes"].set_index("asked_about")["accuracy"]
        assert list(accuracy.index) == [
            *("colour", "count", "left_of", "above", "inside", "larger_than", "similar"),
            "mean",
        ]
        assert accuracy["mean"] == pytest.approx(accuracy.drop("mean").mean())
        assert (frame[frame["model"] == "oracle"]["accuracy"] == 100).all()


@pytest.mark.parametrize(
    "table", [tables.POPE, tables_blog.POPE_BLOG, tables.POPE_EXTENDED], ids=lambda one: one.name
)
class TestEveryTable:
    def test_variants_are_never_mixed(self, items, table):
        grades = graded(items, oracle=oracle)
        alone = frame_of(table, grades[grades["variant"] == table.name], told())
        pd.testing.assert_frame_equal(frame_of(table, grades, told()), alone)

    def test_an_empty_study_gives_an_empty_table_that_can_be_printed(self, items, table):
        for grades in (pd.DataFrame(), graded(items, oracle=oracle).iloc[:0]):
            frame, layout = worked_out(table, grades, told())
            assert len(frame) == 0
            for form in (csv_text, markdown_text, latex_text, html_text):
                assert form(frame, layout)

    def test_all_forms_are_printed_with_one_sign_for_what_is_undefined(self, items, table):
        grades = graded(items, no=always_no)
        frame, layout = worked_out(table, grades, told())
        text = markdown_text(frame, layout)
        assert "nan" not in text.lower().replace("finance", "")
        assert " n/a |" in text or table.name == "pope_blog"
        assert "<table>" in html_text(frame, layout)

    def test_equal_seeds_give_equal_bounds_whatever_the_order_of_the_grades(self, items, table):
        grades = graded(items, flips=flipping(0.2))
        shuffled = grades.sample(frac=1, random_state=1)
        first, second = (
            frame_of(table, grades, told()),
            frame_of(table, shuffled, told()),
        )
        key = list(first.columns[:6])
        pd.testing.assert_frame_equal(
            first.sort_values(key, ignore_index=True), second.sort_values(key, ignore_index=True)
        )

    def test_a_missing_column_is_one_sentence(self, items, table):
        with pytest.raises(AfterimageError, match="column 'readings' is missing"):
            frame_of(table, graded(items, oracle=oracle).drop(columns="readings"), told())


def test_models_are_compared_strategy_by_strategy_by_the_official_rule(items):
    grades = graded(items, oracle=oracle, yes=always_yes, verbose=verbose)
    row = cell(
        frame_of(tables.PAIRS, grades, told()), first="oracle", second="yes", strategy="popular"
    )
    # Half of the keys are no, three of six about every image.
    assert (row["n"], row["both"], row["only_first"], row["clusters"]) == (180, 90, 90, 30)
    assert (row["difference"], row["differing_clusters"]) == (50, 30)
    assert row["difference_low"] < 50 < row["difference_high"]
    assert row["p"] == pytest.approx(2.0**-30) and row["p_holm"] > row["p"]
    assert frame_of(tables.PAIRS, grades.iloc[:0], told()).empty
