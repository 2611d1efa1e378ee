"""An error that comes with HTTP 200 is a failure: never an answer, never journaled, asked again."""

import json

import pytest
from faulty_model import ask, asked, in_turn, journal_of, whole
from loopback_api import Reaction, completion, refused

from afterimage.models.interface import Failure, Reply
from afterimage.models.journaling.entries import answer_line
from afterimage.models.journaling.export import export_answers

MESSAGE = {"role": "assistant", "content": None}
CALL = {"id": "c", "type": "function", "function": {"name": "look", "arguments": "{}"}}
NO_ANSWER = {
    "top-level error": {"error": {"message": "upstream overloaded", "code": 502}},
    "error beside a choice": {**whole({"content": ""}, "stop"), "error": {"message": "upstream"}},
    "error that is a word": {"error": "upstream"},
    "error of a choice": whole({"content": "Le"}, "stop", error={"code": 502, "message": "cut"}),
    "finish reason error": whole({"content": "Le"}, "error"),
    "broken off": whole({"content": ""}, "abort"),
    "nothing": whole(MESSAGE, None),
    "nothing and no reason": {"choices": [{"message": {"content": ""}}]},
    "a tool is called": whole({**MESSAGE, "tool_calls": [CALL]}, "tool_calls"),
    "a function is called": whole({**MESSAGE, "function_call": CALL}, "function_call"),
    "a reason that is no word": whole(MESSAGE, ["stop"]),
    "the network broke": whole({"content": "The left is"}, "network_error"),
}


@pytest.mark.parametrize("body", NO_ANSWER.values(), ids=NO_ANSWER)
def test_an_error_as_success_is_asked_again(body):
    api, (reply,) = ask(in_turn(Reaction(json.dumps(body).encode()), completion("Left.")))
    assert reply.text == "Left."
    assert len(api.calls) == 2


@pytest.mark.parametrize("body", NO_ANSWER.values(), ids=NO_ANSWER)
def test_an_error_as_success_is_never_journaled(body, tmp_path):
    outcome, _ = asked(lambda call: Reaction(json.dumps(body).encode()), tmp_path, retries=0)
    assert outcome.replies == {}
    assert list(outcome.failures) == [0]
    assert list(journal_of(tmp_path).glob("*.jsonl")) == []


@pytest.mark.parametrize("code", [401, 404, "insufficient_quota"])
def test_an_error_as_success_that_concerns_every_request_stops_the_asking(code):
    body = {"error": {"message": "no", "code": code}}
    api, outcomes = ask(lambda call: Reaction(json.dumps(body).encode()), 9, concurrency=1)
    assert len(api.calls) == 1
    assert outcomes[-1].reason == "not asked: an error in place of an answer: no"


@pytest.mark.parametrize("status", [200, 413])
@pytest.mark.parametrize("code", [413, "invalid_image"])
def test_a_request_that_is_too_large_fails_alone(status, code):
    def react(call):
        if "1" not in call.text:
            return completion("Left.")
        error = {"error": {"message": "image too large", "code": code}}
        return Reaction(json.dumps(error).encode(), status)

    _, outcomes = ask(react, 3, retries=1)
    assert [isinstance(outcome, Reply) for outcome in outcomes] == [True, False, True]
    assert "image too large" in outcomes[1].reason


FILTERED = {
    "Azure": refused(400, "management policy", code="content_filter"),
    "OpenAI": refused(400, "rejected by our safety system", code="content_policy_violation"),
    "DashScope": refused(400, "inappropriate content", code="data_inspection_failed"),
    "inside": Reaction(
        b'{"error": {"code": "400", "innererror": {"code": "ResponsibleAIPolicyViolation"}}}', 400
    ),
    "in a 200": Reaction(b'{"error": {"code": "content_filter", "message": "no"}}'),
    "of a choice": Reaction(json.dumps(whole({}, None, error={"code": "content_filter"})).encode()),
    "as finish reason": completion(None, "content_filter"),
}


@pytest.mark.parametrize("reaction", FILTERED.values(), ids=FILTERED)
def test_what_a_filter_holds_back_is_a_refusal_and_asked_once(reaction, tmp_path):
    outcome, api = asked(lambda call: reaction, tmp_path)
    reply = outcome.replies[0][0]
    assert (reply.text, reply.finish_reason) == ("", "content_filter")
    again, _ = asked(lambda call: completion("Left."), tmp_path, port=api.port)
    assert again.replies[0][0].finish_reason == "content_filter"


@pytest.mark.parametrize(
    ("text", "finish_reason"),
    [("", "unknown"), ("Le", "error"), ("", "tool_calls"), ("", "function_call")],
)
def test_failures_that_earlier_versions_journaled_are_asked_again(text, finish_reason, tmp_path):
    _, api = asked(lambda call: completion("Right."), tmp_path)
    (file,) = journal_of(tmp_path).glob("*.jsonl")
    header, line = file.read_bytes().splitlines(keepends=True)
    record = json.loads(line)
    old = Reply(0, text, finish_reason)
    file.write_bytes(
        header + answer_line(record["key"], record["request"], record["answered_at"], old)
    )
    assert export_in_force(tmp_path) == [False]
    outcome, _ = asked(lambda call: completion("Left."), tmp_path, port=api.port)
    assert outcome.replies[0][0].text == "Left."
    outcome, _ = asked(lambda call: completion("Never asked."), tmp_path, port=api.port)
    assert outcome.replies[0][0].text == "Left."


def export_in_force(folder):
    import pyarrow.parquet as pq

    export_answers([journal_of(folder)], folder / "answers.parquet")
    return pq.read_table(folder / "answers.parquet")["in_force"].to_pylist()


def test_an_empty_answer_that_a_model_ended_is_an_answer():
    _, (reply,) = ask(lambda call: completion(""))
    assert not isinstance(reply, Failure)
    assert (reply.text, reply.finish_reason) == ("", "stop")


@pytest.mark.parametrize("word", ["recorded_right", "failed: by itself", "not_recorded"])
def test_a_server_cannot_say_our_own_words(word):
    """With "recorded_right" an answer would count as right whatever it says."""
    _, (reply,) = ask(lambda call: completion("Left.", word))
    assert (reply.text, reply.finish_reason) == ("Left.", "unknown")


def test_a_refusal_that_is_no_text_refuses_nothing():
    _, (reply,) = ask(lambda call: completion("Left.", refusal=True))
    assert (reply.text, reply.finish_reason) == ("Left.", "stop")
