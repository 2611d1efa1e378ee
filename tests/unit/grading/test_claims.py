"""What an answer says of having seen: rules against 300 made-up answers that were labelled by hand."""

import csv
from collections import Counter

import pytest

from afterimage.grading.claims import STANCES, stance
from afterimage.grading.refusals import is_refusal

#: Of the answers that the rules were not written on: wrong as measured first; more is worse, fewer has to be told.
_WRONG_OF_HELD_OUT = 12


@pytest.fixture(scope="module")
def answers(root):
    with (root / "tests/data/claims.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def read(row):
    return stance(row["text"], row["stance"] in ("claims", "hedges"))


def test_there_are_300_in_three_languages(answers):
    assert len(answers) == 300
    assert Counter(row["language"] for row in answers) == {"en": 156, "ja": 72, "zh": 72}
    assert Counter(row["stance"] for row in answers) == dict.fromkeys(STANCES, 75)


def test_forty_answers_ten_of_each_class_are_read_exactly(answers):
    exact = [row for row in answers if row["part"] == "exact"]
    assert Counter(row["stance"] for row in exact) == dict.fromkeys(STANCES, 10)
    assert {row["language"] for row in exact} == {"en", "ja", "zh"}
    assert [read(row) for row in exact] == [row["stance"] for row in exact]


def test_the_rules_agree_with_what_they_were_written_on(answers):
    wrong = [row for row in answers if row["part"] == "tuned" and read(row) != row["stance"]]
    assert wrong == []


def test_the_measured_error_on_others_is_the_documented_one(answers, root):
    held_out = [row for row in answers if row["part"] == "held_out"]
    wrong = sum(read(row) != row["stance"] for row in held_out)
    assert (wrong, len(held_out)) == (_WRONG_OF_HELD_OUT, 148)
    right = f"{len(held_out) - wrong} of {len(held_out)}"
    assert right in (root / "docs/claims.md").read_text(encoding="utf-8")
    assert right in (root / "workflow/scripts/afterimage/showing/study/claims.py").read_text()


@pytest.mark.parametrize(
    ("text", "answered", "expected"),
    [
        ("I cannot tell: no image is shown.", False, "denies"),
        ("I cannot tell: the image is empty.", False, "denies"),
        ("The two lines are the same length.", True, "claims"),
        ("", False, "unread"),
        ("This is a plain white image.", False, "denies"),
    ],
)
def test_what_reference_responders_say(text, answered, expected):
    assert stance(text, answered) == expected


def test_readers_and_claims_share_their_words():
    for refusal in ("I'm sorry, but no.", "申し訳ありません", "I can’t answer"):
        assert is_refusal(refusal)
    assert not is_refusal("answer: wood")
