"""True or false: what a reply says of a statement."""

from hypothesis import given
from hypothesis import strategies as st

from afterimage.grading.readers.true_false import parse


def test_no_before_a_noun_denies_the_noun_not_the_statement():
    assert parse("No illusion can be seen, so the statement is true.").answer == "True"


def test_word_alone_is_exact_and_word_in_a_sentence_is_contained():
    assert parse("True.").outcome == "exact"
    assert parse("True, I think.").outcome == "contained"


@given(st.text(max_size=60))
def test_no_reply_raises(reply):
    parsed = parse(reply)
    assert parsed.answer in {None, "True", "False"}
    assert (parsed.answer is None) == (parsed.outcome == "unparsed")
