"""How a server says that it did not finish, held back or broke off: one table, and what follows from it everywhere.

Public reports: bespokelabsai/curator issue 261 (every finish reason but ``stop`` was passed over), BerriAI/litellm
issue 8953 (a filter's finish reason that nobody took for one).
"""

import json

import pandas as pd
import pytest
from faulty_model import ask, asked, in_turn, journal_of, whole
from loopback_api import Reaction, completion

from afterimage.contract.readings import (
    CUT_OFF,
    ENDING,
    REFUSED,
    UNSTATED,
    Ending,
    ending_of,
    is_filter,
    tally,
)
from afterimage.errors import AfterimageError
from afterimage.grading.grade import grade
from afterimage.grading.judge.judgements import can_be_judged
from afterimage.models.interface import Reply
from afterimage.models.journaling.entries import answer_line
from afterimage.models.openai_compatible import asking
from afterimage.models.recorded.answer import RecordedAnswer
from afterimage.models.recorded.matching import matched
from afterimage.showing.study.cost import TABLE


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    """Back off for milliseconds."""
    monkeypatch.setattr(asking, "FIRST_WAIT_SECONDS", 0.001)


WORDS = {
    Ending.FINISHED: (
        *("stop", "STOP", "end_turn", "eos", "eos_token", "stop_sequence", "COMPLETE", "FINISH"),
        *("FinishReason.STOP", "FINISH_REASON_STOP", "endTurn", "eosFound", "tool_calls"),
    ),
    Ending.CUT_OFF: (
        *("length", "Length", "max_tokens", "MAX_TOKENS", "MAX_OUTPUT_TOKENS", "maxTokens"),
        *("model_length", "model_context_window_exceeded", "FinishReason.MAX_TOKENS", "limit"),
    ),
    Ending.WITHHELD: (
        *("content_filter", "CONTENT_FILTERED", "refusal", "SAFETY", "RECITATION", "BLOCKLIST"),
        *("PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY", "LANGUAGE", "OTHER", "ERROR_TOXIC"),
        *("guardrail_intervened", "sensitive", "BlockReason.PROHIBITED_CONTENT", "MODEL_ARMOR"),
    ),
    Ending.BROKEN: (
        *("network_error", "error", "ERROR", "abort", "cancelled", "insufficient_system_resource"),
        *("load", "unload", "null", "MALFORMED_FUNCTION_CALL", "TIMEOUT", "server_error"),
    ),
    Ending.UNSTATED: (None, "", "unknown", "FINISH_REASON_UNSPECIFIED"),
    Ending.UNKNOWN: ("banana", "reason 17", "停"),
}
BY_WORD = [(word, ending) for ending, words in WORDS.items() for word in words]
ITEM = {
    **{"item_id": "item_0", "suite": "s", "stimulus_id": "x", "figure": "f", "prompt": "p"},
    **{"question": "q", "answer_type": "yes_no", "options": [], "key": "yes", "factors": {}},
}


def response(text, finish_reason):
    return {
        **{"item_id": "item_0", "suite": "s", "model": "m", "repeat": 0, "text": text},
        "finish_reason": finish_reason,
    }


def answered_with(body):
    return Reaction(json.dumps(body).encode(), sound=True)


@pytest.mark.parametrize(("word", "ending"), BY_WORD)
def test_a_word_means_one_thing_to_backend_reader_judge_and_costs(word, ending, tmp_path):
    assert ending_of(word) is ending
    graded = grade(response("Lorem ipsum", word), ITEM)
    codes = {Ending.CUT_OFF: CUT_OFF, Ending.WITHHELD: REFUSED}
    assert graded["reason"].startswith(codes.get(ending, graded["reason"]))
    assert (ENDING in graded["readings"]) == (
        ending in (Ending.CUT_OFF, Ending.WITHHELD, Ending.UNKNOWN)
    )
    assert can_be_judged(response("Lorem ipsum", word)) == (ending is not Ending.WITHHELD)
    assert cost_of(word) == (ending is Ending.WITHHELD, ending is Ending.CUT_OFF)
    outcome, api = asked(
        lambda call: answered_with(whole({"content": "The le"}, word)), tmp_path, retries=1
    )
    if ending is Ending.BROKEN:
        assert list(outcome.failures) == [0] and not outcome.replies
        assert list(journal_of(tmp_path).glob("*.jsonl")) == []
        assert len(api.calls) == 2
    else:
        reply = outcome.replies[0][0]
        # As it came, whatever it means.
        assert (reply.text, reply.finish_reason) == ("The le", word or "unknown")


def cost_of(word):
    """Whether an answer with this reason counts as refused, and as cut off."""
    row = {
        **response("Yes", word),
        **{"role": "model", "prompt_tokens": 1, "completion_tokens": 1, "reasoning_tokens": None},
        **{"request_sha256": "a", "round": None, "attempt": None},
        **{"cached_tokens": None, "cache_written_tokens": None},
    }
    (counted,) = TABLE.rows(pd.DataFrame([row]), SPEC).to_dict("records")
    return bool(counted["refused"]), bool(counted["truncated"])


SPEC = {
    "models": [
        {"name": "m", "prices": None, "mode": "online", "by_item": False, "currency": "USD"}
    ],
    "judge": None,
}
USED = {"usage": {"prompt_tokens": 90, "completion_tokens": 3}}
NONE_USED = {"usage": {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}}
FILTER = {"hate": {"filtered": False}, "violence": {"filtered": True, "severity": "high"}}
WITHHELD = {
    "Azure, prompt": (
        {"choices": [], "prompt_filter_results": [{"content_filter_results": FILTER}]},
        "content_filter",
    ),
    "Azure, answer": (
        whole({"content": None}, "stop", content_filter_results=FILTER),
        "content_filter",
    ),
    "Gemini, prompt": (
        {"choices": [], "promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}},
        "PROHIBITED_CONTENT",
    ),
    "Gemini, no choices at all": ({"promptFeedback": {"blockReason": "OTHER"}}, "OTHER"),
    "Gemini, no message": ({"choices": [{"finish_reason": "SAFETY"}]}, "SAFETY"),
    "no message, null": (whole(None, "content_filter"), "content_filter"),
    "a refusal at the top": ({"choices": [], "refusal": "No."}, "refusal"),
    "OpenRouter": (whole({"content": ""}, "stop", native_finish_reason="SAFETY"), "SAFETY"),
}


@pytest.mark.parametrize(("body", "word"), WITHHELD.values(), ids=WITHHELD)
def test_what_is_withheld_is_an_answer_that_is_asked_once(body, word, tmp_path):
    outcome, api = asked(lambda call: answered_with(body), tmp_path)
    assert outcome.replies[0][0].finish_reason == word
    assert len(api.calls) == 1
    assert ending_of(word) is Ending.WITHHELD


CUT = {
    "in the midst of reasoning": whole({"content": "", "reasoning_content": "Let me"}, "length"),
    "nothing but a limit": whole({"content": None}, "MAX_OUTPUT_TOKENS"),
    "no message": {"choices": [{"finish_reason": "MAX_TOKENS"}]},
    "beside the reason": whole({"content": "The l"}, "stop", native_finish_reason="MAX_TOKENS"),
    "at the top": {
        **whole({"content": ""}, None),
        "incomplete_details": {"reason": "max_output_tokens"},
    },
}


@pytest.mark.parametrize("body", CUT.values(), ids=CUT)
def test_what_a_limit_ended_is_an_answer_that_is_cut_off(body):
    api, (reply,) = ask(lambda call: answered_with(body))
    assert len(api.calls) == 1
    graded = grade(response(reply.text, reply.finish_reason), ITEM)
    assert (graded["answer"], graded["reason"].split(":")[0]) == (None, CUT_OFF)


BROKEN = {
    "stop, all tokens 0": {**whole({"content": ""}, "stop"), **NONE_USED},
    "stop, nobody counts": whole({"content": ""}, "stop"),
    "stop, no content": {**whole({"content": None}, "stop"), **NONE_USED},
    "no choices": {"choices": []},
    "no choices, filters that held nothing back": {
        "choices": [],
        "prompt_filter_results": [{"content_filter_results": {"hate": {"filtered": False}}}],
    },
    "half a sentence, as the gateway says": {
        **whole({"content": "The le"}, "stop", native_finish_reason="network_error"),
        **USED,
    },
    "only loaded": {**whole({"content": ""}, "load"), **USED},
}


@pytest.mark.parametrize("body", BROKEN.values(), ids=BROKEN)
def test_what_is_broken_is_asked_again(body):
    api, (reply,) = ask(in_turn(answered_with(body), completion("Left.")))
    assert (reply.text, len(api.calls)) == ("Left.", 2)


def test_an_empty_answer_that_took_tokens_is_an_answer():
    _, (reply,) = ask(lambda call: answered_with({**whole({"content": ""}, "stop"), **USED}))
    assert (reply.text, reply.finish_reason) == ("", "stop")


FORMS = {
    "an event stream": b': ping\n\ndata: {"choices": [{"delta": {"content": "a"}}]}\n\ndata: [DONE]\n\n',
    "a web page (HTML) titled 'Sign in'": b"<!DOCTYPE html>\n<html><head><title>Sign in</title>",
    "a stream of JSON objects": b'{"response": "L", "done": false}\n{"response": "", "done": true}\n',
    "Anthropic's Messages API": b'{"type": "message", "content": [], "stop_reason": "end_turn"}',
    "Gemini's generateContent": b'{"candidates": [{"finishReason": "STOP"}]}',
    "OpenAI's Responses API": b'{"object": "response", "status": "completed", "output": []}',
    "Ollama's own API": b'{"message": {"content": "Left."}, "done": true}',
    "the older completions API": b'{"choices": [{"text": "Left.", "finish_reason": "stop"}]}',
    "text-generation-inference's own API": b'[{"generated_text": "Left."}]',
    "a piece of a stream": b'{"choices": [{"delta": {"content": "Left."}}]}',
}


@pytest.mark.parametrize(("form", "body"), FORMS.items(), ids=FORMS)
def test_what_is_no_chat_completion_is_called_what_it_is(form, body):
    api, outcomes = ask(lambda call: Reaction(body), 5, retries=8, concurrency=1)
    assert form in outcomes[0].reason
    assert "chat completion" in outcomes[0].reason
    # Whoever has never answered otherwise is not asked 45 times.
    assert len(api.calls) <= 3


def test_broken_answers_of_an_earlier_journal_are_asked_again(tmp_path):
    _, api = asked(lambda call: completion("Right."), tmp_path)
    (file,) = journal_of(tmp_path).glob("*.jsonl")
    header, line = file.read_bytes().splitlines(keepends=True)
    record = json.loads(line)
    counted = {"prompt_tokens": 0, "completion_tokens": 0}
    for old in (Reply(0, "The le", "network_error"), Reply(0, "", "stop", **counted)):
        line = answer_line(record["key"], record["request"], record["answered_at"], old)
        file.write_bytes(header + line)
        outcome, _ = asked(lambda call: Reaction(b"", 503), tmp_path, port=api.port, retries=0)
        assert list(outcome.failures) == [0]


def test_a_recorded_answer_that_broke_off_is_none(caplog):
    settings = {"repeats": 1, "missing": "empty", "unknown": "fail"}
    given = [
        RecordedAnswer("log, line 1", "a", "The le", finish_reason="network_error"),
        RecordedAnswer("log, line 2", "b", "Left.", finish_reason="MAX_TOKENS"),
    ]
    rows = list(matched(given, {"a": "Which?", "b": "Which?"}, settings, "log"))
    assert [(row["text"], row["finish_reason"]) for row in rows] == [
        ("", "not_recorded"),
        ("Left.", "MAX_TOKENS"),
    ]
    assert "1 answer that broke off" in caplog.text
    with pytest.raises(AfterimageError, match="1 of 2 items without an answer, the first 'a'"):
        list(matched(given, {"a": "", "b": ""}, {**settings, "missing": "fail"}, "log"))


def test_unknown_reasons_are_named_and_counted_below_the_costs():
    rows = pd.DataFrame(
        [
            {**response("Yes", word), "role": "model"}
            for word in ("stop", "banana", "banana", "kiwi", "length")
        ]
    )
    note = next(note for note in TABLE.notes if getattr(note, "__name__", "") == "_unknown_reasons")
    (sentence,) = note(rows, SPEC)
    assert "m 'banana' (2), m 'kiwi' (1)" in sentence
    assert list(note(rows[rows["finish_reason"] == "stop"], SPEC)) == []
    assert tally(rows["finish_reason"])[Ending.UNKNOWN] == {"banana": 2, "kiwi": 1}


@pytest.mark.parametrize("code", ["other", "error", "length", "", None, 400])
def test_an_errors_code_is_no_filter_unless_it_names_one(code):
    assert not is_filter(code)


@pytest.mark.parametrize("word", ["recorded_right", " Recorded_Wrong", "not_recorded"])
def test_a_file_of_others_cannot_claim_an_outcome_with_our_words(word):
    answer = RecordedAnswer("here", "a", "Yes", finish_reason=word)
    settings = {"repeats": 1, "missing": "fail", "unknown": "fail"}
    (row,) = matched([answer], {"a": "Question?"}, settings, "file")
    assert (row["text"], row["finish_reason"]) == ("Yes", UNSTATED)
