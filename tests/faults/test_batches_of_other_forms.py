"""Batches of Anthropic's and Gemini's form: as documented, and under the faults that OpenAI's are tested with."""

import base64
import json
import os
import signal
import subprocess
import sys
import textwrap
from collections import Counter
from dataclasses import replace

import pytest
from faulty_model import asked, entry, journal_of
from loopback_api import LoopbackApi, Reaction, refused
from loopback_other_batches import KEY, GeminiDesk, MessageDesk

from afterimage.models.interface import Image, Message, Reply, Request
from afterimage.models.openai_compatible import batch_api, batch_gemini, load
from afterimage.models.openai_compatible.batch_anthropic import MessageBatches, messages_params
from afterimage.models.openai_compatible.batch_gemini import GeminiBatches, generation_of
from afterimage.models.openai_compatible.messages import chat_body
from afterimage.models.openai_compatible.options import batch_form_of

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (100).to_bytes(4) * 2 + b"\x08\x02" + bytes(40)


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    monkeypatch.setattr(batch_api, "FIRST_WAIT_SECONDS", 0.01)


@pytest.fixture(params=["anthropic", "gemini inline", "gemini file"])
def desk(request, monkeypatch):
    if request.param == "anthropic":
        return MessageDesk()
    if request.param == "gemini file":
        monkeypatch.setattr(batch_gemini, "_INLINE_REQUESTS", 0)
    return GeminiDesk()


@pytest.fixture
def messages():
    return MessageDesk()


class Located:
    """A reaction to calls of a desk, told where its server is with the first of them."""

    def __init__(self, desk, react):
        self.desk, self.react = desk, react

    def __call__(self, call):
        self.desk.url = f"http://{call.headers['host']}/v1"
        return self.react(call)


def ask(desk, folder, count, port=0, react=None, settings=None, **client):
    common = {"mode": "batch", "batches": str(journal_of(folder) / "batches")}
    options = {"batch_form": desk.form, "poll_seconds": 0.01, "retries": 1, **common, **client}
    return asked(Located(desk, react or desk), folder, count, port, settings, **options)


def answers(asking):
    return {number: replies[0].text for number, replies in asking.replies.items()}


def expected(*numbers):
    return {number: f"answer to Question {number}" for number in numbers}


def records(folder):
    return [path.name for path in (journal_of(folder) / "batches").iterdir()]


# ---- what is handed over, what comes back ----


def test_each_request_gets_its_own_answer_with_its_tokens(desk, tmp_path):
    asking, _ = ask(desk, tmp_path, 20)
    assert (answers(asking), asking.failures) == (expected(*range(20)), {})
    replies = [replies[0] for replies in asking.replies.values()]
    assert {(reply.prompt_tokens, reply.completion_tokens) for reply in replies} == {(400, 5)}
    assert {reply.revision for reply in replies} == {None}
    assert records(tmp_path) == []


def test_more_than_a_batch_holds_goes_out_in_several(desk, tmp_path, monkeypatch):
    for kind in (MessageBatches, GeminiBatches):
        monkeypatch.setattr(kind, "most_requests", 8)
    asking, _ = ask(desk, tmp_path, 20)
    assert answers(asking) == expected(*range(20))
    assert [len(batch["requests"]) for batch in desk.batches.values()] == [8, 8, 4]


CONVERSATION = (
    Message("system", ("Be brief.",)),
    Message("user", (Image(PNG, "0" * 64), "What?")),
    Message("assistant", ("A line.",)),
    Message("user", ("Sure?",)),
)
SETTINGS = {
    **{"api_key_env": None, "temperature": 0.5, "top_p": 0.9, "seed": 3, "max_tokens": 50},
    **{"max_completion_tokens": None, "image_detail": "high"},
}


def test_what_anthropic_is_asked_has_the_form_of_messages():
    settings = {**SETTINGS, "extra_body": {"thinking": {"type": "enabled", "budget_tokens": 1024}}}
    assert messages_params(chat_body("m", CONVERSATION, settings)) == {
        **{"model": "m", "max_tokens": 50, "temperature": 0.5, "top_p": 0.9},
        "thinking": {"type": "enabled", "budget_tokens": 1024},
        "system": "Be brief.",
        "messages": [
            {
                "role": "user",
                "content": [
                    {
                        "type": "image",
                        "source": {
                            "type": "base64",
                            "media_type": "image/png",
                            "data": base64.b64encode(PNG).decode(),
                        },
                    },
                    {"type": "text", "text": "What?"},
                ],
            },
            {"role": "assistant", "content": "A line."},
            {"role": "user", "content": "Sure?"},
        ],
    }


@pytest.mark.parametrize(
    ("extra", "thinking"),
    [
        ({}, {}),
        ({"reasoning_effort": "low"}, {"thinkingConfig": {"thinkingLevel": "low"}}),
        ({"reasoning_effort": "none"}, {"thinkingConfig": {"thinkingBudget": 0}}),
        (
            {"extra_body": {"google": {"thinking_config": {"thinking_budget": 99}}}},
            {"thinkingConfig": {"thinking_budget": 99}},
        ),
    ],
)
def test_what_gemini_is_asked_has_the_form_of_its_own(extra, thinking):
    settings = {**SETTINGS, "extra_body": extra}
    data = {"mimeType": "image/png", "data": base64.b64encode(PNG).decode()}
    assert generation_of(chat_body("m", CONVERSATION, settings, repeat=1)) == {
        "systemInstruction": {"parts": [{"text": "Be brief."}]},
        "contents": [
            {"role": "user", "parts": [{"inlineData": data}, {"text": "What?"}]},
            {"role": "model", "parts": [{"text": "A line."}]},
            {"role": "user", "parts": [{"text": "Sure?"}]},
        ],
        "generationConfig": {
            **{"temperature": 0.5, "topP": 0.9, "seed": 4, "maxOutputTokens": 50},
            **thinking,
        },
    }


def test_the_form_goes_by_the_address():
    assert batch_form_of("https://api.anthropic.com/v1") == "anthropic"
    assert batch_form_of("https://generativelanguage.googleapis.com/v1beta/openai") == "gemini"
    assert batch_form_of(None) == batch_form_of("http://127.0.0.1:9/v1") == "openai"
    # A name within another host's is no such host.
    assert batch_form_of("https://api.anthropic.com.example/v1") == "openai"


def test_thoughts_endings_and_the_cache_are_read_as_anthropic_says_them(messages, tmp_path):
    usage = {
        **{"input_tokens": 10, "cache_read_input_tokens": 300, "cache_creation_input_tokens": 90},
        "output_tokens": 7,
    }
    said = {
        "Question 0": {
            **messages.saying("x", "max_tokens", usage),
            "content": [
                {"type": "thinking", "thinking": "Lines.", "signature": "s"},
                {"type": "text", "text": "The "},
                {"type": "text", "text": "left"},
            ],
        },
        "Question 1": {**messages.saying("y", "refusal"), "content": []},
    }
    messages.said = said.__getitem__
    asking, _ = ask(messages, tmp_path, 2)
    first, second = (asking.replies[number][0] for number in (0, 1))
    assert (first.text, first.finish_reason, first.reasoning) == (
        "The left",
        "max_tokens",
        "Lines.",
    )
    # With what the cache had of the prompt.
    assert (first.prompt_tokens, first.completion_tokens) == (400, 7)
    assert (first.cached_tokens, first.cache_written_tokens) == (300, 90)
    assert (second.text, second.finish_reason) == ("", "refusal")


def test_thoughts_endings_and_filters_are_read_as_gemini_says_them(tmp_path):
    desk = GeminiDesk()
    usage = {"promptTokenCount": 400, "candidatesTokenCount": 5, "thoughtsTokenCount": 60}
    usage["cachedContentTokenCount"] = 256
    thinking = desk.saying("x", "MAX_TOKENS", usage)
    parts = thinking["candidates"][0]["content"]["parts"]
    parts[:] = [{"text": "Lines.", "thought": True}, {"text": "The left"}]
    blocked = {
        "promptFeedback": {"blockReason": "SAFETY"},
        "usageMetadata": {"promptTokenCount": 9},
    }
    withheld = {"candidates": [{"finishReason": "RECITATION"}], "usageMetadata": {}}
    said = dict(enumerate([thinking, blocked, withheld]))
    desk.said = lambda question: said[int(question.split()[-1])]
    asking, _ = ask(desk, tmp_path, 3)
    assert asking.failures == {}
    first, *others = (asking.replies[number][0] for number in range(3))
    assert (first.text, first.finish_reason, first.reasoning) == (
        "The left",
        "MAX_TOKENS",
        "Lines.",
    )
    assert (first.completion_tokens, first.reasoning_tokens) == (65, 60)
    assert (first.prompt_tokens, first.cached_tokens) == (400, 256)
    assert [(one.text, one.finish_reason) for one in others] == [("", "SAFETY"), ("", "RECITATION")]


# ---- what fails ----


def an_error(desk, words):
    inner = {"type": "invalid_request_error", "code": 3, "message": words}
    return {"type": "error", "error": inner} if desk.form == "anthropic" else {"error": inner}


def test_single_failures_fail_alone_with_the_apis_words_and_are_asked_again(desk, tmp_path):
    desk.said = lambda question: (
        an_error(desk, "bad image")
        if question in ("Question 2", "Question 5")
        else desk.saying(question)
    )
    asking, api = ask(desk, tmp_path, 8)
    assert asking.failures == {2: "bad image", 5: "bad image"}
    desk.said = desk.saying
    again, _ = ask(desk, tmp_path, 8, api.port)
    assert answers(again) == expected(*range(8))
    assert sorted(desk.asked.values()) == [1] * 6 + [2] * 2
    assert records(tmp_path) == []


@pytest.mark.parametrize("ended", ["expired", "canceled", "errored"])
def test_of_a_batch_that_ends_early_the_answers_count_and_only_the_rest_is_asked_again(
    desk, tmp_path, ended
):
    desk.ended = ended
    desk.answered = lambda question: question in ("Question 0", "Question 3")
    asking, api = ask(desk, tmp_path, 5)
    assert answers(asking) == expected(0, 3)
    assert all(ended in reason for reason in asking.failures.values())
    desk.answered = lambda question: True
    again, _ = ask(desk, tmp_path, 5, api.port)
    assert answers(again) == expected(*range(5))
    assert sorted(desk.asked.values()) == [1, 1, 2, 2, 2]


def test_a_batch_that_gemini_fails_says_why_and_is_asked_again(tmp_path):
    desk = GeminiDesk()

    def react(call):
        reaction = desk(call)
        if desk.kinds(call) != "state":
            return reaction
        state = json.loads(reaction.body)
        state["metadata"]["state"] = "BATCH_STATE_FAILED"
        state.pop("response", None)
        return Reaction(json.dumps({**state, "error": {"code": 8, "message": "no quota"}}).encode())

    asking, api = ask(desk, tmp_path, 3, react=react)
    (reason,) = set(asking.failures.values())
    assert reason.endswith("has ended without an answer to it: failed (no quota)")
    again, _ = ask(desk, tmp_path, 3, api.port)
    assert answers(again) == expected(*range(3))


@pytest.mark.parametrize("status", [401, 403, 400])
def test_an_api_that_refuses_a_batch_makes_failures_and_leaves_nothing_behind(
    desk, tmp_path, status
):
    asking, api = ask(desk, tmp_path, 3, react=lambda call: refused(status, "no batches for you"))
    (reason,) = set(asking.failures.values())
    assert reason == f"the batch could not be handed over: HTTP status {status}: no batches for you"
    assert records(tmp_path) == []
    assert len(api.calls) == 1


FAULTS = [
    refused(429, "slow down", {"Retry-After": "0"}),
    refused(529, "overloaded"),
    Reaction(b"", written=-1),
    Reaction(b"<html>", 200),
    Reaction(b"[]", 200),
    Reaction(b"{}", 200),
]


@pytest.mark.parametrize("fault", range(len(FAULTS)))
def test_every_call_is_repeated_through_faults_and_one_batch_is_made(desk, tmp_path, fault):
    met = Counter()

    def react(call):
        kind = desk.kinds(call)
        met[kind] += 1
        return FAULTS[fault] if met[kind] == 1 else desk(call)

    asking, _ = ask(desk, tmp_path, 5, react=react, retries=3)
    assert (answers(asking), asking.failures) == (expected(*range(5)), {})
    assert len(desk.batches) == 1


def losing(desk, times=1):
    """React as the desk does, but for the confirmation of the first batches, which are made and lost."""
    lost = []

    def react(call):
        reaction = desk(call)
        if desk.kinds(call) == "create" and len(lost) < times:
            lost.append(call)
            return Reaction(reaction.body, written=10)
        return reaction

    return react


def test_a_batch_whose_confirmation_was_lost_is_found_and_not_made_twice(desk, tmp_path):
    asking, api = ask(desk, tmp_path, 5, react=losing(desk))
    if desk.form == "anthropic":
        # It has no mark of ours, and tells whose it is when it has ended.
        (reason,) = set(asking.failures.values())
        assert (
            "batch batch-1, of as many requests, is under way, and only its results will tell"
            in reason
        )
        again, _ = ask(desk, tmp_path, 5, api.port)
        assert "whether it did cannot be learnt now" in again.failures[0]
        desk.polls = 0
        asking, _ = ask(desk, tmp_path, 5, api.port)
    assert (answers(asking), asking.failures) == (expected(*range(5)), {})
    assert set(desk.asked.values()) == {1}
    assert records(tmp_path) == []


def test_a_batch_of_another_job_is_not_taken_for_the_lost_one(messages, tmp_path):
    """As many requests, at the same time, of the same content: of another model, say."""
    messages.polls = 0
    ask(messages, tmp_path / "other", 5)
    met = []

    def react(call):
        if messages.kinds(call) == "create" and not met:
            met.append(call)
            return Reaction(b"", written=-1)
        return messages(call)

    asking, _ = ask(messages, tmp_path / "own", 5, react=react)
    assert (answers(asking), asking.failures) == (expected(*range(5)), {})
    assert len(messages.batches) == 2
    # It was looked into, and is another's.
    assert messages.calls.count("results") == 3


def test_results_that_are_cut_off_are_fetched_again(desk, tmp_path):
    cuts = []

    def react(call):
        reaction = desk(call)
        if desk.kinds(call) == "results" and len(cuts) < 2:
            cuts.append(call)
            # Once in the middle of a line and with the length; once after a line, without.
            whole = reaction.body
            if len(cuts) == 1:
                return Reaction(whole, written=len(whole) // 2)
            return Reaction(whole[: whole.index(b"\n") + 1], sized=False)
        return reaction

    asking, _ = ask(desk, tmp_path, 5, react=react, retries=3)
    assert answers(asking) == expected(*range(5))
    assert len(cuts) == (2 if "results" in desk.calls else 0)


SPOILT = {
    "twice": lambda lines: [line for line in lines for _ in range(2)],
    "out of order": lambda lines: [*lines[1::2], *lines[::2]],
    "for other ids": lambda lines: [
        *(
            json.dumps({**json.loads(lines[0]), "custom_id": name, "key": name}).encode()
            for name in ("x", None, 7, [])
        ),
        *lines,
    ],
    "nonsense between": lambda lines: [b"[]", b"\xff\xfe", b"null", b"[" * 100_000, b"", *lines],
    "line ends of Windows": lambda lines: [line + b"\r" for line in lines],
}


@pytest.mark.parametrize("spoil", SPOILT.values(), ids=SPOILT)
def test_rows_that_come_twice_out_of_order_or_for_others_change_no_answer(spoil, desk, tmp_path):
    desk.spoil = spoil
    asking, _ = ask(desk, tmp_path, 6)
    assert (answers(asking), asking.failures) == (expected(*range(6)), {})
    assert records(tmp_path) == []


NO_ANSWERS = {
    "anthropic": [
        {"result": None},
        {"result": {"type": "succeeded"}},
        {"result": {"type": "succeeded", "message": [1]}},
        {"result": {"type": "succeeded", "message": {"content": 7, "stop_reason": "end_turn"}}},
        {"result": {"type": "succeeded", "message": {"content": [7], "stop_reason": "end_turn"}}},
        {"result": {"type": "succeeded", "message": {"content": [], "stop_reason": "tool_use"}}},
        {"result": {"type": "errored", "error": "overloaded"}},
        {"result": {"type": "errored"}},
    ],
    "gemini": [
        {"response": None},
        {"response": [1]},
        {"response": {}},
        {"response": {"candidates": [7]}},
        {"response": {"candidates": [{"content": {"parts": [7]}, "finishReason": "STOP"}]}},
        {
            "response": {
                "candidates": [{"content": {"parts": [{"text": 7}]}, "finishReason": "STOP"}]
            }
        },
        {"response": {"candidates": [{"finishReason": "MALFORMED_FUNCTION_CALL"}]}},
        {"response": None, "error": "overloaded"},
    ],
}


@pytest.mark.parametrize("case", range(8))
def test_rows_that_hold_no_answer_fail_alone_and_are_asked_again(case, desk, tmp_path, monkeypatch):
    monkeypatch.setattr(batch_gemini, "_INLINE_REQUESTS", 0)
    fields = NO_ANSWERS[desk.form][case]
    desk.spoil = lambda lines: [json.dumps({**json.loads(lines[0]), **fields}).encode(), *lines[1:]]
    asking, api = ask(desk, tmp_path, 3)
    assert answers(asking) == expected(0, 1)
    assert list(asking.failures) == [2]
    desk.spoil = lambda lines: lines
    again, _ = ask(desk, tmp_path, 3, api.port)
    assert answers(again) == expected(0, 1, 2)
    assert sorted(desk.asked.values()) == [1, 1, 2]


def test_a_row_that_is_too_long_fails_alone_and_is_fetched_later_with_more_room(
    desk, tmp_path, monkeypatch
):
    monkeypatch.setattr(batch_gemini, "_INLINE_REQUESTS", 0)
    desk.said = lambda question: desk.saying("x" * 100_000 if "1" in question else question)
    asking, api = ask(desk, tmp_path, 3, max_response_mb=0.05)
    assert answers(asking) == expected(0, 2)
    assert "longer than client key 'max_response_mb' allows" in asking.failures[1]
    again, _ = ask(desk, tmp_path, 3, api.port, max_response_mb=1)
    assert len(answers(again)[1]) > 100_000
    assert set(desk.asked.values()) == {1}


def test_an_api_that_is_silent_while_the_batch_goes_on_loses_nothing(desk, tmp_path):
    silent = lambda call: refused(503, "off") if desk.kinds(call) == "state" else desk(call)  # noqa: E731
    asking, api = ask(desk, tmp_path, 3, react=silent)
    assert all("run again to fetch them" in reason for reason in asking.failures.values())
    again, _ = ask(desk, tmp_path, 3, api.port)
    assert answers(again) == expected(*range(3))
    assert set(desk.asked.values()) == {1}


def test_a_list_of_batches_without_end_is_not_read_for_ever(desk, tmp_path, monkeypatch):
    monkeypatch.setattr(batch_api, "MOST_PAGES", 5)
    pages = []

    def react(call):
        if desk.kinds(call) == "create":
            return Reaction(b"", 500)
        if desk.kinds(call) == "list":
            pages.append(call)
            made = "2999-01-01T00:00:00Z"
            batch = {"id": f"b{len(pages)}", "created_at": made, "name": "batches/b"}
            listed = {
                "data": [batch],
                "has_more": True,
                "operations": [batch],
                "nextPageToken": "x",
            }
            return Reaction(json.dumps(listed).encode(), sound=True)
        return desk(call)

    asking, _ = ask(desk, tmp_path, 1, react=react)
    assert "could not be handed over" in asking.failures[0]
    assert len(pages) == 5


# ---- other hosts, other names, the key ----


@pytest.mark.parametrize("kind", ["upload", "bytes", "create", "state", "results"])
def test_nothing_of_a_batch_follows_a_redirect(kind, desk, tmp_path):
    elsewhere, met = [], []

    def react(call):
        if desk.kinds(call) == kind:
            met.append(call)
            return Reaction(b"", 307, {"Location": f"http://127.0.0.1:{other.port}{call.path}"})
        return desk(call)

    with LoopbackApi(lambda call: elsewhere.append(call) or desk(call)) as other:
        asking, _ = ask(desk, tmp_path, 3, react=react)
    assert elsewhere == []
    if met:
        assert "HTTP status 307" in asking.failures[0]
    else:
        assert answers(asking) == expected(*range(3))


@pytest.mark.parametrize("desk", [MessageDesk(), GeminiDesk()], ids=["anthropic", "gemini"])
def test_an_address_that_the_api_names_is_asked_only_at_the_same_server(
    desk, tmp_path, monkeypatch
):
    """Whoever names another one would get the key."""
    monkeypatch.setattr(batch_gemini, "_INLINE_REQUESTS", 0)
    elsewhere = []
    with LoopbackApi(lambda call: elsewhere.append(call) or refused(404, "no")) as other:

        def react(call):
            reaction = desk(call)
            own, theirs = call.headers["host"].encode(), f"127.0.0.1:{other.port}".encode()
            headers = {
                name: value.replace(own.decode(), theirs.decode())
                for name, value in reaction.headers.items()
            }
            return replace(reaction, body=reaction.body.replace(own, theirs), headers=headers)

        asking, _ = ask(desk, tmp_path, 2, react=react)
    assert elsewhere == []
    assert "another server's address" in asking.failures[0]


@pytest.mark.parametrize("name", ["../../x", "a/b", "", "x" * 300, "a b", 7, ["a"], "a?b"], ids=str)
def test_what_a_server_calls_a_batch_is_a_name_and_no_path(name, desk, tmp_path):
    def react(call):
        reaction = desk(call)
        if desk.kinds(call) == "create":
            named = f"batches/{name}" if isinstance(name, str) else name
            changed = {**json.loads(reaction.body), "id": name, "name": named}
            return Reaction(json.dumps(changed).encode())
        return reaction

    _, api = ask(desk, tmp_path, 2, react=react)
    assert {desk.kinds(call) for call in api.calls} <= {
        "upload",
        "bytes",
        "create",
        "list",
        "state",
        "results",
    }


def test_the_key_goes_into_its_own_header_and_into_no_message(desk, tmp_path, monkeypatch, caplog):
    monkeypatch.setenv("SOME_KEY", KEY)
    header = {"anthropic": "x-api-key", "gemini": "x-goog-api-key"}[desk.form]
    seen = []

    def react(call):
        seen.append((call.headers.get(header), "authorization" in call.headers))
        return desk(call)

    desk.said = lambda question: an_error(desk, f"bad key {KEY}")
    with caplog.at_level("DEBUG"):
        asking, _ = ask(desk, tmp_path, 1, react=react, settings={"api_key_env": "SOME_KEY"})
    assert set(seen) == {(KEY, False)}
    assert asking.failures == {0: "bad key [key]"}
    assert KEY not in caplog.text


# ---- restarts ----

KILLED = """
    import json, sys
    sys.path[:0] = json.loads(sys.argv[1])
    from afterimage.contract.model import model_of
    from afterimage.models.openai_compatible import batch_gemini, load
    from faulty_model import request
    batch_gemini._INLINE_REQUESTS = int(sys.argv[3])
    list(load(model_of(*json.loads(sys.argv[2])), "s")(map(request, range(6))))
"""


def start(own):
    asked_for = json.dumps([own.name, own.answering(), own.asking(1)])
    script = textwrap.dedent(KILLED)
    arguments = [json.dumps(sys.path), asked_for, str(batch_gemini._INLINE_REQUESTS)]
    return subprocess.Popen([sys.executable, "-c", script, *arguments])


@pytest.mark.parametrize(
    ("desk", "at"),
    [
        *(("anthropic", at) for at in ("create", "state")),
        *(("gemini inline", at) for at in ("create", "state")),
        *(("gemini file", at) for at in ("upload", "bytes", "create", "state")),
    ],
    indirect=["desk"],
)
@pytest.mark.parametrize("arrived", [True, False])
def test_after_kill_9_there_is_one_batch_in_the_end(desk, tmp_path, at, arrived):
    """The process is killed while it waits for the API's answer, which has or has not done its part."""
    process, killed = None, []

    def react(call):
        desk.url = f"http://{call.headers['host']}/v1"
        if desk.kinds(call) == at and not killed:
            if arrived:
                desk(call)
            killed.append(call)
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
            return Reaction(b"", written=-1)
        return desk(call)

    with LoopbackApi(react) as api:
        batches = str(journal_of(tmp_path) / "batches")
        client = {"mode": "batch", "batches": batches, "batch_form": desk.form}
        own = entry(api.url, **client, poll_seconds=0.01, retries=1)
        process = start(own)
        process.wait()
        assert len(killed) == 1
        desk.polls = 0
        requests = [Request(n, (Message("user", (f"Question {n}",)),)) for n in range(6)]
        outcomes = list(load(own, "s")(requests))
    assert all(isinstance(outcome, Reply) for outcome in outcomes), outcomes
    assert {outcome.number: outcome.text for outcome in outcomes} == expected(*range(6))
    assert set(desk.asked.values()) == {1}
    assert records(tmp_path) == []
