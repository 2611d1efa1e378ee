"""A response that nobody asked for, on a connection or behind the provider's address, answers no other question.

Public report: aio-libs/aiohttp#13656.
"""

import gzip
import json
import os
import threading

import pytest
from fault_catalogue import STRAYS, copied
from faulty_model import ask, asked, entry, request
from loopback_api import LoopbackApi, Reaction, completion

from afterimage.models.interface import Failure, Reply
from afterimage.models.openai_compatible import connection, load

COUNT = 100
NAMES = {
    "ids of their own": lambda number: f"chatcmpl-{number:032x}",
    "one id for all": lambda number: "chatcmpl-0",
    "no id": lambda number: "",
}


def foreign(replies):
    """Return the numbers of the questions whose answers are those of others."""
    return [
        number for number, reply in replies.items() if reply.text != f"answer to Question {number}"
    ]


def numbered():
    """Return what numbers calls, whichever connection they come by."""
    lock, numbers = threading.Lock(), iter(range(10**6))

    def next_number():
        with lock:
            return next(numbers)

    return next_number


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
@pytest.mark.parametrize("stray", STRAYS.values(), ids=STRAYS)
def test_no_answer_of_a_hundred_is_another_questions(stray, name, tmp_path):
    number = numbered()

    def react(call):
        return stray(completion(f"answer to {call.text}", name=name(number()), seconds=0.002))

    asking, api = asked(react, tmp_path, COUNT, concurrency=4, timeout_seconds=60)
    assert not asking.failures
    assert len(asking.replies) == COUNT
    assert foreign({number: replies[0] for number, replies in asking.replies.items()}) == []
    # Nothing was asked twice for it.
    assert len(api.calls) == COUNT


def test_a_client_that_keeps_its_connections_would_be_fooled(monkeypatch):
    """So the server of these tests does what it is meant to do."""
    import httpx2

    monkeypatch.setattr(connection, "_limits", lambda count: httpx2.Limits(max_connections=count))
    monkeypatch.setitem(connection._ONCE, "headers", {})

    def react(call):
        sound = completion(f"answer to {call.text}", name="", seconds=0.4)
        # While the next request is under way, which a busy client sends some time later.
        return copied(sound, after_seconds=0.2)

    _, outcomes = ask(react, 8, concurrency=1)
    assert foreign({reply.number: reply for reply in outcomes})


# ---- copies that come from behind the address ----


def test_a_copy_of_another_answer_is_asked_again():
    """A balancer that mixes up what its servers say: every tenth question gets the answer before it."""
    number, given = numbered(), []

    def react(call):
        if call.text.endswith("5") and given and given[-1] not in repeated:
            repeated.append(given[-1])
            return given[-1]
        given.append(completion(f"answer to {call.text}", name=f"chatcmpl-{number():032x}"))
        return given[-1]

    repeated = []
    api, outcomes = ask(react, COUNT, concurrency=1)
    assert len(repeated) == 10
    assert foreign({reply.number: reply for reply in outcomes}) == []
    assert len(api.calls) == COUNT + 10


def test_a_server_that_goes_on_with_one_copy_fails_those_requests_and_says_why():
    first = completion("answer to Question 0", name="chatcmpl-0123456789abcdef")
    second = completion("answer to Question 1", name="chatcmpl-fedcba9876543210")

    def react(call):
        return {"Question 0": first, "Question 1": second}.get(call.text, first)

    _, outcomes = ask(react, 4, concurrency=1, retries=2)
    assert [isinstance(outcome, Reply) for outcome in outcomes] == [True, True, False, False]
    assert "id 'chatcmpl-0123456789abcdef' came before" in outcomes[2].reason


@pytest.mark.parametrize(
    ("names", "extra"),
    [
        (["c"], 0),
        ([""], 0),
        ([None], 0),
        ([7], 0),
        (["chatcmpl-0"], 0),
        # Two equal answers with one long id may be one answer twice; asked once more, it is the server's way.
        (["chatcmpl-00000000-0000-0000"], 1),
        (["a", "b"], None),
        ([f"chatcmpl-{number}" for number in range(40)], None),
    ],
    ids=str,
)
def test_servers_whose_ids_say_nothing_still_work(names, extra):
    number = numbered()

    def react(call):
        body = json.loads(completion("Left.").body)
        # Times, counts and words differ where ids are used again.
        body["created"] = 0 if extra is not None else len(call.text) + number()
        return Reaction(json.dumps({**body, "id": names[number() % len(names)]}).encode())

    api, outcomes = ask(react, COUNT, concurrency=1)
    assert all(isinstance(outcome, Reply) for outcome in outcomes)
    if extra is not None:
        assert len(api.calls) == COUNT + extra


# ---- two answers in one response ----


def _two(call):
    """The answer of another question and this one's, as they would come alone."""
    return (completion(f"answer to {text}", name="") for text in ("Question 99", call.text))


def _two_choices(call):
    other, own = (json.loads(one.body) for one in _two(call))
    chosen = [{**other["choices"][0], "index": 1}, own["choices"][0]]
    return Reaction(json.dumps({**own, "choices": chosen}).encode())


def _choices_twice(call):
    other, own = _two(call)
    chosen = json.dumps(json.loads(other.body)["choices"]).encode()
    return Reaction(own.body[:-1] + b', "choices": ' + chosen + b"}")


def _packed_one_behind_the_other(call):
    body = b"".join(gzip.compress(one.body) for one in _two(call))
    return Reaction(body, headers={"Content-Encoding": "gzip"})


@pytest.mark.parametrize(
    ("react", "why"),
    [
        (_two_choices, "2 choices"),
        (_choices_twice, "the key 'choices' occurs twice"),
        (_packed_one_behind_the_other, "goes on behind the end"),
    ],
)
def test_of_two_answers_in_one_response_none_counts(react, why):
    _, (outcome,) = ask(react, 1, retries=0)
    assert isinstance(outcome, Failure) and why in outcome.reason


# ---- other hosts ----


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("place", ["another port", "another host", "user info", "the same host"])
def test_no_request_follows_a_redirect(status, place):
    with LoopbackApi(lambda call: completion("theirs")) as other:
        port = other.port

        def react(call):
            places = {
                "another port": f"http://127.0.0.1:{port}/v1/chat/completions",
                "another host": f"http://localhost:{port}/v1/chat/completions",
                "user info": f"http://127.0.0.1@127.0.0.1:{port}/v1/chat/completions",
                "the same host": "/elsewhere",
            }
            return Reaction(b"", status, {"Location": places[place]})

        with LoopbackApi(react) as api:
            (outcome,) = load(entry(api.url))([request(0)])
    assert isinstance(outcome, Failure)
    assert outcome.reason.startswith(f"HTTP status {status}: ")
    assert other.calls == []
    assert len(api.calls) == 1


CANARIES = {
    "OPENAI_ORG_ID": "org-canary",
    "OPENAI_PROJECT_ID": "proj-canary",
    "OPENAI_CUSTOM_HEADERS": "X-Canary: canary\nauthorization: Bearer canary\nAccept: canary",
    "OPENAI_ADMIN_KEY": "admin-canary",
    "OPENAI_BASE_URL": "http://127.0.0.1:9/canary",
}


def test_an_entry_may_send_what_is_for_openai_elsewhere(monkeypatch):
    monkeypatch.setenv("OPENAI_ORG_ID", "org-canary")
    with LoopbackApi(lambda call: completion("x")) as api:
        (reply,) = load(entry(api.url, openai_variables=True))([request(0)])
    assert isinstance(reply, Reply)
    assert "org-canary" in str(api.calls[0].headers)


@pytest.mark.parametrize("own", [True, False])
def test_what_is_for_openai_in_the_environment_goes_nowhere_else(own, monkeypatch):
    for name, value in CANARIES.items():
        monkeypatch.setenv(name, value)
    with LoopbackApi(lambda call: completion("x")) as api:
        if own:
            monkeypatch.setattr(connection, "_OPENAI", api.url)
        (reply,) = load(entry(api.url))([request(0)])
    assert isinstance(reply, Reply)
    assert ("canary" in str(api.calls[0].headers)) is own
    if not own:
        assert api.calls[0].headers["authorization"] == "Bearer none"
    assert {name: os.environ[name] for name in CANARIES} == CANARIES


@pytest.mark.parametrize(
    ("address", "own"),
    [
        (None, True),
        ("https://api.openai.com/v1", True),
        ("https://eu.api.openai.com/v1", True),
        ("http://api.openai.com/v1", False),
        ("https://api.openai.com:8443/v1", False),
        ("https://api.openai.com.example/v1", False),
        ("https://myapi.openai.com/v1", False),
        ("https://models.example/api.openai.com", False),
    ],
)
def test_openais_own_address_is_known(address, own):
    assert connection._is_openai(address) is own
