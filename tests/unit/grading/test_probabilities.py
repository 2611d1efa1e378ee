"""From tokens to options: what is counted for which, and what is counted for none."""

import math

import pytest

from afterimage.contract.scores import FIRST_TOKEN, OPTIONS
from afterimage.grading.probabilities import graded

LINES = (("l", "The left line is longer."), ("r", "The right line is longer."), ("n", "Neither"))
YES_NO = (("Yes", "Yes"), ("No", "No"))


def token(text, probability, **others):
    """A token that was taken, with its alternatives; its own share is among them."""
    top = [{"token": text, "logprob": math.log(probability)}]
    top += [{"token": name, "logprob": math.log(share)} for name, share in others.items()]
    return {"token": text, "logprob": math.log(probability), "top": top}


def first(*tokens):
    return {FIRST_TOKEN: list(tokens)}


def close(found, **expected):
    assert found == {name: pytest.approx(share, abs=1e-12) for name, share in expected.items()}


def test_case_blanks_and_other_words_for_yes_are_one_option():
    tokens = token(
        "Yes", 0.6, **{" yes": 0.1, "YES": 0.05, "No": 0.15, "はい": 0.02, "Maybe": 0.08}
    )
    found = graded(first(tokens), YES_NO, "yes_no")
    close(found.probabilities, Yes=0.77 / 0.92, No=0.15 / 0.92)
    assert found.mass == pytest.approx(0.92)


def test_options_that_begin_alike_are_told_apart_where_they_differ():
    tokens = (
        token("The", 0.9, Neither=0.1),
        token(" left", 0.7, **{" right": 0.25, " line": 0.05}),
    )
    found = graded(first(*tokens), LINES, "choice")
    close(found.probabilities, l=0.63 / 0.955, r=0.225 / 0.955, n=0.1 / 0.955)
    assert found.mass == pytest.approx(0.955)


def test_where_an_alternative_leaves_much_open_between_several_nothing_is_said():
    # Behind "The", which was not taken, either line may stand: "Neither" alone would get all.
    found = graded(first(token("Neither", 0.6, The=0.4)), LINES, "choice")
    assert found == (None, pytest.approx(0.6))
    found = graded(first(token("Neither", 0.96, The=0.04)), LINES, "choice")
    close(found.probabilities, l=0, r=0, n=1)


def test_words_with_which_all_begin_may_be_left_out():
    options = (("a", "The dot is red"), ("b", "The dot is blue"))
    close(graded(first(token("Red", 0.8, Blue=0.2)), options, "choice").probabilities, a=0.8, b=0.2)


def test_below_half_of_the_mass_there_are_no_probabilities_but_the_mass():
    found = graded(first(token("I", 0.6, Yes=0.2, No=0.1)), YES_NO, "yes_no")
    assert found == (None, pytest.approx(0.3))


def test_without_scores_there_is_nothing_and_no_zero():
    assert graded(None, YES_NO, "yes_no") == (None, None)
    assert graded({FIRST_TOKEN: []}, YES_NO, "yes_no") == (None, None)
    assert graded(first(token("Yes", 0.9)), (), "yes_no") == (None, None)


def test_a_number_that_begins_another_one_waits_for_its_end():
    options = tuple((str(number), str(number)) for number in range(1, 13))
    ended = first(token("1", 0.8, **{"2": 0.2}), token("<|im_end|>", 0.9, **{"0": 0.1}))
    close(
        {name: share for name, share in graded(ended, options, "integer")[0].items() if share},
        **{"1": 0.72, "10": 0.08, "2": 0.2},
    )
    cut = first(token("1", 0.8, **{"2": 0.2}))
    assert graded(cut, options, "integer").probabilities["1"] == pytest.approx(0.8)


def test_the_longer_of_two_options_is_what_it_says():
    options = (("short", "red"), ("long", "red line"))
    tokens = (token("red", 1.0), token(" line", 0.75, **{"</s>": 0.25}), token(" is", 1.0))
    close(graded(first(*tokens), options, "choice").probabilities, short=0.25, long=0.75)


def test_letters_count_where_options_have_some():
    options = (("0", "A man stands."), ("1", "A dog runs."), ("2", "Cats"))
    tokens = first(token("(", 1.0), token("b", 0.5, A=0.3, C=0.2))
    close(
        graded(tokens, options, "lettered_choice").probabilities, **{"0": 0.3, "1": 0.5, "2": 0.2}
    )
    words = first(token("A", 1.0), token(" dog", 1.0), token(" runs", 1.0))
    found = graded(words, options, "lettered_choice").probabilities
    close(found, **{"0": 0.0, "1": 1.0, "2": 0.0})
    assert graded(first(token("b", 1.0)), options, "choice").mass == 0


def test_a_sign_counts_where_options_differ_in_nothing_else():
    options = (("plus", "1"), ("minus", "-1"))
    close(graded(first(token("-", 0.6, **{"1": 0.4})), options, "choice")[0], plus=0.4, minus=0.6)


def test_half_a_character_is_completed_by_the_next_token():
    whole = "はい".encode()
    parts = [
        {"token": "�", "logprob": math.log(0.8), "bytes": list(whole[:2]), "top": [
            {"token": "いいえ", "logprob": math.log(0.2)},
        ]},
        {"token": "�", "logprob": 0.0, "bytes": list(whole[2:3]), "top": []},
        {"token": "い", "logprob": 0.0, "top": []},
    ]  # fmt: skip
    close(graded(first(*parts), (("y", "はい"), ("n", "いいえ")), "choice")[0], y=0.8, n=0.2)


def test_unknown_log_probabilities_add_nothing_and_end_the_path():
    tokens = first({"token": "Yes", "logprob": None, "top": [
        {"token": "Yes", "logprob": None}, {"token": "No", "logprob": math.log(0.6)},
    ]})  # fmt: skip
    assert graded(tokens, YES_NO, "yes_no") == ({"Yes": 0.0, "No": 1.0}, pytest.approx(0.6))


def test_whole_texts_are_compared_by_their_whole_log_probability_whatever_their_mass():
    known = [{"text": text, "logprob": value, "tokens": 6} for (_, text), value in zip(
        LINES, (-40.0, -40.0 + math.log(3), -300.0), strict=True
    )]  # fmt: skip
    found = graded({OPTIONS: known[::-1]}, LINES, "choice")
    close(found.probabilities, l=0.25, r=0.75, n=0.0)
    assert 0 < found.mass < 1e-15
    assert graded({OPTIONS: known[:2]}, LINES, "choice") == (None, None)
    assert graded({OPTIONS: [*known[:2], known[1]]}, LINES, "choice") == (None, None)
