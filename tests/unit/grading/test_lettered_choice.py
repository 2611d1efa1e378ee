from afterimage.grading.readers.lettered_choice import parse

OPTIONS = [("0", "A man is sitting."), ("1", "A cat."), ("2", "Cannot tell."), ("3", "5")]


def test_a_letter_beside_another_options_words_is_a_conflict():
    parsed = parse("a. A cat.", OPTIONS)
    assert parsed.answer is None
    assert "conflict" in parsed.reason


def test_a_number_is_an_options_text_before_it_is_its_place():
    assert parse("5", OPTIONS).answer == "3"
    numbered = parse("2", OPTIONS)
    assert (numbered.answer, "other numbering" in numbered.reason) == ("1", True)


def test_of_two_options_with_the_same_text_a_letter_still_names_one():
    twins = [("0", "Yes."), ("1", "Yes."), ("2", "No.")]
    assert parse("b", twins).answer == "1"
    assert parse("Yes.", twins).answer is None
