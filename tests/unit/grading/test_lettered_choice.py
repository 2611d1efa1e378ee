import pytest

from afterimage.grading.lettered_choice import parse

OPTIONS = [("0", "A man is sitting."), ("1", "A cat."), ("2", "Cannot tell."), ("3", "5")]


@pytest.mark.parametrize("reply", ["b", "B", "(b)", "**B**", "b.", "'b'", "b)", "[B]", "Ｂ"])
def test_a_letter_by_itself_is_the_answer(reply):
    assert parse(reply, OPTIONS)[:2] == ("1", "exact")


@pytest.mark.parametrize(
    "reply", ["b. A cat.", "B) a cat", "b: A CAT", "(b) A cat.", "b. whatever"]
)
def test_a_letter_before_its_own_or_no_options_words_is_the_answer(reply):
    assert parse(reply, OPTIONS).answer == "1"


def test_a_letter_beside_another_options_words_is_a_conflict():
    parsed = parse("a. A cat.", OPTIONS)
    assert parsed.answer is None
    assert "conflict" in parsed.reason


@pytest.mark.parametrize(
    "reply", ["The answer is c", "I first said a, but the correct option is (c).", "Answer: C"]
)
def test_the_last_letter_called_the_answer_counts(reply):
    assert parse(reply, OPTIONS)[:2] == ("2", "contained")


@pytest.mark.parametrize(
    "reply",
    [
        "Option b is tempting. Final answer: it must be option c.",
        "I think option b is right. Final answer: the right one is option c.",
    ],
)
def test_the_letter_in_a_final_answer_counts_and_not_one_before_it(reply):
    assert parse(reply, OPTIONS)[:2] == ("2", "contained")


@pytest.mark.parametrize("reply", ["A cat.", "a cat", "The answer is a cat.", "I see a cat there."])
def test_an_article_is_no_letter(reply):
    assert parse(reply, OPTIONS).answer == "1"


@pytest.mark.parametrize(
    "reply", ["A dog is running.", "e", "z.", "9", "0", "", "..", "a or b", "ab"]
)
def test_what_names_no_option_is_unparsed(reply):
    assert parse(reply, OPTIONS)[:2] == (None, "unparsed")


def test_a_number_is_an_options_text_before_it_is_its_place():
    assert parse("5", OPTIONS).answer == "3"
    numbered = parse("2", OPTIONS)
    assert (numbered.answer, "other numbering" in numbered.reason) == ("1", True)


def test_of_two_options_with_the_same_text_a_letter_still_names_one():
    twins = [("0", "Yes."), ("1", "Yes."), ("2", "No.")]
    assert parse("b", twins).answer == "1"
    assert parse("Yes.", twins).answer is None
