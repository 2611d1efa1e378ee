"""Reasoning is told from the answer, in every known form."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterimage.grading.grade import grade
from afterimage.grading.reasoning import columns, is_mark, split

FORMS = [
    "<think>a b</think>Left.",
    "<thinking>a b</thinking>\n\nLeft.",
    "<thought>a b</thought>Left.",
    "<reasoning>a b</reasoning> Left.",
    "<THINK>a b</THINK>Left.",
    "<|begin_of_thought|>a b<|end_of_thought|><|begin_of_solution|>Left.<|end_of_solution|>",
    "<|START_THINKING|>a b<|END_THINKING|><|START_RESPONSE|>Left.<|END_RESPONSE|>",
    "[THINK]a b[/THINK]Left.",
    "◁think▷a b◁/think▷Left.",
    "<seed:think>a b</seed:think>Left.",
    "a b</think>Left.",
    "a b\n</think>\n\nLeft.<|im_end|>",
    "a b <answer>Left.</answer>",
    "<think>a b</think><answer>Left.</answer>",
    "<think>a b</think><answer><|begin_of_box|>Left.<|end_of_box|></answer>",
    "<|channel|>analysis<|message|>a b<|end|><|start|>assistant<|channel|>final<|message|>Left.<|return|>",
    "analysisa bassistantfinalLeft.",
    # Gemma 4's.
    "<|channel>thought\na b\n<channel|>Left.<turn|>",
]


@pytest.mark.parametrize("text", FORMS)
def test_every_known_form_is_split(text):
    found = split(text)
    assert (found.reasoning, found.answer) == ("a b", "Left.")


@pytest.mark.parametrize(
    "text",
    [
        "<think>The left one, no",
        "Well. <think>left",
        "[THINK]left",
        "<|channel|>analysis<|message|>left",
        "<|channel>thought\nleft",
        "<think>a</think><think>b",
    ],
)
def test_reasoning_that_never_ends_leaves_no_answer(text):
    assert split(text).answer is None


@pytest.mark.parametrize("text", ["Left.", "", "I think left.", "a < b > c", "<b>Left</b>"])
def test_a_reply_without_reasoning_stays_as_it_came(text):
    assert split(text) == (None, text)


def test_an_empty_channel_of_thoughts_leaves_the_answer():
    assert split("<|channel>thought\n<channel|>Left.") == (None, "Left.")


@pytest.mark.parametrize(
    "text, expected",
    [
        *((mark, True) for mark in ("<think>", "[/THINK]", "<|channel>", "<channel|>")),
        *((text, False) for text in ("<|im_end|>", "think", "<|channel|>", "")),
    ],
)
def test_a_special_token_is_told_to_be_a_mark(text, expected):
    assert is_mark(text) is expected


def test_reasoning_may_speak_of_its_own_marks():
    assert split("<think>I must not write <think> here</think>Left.").answer == "Left."
    assert split("<think>a</think> b </think>Left.") == ("a\nb", "Left.")


def test_an_entry_names_its_own_pair_or_leaves_replies_whole():
    pair = {"open": "(((", "close": ")))"}
    assert split("((( a )))Left.", pair) == ("a", "Left.")
    assert split("<think>a</think>Left.", pair) == (None, "<think>a</think>Left.")
    assert split("<think>a</think>Left.", False) == (None, "<think>a</think>Left.")


def test_what_the_server_sends_apart_is_kept_with_what_the_reply_holds():
    assert columns("Left.", "a b") == {"reasoning": "a b", "answer_text": "Left."}
    assert columns("<think>c</think>Left.", "a") == {"reasoning": "a\nc", "answer_text": "Left."}
    assert columns("Left.", None) == {"reasoning": None, "answer_text": "Left."}


PIECES = [
    *"<>/|[]◁▷ ab",
    "<think>",
    "</think>",
    "<answer>",
    "</answer>",
    "<|channel|>",
    "final<|message|>",
]


@given(st.lists(st.sampled_from(PIECES)).map("".join))
def test_no_text_raises(text):
    found = split(text)
    assert found.answer is None or isinstance(found.answer, str)


ITEM = {
    "item_id": "a",
    "suite": "s",
    "stimulus_id": "a",
    "figure": "f",
    "prompt": "p",
    "question": "q",
    "answer_type": "yes_no",
    "options": [],
    "key": "Yes",
    "factors": {},
}


def graded(text, finish="stop"):
    response = {"item_id": "a", "suite": "s", "model": "m", "repeat": 0, "text": text}
    return grade(response | columns(text, None) | {"finish_reason": finish}, ITEM)


def test_only_the_answer_is_graded_and_reasoning_is_noted():
    row = graded("<think>No, they do not. No.</think>Yes.")
    assert (row["answer"], row["reasoning_given"]) == ("Yes", True)
    assert not graded("Yes.")["reasoning_given"]


@pytest.mark.parametrize(
    ("text", "finish", "code"),
    [
        ("<think>Yes, yes", "length", "cut_off"),
        ("<think>Yes, yes", "stop", "cut_off"),
        ("The circles are", "length", "cut_off"),
        ("", "length", "cut_off"),
        ("", "stop", "empty"),
        ("", "content_filter", "refused"),
        ("I'm sorry, I can't help with that.", "stop", "refused"),
        ("A picture of circles.", "stop", "off_topic"),
        ("Yes and no.", "stop", "off_topic"),
    ],
)
def test_what_is_not_read_says_why_and_is_not_correct(text, finish, code):
    row = graded(text, finish)
    assert (row["answer"], row["outcome"], row["correct"]) == (None, "unparsed", False)
    assert row["reason"].startswith(f"{code}: ")


def test_a_cut_off_explanation_behind_an_answer_is_no_loss():
    assert graded("Yes, the circles touch each other at", "length")["answer"] == "Yes"
