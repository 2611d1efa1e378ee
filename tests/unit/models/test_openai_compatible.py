"""A model behind an API: asked within limits, through faults, never twice, and nothing said that was not answered."""

import asyncio
import base64
import io
import json
import logging
import random
import subprocess
import time
from collections import Counter, defaultdict
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from faulty_model import SETTINGS
from loopback_api import LoopbackApi, Reaction, completion, refused
from PIL import Image as Pillow

from afterimage.contract.model import ModelEntry
from afterimage.errors import AfterimageError
from afterimage.models.interface import Failure, Image, Message, Reply, Request
from afterimage.models.openai_compatible import asking, load
from afterimage.models.openai_compatible.faults import retry_after
from afterimage.models.openai_compatible.limits import Pace
from afterimage.models.openai_compatible.messages import chat_body

KEY = "sk-proj-Zq3xVerySecretIndeed9"


def png(size=(8, 8)):
    buffer = io.BytesIO()
    Pillow.new("RGB", size, "red").save(buffer, "PNG")
    return buffer.getvalue()


PNG = png()


def request(number, text=None, repeats=(0,)):
    parts = (Image(PNG, "0" * 64), text or f"Question {number}")
    return Request(number, (Message("user", parts),), repeats=repeats)


def test_several_images_and_texts_are_sent_in_their_order():
    shown = [Image(png((8, side)), "0" * 64) for side in (3, 4, 5)]
    turn = Message("user", (shown[0], "or", shown[1], shown[2], "?"))
    (sent,) = chat_body("m", [turn], SETTINGS)["messages"]
    found = [
        part["text"]
        if part["type"] == "text"
        else base64.b64decode(part["image_url"]["url"].partition(",")[2])
        for part in sent["content"]
    ]
    assert found == [shown[0].png, "or", shown[1].png, shown[2].png, "?"]


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    """Back off for milliseconds."""
    monkeypatch.setattr(asking, "FIRST_WAIT_SECONDS", 0.01)


def responder(url, settings=None, tokens_so_far=(0, 0), **client):
    entry = ModelEntry(
        "hosted",
        "openai_compatible",
        "some-model",
        settings={**SETTINGS, "base_url": url, **(settings or {})},
        client=client,
        tokens_so_far=lambda: tokens_so_far,
    )
    return load(entry, "illusion_vqa")


def ask(react, count=1, settings=None, **client):
    """Ask so many questions; return the server and the outcomes in the order of the questions."""
    with LoopbackApi(react) as api:
        answer = responder(api.url, settings, **client)
        outcomes = list(answer(map(request, range(count))))
    return api, sorted(outcomes, key=lambda outcome: outcome.number)


def in_turn(*reactions):
    """React with these, in order, and with the last one from then on."""
    rest = list(reactions)
    return lambda call: rest.pop(0) if len(rest) > 1 else rest[0]


# ---- what is sent, what comes back ----


def test_the_png_is_sent_as_the_bytes_that_it_is(monkeypatch):
    api, (reply,) = ask(lambda call: completion("Left."))
    (call,) = api.calls
    assert call.path == "/v1/chat/completions"
    image, text = call.body["messages"][0]["content"]
    assert text == {"type": "text", "text": "Question 0"}
    assert image["type"] == "image_url"
    assert image["image_url"] == {"url": "data:image/png;base64," + base64.b64encode(PNG).decode()}
    assert reply.text == "Left."


def test_settings_are_sent_and_what_is_null_is_not():
    settings = {
        "temperature": None,
        "seed": 7,
        "image_detail": "high",
        "chat_template_kwargs": {"enable_thinking": False},
        "extra_body": {"top_k": 3},
    }
    api, _ = ask(lambda call: completion("x"), settings=settings)
    (call,) = api.calls
    assert {**call.body, "messages": None} == {
        "model": "some-model",
        "messages": None,
        "seed": 7,
        "max_tokens": 50,
        "chat_template_kwargs": {"enable_thinking": False},
        "top_k": 3,
    }
    assert call.body["messages"][0]["content"][0]["image_url"]["detail"] == "high"


def test_roles_and_order_are_kept_and_text_alone_is_plain():
    messages = (
        Message("system", ("Be brief.",)),
        Message("user", ("First?", Image(PNG, "0" * 64))),
        Message("assistant", ("Left.",)),
        Message("user", (Image(PNG, "0" * 64), "Second?")),
    )
    with LoopbackApi(lambda call: completion("x")) as api:
        list(responder(api.url)([Request(0, messages)]))
    sent = api.calls[0].body["messages"]
    assert [turn["role"] for turn in sent] == ["system", "user", "assistant", "user"]
    assert sent[0]["content"] == "Be brief."
    assert [part["type"] for part in sent[1]["content"]] == ["text", "image_url"]
    assert [part["type"] for part in sent[3]["content"]] == ["image_url", "text"]


def test_tokens_and_latency_are_recorded():
    slow = completion("x", usage=(812, 3), seconds=0.2)
    began = time.monotonic()
    _, (reply,) = ask(lambda call: slow)
    assert (reply.prompt_tokens, reply.completion_tokens) == (812, 3)
    assert 0.2 <= reply.latency_seconds <= time.monotonic() - began


@pytest.mark.parametrize(
    ("reaction", "text", "finish_reason"),
    [
        (completion(""), "", "stop"),
        (completion(None), "", "stop"),
        (completion("The left one is", "length"), "The left one is", "length"),
        (completion(None, "content_filter"), "", "content_filter"),
        (completion(None, refusal="I cannot."), "I cannot.", "refusal"),
    ],
)
def test_empty_truncated_and_refused_answers_are_answers_and_never_asked_again(
    reaction, text, finish_reason
):
    api, outcomes = ask(in_turn(reaction, completion("Left.")))
    (reply,) = outcomes
    assert isinstance(reply, Reply)
    assert (reply.text, reply.finish_reason) == (text, finish_reason)
    assert len(api.calls) == 1


# ---- repeats and versions ----


def test_every_repeat_that_is_wanted_is_asked_with_a_seed_of_its_own():
    with LoopbackApi(lambda call: completion(f"{call.body['seed']}")) as api:
        answer = responder(api.url, {"temperature": 1, "seed": 40})
        outcomes = list(answer([request(0, repeats=(0, 1, 2)), request(1, repeats=(3,))]))
    given = {(reply.number, reply.repeat): reply.text for reply in outcomes}
    assert given == {(0, 0): "40", (0, 1): "41", (0, 2): "42", (1, 3): "43"}
    assert len(api.calls) == 4


def test_without_a_seed_none_is_sent_with_any_repeat():
    with LoopbackApi(lambda call: completion("x")) as api:
        list(responder(api.url, {"temperature": 1})([request(0, repeats=(0, 1))]))
    assert not any("seed" in call.body for call in api.calls)


def together(count, seconds=0.05):
    """React with an answer that waits until so many were asked for, whatever the asking of one takes."""
    calls = []

    def react(call):
        calls.append(call)
        return completion("x", seconds=seconds, held=lambda: len(calls) < count)

    return react


def test_repeats_count_towards_the_concurrency():
    with LoopbackApi(together(3)) as api:
        answer = responder(api.url, concurrency=3)
        assert len(list(answer(request(n, repeats=tuple(range(5))) for n in range(4)))) == 20
    assert api.most_at_once == 3


def test_one_failed_repeat_does_not_keep_the_others_from_being_answered():
    def react(call):
        return refused(400, "no luck") if call.body["seed"] == 1 else completion("x")

    with LoopbackApi(react) as api:
        outcomes = list(responder(api.url, {"seed": 0})([request(0, repeats=(0, 1, 2))]))
    assert sorted(reply.repeat for reply in outcomes if isinstance(reply, Reply)) == [0, 2]
    assert [failure for failure in outcomes if isinstance(failure, Failure)] == [
        Failure(0, "HTTP status 400: no luck")
    ]


@pytest.mark.parametrize(
    ("named", "revision"),
    [("some-model-2024-11-20", "some-model-2024-11-20"), ("some-model", None), (None, None)],
)
def test_the_version_that_answered_is_recorded_where_it_says_more_than_the_models_name(
    named, revision
):
    whole = {**json.loads(completion("x").body), "model": named}
    _, (reply,) = ask(lambda call: Reaction(json.dumps(whole).encode(), sound=True))
    assert reply.revision == revision


# ---- faults ----

TRANSIENT = {
    "429": refused(429, "slow down"),
    "500": refused(500, "oops"),
    "503 in words": Reaction(b"<html>overloaded</html>", 503),
    "dropped": Reaction(b"", written=-1),
    "truncated": Reaction(completion("Left.").body, written=60),
    "truncated without length": Reaction(completion("Left.").body[:60], sized=False),
    "malformed": Reaction(b'{"choices": [{"mess'),
    "no choices": Reaction(b'{"choices": []}'),
    "error as success": Reaction(b'{"error": {"message": "upstream"}}'),
    "number as answer": Reaction(b'{"choices": [{"message": {"content": 7}}]}'),
    "parts as numbers": Reaction(b'{"choices": [{"message": {"content": [7]}}]}'),
    "not even text": Reaction(b"\xff\xfe\x00"),
    "slow": completion("late", seconds=600),
}


def patience(fault, seconds):
    """Return how long an answer is waited for: where one is to come, as long as the busiest machine takes."""
    return seconds if fault == "slow" else 60


@pytest.mark.parametrize("fault", TRANSIENT)
def test_a_fault_that_may_pass_is_tried_again(fault):
    api, (reply,) = ask(
        in_turn(TRANSIENT[fault], completion("Left.")), timeout_seconds=patience(fault, 3)
    )
    assert reply.text == "Left."
    assert len(api.calls) == 2


@pytest.mark.parametrize("fault", TRANSIENT)
def test_after_the_last_attempt_there_is_a_failure_and_no_answer(fault):
    api, (failure,) = ask(
        lambda call: TRANSIENT[fault], retries=2, timeout_seconds=patience(fault, 1)
    )
    assert isinstance(failure, Failure)
    assert failure.reason.startswith("3 attempts, the last: ")
    assert len(api.calls) == 3


@pytest.mark.parametrize("status", [400, 403, 413, 422])
def test_other_refusals_fail_at_once_with_the_servers_words_and_the_others_go_on(status):
    def react(call):
        return refused(status, "image too large") if "3" in call.text else completion("Left.")

    api, outcomes = ask(react, 6, concurrency=1)
    assert outcomes[3] == Failure(3, f"HTTP status {status}: image too large")
    assert all(isinstance(outcomes[number], Reply) for number in (0, 1, 2, 4, 5))
    assert len(api.calls) == 6


@pytest.mark.parametrize(
    "reaction",
    [
        refused(401, "Incorrect API key"),
        refused(404, "The model does not exist", code="model_not_found"),
        refused(429, "You exceeded your current quota", code="insufficient_quota"),
    ],
)
def test_where_every_request_would_fail_the_rest_is_not_asked(reaction):
    api, outcomes = ask(lambda call: reaction, 30, concurrency=2)
    assert len(outcomes) == 30
    assert all(isinstance(outcome, Failure) for outcome in outcomes)
    assert len(api.calls) <= 2
    assert outcomes[-1].reason.startswith("not asked: HTTP status")


def test_an_unreachable_server_ends_the_job_soon():
    with LoopbackApi(lambda call: completion("x")) as api:
        url = api.url
    outcomes = list(responder(url, retries=2, concurrency=4)(map(request, range(50))))
    outcomes.sort(key=lambda outcome: outcome.number)
    assert len(outcomes) == 50
    assert all(isinstance(outcome, Failure) for outcome in outcomes)
    reasons = {outcome.reason.removeprefix("not asked: ") for outcome in outcomes}
    assert all(reason.startswith("3 attempts, the last: connection failed (") for reason in reasons)
    assert outcomes[-1].reason.startswith("not asked: 3 attempts, the last: connection failed")


def test_requests_that_always_break_the_server_do_not_stop_the_others():
    def react(call):
        number = int(call.text.split()[-1])
        return refused(500, "oops") if number % 3 else completion("Left.")

    _, outcomes = ask(react, 12, retries=1, concurrency=1)
    assert [outcome.number for outcome in outcomes if isinstance(outcome, Reply)] == [0, 3, 6, 9]


def test_back_off_grows_and_jitters(monkeypatch):
    monkeypatch.setattr(asking, "FIRST_WAIT_SECONDS", 0.1)
    gaps, waits = defaultdict(list), defaultdict(list)
    wait = asking.Asker._wait

    def noted(asker, fault, attempt):
        waits[attempt].append(wait(asker, fault, attempt))
        return waits[attempt][-1]

    monkeypatch.setattr(asking.Asker, "_wait", noted)
    api, _ = ask(lambda call: refused(500, "oops"), 4, retries=3, concurrency=4)
    for text in {call.text for call in api.calls}:
        times = [call.at for call in api.calls if call.text == text]
        for number in range(len(times) - 1):
            gaps[number].append(times[number + 1] - times[number])
    assert set(waits) == set(gaps) == {0, 1, 2}
    for number, chosen in waits.items():
        longest = 0.1 * 2**number
        assert len(chosen) == len(set(chosen)) == 4
        assert all(longest / 2 <= one <= longest for one in chosen)
        # As long as was chosen, or longer where the machine is busy.
        assert all(gap >= longest / 2 for gap in gaps[number])


def test_retry_after_in_seconds_is_honoured_and_holds_back_every_request():
    api, outcomes = ask(
        in_turn(refused(429, "slow down", {"Retry-After": "0.6"}), completion("Left.")),
        3,
        concurrency=1,
    )
    assert all(isinstance(outcome, Reply) for outcome in outcomes)
    assert api.calls[1].at - api.calls[0].at >= 0.6

    times = iter(range(100))

    def react(call):
        if next(times) == 0:
            return refused(429, "slow down", {"Retry-After": "0.6"})
        return completion("Left.")

    api, _ = ask(react, 20, concurrency=2, requests_per_minute=6000)
    first = api.calls[0].at
    assert sum(call.at - first < 0.5 for call in api.calls) <= 4


def test_retry_after_as_a_date_is_honoured():
    until = datetime.now(UTC).replace(microsecond=0) + timedelta(seconds=2)
    header = {"Retry-After": format_datetime(until, usegmt=True)}
    ask(in_turn(refused(503, "maintenance", header), completion("Left.")))
    assert datetime.now(UTC) >= until


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("7", 7),
        ("0.5", 0.5),
        ("-3", 0),
        ("Wed, 01 Jan 2025 00:00:30 GMT", 30),
        ("Wed, 01 Jan 2025 00:00:30 -0000", 30),
        ("Tue, 31 Dec 2024 23:00:00 GMT", 0),
        ("soon", None),
        ("nan", None),
        ("inf", None),
        ("", None),
    ],
)
def test_retry_after_is_read_as_the_standard_says(value, seconds):
    assert retry_after({"retry-after": value}, datetime(2025, 1, 1, tzinfo=UTC)) == seconds


def test_a_server_that_asks_for_too_much_patience_has_refused():
    # Whoever waited would not be back before tomorrow.
    api, (failure,) = ask(lambda call: refused(429, "tomorrow", {"Retry-After": "86400"}))
    assert failure.reason.startswith("HTTP status 429: tomorrow (it asks to wait for 86400 s")
    assert len(api.calls) == 1


# ---- limits ----


def test_no_more_requests_are_under_way_than_allowed_and_they_are_used():
    api, outcomes = ask(together(7), 60, concurrency=7)
    assert api.most_at_once == 7
    assert len(outcomes) == 60


def test_requests_are_read_no_faster_than_answers_are_taken():
    read = []

    def requests():
        for number in range(200):
            read.append(number)
            yield request(number)

    with LoopbackApi(lambda call: completion("x")) as api:
        outcomes = responder(api.url, concurrency=5)(requests())
        for taken, _ in enumerate(outcomes, start=1):
            assert len(read) <= taken + 2 * 5


def first_answer_last(call):
    return completion("x", seconds=3600 if call.text == "Question 0" else 0)


def test_an_answer_is_handed_over_while_others_are_under_way():
    with LoopbackApi(first_answer_last) as api:
        outcomes = responder(api.url, concurrency=2)(map(request, range(5)))
        assert [next(outcomes).number for _ in range(4)] == [1, 2, 3, 4]
        assert sum(call.answered_at is not None for call in api.calls) == 4
        outcomes.close()


def test_closing_early_ends_what_is_under_way_and_asks_no_more():
    def react(call):
        return completion("x", seconds=0.1 if call.text == "Question 0" else 3600)

    with LoopbackApi(react) as api:
        outcomes = responder(api.url, concurrency=3)(map(request, range(50)))
        next(outcomes)
        outcomes.close()
        # Whoever waited for the others would wait for an hour.
        assert sum(call.answered_at is not None for call in api.calls) == 1
        asked = len(api.calls)
        time.sleep(0.3)
        assert len(api.calls) == asked <= 4


def test_requests_per_minute_are_kept_to():
    began = time.monotonic()
    api, _ = ask(lambda call: completion("x"), 11, requests_per_minute=1200, concurrency=8)
    # Eleven are ten intervals of 0.05 s; a busy machine may begin late, and none begins too early.
    assert api.calls[-1].at - began >= 0.5


def test_tokens_per_minute_are_kept_to_by_what_the_server_counts():
    react = lambda call: completion("x", usage=(950, 50))  # noqa: E731
    began = time.monotonic()
    api, _ = ask(react, 6, tokens_per_minute=300_000, concurrency=1)
    # 1,000 tokens each are 0.2 s each.
    assert api.calls[-1].at - began >= 1


class JumpingLoop(asyncio.SelectorEventLoop):
    """A loop whose own clock jumps to the next deadline where others wait for it."""

    _now = 0.0

    def __init__(self):
        super().__init__()
        select = self._selector.select

        def jump(timeout=None):
            self._now += timeout or 0
            return select(0)

        self._selector.select = jump

    def time(self):
        return self._now


def seconds_of(scenario):
    """Return how long a scenario takes by the loop's clock."""
    with asyncio.Runner(loop_factory=JumpingLoop) as runner:
        runner.run(scenario())
        return runner.get_loop().time()


def test_turns_are_no_further_apart_than_a_limit_asks_for():
    async def scenario():
        pace = Pace(1200, None)
        for _ in range(11):
            await pace.turn(0)

    assert seconds_of(scenario) == pytest.approx(0.5)


def test_a_pause_holds_a_turn_that_was_already_given():
    async def scenario():
        pace = Pace(60, None)
        await pace.turn(0)
        waiting = asyncio.create_task(pace.turn(0))
        await asyncio.sleep(0)
        pace.pause(1.5)
        await waiting

    assert seconds_of(scenario) == pytest.approx(1.5)


# ---- cost ----

PRICES = {"price_per_million_input": 10_000, "price_per_million_output": 20_000}


def cost(calls, usage):
    return sum(call.answered_at is not None for call in calls) * (usage[0] * 0.01 + usage[1] * 0.02)


@pytest.mark.parametrize("usage", [(400, 5), (9000, 50), (20, 1)])
@pytest.mark.parametrize("concurrency", [1, 8])
def test_max_cost_is_not_exceeded_and_the_rest_is_named(usage, concurrency):
    most = 10 * (usage[0] * 0.01 + usage[1] * 0.02) + 8
    api, outcomes = ask(
        lambda call: completion("x", usage=usage),
        400,
        concurrency=concurrency,
        max_cost=most,
        **PRICES,
    )
    spent = cost(api.calls, usage)
    answered = sum(isinstance(outcome, Reply) for outcome in outcomes)
    assert answered == len(api.calls) >= 5
    assert spent <= most
    assert len(outcomes) == 400
    reasons = {outcome.reason for outcome in outcomes if isinstance(outcome, Failure)}
    assert reasons
    assert all(
        reason.startswith("not asked: this request may cost ") and "of max_cost" in reason
        for reason in reasons
    )


def test_what_was_paid_for_before_counts():
    api, outcomes = ask(
        lambda call: completion("x"),
        3,
        max_cost=100,
        tokens_so_far=(9_900, 0),
        **PRICES,
    )
    assert api.calls == []
    assert "is spent" in outcomes[0].reason


def test_what_an_image_costs_is_awaited_before_many_are_asked():
    usage = (9000, 50)
    each = usage[0] * 0.01 + usage[1] * 0.02
    api, _ = ask(
        lambda call: completion("x", usage=usage), 50, concurrency=8, max_cost=3.5 * each, **PRICES
    )
    assert cost(api.calls, usage) == pytest.approx(3 * each)


def test_answers_that_were_lost_on_the_way_count_as_paid_for():
    def react(call):
        odd = int(call.text.split()[-1]) % 2
        return TRANSIENT["truncated"] if odd else completion("x")

    api, outcomes = ask(react, 50, retries=1, max_cost=60, concurrency=1, **PRICES)
    answered = sum(isinstance(outcome, Reply) for outcome in outcomes)
    lost = len(api.calls) - answered
    # Up to 50 tokens of answer and more than 300 of image and question each.
    assert answered * 1.1 + lost * 4 <= 60
    assert outcomes[-1].reason.startswith("not asked: this request may cost")


def test_attempts_that_may_have_been_charged_do_not_add_up_beyond_max_cost():
    api, (failure,) = ask(lambda call: TRANSIENT["truncated"], retries=8, max_cost=10, **PRICES)
    # Each attempt may have cost more than 4.
    assert len(api.calls) == 2
    assert failure.reason.startswith("not asked: this request may cost")


@pytest.mark.parametrize(
    ("address", "reason"),
    [("http://[::1/v1", "Invalid port"), ("http://host:port/v1", "Invalid port")],
)
def test_a_malformed_address_is_one_sentence(address, reason):
    with pytest.raises(AfterimageError) as caught:
        responder(address)
    start = f"model 'hosted': setting 'base_url': found '{address}', which is no address ("
    assert str(caught.value).startswith(start)
    assert reason in str(caught.value)


def test_a_proxy_for_the_world_is_not_asked_for_this_machine(monkeypatch):
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    _, (reply,) = ask(lambda call: completion("x"), retries=0)
    assert reply.text == "x"


def test_a_server_elsewhere_is_asked_through_the_proxy(monkeypatch):
    with LoopbackApi(lambda call: completion("x")) as proxy:
        address = proxy.url.removesuffix("/v1")
        for name in ("http_proxy", "HTTP_PROXY"):
            monkeypatch.setenv(name, address)
        for name in ("no_proxy", "NO_PROXY", "all_proxy", "ALL_PROXY"):
            monkeypatch.delenv(name, raising=False)
        (reply,) = responder("http://models.invalid/v1", retries=0)([request(0)])
    assert reply.text == "x"
    assert proxy.calls[0].path == "http://models.invalid/v1/chat/completions"


def test_a_redirect_is_not_followed_and_says_so():
    away = Reaction(b"", 307, {"Location": "http://127.0.0.1:9/elsewhere"})
    api, (failure,) = ask(lambda call: away)
    assert failure.reason == (
        f"HTTP status 307: Temporary Redirect (asked was {api.url}/chat/completions: it redirects to "
        "http://127.0.0.1:9/elsewhere, which is not followed; expected the final address in base_url)"
    )
    assert len(api.calls) == 1


def test_there_is_no_use_in_asking_when_something_is_known_to_be_in_the_way():
    found = []

    def react(call):
        found.append("the server has ended")
        return refused(500, "oops")

    with LoopbackApi(react) as api:
        settings = {**SETTINGS, "base_url": api.url}
        entry = ModelEntry(
            "m", "openai_compatible", "some-model", settings=settings, client={"concurrency": 1}
        )
        answer = load(entry, "s", hindrance=lambda: next(iter(found), None))
        outcomes = list(answer(map(request, range(4))))
    assert len(api.calls) == 1
    assert [outcome.reason for outcome in outcomes] == ["not asked: the server has ended"] * 4


def test_lost_attempts_of_one_round_count_in_the_next():
    with LoopbackApi(lambda call: TRANSIENT["truncated"]) as api:
        answer = responder(api.url, max_cost=9, retries=0, concurrency=1, **PRICES)
        (first,) = answer([request(0)])
        (second,) = answer([request(1)])
        (third,) = answer([request(2)])
    # Each attempt may have cost more than 4.
    assert "cost" not in first.reason + second.reason
    assert third.reason.startswith("not asked: this request may cost")


def test_japanese_takes_more_tokens_than_it_has_letters():
    from afterimage.models.openai_compatible.messages import estimated_tokens

    estimate = estimated_tokens([Message("user", ("大きいのはどちらですか",))], SETTINGS)
    assert estimate.prompt >= 20 + 11


def test_a_server_that_counts_no_tokens_cannot_overspend():
    _, outcomes = ask(
        lambda call: completion("x", usage=None), 200, max_cost=100, concurrency=4, **PRICES
    )
    answered = [outcome for outcome in outcomes if isinstance(outcome, Reply)]
    assert 0 < len(answered) < 30
    assert answered[0].prompt_tokens is None


def test_max_cost_without_a_bound_on_answers_is_one_sentence():
    with pytest.raises(AfterimageError, match="'max_cost' needs the setting 'max_tokens'"):
        responder("http://127.0.0.1:9/v1", {"max_tokens": None}, max_cost=1, **PRICES)


# ---- the key ----


def test_a_missing_variable_is_one_sentence_with_model_and_variable(monkeypatch):
    monkeypatch.delenv("SOME_KEY", raising=False)
    with pytest.raises(AfterimageError) as caught:
        responder("http://127.0.0.1:9/v1", {"api_key_env": "SOME_KEY"})
    assert str(caught.value) == (
        "model 'hosted': environment variable 'SOME_KEY' is not set; expected the API's key in it."
    )


def test_without_an_address_it_is_openais_and_needs_its_key(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(AfterimageError, match="'OPENAI_API_KEY' is not set"):
        responder(None)


def test_openais_key_goes_to_no_other_address(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    api, _ = ask(lambda call: completion("x"))
    assert KEY not in str(api.calls[0].headers)


def test_the_key_is_sent_and_appears_in_no_outcome_and_no_log(monkeypatch, caplog):
    monkeypatch.setenv("SOME_KEY", f"{KEY}\n")
    echoes = [
        refused(500, f"upstream said: Bearer {KEY}"),
        refused(429, f"key {KEY} is busy"),
        Reaction(f'{{"error": "{KEY}"}}'.encode()),
        Reaction(f"<h1>{KEY}</h1>".encode(), 502),
        refused(401, f"Incorrect API key provided: {KEY} or {KEY[:8]}******{KEY[-4:]}."),
    ]
    with caplog.at_level(logging.DEBUG):
        api, (failure,) = ask(in_turn(*echoes), settings={"api_key_env": "SOME_KEY"})
    assert all(call.headers["authorization"] == f"Bearer {KEY}" for call in api.calls)
    assert len(api.calls) == 5
    assert failure.reason.endswith("401: Incorrect API key provided: [key] or [key].")
    for text in (failure.reason, caplog.text):
        assert KEY not in text
        assert KEY[:8] not in text
        assert KEY[-4:] not in text


# ---- the certificate ----


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """A certificate that nobody has signed."""
    folder = tmp_path_factory.mktemp("certificate")
    command = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1 "
    command += "-addext subjectAltName=IP:127.0.0.1 -keyout key.pem -out certificate.pem"
    subprocess.run(command.split(), cwd=folder, check=True, capture_output=True)
    both = folder / "both.pem"
    both.write_text((folder / "key.pem").read_text() + (folder / "certificate.pem").read_text())
    return both


def test_a_server_whose_certificate_nobody_signed_gets_neither_key_nor_question(
    certificate, monkeypatch
):
    monkeypatch.setenv("SOME_KEY", KEY)
    with LoopbackApi(lambda call: completion("x"), certificate) as api:
        answer = responder(api.url, {"api_key_env": "SOME_KEY"}, concurrency=2)
        outcomes = list(answer(map(request, range(5))))
    assert api.calls == []
    assert len(outcomes) == 5
    assert outcomes[0].reason.startswith("the server's certificate is not valid")


def test_the_same_server_is_asked_where_its_certificate_is_trusted(certificate, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with LoopbackApi(lambda call: completion("x"), certificate) as api:
        (reply,) = responder(api.url)([request(0)])
    assert reply.text == "x"


# ---- everything at once ----


def test_2000_requests_through_every_fault_are_answered_once_each():
    chance = random.Random(20250101)
    faults = [
        refused(429, "slow down", {"Retry-After": "0"}),
        refused(429, "slow down", {"Retry-After": "0.05"}),
        refused(500, "oops"),
        TRANSIENT["dropped"],
        TRANSIENT["truncated"],
        TRANSIENT["truncated without length"],
        TRANSIENT["malformed"],
        completion("late", seconds=3600),
    ]
    late = len(faults) - 1
    met = Counter()

    def react(call):
        # A few are late, early on: 64 at once are waited for as long as a busy machine may take.
        kind = chance.randrange(len(faults)) if chance.random() < 0.25 else None
        if kind is None or (kind == late and met[late] == 8):
            return completion(f"answer to {call.text}", seconds=0.005)
        met[kind] += 1
        return faults[kind]

    api, outcomes = ask(react, 2000, concurrency=64, timeout_seconds=30)
    assert set(met) == set(range(len(faults)))
    assert [outcome.number for outcome in outcomes] == list(range(2000))
    assert all(isinstance(outcome, Reply) for outcome in outcomes)
    assert all(reply.text == f"answer to Question {reply.number}" for reply in outcomes)
    assert api.most_at_once <= 64 + met[late]
    last_call = {call.text: call for call in api.calls}
    assert len(last_call) == 2000
    # Nothing follows an answer: it is the last call of its question, and the only one that was answered.
    assert set(Counter(call.text for call in api.calls if call.answered_at).values()) == {1}
    assert all(call.answered_at for call in last_call.values())
