"""Tokens of prompts that a provider's cache had: read from its counts, kept, and counted at their own price."""

from datetime import UTC, datetime

import pytest
from loopback_api import LoopbackApi, Reaction

from afterimage.commands.forecast.counting import Forecast, Tokens, _price
from afterimage.contract.model import ModelEntry
from afterimage.models.interface import Failure, Message, Reply, Request, tokens_of
from afterimage.models.journaling.entries import answer_line, parse
from afterimage.models.journaling.entries import reply_of as journaled
from afterimage.models.openai_compatible import load
from afterimage.models.openai_compatible.limits import Budget
from afterimage.models.openai_compatible.options import ClientOptions
from afterimage.models.openai_compatible.replies import reply_of

PRICES = {"price_per_million_input": 10e6, "price_per_million_output": 20e6}
CACHE = {"price_per_million_cached": 1e6, "price_per_million_cache_written": 12.5e6}
SAID = {"choices": [{"message": {"content": "Left."}, "finish_reason": "stop"}]}
NOW = datetime(2026, 1, 1, tzinfo=UTC).isoformat()


def read(**usage):
    counts = {"prompt_tokens": 100, "completion_tokens": 5, **usage}
    reply = reply_of(0, 0, {**SAID, "usage": counts}, "m")
    return reply.cached_tokens, reply.cache_written_tokens


@pytest.mark.parametrize(
    ("usage", "counted"),
    [
        ({"prompt_tokens_details": {"cached_tokens": 64}}, (64, None)),
        ({"prompt_tokens_details": {"cached_tokens": 60, "cache_creation_tokens": 40}}, (60, 40)),
        ({"prompt_cache_hit_tokens": 64, "prompt_cache_miss_tokens": 36}, (64, None)),
        # Nothing of it, or nothing said, is no number to keep.
        ({"prompt_tokens_details": {"cached_tokens": 0}}, (None, None)),
        ({"prompt_tokens_details": None}, (None, None)),
        ({"prompt_tokens_details": [1]}, (None, None)),
        # What cannot be.
        ({"prompt_tokens_details": {"cached_tokens": 101}}, (None, None)),
        (
            {"prompt_tokens_details": {"cached_tokens": 60, "cache_creation_tokens": 60}},
            (None, None),
        ),
        ({"prompt_tokens_details": {"cached_tokens": "64"}}, (None, None)),
        ({"prompt_tokens_details": {"cached_tokens": -1}}, (None, None)),
        ({"prompt_tokens": None, "prompt_tokens_details": {"cached_tokens": 9}}, (None, None)),
    ],
)
def test_what_the_cache_had_is_what_the_server_counts_and_nothing_else(usage, counted):
    assert read(**usage) == counted


def test_the_journal_keeps_them_and_writes_other_lines_as_before():
    assert b"cache" not in answer_line("k" * 64, "r", NOW, Reply(0, "Left."))
    reply = Reply(0, "Left.", cached_tokens=60, cache_written_tokens=3)
    assert journaled(parse(answer_line("k" * 64, "r", NOW, reply)), 0) == reply
    assert tokens_of({0: {0: reply, 1: Reply(0, "x", prompt_tokens=5)}}) == (5, 0, 60, 3)


@pytest.mark.parametrize(
    ("prices", "spent"),
    [
        # 100 prompt tokens at 10, of which 60 were read at 1 and 20 written at 12.5, and 5 of answer at 20.
        (CACHE, 20 * 10 + 60 * 1 + 20 * 12.5 + 5 * 20),
        ({"price_per_million_cached": 1e6}, 40 * 10 + 60 * 1 + 5 * 20),
        ({}, 100 * 10 + 5 * 20),
    ],
)
def test_what_is_spent_counts_the_cache_at_its_own_price_or_that_of_the_others(prices, spent):
    used = Tokens(100, 5, 60, 20)
    budget = Budget(ClientOptions(max_cost=1e9, **PRICES, **prices))
    budget.begin(used)
    assert budget._spent == pytest.approx(spent)
    half = Budget(ClientOptions(mode="batch", max_cost=1e9, **PRICES, **prices))
    half.begin(used)
    assert half._spent == pytest.approx(spent / 2)
    client = {**PRICES, **prices}
    forecast = Forecast("s", "m", spent=used)
    _price(forecast, ModelEntry("m", "openai_compatible", "m", client=client))
    assert forecast.cost == pytest.approx(spent)


def test_before_an_answer_all_of_its_prompt_may_be_written_to_the_cache_and_none_read():
    estimate = Tokens(100, 5)
    for prices, highest in ((CACHE, 12.5), ({"price_per_million_cached": 1e6}, 10)):
        budget = Budget(ClientOptions(max_cost=1e9, **PRICES, **prices))
        budget.begin(Tokens())
        assert budget.owe(estimate) == pytest.approx(100 * highest + 5 * 20)


def test_a_limit_is_kept_with_tokens_that_the_cache_had():
    """An answer costs 6 with the cache and 21 without; its prompt may always miss it."""
    details = '{"cached_tokens": 1500}'
    body = (
        '{"choices": [{"message": {"content": "x"}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 2000, '
        f'"completion_tokens": 5, "prompt_tokens_details": {details}}}}}'
    )
    settings = {
        **{"api_key_env": None, "temperature": 0, "top_p": None, "seed": None, "max_tokens": 50},
        **{"max_completion_tokens": None, "image_detail": None, "extra_body": {}},
    }
    prices = {"price_per_million_input": 1e4, "price_per_million_output": 2e4}
    client = {**prices, "price_per_million_cached": 5e2, "max_cost": 60, "concurrency": 1}
    turn = (Message("user", ("word " * 800,)),)
    with LoopbackApi(lambda call: Reaction(body.encode(), sound=True)) as api:
        asked = ModelEntry(
            "m", "openai_compatible", "m", settings={**settings, "base_url": api.url}
        )
        full = {name: value for name, value in client.items() if name != "price_per_million_cached"}
        counts = [
            sum(
                not isinstance(one, Failure)
                for one in load(ModelEntry(**{**vars(asked), "client": own}))(
                    Request(number, turn) for number in range(20)
                )
            )
            for own in (client, full)
        ]
    # 5.85 and 20.1 each.
    assert counts[1] == 2
    assert 6 <= counts[0] <= 10
