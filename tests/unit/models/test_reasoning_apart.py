"""What a server sends as reasoning is kept beside the answer; the journal's lines and keys stay as they were."""

import pytest

from afterimage.contract.model import ModelEntry
from afterimage.models.interface import Reply
from afterimage.models.journaling.entries import answer_line, answerer_of, parse
from afterimage.models.journaling.entries import reply_of as journaled
from afterimage.models.openai_compatible.replies import reply_of

NOW = "2026-11-22T12:00:00.000000+00:00"
ENTRY = ModelEntry("some", "b", "m", settings={"temperature": 0})


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_a_field_of_its_own_is_no_part_of_the_answer(field):
    message = {"content": "Left.", field: "The left one, since ..."}
    reply = reply_of(0, 0, {"choices": [{"message": message}]}, "m")
    assert (reply.text, reply.reasoning) == ("Left.", "The left one, since ...")


def test_an_answer_that_never_came_is_empty_beside_its_reasoning():
    message = {"content": None, "reasoning_content": "The left"}
    reply = reply_of(0, 0, {"choices": [{"message": message, "finish_reason": "length"}]}, "m")
    assert (reply.text, reply.reasoning, reply.finish_reason) == ("", "The left", "length")


@pytest.mark.parametrize(
    ("details", "thought", "counted"),
    [
        ({"reasoning_tokens": 7}, None, 7),
        ({"reasoning_tokens": 0}, None, 0),
        # A server that counts none of the reasoning that it sends does not count it.
        ({"reasoning_tokens": 0}, "I think.", None),
        ({"reasoning_tokens": None}, "I think.", None),
        (None, "I think.", None),
    ],
)
def test_tokens_of_reasoning_are_what_the_server_counts_and_nothing_else(details, thought, counted):
    usage = {"completion_tokens": 9, "completion_tokens_details": details}
    message = {"content": "Left.", "reasoning_content": thought}
    reply = reply_of(0, 0, {"choices": [{"message": message}], "usage": usage}, "m")
    assert (reply.completion_tokens, reply.reasoning_tokens) == (9, counted)


def test_the_journal_keeps_reasoning_and_writes_other_lines_as_before():
    plain = answer_line("k" * 64, "r", NOW, Reply(0, "Left."))
    assert b"reasoning" not in plain
    thought = Reply(0, "Left.", reasoning="a b", reasoning_tokens=2)
    line = answer_line("k" * 64, "r", NOW, thought)
    assert journaled(parse(line), 3) == Reply(3, "Left.", reasoning="a b", reasoning_tokens=2)


def test_how_reasoning_is_told_from_an_answer_asks_nothing_again():
    told = ENTRY.with_settings(reasoning={"open": "((", "close": "))"})
    assert answerer_of(told) == answerer_of(ENTRY)
