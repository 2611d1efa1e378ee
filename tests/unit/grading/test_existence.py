import pytest

from afterimage.grading import yes_no

ASKED = "Is there a red circle in this image? Answer yes or no."


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ("The red circle is in the top left.", "Yes"),
        ("One of the circles is red.", "Yes"),
        ("A red circle in the lower left.", "Yes"),
        ("There's exactly one, near the top.", "Yes"),
        ("None of the circles are red.", "No"),
        ("There are no circles at all.", "No"),
        ("All circles are green.", "No"),
        ("The image contains only green circles and red squares.", "No"),
        ("I see only blue ones.", "No"),
    ],
)
def test_what_is_said_of_the_whole_of_what_is_looked_for_answers(reply, said):
    assert yes_no.parse_asked(reply, (), ASKED).answer == said


@pytest.mark.parametrize(
    "reply",
    [
        "The red circle appears larger.",
        "circle appears larger. " * 20,
        "green bars on both sides appear the same color.",
        "There's one green circle.",
        "The squares are red and the circles are green.",
        "circles and squares in red and green",
    ],
)
def test_what_is_said_of_something_else_or_of_half_of_it_is_no_answer(reply):
    assert yes_no.parse_asked(reply, (), ASKED).answer is None


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ("There's a subtle striped pattern in the right half.", "Yes"),
        ("The image is completely gray with no visible features.", "No"),
        ("A uniform gray without any stripes.", "No"),
        ("Without the image I can't tell.", None),
    ],
)
def test_a_kind_need_not_be_repeated_and_nothing_at_all_denies(reply, said):
    asked = "Is there a pattern of stripes anywhere in this image? Answer yes or no."
    assert yes_no.parse_asked(reply, (), asked).answer == said
