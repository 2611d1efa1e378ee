"""What a suite's reader leaves unread, put before a judge, and read by the same reader from the judge's words."""

import pytest

from afterimage.grading.grade import grade
from afterimage.grading.judge.judgements import judged_grades, reviewed_grade, verdicts
from afterimage.grading.judge.prompts import filled, load_sets
from afterimage.grading.judge.unread import fields, read_as

OPTIONS = [
    {"option_id": "left", "text": "The left circle is larger"},
    {"option_id": "right", "text": "The right circle is larger"},
    {"option_id": "same", "text": "They are the same size"},
]
ITEM = {
    "item_id": "i",
    "suite": "s",
    "stimulus_id": "st",
    "figure": "f",
    "prompt": "p",
    "question": "q",
    "answer_type": "choice",
    "options": OPTIONS,
    "key": "same",
    "factors": {},
    "messages": [{"role": "user", "parts": [{"type": "text", "text": "Which is larger?"}]}],
}


def response(text, finish="stop"):
    return {
        "item_id": "i",
        "suite": "s",
        "model": "m",
        "repeat": 0,
        "text": text,
        "finish_reason": finish,
        "request_sha256": "abc",
    }


def votes(answer_sha, *read):
    return [
        {
            "item_id": "i",
            "repeat": 0,
            "answer_sha": answer_sha,
            "injection_suspect": False,
            "judge": "j",
            "prompt_set": "paper",
            "prompt": "unread",
            "aggregation": "reading",
            "round": number,
            "attempt": 0,
            "value": None,
            "read_as": one,
        }
        for number, one in enumerate(read)
    ]


def judged(text, *read):
    """Return the grade of an answer after rounds that read it so."""
    reply = response(text)

    def after(given):
        (decided,) = judged_grades(
            [grade(reply, ITEM)], [reply], {"i": ITEM}, fields, {"unread": "reading"}, given
        )
        return decided

    unjudged = after({})
    return after(verdicts(votes(unjudged["readings"]["answer_sha"], *read))) if read else unjudged


@pytest.mark.parametrize("wording", ["paper", "fixed"])
def test_the_judge_is_told_question_and_reply_of_what_was_left_unread_and_never_the_key(
    root, wording
):
    judge_fields = fields(ITEM, response("Both are lovely circles."))
    prompt = load_sets(root / "resources/prompts/judges.yaml")[wording][judge_fields.prompt]
    filled_prompt = filled(prompt["text"], judge_fields.fields)
    assert "Which is larger?" in filled_prompt and "Both are lovely circles." in filled_prompt
    # People who review are shown it.
    assert judge_fields.fields["gold"] == "They are the same size"
    assert judge_fields.fields["gold"] not in filled_prompt


@pytest.mark.parametrize(
    ("text", "finish"),
    [
        ("They are the same size", "stop"),
        ("I'm sorry, I cannot help with that.", "stop"),
        ("", "stop"),
        ("Let me look at the picture of", "length"),
    ],
)
def test_what_was_read_refused_empty_or_cut_off_is_put_before_nobody(text, finish):
    assert fields(ITEM, response(text, finish)) is None


@pytest.mark.parametrize(
    ("reply", "read"),
    [
        ("They are the same size", "same"),
        ("**The left circle is larger**", "left"),
        ("NONE", ""),
        ("`NONE`.", ""),
        ("I cannot tell.", None),
        ("1", None),
    ],
)
def test_the_judges_words_are_read_by_the_suites_reader(reply, read):
    assert read_as(reply, ITEM) == read


@pytest.mark.parametrize(
    ("read", "answer", "correct", "decider"),
    [
        (("same", "same", "left"), "same", True, "judge"),
        (("left", "left", None), "left", False, "judge"),
        (("", "", "same"), None, False, "parser"),
        (("same", "left", "right"), None, False, "parser"),
        (("same", None, None), None, False, "parser"),
    ],
)
def test_more_than_half_of_the_rounds_read_an_answer_or_it_stays_unread(
    read, answer, correct, decider
):
    decided = judged("Both are lovely circles.", *read)
    assert (decided["answer"], decided["correct"], decided["decided_by"]) == (
        answer,
        correct,
        decider,
    )
    assert (decided["outcome"] == "unparsed") == (answer is None)


def test_why_an_answer_stays_unread_keeps_its_code():
    decided = judged("Both are lovely circles.", "", "", "")
    assert decided["reason"].startswith("off_topic:")
    assert "settles on no answer" in decided["reason"]


def test_an_answer_that_was_read_is_no_bodys_business():
    read = judged("They are the same size")
    assert read["readings"] == {}


@pytest.mark.parametrize(
    ("correct", "offered", "answer"),
    [(True, 3, "same"), (False, 3, None), (True, 2, "same"), (False, 2, "left")],
)
def test_what_people_decide_about_an_unread_answer_is_an_answer(correct, offered, answer):
    unread = judged("Both are lovely circles.")
    unread["offered"] = ["left", "same", "right"][:offered]
    decided = reviewed_grade(unread, correct, "ada")
    assert (decided["answer"], decided["correct"]) == (answer, correct)
    assert (decided["outcome"], decided["decided_by"]) == ("contained", "review")
