"""What counts of raw responses, and what is reported."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterimage.files.human_responses import HumanResponse
from afterimage.grading.human_answers import IGNORED_COLUMNS, Mode, count_answers, modal_answer

OFFERED = {
    "fick_A_fake": {"actual": ["red", "blue", "same"], "apparent": ["red", "blue", "same"]},
    "fick_B_fake": {"actual": ["red", "blue", "same"]},
}
ASKED = ("fick_A_fake", "actual")


def rows(*answers):
    return [HumanResponse(line, *answer) for line, answer in enumerate(answers, 2)]


def row(participant="p1", image="fick_A_fake", question="actual", option="red"):
    return participant, image, question, option


def report(answers):
    return [(entry["kind"], entry["count"], entry["lines"]) for entry in answers.ignored]


class TestCounting:
    def test_each_participant_has_one_vote_per_question(self):
        answers = count_answers(rows(row(), row("p2", option="same")), OFFERED)
        assert answers.votes == {ASKED: {"p1": "red", "p2": "same"}}
        assert answers.ignored == []

    @pytest.mark.parametrize(
        ("answer", "kind", "detail"),
        [
            (
                row(image="fick_A_fakee"),
                "unknown_image",
                "no image 'fick_A_fakee'; did you mean 'fick_A_fake'?",
            ),
            (
                row(question="aktual"),
                "unknown_question",
                "no question 'aktual'; did you mean 'actual'?",
            ),
            (
                row(option="upper"),
                "unknown_option",
                "'upper' is no option of the question 'actual'",
            ),
            (row(option="Red"), "unknown_option", "which offers blue, red, same"),
            (row(option=""), "blank_answer", "the option_id is empty"),
            (
                row(image="ponzo_A_fake"),
                "unused_image",
                "belongs to a figure that the study leaves out",
            ),
        ],
    )
    def test_what_does_not_exist_is_reported_and_not_counted(self, answer, kind, detail):
        answers = count_answers(
            rows(row(), answer, answer), OFFERED, unused_images={"ponzo_A_fake"}
        )
        assert answers.votes == {ASKED: {"p1": "red"}}
        assert report(answers) == [(kind, 2, "lines 3, 4")]
        assert detail in answers.ignored[0]["detail"]
        assert list(answers.ignored[0]) == list(IGNORED_COLUMNS)

    def test_identical_duplicates_count_once(self):
        answers = count_answers(rows(row(), row(), row()), OFFERED)
        assert answers.votes == {ASKED: {"p1": "red"}}
        assert report(answers) == [("duplicate_answer", 2, "lines 3, 4")]

    def test_contradictory_duplicates_do_not_count_at_all(self):
        other = row(question="apparent")
        answers = count_answers(rows(row(), row(option="same"), row(), other, row("p2")), OFFERED)
        assert answers.votes == {ASKED: {"p2": "red"}, ("fick_A_fake", "apparent"): {"p1": "red"}}
        assert report(answers) == [("contradictory_answers", 3, "lines 2, 3, 4")]
        assert "red and same" in answers.ignored[0]["detail"]

    def test_blank_or_unknown_answer_contradicts_nothing(self):
        answers = count_answers(rows(row(), row(option=""), row(option="upper")), OFFERED)
        assert answers.votes == {ASKED: {"p1": "red"}}

    def test_same_answer_of_two_participants_is_no_duplicate(self):
        assert count_answers(rows(row(), row("p2")), OFFERED).ignored == []


class TestParticipants:
    def test_invited_participant_without_a_row_is_reported(self):
        answers = count_answers(rows(row()), OFFERED, participants=["p1", "p2"])
        assert report(answers) == [("participant_without_answers", 1, "")]
        assert answers.ignored[0]["detail"] == "participant 'p2' gave no answer"

    def test_participant_with_blank_answers_only_is_reported(self):
        answers = count_answers(rows(row(), row("p2", option="")), OFFERED)
        assert report(answers) == [
            ("blank_answer", 1, "line 3"),
            ("participant_without_answers", 1, ""),
        ]
        assert answers.ignored[1]["detail"] == "participant 'p2' gave no answer"

    def test_participant_of_whom_nothing_counts_is_told_from_a_silent_one(self):
        answers = count_answers(rows(row("p2", option="upper")), OFFERED)
        assert answers.ignored[1]["detail"] == "participant 'p2' gave answers, but none that counts"

    def test_answers_of_somebody_not_on_the_list_do_not_count(self):
        answers = count_answers(rows(row("p11"), row("p2")), OFFERED, participants=["p2"])
        assert answers.votes == {ASKED: {"p2": "red"}}
        assert report(answers) == [("unknown_participant", 1, "line 2")]


class TestMode:
    def test_most_frequent_answer_wins(self):
        mode = modal_answer(["red", "same", "red"])
        assert (mode.unique, mode.times, mode.answers) == ("red", 2, 3)
        assert mode.agreement == pytest.approx(2 / 3)

    def test_tie_has_no_mode(self):
        mode = modal_answer(["same", "red", "red", "same", "blue"])
        assert mode == Mode(5, ("red", "same"), 2)
        assert mode.unique is None

    def test_no_answers_have_no_mode_and_no_agreement(self):
        mode = modal_answer([])
        assert (mode.unique, mode.agreement, mode.answers) == (None, None, 0)


NAMES = st.sampled_from(["fick_A_fake", "fick_B_fake", "fick_C_fake", ""])
RESPONSES = st.lists(
    st.builds(
        HumanResponse,
        line=st.integers(2, 99),
        participant_id=st.sampled_from(["p1", "p2", "p3"]),
        image_id=NAMES,
        question=st.sampled_from(["actual", "apparent", "other"]),
        option_id=st.sampled_from(["red", "same", "upper", ""]),
    ),
    max_size=20,
)


@given(RESPONSES)
def test_every_response_is_counted_or_reported_once(responses):
    answers = count_answers(responses, OFFERED)
    counted = sum(map(len, answers.votes.values()))
    reported = sum(
        row["count"] for row in answers.ignored if row["kind"] != "participant_without_answers"
    )
    assert counted + reported == len(responses)


@given(RESPONSES, st.randoms(use_true_random=False))
def test_order_of_responses_does_not_matter(responses, random):
    shuffled = list(responses)
    random.shuffle(shuffled)
    assert count_answers(shuffled, OFFERED).votes == count_answers(responses, OFFERED).votes
