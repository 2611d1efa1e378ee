"""What one would answer without looking."""

import pytest

from afterimage.suites.pope.questions import answer

FACTORS = {
    "object": "tree",
    "attributes": "",
    "frequent": "no",
    "companion": "no",
    "first": "",
    "second": "",
}


def said(question, rule="cued", chinese=False, **factors):
    options = [("yes", "是"), ("no", "否")] if chinese else [("yes", "Yes"), ("no", "No")]
    item = {
        "item_id": "x",
        "question": question,
        "options": options,
        "factors": FACTORS | factors,
    }
    return answer(item, rule)


def test_cued_affirms_what_is_frequent_and_gated_what_comes_along_with_what_is_there():
    assert said("existence", frequent="yes") == "Yes"
    assert said("existence", companion="yes") == "No"
    assert said("existence", "gated", frequent="yes") == "No"
    assert said("existence", "gated", companion="yes") == "Yes"


def test_a_look_alike_and_a_number_are_judged_like_any_object():
    assert said("similar", frequent="yes") == said("count", frequent="yes") == "Yes"


@pytest.mark.parametrize("question", ["colour", "attribute"])
def test_things_have_their_usual_colour(question):
    assert said(question, attributes="green") == "Yes"
    assert said(question, attributes="two purple") == "No"
    assert said(question, attributes="two", frequent="yes") == "Yes"


def test_things_have_their_usual_size_and_height():
    assert said("larger_than", first="house", second="cup") == "Yes"
    assert said("larger_than", first="cup", second="house") == "No"
    assert said("above", first="moon", second="car") == "Yes"
    assert said("above", first="car", second="moon") == "No"
    assert said("inside", first="cup", second="box") == "Yes"


def test_the_answer_is_given_in_the_words_of_the_item():
    assert said("existence", frequent="yes", chinese=True) == "是"
