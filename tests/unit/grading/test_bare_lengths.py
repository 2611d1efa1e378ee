"""Bare measurements, and which of two things a reply means."""

import pytest

from afterimage.grading.choice import parse

CIRCLES = [
    ("left", "The left red circle is bigger."),
    ("right", "The right red circle is bigger."),
    ("same", "Both red circles are the same size."),
]
APART = [
    ("left", "The two red lines are closer together on the left side."),
    ("right", "The two red lines are closer together on the right side."),
    ("same", "The two red lines are the same distance apart on both sides."),
]


@pytest.mark.parametrize(
    ("options", "reply", "reads"),
    [
        (CIRCLES, "Left: 40 px, right: 52 px.", "right"),
        (CIRCLES, "52 px on the left, 40 px on the right.", "left"),
        (CIRCLES, "Left: 40.5 px. Right: 40.5 px.", "same"),
        # The larger of two distances is not the closer one.
        (APART, "Left: 40 px, right: 52 px.", "left"),
    ],
)
def test_two_lengths_of_two_options_are_an_answer(options, reply, reads):
    assert parse(reply, options).answer == reads


@pytest.mark.parametrize(
    "reply",
    [
        "Left: 40 px, right: 41 px.",
        "Left: 40 px, right: 52 mm.",
        "Left: 40 to 50 px, right: 52 px.",
        "Left: 40 px, 45 px. Right: 52 px.",
        "Left: radius 30 px. Right: diameter 60 px.",
        "The left circle lies at 40 px, the right one at 52 px.",
        "The circles around the left one have 80 px, those around the right one 20 px.",
        "The left one is not 40 px, the right one is 52 px.",
        "If the left one has 40 px and the right one 52 px, what then?",
    ],
)
def test_lengths_that_may_mean_something_else_are_none(reply):
    assert parse(reply, CIRCLES).answer is None


@pytest.mark.parametrize(
    ("reply", "reads"),
    [
        ("Between the left and the right circle, the former is bigger.", "left"),
        ("I compared the right circle and the left one. The latter is bigger.", "left"),
        ("The latter is bigger.", None),
        ("The left, the right, the left: the latter is bigger.", None),
    ],
)
def test_the_latter_is_the_second_of_two_that_were_named(reply, reads):
    assert parse(reply, CIRCLES).answer == reads
