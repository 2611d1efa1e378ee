"""Which illusions people's answers keep."""

from pathlib import Path

import numpy as np
import pytest
from simulated_people import simulate_participants

from afterimage.files.human_responses import DECISION_COLUMNS, HumanResponse
from afterimage.grading.human_answers import IGNORED_COLUMNS
from afterimage.suites.illusion_vqa.human_filter import (
    ILLUSION_COLUMNS,
    IMAGE_COLUMNS,
    PEOPLE_COLUMNS,
    decide,
)
from afterimage.suites.illusion_vqa.prompt_file import choices, load_prompts
from afterimage.suites.illusions.names import ILLUSIONS

PROMPT_FILE = Path(__file__).parents[4] / "resources" / "prompts" / "illusion_vqa.yaml"
CHOICES = choices(load_prompts(PROMPT_FILE), ILLUSIONS)
SETTINGS = {"paper_drops": ["ponzo"]}
PEOPLE = ("p1", "p2", "p3", "p4")


def informed(figures=("fick",), people=PEOPLE, variants="A"):
    """Answer every question as intended; {(participant, image, question): option}."""
    return {
        (person, f"{figure}_{variant}_{condition}", question): option
        for figure in figures
        for variant in variants
        for condition, intended in CHOICES[figure][variant]["intended"].items()
        for question, option in intended.items()
        for person in people
    }


def as_rows(answers):
    return [
        HumanResponse(line, *question, option)
        for line, (question, option) in enumerate(answers.items(), 2)
    ]


def changed(image, question, options, figures=("fick",)):
    """Let the people answer one question with these options, in turn, all others as intended."""
    answers = informed(figures)
    for person, option in zip(PEOPLE, options, strict=True):
        answers[person, image, question] = option
    return answers


def judge(answers, figures=("fick",), **settings):
    return decide(as_rows(answers), CHOICES, figures, SETTINGS | settings)


def image_row(result, image, question):
    (row,) = (
        row for row in result.images if (row["stimulus_id"], row["question"]) == (image, question)
    )
    return row


class TestWithoutPeople:
    def test_the_papers_decision_drops_ponzo_alone(self):
        result = decide(None, CHOICES, ILLUSIONS, SETTINGS)
        assert [row["figure"] for row in result.decisions if row["keep"] == "false"] == ["ponzo"]
        assert len(result.decisions) == 15
        assert {row["source"] for row in result.decisions} == {"paper"}
        assert all(
            "taken from the paper (section 2.2)" in row["reason"] for row in result.illusions
        )

    def test_no_judgement_of_people_is_made_up(self):
        result = decide(None, CHOICES, ILLUSIONS, SETTINGS)
        assert result.images == result.ignored == []
        for row in result.illusions:
            assert "nobody has judged the images drawn here" in row["reason"]
            for column in (
                "participants",
                "images_judged",
                "images_confirmed",
                "agreement",
                "modes",
            ):
                assert row[column] == ""

    def test_departing_from_the_paper_is_not_put_in_its_name(self):
        result = decide(None, CHOICES, ["fick", "orbison", "ponzo"], {"paper_drops": ["orbison"]})
        assert {row["figure"]: (row["keep"], row["source"]) for row in result.illusions} == {
            "fick": ("true", "paper"),
            "orbison": ("false", "config"),
            "ponzo": ("true", "config"),
        }
        assert "dropped, although the paper kept it" in result.illusions[1]["reason"]


class TestRule:
    def test_intended_answers_keep_the_illusion(self):
        result = judge(informed())
        (row,) = result.illusions
        assert (row["keep"], row["source"]) == ("true", "participants")
        assert (row["participants"], row["images_judged"], row["images_confirmed"]) == (4, 4, 4)
        assert row["agreement"] == 1.0
        assert "A genuine apparent: red 4/4" in row["modes"]
        assert result.ignored == []

    def test_people_who_misjudge_the_actual_feature_of_a_genuine_image_keep_it(self):
        result = judge(changed("fick_A_genuine", "actual", ["red"] * 4))
        assert result.decisions == [{"figure": "fick", "keep": "true", "source": "participants"}]
        row = image_row(result, "fick_A_genuine", "actual")
        assert (row["confirmed"], row["decides"], row["intended"]) == ("false", "false", "same")

    @pytest.mark.parametrize(
        ("condition", "question"),
        [
            ("genuine", "apparent"),
            ("fake", "actual"),
            ("fake", "apparent"),
            ("control_genuine", "actual"),
            ("control_genuine", "apparent"),
            ("control_fake", "actual"),
            ("control_fake", "apparent"),
        ],
    )
    def test_every_other_mode_that_is_not_intended_drops_the_illusion(self, condition, question):
        result = judge(changed(f"fick_A_{condition}", question, ["blue"] * 4))
        (row,) = result.illusions
        assert row["keep"] == "false"
        assert f"A {condition} {question}: the mode is blue (4 of 4), not" in row["reason"]
        assert (row["images_judged"], row["images_confirmed"]) == (4, 3)

    def test_mode_decides_and_not_unanimity(self):
        result = judge(changed("fick_A_fake", "actual", ["red", "red", "blue", "same"]))
        (row,) = result.illusions
        assert row["keep"] == "true"
        assert row["agreement"] == pytest.approx((7 + 0.5) / 8, abs=1e-4)
        assert image_row(result, "fick_A_fake", "actual")["agreement"] == 0.5

    def test_tie_confirms_nothing_and_is_reported(self):
        result = judge(changed("fick_A_genuine", "apparent", ["red", "same"] * 2))
        assert result.illusions[0]["keep"] == "false"
        row = image_row(result, "fick_A_genuine", "apparent")
        assert (row["mode"], row["mode_count"], row["confirmed"]) == ("", 2, "false")
        assert row["reason"] == "tie between red and same (2 of 4 each)"
        assert row["reason"] in result.illusions[0]["reason"]

    def test_one_illusion_does_not_drag_down_another(self):
        answers = changed("fick_A_fake", "actual", ["blue"] * 4, figures=("fick", "sander"))
        result = judge(answers, ("fick", "sander"))
        assert [row["keep"] for row in result.decisions] == ["false", "true"]

    def test_second_representative_image_counts_too(self):
        answers = informed(["munker"], variants="AB")
        assert judge(answers, ["munker"]).decisions[0]["keep"] == "true"
        for person in PEOPLE:
            answers[person, "munker_B_control_genuine", "apparent"] = "left"
        result = judge(answers, ["munker"])
        assert result.decisions[0]["keep"] == "false"
        assert result.illusions[0]["images_judged"] == 8

    def test_the_papers_study_gives_the_papers_decision(self):
        answers = informed(ILLUSIONS, variants="A") | informed(
            ["mueller_lyer", "munker"], variants="B"
        )
        assert len({image for _, image, _ in answers}) == 68
        for person in PEOPLE[:3]:
            answers[person, "ponzo_A_genuine", "apparent"] = "same"
        result = judge(answers, ILLUSIONS)
        assert [row["figure"] for row in result.decisions if row["keep"] == "false"] == ["ponzo"]
        confirmed = {row["figure"]: row["images_confirmed"] for row in result.illusions}
        assert confirmed["ponzo"] == 3
        assert sum(confirmed.values()) == 67


class TestIncompleteOrFaulty:
    def test_question_that_nobody_answered_confirms_nothing(self):
        answers = {
            question: o
            for question, o in informed().items()
            if question[1:] != ("fick_A_fake", "actual")
        }
        result = judge(answers)
        assert result.decisions[0]["keep"] == "false"
        row = image_row(result, "fick_A_fake", "actual")
        assert (row["n"], row["agreement"], row["reason"]) == (0, "", "no answers")
        assert "A fake actual: no answers" in result.illusions[0]["reason"]

    def test_image_that_nobody_was_asked_about_is_not_judged(self):
        answers = {
            question: option
            for question, option in informed().items()
            if "_fake" not in question[1]
        }
        (row,) = judge(answers).illusions
        assert (row["keep"], row["images_judged"], row["images_confirmed"]) == ("false", 2, 2)

    def test_illusion_that_nobody_was_asked_about_is_dropped_with_that_reason(self):
        (_, row) = judge(informed(), ("fick", "sander")).illusions
        assert (row["keep"], row["participants"], row["agreement"]) == ("false", 0, "")
        assert row["reason"].count("no answers") == 7

    def test_unknown_ids_are_reported_and_leave_the_decision_alone(self):
        answers = informed()
        answers["p1", "fick_A_fak", "actual"] = "red"
        answers["p1", "fick_A_fake", "aktual"] = "red"
        answers["p5", "fick_A_fake", "actual"] = "upper"
        result = judge(answers)
        assert result.decisions[0]["keep"] == "true"
        assert [row["kind"] for row in result.ignored] == [
            "unknown_image",
            "unknown_question",
            "unknown_option",
            "participant_without_answers",
        ]
        assert all(list(row) == list(IGNORED_COLUMNS) for row in result.ignored)
        assert result.illusions[0]["participants"] == 4

    def test_option_of_the_other_variant_is_unknown(self):
        answers = informed(["mueller_lyer"], variants="AB")
        answers["p1", "mueller_lyer_A_fake", "actual"] = "left"
        result = judge(answers, ["mueller_lyer"])
        assert [row["kind"] for row in result.ignored] == ["unknown_option"]
        assert image_row(result, "mueller_lyer_A_fake", "actual")["n"] == 3

    def test_contradictions_can_cost_the_mode(self):
        answers = changed("fick_A_fake", "actual", ["red", "red", "blue", "same"])
        rows = as_rows(answers)
        rows += [HumanResponse(99, "p1", "fick_A_fake", "actual", "same")]
        result = decide(rows, CHOICES, ["fick"], SETTINGS)
        assert result.ignored[0]["kind"] == "contradictory_answers"
        assert image_row(result, "fick_A_fake", "actual")["reason"].startswith("tie between")

    def test_participant_who_answered_nothing_is_reported_and_not_counted(self):
        result = judge(informed(), participants=[*PEOPLE, "p5"])
        assert result.ignored[0]["detail"] == "participant 'p5' gave no answer"
        assert result.illusions[0]["participants"] == 4

    def test_answers_about_an_illusion_that_is_left_out_are_not_called_unknown(self):
        result = judge(informed(["fick", "ponzo"]), ["fick"])
        assert {row["kind"] for row in result.ignored} == {"unused_image"}
        assert sum(row["count"] for row in result.ignored) == 32

    def test_extra_images_are_reported_but_decide_nothing(self):
        answers = informed()
        for person in PEOPLE:
            answers[person, "fick_B_fake", "actual"] = "red"
        result = judge(answers)
        row = image_row(result, "fick_B_fake", "actual")
        assert (row["mode"], row["confirmed"], row["decides"]) == ("red", "false", "false")
        assert result.illusions[0]["keep"] == "true"
        assert result.illusions[0]["images_judged"] == 4
        (extra,) = result.ignored
        assert (extra["kind"], extra["count"]) == ("extra_image", 4)


class TestRows:
    def test_columns_are_in_the_documented_order(self):
        for result in (judge(informed()), decide(None, CHOICES, ["fick"], SETTINGS)):
            assert all(list(row) == list(ILLUSION_COLUMNS) for row in result.illusions)
            assert all(list(row) == list(IMAGE_COLUMNS) for row in result.images)
            assert all(list(row) == list(DECISION_COLUMNS) for row in result.decisions)

    def test_new_responses_that_change_no_decision_change_no_decision_row(self):
        first = judge(informed())
        other = judge(changed("fick_A_fake", "actual", ["red", "red", "red", "blue"]))
        assert first.decisions == other.decisions
        assert first.illusions != other.illusions

    def test_order_of_responses_does_not_matter(self):
        rows = as_rows(changed("fick_A_fake", "actual", ["red", "red", "blue", "same"]))
        backward = decide(rows[::-1], CHOICES, ["fick"], SETTINGS)
        assert backward == decide(rows, CHOICES, ["fick"], SETTINGS)


class TestSimulation:
    def test_decision_says_that_nobody_real_was_asked(self):
        people = simulate_participants(CHOICES, ILLUSIONS, 52, np.random.default_rng(7), 0.1)
        result = decide(people, CHOICES, ILLUSIONS, SETTINGS | {"synthetic": True})
        assert {row["source"] for row in result.decisions} == {"synthetic"}
        assert all(row["reason"].startswith("simulated participants") for row in result.illusions)
        assert {row["keep"] for row in result.decisions} == {"true"}


class TestWaiting:
    def test_until_every_deciding_question_has_its_answers_the_paper_decides(self):
        answers = informed(("fick", "ponzo"))
        # Genuine images are decided by how they appear.
        unneeded = {key for key in answers if key[1:] == ("fick_A_genuine", "actual")}
        result = judge(
            {k: v for k, v in answers.items() if k not in unneeded}, ("fick", "ponzo"), wait_for=4
        )
        assert {row["source"] for row in result.decisions} == {"participants"}
        missing = ("p1", "fick_A_fake", "actual")
        del answers[missing]
        result = judge(answers, ("fick", "ponzo"), wait_for=4)
        assert [(row["keep"], row["source"]) for row in result.decisions] == [
            ("true", "paper"),
            ("false", "paper"),
        ]
        (row,) = result.ignored
        assert (row["kind"], row["count"]) == ("incomplete", 1)
        assert (
            "1 question that decides has fewer than 4 answers (the first: fick_A_fake, actual)"
            in (row["detail"])
        )
        assert "people have not answered everything yet" in result.illusions[0]["reason"]

    def test_what_people_have_said_so_far_is_reported(self):
        result = judge({("p1", "fick_A_fake", "actual"): "red"}, wait_for=1)
        assert image_row(result, "fick_A_fake", "actual")["n"] == 1

    def test_no_answer_yet_is_no_fault(self):
        result = judge({}, wait_for=1)
        assert {row["source"] for row in result.decisions} == {"paper"}
        assert result.ignored[0]["count"] == 7

    def test_without_waiting_a_question_without_answers_confirms_nothing(self):
        assert {row["keep"] for row in judge({}).decisions} == {"false"}


class TestWhatPeopleSaid:
    def test_each_representative_image_has_what_most_people_said(self):
        answers = changed("fick_A_genuine", "actual", ["red"] * 4)
        answers |= informed(("orbison",))
        # Nobody was to answer about the other variant.
        answers |= {("p1", "fick_B_fake", "actual"): CHOICES["fick"]["B"]["options"][0]}
        people = judge(answers, ("fick", "orbison")).people
        assert all(list(row) == list(PEOPLE_COLUMNS) for row in people)
        found = {row["stimulus_id"]: (row["actual"], row["apparent"]) for row in people}
        assert len(found) == 8
        assert found.pop("fick_A_genuine") == ("false", "true")
        assert set(found.values()) == {("true", "true")}

    def test_nothing_is_said_while_an_answer_is_missing_or_people_are_simulated(self):
        answers = informed()
        assert len(judge(answers).people) == 4
        assert judge(answers, synthetic=True).people == []
        assert judge(answers, wait_for=5).people == []
        missing = {
            question: option
            for question, option in answers.items()
            if question[1:] != ("fick_A_genuine", "actual")
        }
        assert judge(missing).people == []
        assert decide(None, CHOICES, ["fick"], SETTINGS).people == []

    def test_an_illusion_that_they_drop_is_left_out(self):
        wrong = changed("fick_A_fake", "actual", ["same"] * 4, ("fick", "orbison"))
        people = judge(wrong, ("fick", "orbison")).people
        assert {row["figure"] for row in people} == {"orbison"}
