"""Perceive or recall: what each responder's pattern is, to the last digit, and what is not said where it is unknown."""

import re

import numpy as np
import pandas as pd
import pytest
from illusion_samples import draw_illusion, shown
from matplotlib.text import Text
from strength_answers import answers_of as direction_answers
from strength_answers import ideal
from yes_no_answers import always_yes, answers_of, looks, recites, recites_with_inducer

from afterimage.contract.finding import load_suite
from afterimage.errors import AfterimageError
from afterimage.grading.readers.yes_no import parse_with_question
from afterimage.items.wording import RULES
from afterimage.showing.tables.compute import frame_of
from afterimage.showing.tables.table_files import write_table
from afterimage.suites.illusion_strength import charts as chart
from afterimage.suites.illusion_strength import questions as textbook
from afterimage.suites.illusion_strength import seeing
from afterimage.suites.illusion_strength.grid import DESIGN
from afterimage.suites.illusion_strength.psychometrics import given_answers
from afterimage.suites.illusion_strength.questions import YES_NO, load_prompts, questions, select
from afterimage.suites.illusion_strength.tables_yes_no import PERCEIVE_RECALL
from afterimage.suites.illusion_strength.tables_yes_no import PERCEIVE_RECALL_DOSE as DOSE
from afterimage.suites.illusions.names import GRID_FIGURES

STATISTICS = {"confidence": 0.95, "resamples": 200, "seed": 1, "coverage": "95 %"}
ACCURACIES = ["original", "perturbed", "control_original", "control_perturbed"]
SHARES = ["pfc", "pfa", "cbw", "tfi"]
OBSERVERS = {
    "pixels": looks,
    "textbook": recites,
    "recites": recites_with_inducer,
    "yes": always_yes,
}


@pytest.fixture(scope="module")
def frame():
    return PERCEIVE_RECALL.rows(answers_of(OBSERVERS), STATISTICS)


def row_of(frame, model, illusion="all", inducer="both", prompt="same"):
    wanted = {"model": model, "illusion": illusion, "inducer": inducer, "prompt": prompt}
    (row,) = frame[(frame[list(wanted)] == pd.Series(wanted)).all(axis=1)].to_dict("records")
    return row


#: Pairs of one illusion, and those of them without a difference.
EQUAL, PAIRS = 16, 176


@pytest.mark.parametrize(
    "model, accuracies, drops, multiplier, shares, control",
    [
        ("pixels", [100, 100, 100, 100], [0, 0, 0], None, [100, 100, 0, 0], [100, 100, 0, 0]),
        (
            *("textbook", [100, 0, 100, 0], [100, 100, 0], 1.00),
            [100, 100 * EQUAL / PAIRS, 100 - 100 * EQUAL / PAIRS, 0],
            [100, 100 / 11, 100 - 100 / 11, 0],
        ),
        (
            *("recites", [100, 0, 100, 100], [100, 0, 100], None),
            [100, 100 * EQUAL / PAIRS, 100 - 100 * EQUAL / PAIRS, 0],
            [100, 100, 0, 0],
        ),
        ("yes", [100, 0, 100, 0], [100, 100, 0], 1.00, [0, 0, 0, 100], [0, 0, 0, 100]),
    ],
)
@pytest.mark.parametrize("illusion", ["mueller_lyer", "all"])
def test_every_responder_has_its_exact_pattern(
    frame, illusion, model, accuracies, drops, multiplier, shares, control
):
    row = row_of(frame, model, illusion)
    assert [row[name] for name in ACCURACIES] == accuracies
    assert [row[name] for name in ("illusion_drop", "control_drop", "excess_drop")] == drops
    assert [row[name] for name in SHARES] == pytest.approx(shares)
    assert [row[f"control_{name}"] for name in SHARES] == pytest.approx(control)
    if multiplier is None:
        assert np.isnan(row["multiplier"])
        assert row["no_multiplier"] == "control drop includes 0"
    else:
        assert round(row["multiplier"], 2) == multiplier
        assert row["no_multiplier"] == ""


def test_only_the_same_word_to_both_parts_who_recites_from_who_always_says_yes(frame):
    textbook_row, yes = (row_of(frame, model) for model in ("textbook", "yes"))
    for name in (*ACCURACIES, "illusion_drop", "control_drop", "excess_drop", "multiplier"):
        assert textbook_row[name] == yes[name]
    assert (textbook_row["tfi"], yes["tfi"]) == (0, 100)


def test_who_does_not_look_stands_below_the_models_exactly(frame):
    yes, measured = row_of(frame, "always yes"), row_of(frame, "yes")
    assert [yes[name] for name in (*ACCURACIES, *SHARES)] == [100, 0, 100, 0, 0, 0, 0, 100]
    assert yes["original_k"] == measured["original_k"]
    no = row_of(frame, "always no")
    assert [no[name] for name in (*ACCURACIES, "tfi")] == [0, 100, 0, 100, 100]
    guess = row_of(frame, "uniform guessing")
    assert [guess[name] for name in (*ACCURACIES, *SHARES)] == [50, 50, 50, 50, 50, 25, 25, 50]
    assert (guess["illusion_drop"], guess["no_multiplier"]) == (0, "control drop includes 0")
    for row in (guess, yes, no):
        assert pd.isna([row[name] for name in row if name.endswith(("_low", "_high"))]).all()
        assert pd.isna(row["unparsed"])
    assert pd.isna(guess["original_k"])
    reverse = row_of(frame, "uniform guessing", prompt="different")
    assert reverse["original"] == 50
    assert np.isnan(reverse["tfi"])
    assert list(dict.fromkeys(frame["model"]))[-3:] == [guess["model"], "always yes", "always no"]


@pytest.mark.parametrize(
    "illusion, counts",
    [("mueller_lyer", [16, 160, 4, 40]), ("orbison", [8, 80, 4, 40]), ("all", [24, 240, 8, 80])],
)
def test_counts_are_those_of_the_grid(frame, illusion, counts):
    row = row_of(frame, "pixels", illusion)
    assert [row[f"n_{name}"] for name in ACCURACIES] == counts
    assert row["pairs"] == sum(counts[:2])
    assert row["control_pairs"] == sum(counts[2:])
    halves = [row_of(frame, "pixels", illusion, kind) for kind in ("congruent", "conflict")]
    assert [half["n_perturbed"] for half in halves] == [counts[1] / 2] * 2
    assert [half["n_original"] for half in halves] == [counts[0]] * 2


def test_the_shares_of_pairs_close_with_the_unread_ones():
    def silent(prompt, strength, difference):
        return (
            None
            if prompt == "different" and difference > 0.5
            else looks(prompt, strength, difference)
        )

    row = row_of(PERCEIVE_RECALL.rows(answers_of({"m": silent}), STATISTICS), "m")
    assert row["unread_pair"] > 0
    assert sum(row[name] for name in ("pfa", "cbw", "tfi", "unread_pair")) == pytest.approx(100)
    assert (row["cbw"], row["tfi"]) == (0, 0)
    assert row["pfc_k"] == row["pfa_k"]
    reverse = row_of(
        PERCEIVE_RECALL.rows(answers_of({"m": silent}), STATISTICS), "m", prompt="different"
    )
    assert (reverse["unparsed"], reverse["refused"]) == (
        reverse["n"] * 2 // 11,
        reverse["n"] * 2 // 11,
    )
    assert reverse["perturbed"] < 100
    assert reverse["reversed_prompt"] == ""
    assert np.isnan(reverse["pfc"])


def test_replicates_that_differ_give_an_interval_and_a_doubtful_control_gives_no_multiplier():
    generator = np.random.default_rng(3)

    def guesses(prompt, strength, difference):
        return str(generator.choice(["Yes", "No"]))

    row = row_of(PERCEIVE_RECALL.rows(answers_of({"m": guesses}), STATISTICS), "m")
    assert row["excess_drop_low"] < row["excess_drop"] < row["excess_drop_high"]
    assert row["excess_drop_low"] < 0 < row["excess_drop_high"]
    assert row["no_multiplier"] == "control drop includes 0"
    assert [row[name] for name in SHARES] == pytest.approx([50, 25, 25, 50], abs=10)


def test_a_multiplier_of_two_negative_drops_is_not_taken_for_weak_sight():
    """The published 0.12 of one model is the ratio of two gains: both drops stand in the table, signed."""

    def better_at_differences(prompt, strength, difference):
        return looks(prompt, strength, difference) if difference else "No"

    row = row_of(PERCEIVE_RECALL.rows(answers_of({"m": better_at_differences}), STATISTICS), "m")
    assert (row["illusion_drop"], row["control_drop"], row["excess_drop"]) == (-100, -100, 0)


def test_the_instruction_is_a_prompt_of_its_own_beside_the_same_reverse():
    def told(prompt, strength, difference):
        return (looks if prompt != "same" else recites)(prompt, strength, difference)

    frame = PERCEIVE_RECALL.rows(answers_of({"m": told}, prompts=YES_NO), STATISTICS)
    assert row_of(frame, "m", prompt="same_look")["pfa"] == 100
    assert row_of(frame, "m", prompt="same")["pfc"] == pytest.approx(100 * EQUAL / PAIRS)
    assert {*frame[frame["prompt"] != "different"]["reversed_prompt"]} == {"different"}


def test_the_dose_parts_agreeing_from_opposed_differences():
    def led(prompt, strength, difference):
        fooled = strength and strength * difference < 0 and abs(difference) < 0.6
        return (recites if fooled else looks)(prompt, strength, difference)

    frame = DOSE.rows(answers_of({"m": led}), STATISTICS)
    chosen = (frame["prompt"] == "same") & (frame["illusion"] == "all")
    rows = frame[chosen & (frame["model"] == "m")]
    cells = rows.set_index(["kind", "strength", "difference"])["accuracy"]
    assert cells["conflict", 1, 0.5] == 0
    assert (
        cells["conflict", 1, 0.75] == cells["congruent", 1, 0.5] == cells["control", 0, 0.5] == 100
    )
    assert set(rows[rows["kind"] == "equal"]["difference"]) == {0}
    assert rows["n"].sum() == 176 + 44 + 88 + 44
    assert list(frame) == list(DOSE.csv)
    unseeing = frame[chosen].set_index(["model", "kind"])
    assert (unseeing.loc["always yes", "accuracy"]["equal"] == 100).all()
    assert (unseeing.loc["always no", "accuracy"]["equal"] == 0).all()
    guess = unseeing.loc["uniform guessing"]
    assert (guess["accuracy"] == 50).all()
    assert guess[["right_k", "low", "high", "unparsed"]].isna().all(axis=None)
    assert (guess["n"].tolist(), rows["n"].tolist()) == (rows["n"].tolist(),) * 2


def test_readers_of_the_dose_see_the_share_of_the_counts_where_strengths_have_unequal_numbers():
    def blind_at_half(prompt, strength, difference):
        return (recites if abs(strength) == 0.5 else looks)(prompt, strength, difference)

    answers = answers_of({"m": blind_at_half})
    missing = (answers["strength"].astype(float).abs() == 0.5) & (answers["replicate"] == "A-")
    assert missing.any() and not missing.all()
    frame = DOSE.readers(DOSE.rows(answers[~missing], STATISTICS))
    measured = frame[frame["model"] == "m"]
    shares = 100 * measured["right_k"] / measured["n"]
    assert measured["accuracy"].tolist() == pytest.approx(shares.tolist())
    assert set(frame[frame["model"] == "uniform guessing"]["accuracy"]) == {50}


def test_tables_and_chart_show_every_model(frame, tmp_path):
    grades = answers_of(OBSERVERS)
    frames = {}
    for table in (PERCEIVE_RECALL, DOSE):
        frames[table.name] = frame_of(table, grades, STATISTICS)
        paths = {form: str(tmp_path / f"{table.name}.{form}") for form in ("csv", "markdown")}
        write_table(table, frames[table.name], paths, STATISTICS, grades)
    text = (tmp_path / "perceive_recall.markdown").read_text()
    assert "100.0 (264/264)" in text
    assert "- (control drop includes 0)" in text
    assert re.search(r"\| uniform guessing +\| +50\.0 +\| +50\.0", text)
    figure = chart.draw_perceive_recall(
        {name: pd.read_csv(tmp_path / f"{name}.csv") for name in frames}
    )
    figure.savefig(tmp_path / "chart.png", dpi=110)
    said = " ".join(text.get_text() for text in figure.findobj(Text))
    assert all(model in said for model in OBSERVERS)
    assert "uniform guessing" not in said
    empty = chart.draw_perceive_recall(
        {name: table_frame.iloc[:0] for name, table_frame in frames.items()}
    )
    assert "nothing was asked" in " ".join(text.get_text() for text in empty.findobj(Text))


def test_answers_about_directions_are_left_to_the_other_tables():
    both = pd.concat([answers_of({"m": looks}), direction_answers(ideal, "m")], ignore_index=True)
    assert PERCEIVE_RECALL.rows(both, STATISTICS).equals(
        PERCEIVE_RECALL.rows(answers_of({"m": looks}), STATISTICS)
    )
    assert len(given_answers(both)) == len(direction_answers(ideal, "m"))


# ---- the questions, and what the reference responders say ----


@pytest.fixture(scope="module")
def asked(root):
    """Questions about images of every illusion, with their pixels, by prompt."""
    prompt_file = load_prompts(root / "resources/prompts/illusion_strength.yaml")
    grid = {"strengths": [0, 1], "differences": [-0.125, 0, 1]}
    images = [
        (shown(figure, spec, drawing), drawing.pixels)
        for figure in GRID_FIGURES
        for spec in DESIGN.specs(figure, grid)
        if spec.stimulus_id.endswith("a")
        for drawing in [draw_illusion(figure, spec.parameters)]
    ]
    pixels = {stimulus.stimulus_id: drawn for stimulus, drawn in images}
    made = questions(
        [stimulus for stimulus, _ in images],
        select(prompt_file, YES_NO, GRID_FIGURES),
        {"prompts": YES_NO},
        [],
    )
    return [(question, pixels[question.shown.stimulus_id]) for question in made]


def text_of(question):
    return question.turns[0].parts[1]


def test_yes_is_the_key_where_nothing_differs_and_the_reverse_is_no_bare_negation(asked):
    assert len(asked) == len(GRID_FIGURES) * 12 * 3
    for question, _ in asked:
        same = float(question.factors["realised"]) == 0
        assert question.key == ("Yes" if same == (question.prompt != "different") else "No")
        assert (question.question, question.answer_type) == ("actual", "yes_no")
        text = text_of(question)
        assert text.endswith("? Answer yes or no.")
        assert " not " not in text.removeprefix("Judge only by what is in this image; do not")
        assert "illusion" not in text.lower()
        assert text.startswith("Judge only by what is in this image") == (
            question.prompt == "same_look"
        )
    texts = {(q.prompt, q.shown.stimulus_id): text_of(q) for q, _ in asked}
    plain = {name: text for (prompt, name), text in texts.items() if prompt == "same"}
    assert all(texts["same_look", name].endswith(text) for name, text in plain.items())


def test_the_ideal_observer_answers_every_question_rightly_from_the_pixels(asked):
    for question, pixels in asked:
        assert seeing.answer(pixels, text_of(question)) == question.key, question.question_id


@pytest.mark.parametrize("rule", RULES)
def test_the_textbook_says_the_same_whatever_is_shown(asked, rule):
    for question, _ in asked:
        item = {
            "factors": question.factors,
            "options": list(question.options),
            "question": "actual",
        }
        reply = textbook.answer(item, rule)
        assert reply == ("No" if question.prompt == "different" else "Yes")


@pytest.mark.parametrize(
    "reply, read", [("Yes.", "Yes"), ("No, they are not the same length.", "No"), ("", None)]
)
def test_a_reply_is_read_as_yes_or_no(asked, reply, read):
    question = next(candidate for candidate, _ in asked if candidate.shown.figure == "mueller_lyer")
    assert parse_with_question(reply, question.options, text_of(question)).answer == read


def test_a_prompt_file_without_these_questions_says_what_it_lacks(root):
    prompt_file = load_prompts(root / "resources/prompts/illusion_strength.yaml")
    prompt_file["figures"]["fick"]["stems"] = {}
    with pytest.raises(
        AfterimageError, match=r"'figures\.fick' has no 'same'; expected the question"
    ):
        select(prompt_file, ["same"], ["fick"])


def test_a_study_makes_the_tables_of_what_it_asks():
    suite = load_suite("illusion_strength")

    def made(*prompts):
        settings = suite.settings(prompts=list(prompts))
        return [name for name, when in suite.tables_when.items() if when(settings, {})]

    directions = ["illusion_strength", "illusion_strength_cells"]
    pairs = ["perceive_recall", "perceive_recall_dose"]
    # Of models whose probabilities are kept.
    graded = ["illusion_strength_graded"]
    assert made("directional") == directions + graded
    assert made("same", "different") == pairs
    assert made("directional", "same") == directions + graded + pairs
    front = suite.front(suite.settings(prompts=["same"]))
    assert {score.table for score in front.main_scores} == {"perceive_recall"}
