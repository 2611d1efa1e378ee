"""Short free answers: equality but for what does not matter."""

from afterimage.grading.readers.short_text import LONGEST, parse

OPTIONS = (
    ("New York", "New York"),
    ("New York", "NYC"),
    ("Paris", "Paris"),
    ("I cannot tell.", "I cannot tell."),
)


def test_another_answer_is_read_as_itself_and_never_as_the_right_one():
    assert parse("Lyon.", OPTIONS).answer == "lyon"
    assert parse("paris", OPTIONS).answer == "Paris"
    assert parse("New Yorker", OPTIONS).answer == "new yorker"


def test_length_alone_refuses_no_known_answer():
    known = "word " * LONGEST
    assert parse(known, (("k", known),)).answer == "k"
