"""A server's log-probabilities: asked for, kept to the last digit; where none come, there is no zero."""

import json
from dataclasses import replace

from loopback_api import LoopbackApi, completion

from afterimage.contract.model import ModelEntry
from afterimage.models.interface import Message, Reply, Request
from afterimage.models.journaling.entries import answer_line, answerer_of, decode, reply_of
from afterimage.models.openai_compatible import load
from afterimage.models.openai_compatible.messages import outcome_of

KEY = "sk-proj-Zq3xVerySecretIndeed9"
SETTINGS = {
    **dict.fromkeys(("api_key_env", "temperature", "top_p", "seed", "max_completion_tokens")),
    **{"image_detail": None, "max_tokens": 50, "extra_body": {}},
}
TOP = [{"token": "Yes", "logprob": -0.1234567890123456, "bytes": [89, 101, 115]}]
CONTENT = [{**TOP[0], "top_logprobs": [*TOP, {"token": "No", "logprob": -2.25, "bytes": None}]}]


def with_scores(given):
    reaction = completion("Yes")
    body = json.loads(reaction.body)
    body["choices"][0]["logprobs"] = given
    return replace(reaction, body=json.dumps(body).encode())


def asked(given, settings=None, monkeypatch=None):
    with LoopbackApi(lambda call: with_scores(given)) as api:
        own = {**SETTINGS, "base_url": api.url, "scores": "first_token", **(settings or {})}
        entry = ModelEntry(
            "m", "openai_compatible", "some-model", settings=own, client={"retries": 0}
        )
        (reply,) = load(entry)([Request(0, (Message("user", ("Yes?",)),))])
        return reply, api.calls[0].body


def test_they_are_asked_for_and_kept_and_the_journal_gives_them_back():
    reply, body = asked({"content": CONTENT})
    assert (body["logprobs"], body["top_logprobs"]) == (True, 20)
    token = reply.scores["first_token"][0]
    assert token["logprob"] == TOP[0]["logprob"]
    assert token["top"] == [TOP[0], {"token": "No", "logprob": -2.25}]
    line = answer_line("0" * 64, "1" * 64, "2026-11-26T00:00:00+00:00", reply)
    assert reply_of(decode(line), 0) == reply


def test_where_none_come_there_are_none():
    for given in (None, {}, {"content": None}, {"content": []}, {"content": "Yes"}, []):
        reply, _ = asked(given)
        assert reply.text == "Yes"
        assert reply.scores is None
        line = answer_line("0" * 64, "1" * 64, "2026-11-26T00:00:00+00:00", reply)
        assert b"scores" not in line


def test_without_the_setting_none_are_asked_for_and_none_kept():
    reply, body = asked({"content": CONTENT}, {"scores": None})
    assert not {"logprobs", "top_logprobs"} & body.keys()
    assert reply.scores is None


def test_fewer_alternatives_can_be_asked_for():
    _, body = asked({"content": CONTENT}, {"extra_body": {"top_logprobs": 5}})
    assert body["top_logprobs"] == 5


def test_a_key_among_the_tokens_is_not_kept(monkeypatch):
    monkeypatch.setenv("SOME_KEY", KEY)
    told = [{**CONTENT[0], "top_logprobs": [{"token": KEY, "logprob": -1.0}]}]
    reply, _ = asked({"content": told}, {"api_key_env": "SOME_KEY"})
    assert isinstance(reply, Reply)
    assert reply.scores is None
    kept, _ = asked({"content": CONTENT}, {"api_key_env": "SOME_KEY"})
    assert kept.scores is not None


def test_an_answer_with_scores_has_a_key_of_its_own():
    def key(**settings):
        entry = ModelEntry("m", "openai_compatible", "some-model", settings=settings)
        return answerer_of(entry).keys().key("0" * 64, 0)

    assert key(temperature=0) == key(temperature=0, scores=None)
    assert key(temperature=0) != key(temperature=0, scores="first_token")


def test_options_are_part_of_what_is_asked():
    messages = (Message("user", ("Yes?",)),)
    plain, two = Request(0, messages), Request(0, messages, options=("Yes", "No"))
    assert plain.sha256 != two.sha256
    assert two.sha256 != Request(0, messages, options=("No", "Yes")).sha256


def test_batches_keep_them_too():
    body = json.loads(with_scores({"content": CONTENT}).body)
    result = {"response": {"status_code": 200, "body": body}, "error": None}
    reply = outcome_of(result, 0, 0, "some-model", {"scores": "first_token"})
    assert reply.scores["first_token"][0]["logprob"] == TOP[0]["logprob"]
    assert outcome_of(result, 0, 0, "some-model").scores is None
