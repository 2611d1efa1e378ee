"""What a server sends beside an answer is kept as it came, behind any reasoning, or not at all."""

import json
import math

import pytest

from afterimage.contract.scores import MAX_ALTERNATIVES, MAX_TOKENS
from afterimage.models.first_tokens import first_tokens


def sent(text, logprob=-0.5, top=(), **more):
    return {"token": text, "logprob": logprob, "top_logprobs": list(top), **more}


def kept(content, text, **how):
    scores = first_tokens(content, text, **how)
    return None if scores is None else scores["first_token"]


def test_tokens_and_alternatives_are_kept_to_the_last_digit():
    top = [{"token": "Yes", "logprob": -0.12345678901234567, "bytes": [89, 101, 115]}]
    (token,) = kept([sent("Yes", -0.12345678901234567, top)], "Yes")
    expected = {"token": "Yes", "logprob": -0.12345678901234567, "top": top}
    assert json.loads(json.dumps(token)) == expected


def test_reasoning_comes_before_the_first_token():
    content = [sent(text) for text in ("<think>", "Yes", "?", "</think>", "\n", "No", ".")]
    assert [each["token"] for each in kept(content, "<think>Yes?</think>\nNo.")] == ["No", "."]
    # A server that sends reasoning apart may count its tokens here as well.
    assert [each["token"] for each in kept([sent("Hm"), sent("No")], "No")] == ["No"]


def test_no_more_than_enough_is_kept():
    top = [{"token": str(index), "logprob": -9.0} for index in range(50)]
    tokens = kept([sent("a", -1.0, top) for _ in range(40)], "a" * 40)
    assert len(tokens) == MAX_TOKENS
    assert {len(each["top"]) for each in tokens} == {MAX_ALTERNATIVES}


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 0.5, None, "-0.1", True])
def test_what_is_no_log_probability_is_unknown(value):
    top = [{"token": "No", "logprob": value}]
    assert kept([sent("Yes", -0.5, top)], "Yes")[0]["top"] == [{"token": "No", "logprob": None}]
    assert kept([sent("Yes", value)], "Yes") is None


@pytest.mark.parametrize(
    "content", [None, [], {}, "Yes", [None], [{"token": 1}], [sent("Maybe")], 7]
)
def test_what_is_no_list_of_the_answers_tokens_is_not_kept(content):
    assert first_tokens(content, "Yes") is None


def test_shares_that_sum_to_more_than_one_are_no_probabilities():
    top = [{"token": name, "logprob": -0.1} for name in ("Yes", "No")]
    assert first_tokens([sent("Yes", -0.1, top)], "Yes") is None


def test_parts_of_characters_that_came_as_texts_are_kept_from_the_first_on():
    content = [sent("�"), sent("�"), sent("い")]
    assert len(kept(content, "はい")) == 3
    whole = "はい".encode()
    content = [sent("�", bytes=list(whole[:2])), sent("�", bytes=list(whole[2:]))]
    assert [bytes(each["bytes"]) for each in kept(content, "はい")] == [whole[:2], whole[2:]]
