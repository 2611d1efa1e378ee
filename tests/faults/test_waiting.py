"""Waiting is bounded and visible, and no request waits for another one's fault."""

import logging
import time

import pytest
from faulty_model import ask
from loopback_api import Reaction, completion, refused

from afterimage.models.interface import Failure, Reply
from afterimage.models.openai_compatible import asking

BROKEN = Reaction(b'{"choices": [{"mess')


def only(reaction, *numbers):
    """React so to these questions, and with an answer to all others."""

    def react(call):
        return reaction if int(call.text.split()[-1]) in numbers else completion("Left.")

    return react


@pytest.mark.parametrize("status", [429, 503])
def test_an_impossible_patience_fails_that_request_and_holds_nobody_else(status):
    started = time.monotonic()
    api, outcomes = ask(
        only(refused(status, "later", {"Retry-After": "100000"}), 1, 2, 3, 4), 9, concurrency=1
    )
    assert time.monotonic() - started < 10
    assert [isinstance(outcome, Reply) for outcome in outcomes] == [True] + [False] * 4 + [True] * 4
    assert len(api.calls) == 9
    assert "later (it asks to wait for 100000 s; at most 900 s are waited)" in outcomes[1].reason


def test_patience_is_bounded_over_all_attempts(monkeypatch):
    monkeypatch.setattr(asking, "LONGEST_RETRY_AFTER_SECONDS", 1.0)
    api, (failure,) = ask(lambda call: refused(503, "soon", {"Retry-After": "0.4"}), retries=50)
    assert len(api.calls) == 3
    assert "it asks to wait for 0.4 s" in failure.reason


@pytest.mark.parametrize("concurrency", [1, 8])
def test_malformed_replies_do_not_stop_a_model_that_otherwise_answers(concurrency):
    _, outcomes = ask(only(BROKEN, *range(8)), 12, retries=1, concurrency=concurrency)
    failed = [outcome.number for outcome in outcomes if isinstance(outcome, Failure)]
    assert failed == list(range(8))


def test_a_server_that_never_says_anything_sensible_is_left_at_last():
    api, outcomes = ask(lambda call: BROKEN, 200, retries=1, concurrency=1)
    assert len(api.calls) == 2 * asking.FRUITLESS_REPLIES
    assert outcomes[-1].reason.startswith("not asked: 2 attempts, the last: malformed response")


def test_a_long_wait_is_told_to_everybody(monkeypatch, caplog):
    monkeypatch.setattr(asking, "_LONG_WAIT_SECONDS", 0.2)
    answers = iter([refused(429, "slow down", {"Retry-After": "0.3"}), completion("Left.")])
    with caplog.at_level(logging.WARNING):
        ask(lambda call: next(answers))
    assert "request 0, attempt 1: HTTP status 429: slow down; again in 0." in caplog.text
