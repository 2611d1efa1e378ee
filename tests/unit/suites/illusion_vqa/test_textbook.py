"""The textbook responder's patterns, worked out through the keys."""

import pytest

from afterimage.errors import AfterimageError
from afterimage.suites.illusion_vqa.bank import key_role
from afterimage.suites.illusion_vqa.images import CONDITIONS
from afterimage.suites.illusion_vqa.questions import answer

OPTIONS = [("left", "The left one."), ("right", "The right one."), ("same", "Both are the same.")]
IDS = {text: option_id for option_id, text in OPTIONS}
CELLS = {
    (True, True): "both",
    (False, True): "apparent only",
    (True, False): "actual only",
    (False, False): "both wrong",
}


def beside(condition, question):
    return {
        "figure": "ebbinghaus",
        "question": question,
        "options": OPTIONS,
        "factors": {
            "neutral": "same",
            "illusory": "left",
            "inducer": "absent" if condition.startswith("control_") else "present",
        },
    }


def cell(condition, rule):
    right = []
    for question in ("actual", "apparent"):
        given = beside(condition, question)
        key = given["factors"][key_role(condition, question)]
        right.append(IDS[answer(given, rule)] == key)
    return CELLS[tuple(right)]


@pytest.mark.parametrize(
    ("rule", "pattern"),
    [
        ("cued", ["both", "apparent only", "actual only", "apparent only"]),
        ("gated", ["both", "apparent only", "both", "both wrong"]),
    ],
)
def test_four_cell_pattern_is_that_of_the_rule(rule, pattern):
    assert [cell(condition, rule) for condition in CONDITIONS] == pattern


def test_answer_is_the_whole_text_of_an_option():
    assert answer(beside("genuine", "apparent"), "cued") == "The left one."


@pytest.mark.parametrize("condition", CONDITIONS)
@pytest.mark.parametrize("question", ["actual", "apparent"])
def test_rules_differ_only_where_the_inducer_is_missing(condition, question):
    given = beside(condition, question)
    same = answer(given, "cued") == answer(given, "gated")
    assert same is (not condition.startswith("control_") or question == "actual")


def test_unknown_rule_suggests_the_nearest():
    with pytest.raises(AfterimageError, match=r"unknown rule 'gate': did you mean 'gated'"):
        answer(beside("fake", "actual"), "gate")


def test_unknown_question_is_an_error():
    with pytest.raises(AfterimageError, match="unknown question 'aparent'"):
        answer(beside("fake", "aparent"), "cued")


def test_option_that_is_not_offered_is_an_error():
    given = beside("fake", "apparent")
    given["factors"]["illusory"] = "upper"
    with pytest.raises(AfterimageError, match=r"option 'upper' of figure 'ebbinghaus'"):
        answer(given, "cued")
