"""What an answer says of having seen: rules against 300 made-up and 269 recorded answers, labelled by hand."""

import csv
import gzip
import json
from collections import Counter

import pytest

from afterimage.grading.language.claims import STANCES, stance
from afterimage.grading.language.words import is_refusal
from afterimage.grading.readers import yes_no

#: Of the answers that the rules were not written on: wrong as measured first; more is worse, fewer has to be told.
_WRONG_OF_HELD_OUT = 12

#: GPT-4V's 269 answers to HallusionBench by line; all others answer as if they saw.
_RECORDED = {
    **dict.fromkeys([1, 2, 3, *range(8, 16), *range(24, 32)], "denies"),
    **dict.fromkeys([0, 180, 186, 196, 210, 240], "unread"),
    144: "hedges",
}


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
    assert (
        right in (root / "workflow/scripts/afterimage/showing/study/without_image.py").read_text()
    )


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


def test_recorded_answers_are_read_as_often_as_documented(reference, root):
    path = reference / "hallusionbench/gpt4v_269.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    unseen = [row["category"] == "VS" and row["figure_id"] == "0" for row in rows]
    right = []
    for number, row in enumerate(rows):
        answered = (
            yes_no.parse_with_question(row["response"], (), row["question"]).answer is not None
        )
        right.append(stance(row["response"], answered) == _RECORDED.get(number, "claims"))
    without = [one for one, blind in zip(right, unseen, strict=True) if blind]
    text = (root / "docs/claims.md").read_text(encoding="utf-8")
    assert f"{sum(without)} of {len(without)} and {sum(right)} of {len(right)}" in text
    assert (sum(without), sum(right)) == (40, 258)


def test_who_was_shown_an_image_is_not_read_as_hedging(reference, root):
    path = reference / "blindtest/raw_answers.csv.gz"
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    hedged = sum(stance(row["answer"], True) != "claims" for row in rows)
    assert f"{hedged} of {len(rows):,}" in (root / "docs/claims.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The letter y, in a string of seemingly random letters.", "claims"),
        ("Picked at random: y.", "hedges"),
        ("The square is on a plain white background: 4.", "claims"),
        ("I see a plain white background: 4.", "hedges"),
    ],
)
def test_what_an_image_shows_is_told_from_what_it_lacks(text, expected):
    assert stance(text, True) == expected
