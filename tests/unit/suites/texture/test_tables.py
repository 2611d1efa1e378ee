"""The tables: the paper's shapes and denominators, and what they say while people's answers are awaited."""

import json
import math
import re

import numpy as np
import pandas as pd
import pytest
from table_forms import csv_text, html_text, latex_text, layout_of, markdown_text, reader_rows
from texture_samples import (
    TABLES,
    grades,
    items,
    natural_accepted,
    table_settings,
    write_csv,
    write_folder,
)

from afterimage.contract.finding import load_suite
from afterimage.contract.parts import resolve
from afterimage.drawing.colour import linear_from_levels
from afterimage.errors import AfterimageError
from afterimage.showing.charts.finished_figure import on_dark
from afterimage.showing.tables.compute import frame_of
from afterimage.showing.tables.values import Group
from afterimage.suites.texture import charts, columns, tables_people, tables_written
from afterimage.suites.texture.materials import GLOSSES, MATERIALS, glossed
from afterimage.suites.texture.tables import (
    TEXTURE_CLASSIFICATION,
    TEXTURE_TESTS,
    TEXTURE_WORDS,
    guessed,
)

DRAWN = {
    chart.part: [TABLES[name] for name in chart.tables] for chart in load_suite("texture").charts
}
SCATTER = DRAWN["afterimage.suites.texture.charts:draw_scatter"]
NOTHING = grades([], {}).reindex(
    columns=[
        *("item_id", "stimulus_id", "model", "prompt", "repeat"),
        *("answer", "outcome", "correct", "readings"),
    ]
)
HOSTILE = r"_m$\nosuch{$<b>"


def oracle(item):
    return item["key"] if item["question"] != "describe" else "甘い、辛い、苦い"


def always_zero(item):
    return "0" if item["question"] != "describe" else "甘い, 辛い"


def refusing(item):
    return "申し訳ありませんが、お答えできません。"


@pytest.fixture(scope="module")
def drawn():
    return items()


@pytest.fixture(scope="module")
def answers(drawn):
    return grades(drawn, {"oracle": oracle, "zero": always_zero, "refusing": refusing})


def contrasts(ground, written):
    """Return the ratios of contrast of WCAG 2.2."""
    light = [
        linear_from_levels(levels) @ [0.2126, 0.7152, 0.0722] + 0.05 for levels in (ground, written)
    ]
    return np.maximum(*light) / np.minimum(*light)


def row_of(frame, model):
    return frame[frame["model"] == model].iloc[0]


def people_file(tmp_path, table, rows):
    path = tmp_path / table.file
    write_csv(path, table, rows)
    return str(path)


def classified(drawn, choose, annotators, source="human"):
    return [
        {
            "item_id": item["factors"]["item"],
            "annotator_id": name,
            "option": choose(name, number, item),
            "source": source,
        }
        for name in annotators
        for number, item in enumerate(i for i in drawn if i["question"] == "choose_5")
    ]


class TestClassification:
    def test_counts_follow_from_the_answers(self, answers):
        frame = frame_of(TEXTURE_CLASSIFICATION, answers, table_settings())
        right = row_of(frame, "oracle")
        assert (right["choose_2_k"], right["choose_2_n"], right["choose_5_accuracy"]) == (
            41,
            41,
            100,
        )
        zero = row_of(frame, "zero")
        # The right word stands at place 0 in 21 of 41 items with two options and in 8 with five.
        assert (zero["choose_2_k"], zero["choose_5_k"]) == (21, 8)
        assert (zero["choose_5_answer_0"], zero["choose_5_answer_4"]) == (41, 0)
        refused = row_of(frame, "refusing")
        assert (refused["choose_5_k"], refused["choose_5_unparsed_k"]) == (0, 41)
        assert (refused["choose_5_digit_only_k"], zero["choose_5_digit_only_k"]) == (0, 41)
        assert zero["choose_5_digit_only_right_k"] == 8

    def test_random_stands_first_and_models_keep_the_studys_order(self, answers):
        frame = frame_of(TEXTURE_CLASSIFICATION, answers, table_settings())
        assert list(frame["model"]) == [
            *("Random", "best position", "Human", "oracle", "zero", "refusing"),
        ]
        constant, first = (frame.set_index("model").loc[name] for name in ("best position", "zero"))
        # One answerer always chooses the first place; no place does better than the best.
        assert constant["choose_5_k"] >= first["choose_5_k"]
        assert (constant["choose_5_n"], constant["choose_5_always"]) == (41, "last")
        assert pd.isna(constant["choose_5_low"]) and pd.isna(constant["choose_5_unparsed_k"])
        random = row_of(frame, "Random")
        assert (random["choose_2_accuracy"], random["choose_5_accuracy"]) == (50, 20)

    def test_177_of_335_is_not_above_chance(self):
        from scipy.stats import binomtest

        assert binomtest(177, 335, 0.5).pvalue > 0.25
        group = Group(None, {"k": 177, "n": 335}, None, {})
        assert guessed(2, group) == (binomtest(177, 335, 0.5).pvalue,)

    def test_while_people_are_awaited_everything_else_is_there(self, answers):
        chosen = table_settings()
        frame = frame_of(TEXTURE_CLASSIFICATION, answers, chosen)
        layout = layout_of(TEXTURE_CLASSIFICATION, answers, chosen)
        printed = {row[0]: row for row in reader_rows(frame, layout)}
        assert printed["Human"][1] == "n/a" and printed["Human"][5] == "awaited"
        assert printed["oracle"][1].split("\n")[0] == "100.00 (41/41)"
        assert any("Human: awaited" in note for note in layout.notes)

    def test_the_best_model_stands_out_and_random_never_does(self, answers):
        chosen = table_settings()
        text = markdown_text(
            frame_of(TEXTURE_CLASSIFICATION, answers, chosen),
            layout_of(TEXTURE_CLASSIFICATION, answers, chosen),
        )
        assert text.count("**100.00 (41/41)**") == 2 and "**50.00" not in text

    def test_human_is_the_mean_over_annotators_of_each_ones_accuracy(
        self, drawn, answers, tmp_path
    ):
        def choose(name, number, item):
            if name == "b" and number >= 10:
                return ""
            return item["key"] if number < 10 or name == "a" else str((int(item["key"]) + 1) % 5)

        path = people_file(tmp_path, columns.CLASSIFIED, classified(drawn, choose, "abc"))
        chosen = table_settings(classified=path)
        frame = frame_of(TEXTURE_CLASSIFICATION, answers, chosen)
        human = row_of(frame, "Human")
        assert human["annotators"] == 3
        assert human["choose_5_accuracy"] == pytest.approx((100 + 100 + 1000 / 41) / 3)
        assert math.isnan(human["choose_2_accuracy"])
        # b answered ten items only: missing answers are no wrong ones.
        assert row_of(frame, "Human: b")["choose_5_n"] == 10
        assert row_of(frame, "Human: c")["choose_5_k"] == 10
        layout = layout_of(TEXTURE_CLASSIFICATION, answers, chosen)
        assert not any("awaited" in note for note in layout.notes)

    def test_option_0_of_people_is_an_answer(self, drawn, answers, tmp_path):
        rows = classified(drawn, lambda name, number, item: "0", "a")
        chosen = table_settings(classified=people_file(tmp_path, columns.CLASSIFIED, rows))
        frame = frame_of(TEXTURE_CLASSIFICATION, answers, chosen)
        assert row_of(frame, "Human: a")["choose_5_k"] == 8

    def test_simulated_answers_never_make_a_row_human(self, drawn, answers, tmp_path):
        rows = classified(drawn, lambda name, number, item: item["key"], "a", "simulated")
        chosen = table_settings(classified=people_file(tmp_path, columns.CLASSIFIED, rows))
        frame = frame_of(TEXTURE_CLASSIFICATION, answers, chosen)
        assert math.isnan(row_of(frame, "Human")["choose_5_accuracy"])
        notes = layout_of(TEXTURE_CLASSIFICATION, answers, chosen).notes
        assert any("41 simulated answers are left out" in note for note in notes)

    def test_answers_about_items_that_were_not_asked_are_reported(self, answers, tmp_path):
        rows = [{"item_id": "x", "annotator_id": "a", "option": 1, "source": "human"}]
        chosen = table_settings(classified=people_file(tmp_path, columns.CLASSIFIED, rows))
        notes = layout_of(TEXTURE_CLASSIFICATION, answers, chosen).notes
        assert any(note.startswith("1 of people's answers are about no item") for note in notes)

    def test_an_answer_that_is_no_option_is_refused_with_its_line(self, answers, tmp_path):
        rows = [{"item_id": "x", "annotator_id": "a", "option": 7, "source": "human"}]
        chosen = {**table_settings()}
        chosen["texture"]["classified"] = [people_file(tmp_path, columns.CLASSIFIED, rows)]
        with pytest.raises(AfterimageError, match="line 2: column 'option' is '7'"):
            frame_of(TEXTURE_CLASSIFICATION, answers, chosen)

    def test_repeats_are_pooled(self, drawn):
        given = grades(drawn, {"m": oracle}, repeats=3)
        frame = frame_of(TEXTURE_CLASSIFICATION, given, table_settings())
        assert row_of(frame, "m")["choose_5_n"] == 123


class TestPairs:
    def test_pairs_look_at_questions_that_one_alone_gets_right(self, answers):
        frame = frame_of(TEXTURE_TESTS, answers, table_settings())
        row = frame[
            (frame["choices"] == 5) & (frame["first"] == "oracle") & (frame["second"] == "zero")
        ].iloc[0]
        assert (row["n"], row["both_k"], row["only_first_k"], row["only_second_k"]) == (
            41,
            8,
            33,
            0,
        )
        assert row["p_value"] == pytest.approx(2**-33)
        assert row["p_holm"] > row["p_value"]
        assert len(frame) == 6

    def test_chosen_words_are_counted_in_the_place_of_the_right_one(self, answers):
        frame = frame_of(TEXTURE_WORDS, answers, table_settings())
        rows = frame[(frame["model"] == "oracle") & (frame["choices"] == 5)]
        assert rows["right"].all() and rows["n"].sum() == 41
        refused = frame[frame["model"] == "refusing"]
        assert set(refused["chosen"]) == {"unparsed"} and not refused["right"].any()
        for _, cells in frame.groupby(["choices", "model", "gold_word"]):
            assert cells["n"].sum() == cells["total"].iloc[0]


def describing(*replies):
    return lambda item: replies[hash_of(item) % len(replies)]


def hash_of(item):
    return int(item["stimulus_id"][2:])


def judgement_rows(given, says, annotators="abc", model=None):
    return [
        {
            "item_id": row["item_id"],
            "model": row["model"],
            "word": word,
            "annotator_id": name,
            "yes": says(name, row["item_id"], word),
        }
        for row in given.to_dict(orient="records")
        if row["task"] == "generation" and model in (None, row["model"])
        for word in dict.fromkeys(filter(None, row["readings"]["lenient"].split("、")))
        for name in annotators
    ]


@pytest.fixture
def folder(tmp_path):
    return write_folder(tmp_path / "d", 6, votes=natural_accepted)


@pytest.fixture
def given(folder):
    questions = items(data=folder)
    rows = {item["stimulus_id"]: item for item in questions if item["question"] == "describe"}

    def knowing(item):
        lists = {o["option_id"]: o["text"] for o in rows[item["stimulus_id"]]["options"]}
        return lists["people"] if item["question"] == "describe" else item["key"]

    def half(item):
        if item["question"] != "describe":
            return "0"
        return "知らない, 見えない" if hash_of(item) == 0 else "知らない、見えない、聞かない"

    return grades(questions, {"knowing": knowing, "half": half})


class TestGeneration:
    def test_agreement_needs_no_people(self, given, folder):
        frame = frame_of(tables_written.TEXTURE_GENERATION, given, table_settings(data=folder))
        knowing, half = row_of(frame, "knowing"), row_of(frame, "half")
        assert (knowing["hits"], knowing["valid"], knowing["total"]) == (18, 6, 6)
        assert knowing["agreement"] == 100 and knowing["median_human_words"] == 4
        assert (half["hits"], half["valid"], half["total"]) == (0, 5, 6)
        assert half["invalid_other_separator"] == 1
        assert (knowing["chance_any"], knowing["chance_same_category"]) == (0, 0)

    def test_the_yes_no_score_is_empty_with_its_reason_until_people_have_judged(
        self, given, folder
    ):
        chosen = table_settings(data=folder)
        frame = frame_of(tables_written.TEXTURE_GENERATION, given, chosen)
        assert frame["yes_no"].isna().all() and set(frame["yes_no_state"]) == {"awaited"}
        layout = layout_of(tables_written.TEXTURE_GENERATION, given, chosen)
        assert [row[1] for row in reader_rows(frame, layout)] == ["awaited", "awaited"]
        assert any("yes/no: awaited" in note for note in layout.notes)

    def judged(self, given, folder, tmp_path, rows):
        path = people_file(tmp_path, columns.JUDGEMENTS, rows)
        chosen = table_settings(data=folder, judgements=path)
        return frame_of(tables_written.TEXTURE_GENERATION, given, chosen), layout_of(
            tables_written.TEXTURE_GENERATION, given, chosen
        )

    def test_with_all_judgements_the_headline_is_the_mean(self, given, folder, tmp_path):
        rows = judgement_rows(given, lambda name, item, word: int(name == "a"))
        frame, layout = self.judged(given, folder, tmp_path, rows)
        assert set(frame["yes_no_state"]) == {"complete"}
        assert list(frame["yes_no"]) == pytest.approx([100 / 3, 100 / 3])
        assert (frame["yes_no_low"] < frame["yes_no"]).all()
        assert (frame["yes_no_high"] > frame["yes_no"]).all()
        assert list(frame["yes_k"]) == [18, 17] and list(frame["judged_words"]) == [54, 51]
        assert reader_rows(frame, layout)[0][1].split("\n")[0] == "33.33"

    def test_invalid_items_count_in_the_headline_and_not_in_the_other_denominator(
        self, given, folder, tmp_path
    ):
        rows = judgement_rows(
            given, lambda name, item, word: int(item.startswith("im00")), model="half"
        )
        frame, _ = self.judged(given, folder, tmp_path, rows)
        half = row_of(frame, "half")
        assert half["yes_no"] == pytest.approx(100 / 6) and half["yes_no_valid_only"] == 0
        assert row_of(frame, "knowing")["yes_no_state"] == "awaited"

    def test_one_missing_judgement_leaves_the_headline_empty_and_says_so(
        self, given, folder, tmp_path
    ):
        rows = judgement_rows(given, lambda *_: 1)
        rows[0]["yes"] = ""
        frame, layout = self.judged(given, folder, tmp_path, rows)
        knowing = row_of(frame, "knowing")
        assert (knowing["yes_no_state"], knowing["items_judged"]) == ("incomplete", "5 6 6")
        assert math.isnan(knowing["yes_no"]) and knowing["yes_no_partial"] == 100
        cell = reader_rows(frame, layout)[0][1]
        assert cell.startswith("incomplete") and "5 6 6 of 6 items" in cell

    def test_objects_with_a_rejected_word_count_once_over_two_models(self, given, folder, tmp_path):
        rows = judgement_rows(given, lambda name, item, word: int(not item.startswith("im00")))
        chosen = table_settings(
            data=folder, judgements=people_file(tmp_path, columns.JUDGEMENTS, rows)
        )
        frame = frame_of(tables_people.TEXTURE_REJECTED, given, chosen).set_index("model")
        assert list(frame.index) == ["half", "knowing", "half + knowing"]
        assert list(frame["items_with_rejected"]) == [1, 1, 1] and set(frame["total"]) == {6}
        assert (
            frame.loc["half + knowing", "rejected_words"]
            == frame["rejected_words"].iloc[:2].sum()
            > 0
        )
        rows[0]["yes"] = ""
        chosen = table_settings(
            data=folder, judgements=people_file(tmp_path, columns.JUDGEMENTS, rows)
        )
        frame = frame_of(tables_people.TEXTURE_REJECTED, given, chosen).set_index("model")
        assert math.isnan(frame.loc["half + knowing", "items_with_rejected"])

    def test_the_rejected_words_themselves_are_chosen_for_the_papers_figure_5(
        self, given, folder, tmp_path
    ):
        rows = judgement_rows(given, lambda name, item, word: int(not item.startswith("im00")))
        path = people_file(tmp_path, columns.JUDGEMENTS, rows)
        found = charts.chosen_rejected(given, table_settings(data=folder, judgements=path))
        assert set(found.answers) == {row["item_id"] for row in rows if not row["yes"]}
        for item, answers in found.answers.items():
            assert {
                (answer.model, word) for answer in answers for word in answer.text.split("、")
            } == {(row["model"], row["word"]) for row in rows if row["item_id"] == item}
            assert {answer.verdict for answer in answers} <= set(found.texts.verdicts)
        # Where a word has not been judged, nobody knows what everybody rejects.
        rows = [row for row in rows if row["annotator_id"] != "a"]
        path = people_file(tmp_path, columns.JUDGEMENTS, rows)
        assert not charts.chosen_rejected(
            given, table_settings(data=folder, judgements=path)
        ).answers

    def test_two_annotators_are_not_enough(self, given, folder, tmp_path):
        frame, _ = self.judged(given, folder, tmp_path, judgement_rows(given, lambda *_: 1, "ab"))
        assert set(frame["yes_no_state"]) == {"incomplete"}

    def test_words_are_joined_as_normal_forms(self, given, folder, tmp_path):
        rows = judgement_rows(given, lambda *_: 1)
        for row in rows:
            row["word"] = f" {row['word']}。"
        frame, _ = self.judged(given, folder, tmp_path, rows)
        assert set(frame["yes_no_state"]) == {"complete"}

    def test_simulated_and_unknown_judgements_do_not_count_and_are_reported(
        self, given, folder, tmp_path
    ):
        rows = judgement_rows(given, lambda *_: 1)
        for row in rows:
            row["source"] = "simulated"
        rows.append({"item_id": "x", "model": "m", "word": "甘い", "annotator_id": "a", "yes": 1})
        frame, layout = self.judged(given, folder, tmp_path, rows)
        assert set(frame["yes_no_state"]) == {"awaited"}
        assert any(
            note.startswith(f"{len(rows) - 1} simulated judgements") for note in layout.notes
        )
        assert any(note.startswith("1 judgements are about no word") for note in layout.notes)

    def test_a_model_without_any_word_scores_0(self, folder):
        given = grades(items(data=folder), {"m": refusing})
        chosen = table_settings(data=folder)
        frame = frame_of(tables_written.TEXTURE_GENERATION, given, chosen)
        row = row_of(frame, "m")
        assert (row["yes_no"], row["yes_no_state"], row["without_words"]) == (0, "no words", 6)
        assert math.isnan(row["agreement"]) and row["agreement_all"] == 0
        assert row["invalid_refusal"] == 6
        assert (
            reader_rows(frame, layout_of(tables_written.TEXTURE_GENERATION, given, chosen))[0][1]
            == "0.00\nno words"
        )

    def test_synonyms_are_a_column_of_their_own_and_change_no_other(self, tmp_path):
        folder = tmp_path / "s"
        write_folder(folder, 4)
        questions = items(data=str(folder))
        given = grades(questions, {"m": lambda item: "知らない、見えない、聞かない"})
        before = frame_of(
            tables_written.TEXTURE_GENERATION, given, table_settings(data=str(folder))
        )
        people = [row["human_words"] for row in given.to_dict(orient="records")]
        word = people[0].split('"')[1]
        write_csv(
            folder / "synonyms.csv",
            columns.SYNONYMS,
            [{"word": "知らない。", "stands_for": f"{word}。"}],
        )
        chosen = table_settings(data=str(folder))
        after = frame_of(tables_written.TEXTURE_GENERATION, given, chosen)
        assert row_of(before, "m")["agreement"] == row_of(after, "m")["agreement"] == 0
        assert row_of(after, "m")["agreement_synonyms"] == pytest.approx(100 / 12)
        assert math.isnan(row_of(before, "m")["agreement_synonyms"])
        headers = [
            column.header
            for column in layout_of(tables_written.TEXTURE_GENERATION, given, chosen).columns
        ]
        assert "Synonyms\nmerged" in headers


class TestInCommon:
    def test_words_that_people_wrote_too_are_marked_as_agreement_counts_them(self, given, folder):
        found = charts.chosen_in_common(given, table_settings(data=folder))
        described = given[given["question"] == "describe"]
        assert set(found.answers) == set(found.keys) == set(described["item_id"])
        frame = frame_of(tables_written.TEXTURE_GENERATION, given, table_settings(data=folder))
        for name in frame["model"]:
            answers_of_model = [
                answer for many in found.answers.values() for answer in many if answer.model == name
            ]
            row = row_of(frame, name)
            assert sum(answer.verdict == "right" for answer in answers_of_model) == row["hits"]
            assert (
                sum(answer.verdict != "unparsed" for answer in answers_of_model) == 3 * row["valid"]
            )
            assert (
                sum(answer.verdict == "unparsed" for answer in answers_of_model)
                == row["total"] - row["valid"]
            )
            assert {answer.verdict for answer in answers_of_model} <= {None, *found.texts.verdicts}
        item = described.iloc[0]
        assert found.keys[item["item_id"]].splitlines() == [
            item["object"],
            *json.loads(item["human_words"]),
        ]
        assert "simulated" not in found.texts.key

    def test_made_up_words_say_so_and_an_answer_of_other_form_is_no_agreement(self, drawn):
        found = charts.chosen_in_common(
            grades(drawn, {"m": always_zero}, repeats=2), table_settings()
        )
        assert "simulated" in found.texts.key
        answers = [answer for many in found.answers.values() for answer in many]
        # Of repeats the first.
        assert len(answers) == len(found.answers) == 41
        assert {(answer.text, answer.verdict) for answer in answers} == {("甘い、辛い", "unparsed")}

    def test_words_of_the_drawn_materials_have_their_english_beside_them(self, drawn):
        found = charts.chosen_in_common(
            grades(drawn, {"m": lambda item: "硬い、乾いた、甘い"}), table_settings()
        )
        shown = next(iter(found.answers.values()))
        assert [answer.text for answer in shown] == ["硬い (hard)", "乾いた (dry)", "甘い"]

    def test_where_nothing_was_asked_there_is_nothing(self):
        assert not charts.chosen_in_common(NOTHING, table_settings()).answers


class TestCorrelation:
    def test_with_two_models_none_is_computed_and_with_three_it_is(self, given, folder):
        frame = frame_of(tables_written.TEXTURE_CORRELATION, given, table_settings(data=folder))
        assert set(frame["reason"]) == {"fewer than 3 models have both"}
        assert frame["rho"].isna().all()
        third = given[given["model"] == "half"].assign(model="third")
        third.loc[third["question"] == "choose_5", "correct"] = False
        more = pd.concat([given, third])
        frame = frame_of(
            tables_written.TEXTURE_CORRELATION, more, table_settings(data=folder)
        ).set_index("score")
        assert frame.loc["agreement", "models"] == 3
        assert frame.loc["agreement", "over"] == " + ".join(more["model"].unique())
        assert frame.loc["agreement", "rho"] == pytest.approx(0.866, abs=0.001)
        assert frame.loc["agreement", "rho_low"] < 0 < frame.loc["agreement", "rho_high"]
        assert frame.loc["yes_no", "reason"] == "fewer than 3 models have both"

    def test_reference_responders_are_left_out(self, given, folder):
        name = given["model"].iloc[0]
        frame = frame_of(
            tables_written.TEXTURE_CORRELATION,
            pd.concat([given, given[given["model"] == name].assign(model="pixels")]),
            {**table_settings(data=folder), "responders": ["pixels", name]},
        ).set_index("score")
        (other,) = set(given["model"]) - {name}
        assert (frame.loc["agreement", "models"], frame.loc["agreement", "over"]) == (1, other)

    def test_scores_that_do_not_differ_have_none(self, given, folder):
        copies = pd.concat(
            [given[given["model"] == "half"].assign(model=name) for name in ("a", "b", "c")]
        )
        frame = frame_of(
            tables_written.TEXTURE_CORRELATION, copies, table_settings(data=folder)
        ).set_index("score")
        assert frame.loc["agreement", "reason"] == "the same for all models"


class TestData:
    def test_natural_words_are_accepted_and_random_ones_are_not(self, folder):
        frame = frame_of(
            tables_people.TEXTURE_VOTES, NOTHING, table_settings(data=folder)
        ).set_index("origin")
        assert list(frame.loc["natural", ["words", "complete", "positive_k"]]) == [18, 18, 18]
        assert list(frame.loc["random", ["words", "complete", "positive_k"]]) == [12, 12, 0]
        assert frame.loc["all", "kappa"] == frame.loc["all", "alpha"] == 1
        assert (frame.loc["all", "annotators"], frame.loc["all", "careless_annotators"]) == (5, 0)
        assert set(frame["votes_from"]) == {"human"}

    def test_simulated_votes_say_so_in_capitals(self):
        chosen = table_settings()
        frame, layout = (
            frame_of(tables_people.TEXTURE_VOTES, NOTHING, chosen),
            layout_of(tables_people.TEXTURE_VOTES, NOTHING, chosen),
        )
        assert set(frame["votes_from"]) == {"simulated"}
        assert frame.set_index("origin").loc["natural", "positive_k"] == 82
        assert "SIMULATED VOTES" in markdown_text(frame, layout)

    def test_a_careless_annotator_is_counted(self, tmp_path):
        folder = tmp_path / "d"
        write_folder(folder, 8, votes=natural_accepted)
        path = folder / "votes.csv"
        lines = path.read_text(encoding="utf-8").splitlines()
        careless = [
            line.replace(",0,human", ",1,human") if ",a0," in line else line for line in lines
        ]
        path.write_text("\n".join(careless) + "\n", encoding="utf-8")
        frame = frame_of(
            tables_people.TEXTURE_VOTES, NOTHING, table_settings(data=str(folder))
        ).set_index("origin")
        assert frame.loc["all", "careless_annotators"] == 1

    def test_items_and_tasks_come_back_from_their_csv_as_they_went(self, tmp_path):
        folder = tmp_path / "d"
        write_folder(folder, 6, votes=natural_accepted)
        chosen = table_settings(data=str(folder))
        before = items(data=str(folder))
        for declared, name in (
            (tables_people.TEXTURE_ITEMS, "items_cls.csv"),
            (tables_people.TEXTURE_PAIRS, "pairs.csv"),
        ):
            frame = frame_of(declared, NOTHING, chosen)
            text = csv_text(frame, declared)
            (folder / name).write_text(text, encoding="utf-8")
        after = items(data=str(folder))
        assert [(i["item_id"], i["key"], i["options"]) for i in before] == [
            (i["item_id"], i["key"], i["options"]) for i in after
        ]


class TestForms:
    @pytest.mark.parametrize("name", TABLES)
    def test_every_table_is_there_before_anything_has_been_asked(self, tmp_path, name):
        folder = tmp_path / "d"
        write_folder(folder, 3)
        (folder / "triples.csv").unlink()
        chosen = table_settings(data=str(folder))
        frame, layout = (
            frame_of(TABLES[name], NOTHING, chosen),
            layout_of(TABLES[name], NOTHING, chosen),
        )
        for form in (csv_text, markdown_text, latex_text, html_text):
            assert form(frame, layout)

    @pytest.mark.parametrize("name", TABLES)
    def test_every_table_prints_in_every_form_whatever_a_model_is_called(self, drawn, name):
        given = grades(drawn, {HOSTILE: oracle, "b": always_zero})
        chosen = table_settings()
        frame, layout = (
            frame_of(TABLES[name], given, chosen),
            layout_of(TABLES[name], given, chosen),
        )
        assert csv_text(frame, layout).splitlines()[0] == ",".join(frame.columns)
        assert "<b>" not in html_text(frame, layout)
        assert latex_text(frame, layout) and markdown_text(frame, layout)

    def test_every_table_and_chart_of_the_suite_has_a_caption(self, root):
        suite = load_suite("texture")
        for name in (*TABLES, *(chart.name for chart in suite.charts), "texture_stimuli"):
            caption_name = "pairs" if name.startswith("pairs_") else name
            assert (root / "workflow" / "report" / f"{caption_name}.rst").is_file(), name


#: Kana and kanji.
_JAPANESE = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")


class TestCharts:
    @pytest.mark.parametrize("reached", ["answers", "nothing", "people"])
    def test_they_are_drawn_with_and_without_answers(self, drawn, tmp_path, reached):
        given = (
            grades(drawn, {HOSTILE: oracle, "b": always_zero}) if reached != "nothing" else NOTHING
        )
        rows = classified(drawn, lambda name, number, item: item["key"], "ab")
        path = people_file(tmp_path, columns.CLASSIFIED, rows) if reached == "people" else None
        chosen = table_settings(classified=path)
        for chart, tables in DRAWN.items():
            frames = {}
            for table in tables:
                path = tmp_path / f"{table.name}.csv"
                path.write_text(csv_text(frame_of(table, given, chosen), table), encoding="utf-8")
                frames[table.name] = pd.read_csv(path)
            resolve(chart)(frames).savefig(tmp_path / "chart.png")

    def test_the_scatter_tells_its_correlation_and_who_is_left_out(self, given, folder):
        third = given[given["model"] == "half"].assign(model="third")
        third.loc[third["question"] == "choose_5", "correct"] = False
        more = pd.concat([given, third, third.assign(model="pixels")])
        chosen = {**table_settings(data=folder), "responders": ["pixels"]}
        frames = {table.name: frame_of(table, more, chosen) for table in SCATTER}
        figure = charts.draw_scatter(frames)
        (axes,) = figure.axes
        row = frames["texture_correlation"].set_index("score").loc["agreement"]
        assert axes.get_title(loc="left") == (
            f"rank correlation 0.87 [{row['rho_low']:.2f}, 1.00]\nover 3 models (pale: left out)"
        )
        names = list(frames["texture_generation"]["model"])
        both = [frames["texture_classification"], frames["texture_generation"]]
        for name, mark in zip(names, axes.containers, strict=True):
            accuracy, agreement = (row_of(frame, name) for frame in both)
            assert mark[0].get_xydata().tolist() == [
                [
                    pytest.approx(accuracy["choose_5_accuracy"]),
                    pytest.approx(agreement["agreement"]),
                ]
            ]
            assert mark[0].get_alpha() == (0.45 if name == "pixels" else 1)

    def test_the_scatter_pools_prompts_as_the_correlation_does(self, given, folder):
        more = pd.concat([given, given.assign(prompt="other", correct=False)])
        chosen = table_settings(data=folder)
        frames = {table.name: frame_of(table, more, chosen) for table in SCATTER}
        (axes,) = charts.draw_scatter(frames).axes
        classified = more[(more["question"] == "choose_5")].groupby("model", sort=False)
        for mark, accuracy in zip(axes.containers, classified["correct"].mean(), strict=True):
            assert mark[0].get_xdata()[0] == pytest.approx(100 * accuracy)

    def test_japanese_words_are_drawn_with_a_typeface_that_has_them(self, drawn, tmp_path, recwarn):
        given = grades(drawn, {"m": oracle})
        frame = frame_of(TEXTURE_WORDS, given, table_settings())
        charts.draw_by_word({"texture_words": frame}).savefig(tmp_path / "chart.png")
        assert not [w for w in recwarn if "missing from" in str(w.message)]

    def test_places_are_categories_and_not_joined_by_lines(self, drawn):
        given = grades(drawn, {"m": oracle, "b": always_zero})
        frame = frame_of(TEXTURE_CLASSIFICATION, given, table_settings())
        figure = charts.draw_accuracy({"texture_classification": frame})
        axes = figure.axes[1]
        assert [line.get_linestyle() for line in axes.lines if len(line.get_xdata()) == 5] == [
            "None",
            "None",
        ]

    def test_every_word_of_the_drawn_materials_has_a_gloss(self):
        words = {word for material in MATERIALS for word in (*material.gold, *material.compatible)}
        assert words <= set(GLOSSES)
        assert not any(_JAPANESE.search(gloss) for gloss in GLOSSES.values())
        assert glossed("ぴかぴか") == "ぴかぴか"

    def test_cells_have_the_colours_of_the_bar_and_shares_of_few_answers_are_counted(self, drawn):
        given = grades(drawn, {"m": oracle, "b": always_zero})
        frame = frame_of(TEXTURE_WORDS, given, table_settings())
        frame = frame[frame["choices"] == frame["choices"].max()]
        figure = charts.draw_by_word({"texture_words": frame})
        (image,) = figure.axes[0].images
        assert image.get_alpha() is None
        assert image.get_clim() == (0, 100)
        assert image.colorbar.cmap is image.get_cmap() and image.colorbar.alpha is None
        assert set(image.get_array()[:, 0]) == {100}
        totals = (
            frame[frame["model"] == "m"]
            .groupby("gold_word", sort=False)["total"]
            .first()
            .sort_values(ascending=False, kind="stable")
        )
        texts = [text.get_text() for text in figure.axes[0].texts]
        assert texts[::2] == [f"{n}/{n}" if n < 5 else "100" for n in totals]

    def test_numbers_on_cells_can_be_read(self, drawn):
        """At least 4.5:1 (WCAG 2.2), on light and on dark ground."""
        given = grades(drawn, {"m": oracle, "b": always_zero})
        frame = frame_of(TEXTURE_WORDS, given, table_settings())
        figure = charts.draw_by_word({"texture_words": frame})
        (image,) = figure.axes[0].images
        shades = image.to_rgba(np.arange(101)[None], bytes=True)[..., :3]
        assert {text.get_color() for text in figure.axes[0].texts} == {"black"}
        ink = np.zeros((1, 1, 3), np.uint8)
        for ground, written in ((shades, ink), (on_dark(shades), on_dark(ink))):
            assert contrasts(ground, written).min() > 4.5
