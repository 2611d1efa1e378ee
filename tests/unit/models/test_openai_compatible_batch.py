"""Batches: handed over once whatever happens, fetched to the last answer, at half the price."""

import base64
import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from faulty_model import SETTINGS
from loopback_api import Call, LoopbackApi, Reaction, completion, refused
from loopback_batches import BatchDesk, asked_text

from afterimage.contract.model import ModelEntry
from afterimage.errors import AfterimageError
from afterimage.models.interface import Failure, Image, Message, Reply, Request
from afterimage.models.journaling.entries import answerer_of
from afterimage.models.journaling.upkeep import refresh
from afterimage.models.journaling.writing import Journalist
from afterimage.models.openai_compatible import (
    NEUTRAL_SETTINGS,
    batch_api,
    batch_waiting,
    load,
)
from afterimage.models.openai_compatible.batch_records import BatchFolder, custom_id
from afterimage.models.openai_compatible.messages import request_line

KEY = "sk-proj-Zq3xVerySecretIndeed9"
PRICES = {"price_per_million_input": 10_000, "price_per_million_output": 20_000}
# Width and height stand where every PNG has them.
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (100).to_bytes(4) * 2 + b"\x08\x02" + bytes(40)


def request(number, repeats=(0,)):
    parts = (Image(PNG, "0" * 64), f"Question {number}")
    return Request(number, (Message("user", parts),), repeats=repeats)


def reply_to(body):
    return completion(f"answer to {asked_text(body)}", usage=(400, 5))


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    monkeypatch.setattr(batch_api, "FIRST_WAIT_SECONDS", 0.01)


@pytest.fixture
def desk():
    return BatchDesk(reply_to)


@pytest.fixture
def folder(tmp_path):
    """The model's folder in the journal."""
    return tmp_path / "journal" / "hosted"


def entry(url, folder, settings=None, **client):
    common = {"mode": "batch", "poll_seconds": 0.01, "retries": 2}
    return ModelEntry(
        "hosted",
        "openai_compatible",
        "some-model",
        settings={**SETTINGS, "base_url": url, **(settings or {})},
        client={**common, "batches": str(folder / "batches"), **client},
    )


def ask(react, folder, requests, settings=None, port=None, **client):
    """Ask; return outcomes in the order of the requests."""
    with LoopbackApi(react) as api:
        # The address is part of who answers, and the server has another port each time.
        api_entry = entry("http://127.0.0.1:1/v1", folder, settings, **client)
        answer = load(api_entry, "illusion_vqa")
        api_entry.settings["base_url"] = api.url
        outcomes = list(answer(requests))
    return sorted(outcomes, key=lambda outcome: (outcome.number, getattr(outcome, "repeat", 0)))


def records(folder):
    return sorted(path.name for path in (folder / "batches").iterdir())


def texts(outcomes):
    return [outcome.text for outcome in outcomes]


# ---- what is handed over, what comes back ----


def test_requests_go_out_in_one_batch_and_each_gets_its_own_answer(desk, folder):
    outcomes = ask(desk, folder, map(request, range(20)))
    assert texts(outcomes) == [f"answer to Question {number}" for number in range(20)]
    assert all((reply.prompt_tokens, reply.completion_tokens) == (400, 5) for reply in outcomes)
    assert all(reply.latency_seconds is None for reply in outcomes)
    (upload,) = desk.uploads
    assert [line["custom_id"] for line in upload] == [
        f"{request(number).sha256}-0" for number in range(20)
    ]
    body = upload[7]["body"]
    assert (body["model"], body["temperature"], body["max_tokens"]) == ("some-model", 0, 50)
    image, text = body["messages"][0]["content"]
    assert image["image_url"]["url"].startswith("data:image/png;base64,iVBORw0KGgo")
    assert text["text"] == "Question 7"
    assert records(folder) == []


def test_each_repeat_is_a_request_of_its_own_with_its_own_seed(desk, folder):
    outcomes = ask(desk, folder, [request(0, (1, 3)), request(1)], settings={"seed": 10})
    assert [(reply.number, reply.repeat) for reply in outcomes] == [(0, 1), (0, 3), (1, 0)]
    (upload,) = desk.uploads
    assert {line["custom_id"]: line["body"]["seed"] for line in upload} == {
        f"{request(0).sha256}-1": 11,
        f"{request(0).sha256}-3": 13,
        f"{request(1).sha256}-0": 10,
    }


def test_more_than_a_batch_holds_goes_out_in_several(desk, folder, monkeypatch):
    monkeypatch.setattr(batch_api.BatchApi, "most_requests", 8)
    outcomes = ask(desk, folder, map(request, range(20)))
    assert len(texts(outcomes)) == 20
    assert [len(upload) for upload in desk.uploads] == [8, 8, 4]

    monkeypatch.setattr(batch_api.BatchApi, "most_requests", 50_000)
    size = max(map(len, next(iter(desk.files.values())).splitlines(keepends=True)))
    monkeypatch.setattr(batch_api.BatchApi, "most_bytes", 3 * size)
    desk.files.clear()
    assert len(texts(ask(desk, folder, map(request, range(7))))) == 7
    assert [len(upload) for upload in desk.uploads] == [3, 3, 1]


def test_nothing_is_handed_over_where_nothing_is_asked(desk, folder):
    assert ask(desk, folder, []) == []
    assert desk.calls == []


def test_refused_empty_and_truncated_answers_are_answers(folder):
    reactions = iter(
        [
            completion(None, refusal="I cannot."),
            completion(""),
            completion("The left", "length"),
            completion(None, "content_filter"),
        ]
    )
    desk = BatchDesk(lambda body: next(reactions))
    outcomes = ask(desk, folder, map(request, range(4)))
    assert [(reply.text, reply.finish_reason) for reply in outcomes] == [
        ("I cannot.", "refusal"),
        ("", "stop"),
        ("The left", "length"),
        ("", "content_filter"),
    ]


# ---- what fails ----


def test_single_failures_are_failures_and_alone_are_asked_again(folder):
    bad = {2, 5}

    def react(body):
        number = int(asked_text(body).split()[-1])
        return refused(400, f"bad image, {KEY}") if number in bad else reply_to(body)

    desk = BatchDesk(react)
    outcomes = ask(desk, folder, map(request, range(8)))
    failed = [outcome for outcome in outcomes if isinstance(outcome, Failure)]
    assert [failure.number for failure in failed] == [2, 5]
    assert failed[0].reason == f"HTTP status 400: bad image, {KEY}"
    bad.clear()
    outcomes = ask(desk, folder, [request(2), request(5)])
    assert texts(outcomes) == ["answer to Question 2", "answer to Question 5"]
    assert [len(upload) for upload in desk.uploads] == [8, 2]


def test_of_an_expired_batch_the_answers_count_and_the_rest_is_asked_again(desk, folder):
    desk.ending = "expired"
    desk.answered = lambda body: int(asked_text(body).split()[-1]) < 3
    outcomes = ask(desk, folder, map(request, range(5)))
    assert texts(outcomes[:3]) == [f"answer to Question {number}" for number in range(3)]
    assert [outcome.reason for outcome in outcomes[3:]] == ["It was not executed."] * 2
    desk.ending, desk.answered = "completed", lambda body: True
    assert len(texts(ask(desk, folder, [request(3), request(4)]))) == 2
    assert max(desk.asked.values()) == 2
    assert records(folder) == []


def test_a_batch_that_the_api_rejects_says_why_for_each_request_and_is_asked_again(desk, folder):
    desk.ending = "failed"
    desk.errors = [{"line": 3, "code": "invalid", "message": "max_tokens is too large"}]
    outcomes = ask(desk, folder, map(request, range(4)))
    assert {outcome.reason for outcome in outcomes} == {
        "batch batch-2 has ended without an answer to it: failed (line 3: max_tokens is too large)"
    }
    desk.ending, desk.errors = "completed", []
    assert len(texts(ask(desk, folder, map(request, range(4))))) == 4


@pytest.mark.parametrize("status", [401, 403])
def test_an_api_that_refuses_a_batch_makes_failures_and_leaves_nothing_behind(folder, status):
    outcomes = ask(
        lambda call: refused(status, "no batches for you"), folder, map(request, range(3))
    )
    assert {outcome.reason for outcome in outcomes} == {
        f"the batch could not be handed over: HTTP status {status}: no batches for you"
    }
    assert records(folder) == []


def test_after_a_refusal_no_further_batch_is_tried(folder, monkeypatch):
    monkeypatch.setattr(batch_api.BatchApi, "most_requests", 2)
    calls = []

    def react(call):
        calls.append(call.path)
        return refused(401, "wrong key")

    outcomes = ask(react, folder, map(request, range(6)))
    assert len(calls) == 1
    assert [outcome.reason.partition(":")[0] for outcome in outcomes] == [
        *["the batch could not be handed over"] * 2,
        *["not asked"] * 4,
    ]


FAULTS = [
    refused(429, "slow down", {"Retry-After": "0"}),
    refused(500, "oops"),
    Reaction(b"", written=-1),
    Reaction(b"<html>", 200),
    Reaction(b"[]", 200),
    Reaction(b"{}", 200),
]


@pytest.mark.parametrize("fault", range(len(FAULTS)))
def test_every_call_is_repeated_through_faults_and_one_batch_is_made(desk, folder, fault):
    met = Counter()

    def react(call):
        what = f"{call.method} {call.path.split('?')[0]}"
        met[what] += 1
        if met[what] == 1:
            return FAULTS[fault]
        return desk(call)

    outcomes = ask(react, folder, map(request, range(5)))
    assert len(texts(outcomes)) == 5
    assert len(desk.batches) == 1


def test_a_batch_whose_confirmation_was_lost_is_found_and_not_made_twice(desk, folder):
    lost = []

    def react(call):
        reaction = desk(call)
        if call.method == "POST" and call.path == "/v1/batches" and not lost:
            lost.append(call)
            return Reaction(reaction.body, written=10)
        return reaction

    assert len(texts(ask(react, folder, map(request, range(5))))) == 5
    assert len(lost) == 1
    assert set(desk.asked.values()) == {1}


def test_results_that_are_cut_off_are_fetched_again(desk, folder):
    cuts = []

    def react(call):
        reaction = desk(call)
        if call.path.endswith("/content") and len(cuts) < 2:
            cuts.append(call)
            # Once in the middle of a line and with the length; once after a line, without.
            whole = reaction.body
            if len(cuts) == 1:
                return Reaction(whole, written=len(whole) // 2)
            return Reaction(whole[: whole.index(b"\n") + 1], sized=False)
        return reaction

    assert len(texts(ask(react, folder, map(request, range(5))))) == 5
    assert len(cuts) == 2


def test_an_api_that_is_silent_while_the_batch_goes_on_loses_nothing(desk, folder, monkeypatch):
    monkeypatch.setattr(batch_waiting, "FRUITLESS_POLLS", 2)
    silent = True

    def react(call):
        return refused(503, "maintenance") if silent and "/batches/" in call.path else desk(call)

    outcomes = ask(react, folder, map(request, range(3)), retries=1)
    (record,) = records(folder)
    assert {outcome.reason for outcome in outcomes} == {
        "batch batch-2 was handed over, and its answers cannot be had now: 2 attempts, the last: server error 503: "
        f"maintenance; run again to fetch them, or delete {folder / 'batches' / record} to ask again"
    }
    silent = False
    assert len(texts(ask(react, folder, map(request, range(3)), settings=None))) == 3
    assert set(desk.asked.values()) == {1}
    assert records(folder) == []


# ---- restarts ----

KILLED = """
    import base64, json, sys
    sys.path[:0] = json.loads(sys.argv[1])
    from afterimage.contract.model import model_of
    from afterimage.models.interface import Image, Message, Request
    from afterimage.models.openai_compatible import load
    image = Image(base64.b64decode(sys.argv[3]), "0" * 64)
    turns = ((Message("user", (image, f"Question {n}")),) for n in range(6))
    requests = (Request(n, messages) for n, messages in enumerate(turns))
    for outcome in load(model_of(*json.loads(sys.argv[2])), "s")(requests):
        print(outcome.number, flush=True)
"""


def start(folder, url):
    """Ask six questions in a process of its own."""
    own = entry(url, folder, poll_seconds=0.05)
    asked = json.dumps([own.name, own.answering(), own.asking(1)])
    image = base64.b64encode(PNG).decode()
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(KILLED), json.dumps(sys.path), asked, image],
        stdout=subprocess.PIPE,
    )


def wait_until(condition):
    deadline = time.monotonic() + 240
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_after_kill_9_the_running_batch_is_found_and_nothing_is_handed_over_twice(desk, folder):
    desk.polls = 10**9
    with LoopbackApi(desk) as api:
        process = start(folder, api.url)
        wait_until(lambda: desk.calls.count("GET /v1/batches/batch-2") >= 2)
        process.kill()
        process.wait()
        assert len(records(folder)) == 1
        desk.polls = 1
        again = load(entry(api.url, folder), "s")
        outcomes = list(again(map(request, range(6))))
    assert sorted(texts(outcomes)) == [f"answer to Question {number}" for number in range(6)]
    assert desk.calls.count("POST /v1/batches") == desk.calls.count("POST /v1/files") == 1
    assert records(folder) == []


@pytest.mark.parametrize("at", ["POST /v1/files", "POST /v1/batches"])
@pytest.mark.parametrize("arrived", [True, False])
def test_after_kill_9_while_handing_over_there_is_one_batch_in_the_end(desk, folder, at, arrived):
    """The process is killed while it waits for the API's answer, which has or has not done its part."""
    process = None
    killed = []

    def react(call):
        if f"{call.method} {call.path}" == at and not killed:
            if arrived:
                desk(call)
            killed.append(call)
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
            return Reaction(b"", written=-1)
        return desk(call)

    with LoopbackApi(react) as api:
        process = start(folder, api.url)
        process.wait()
        assert len(killed) == 1
        outcomes = list(load(entry(api.url, folder), "s")(map(request, range(6))))
    assert len(texts(outcomes)) == 6
    assert set(desk.asked.values()) == {1}
    assert records(folder) == []


def test_with_other_shards_each_job_takes_its_own_answers_out_of_the_old_batch(desk, folder):
    desk.polls = 10**9
    with LoopbackApi(desk) as api:
        process = start(folder, api.url)
        wait_until(lambda: desk.calls.count("GET /v1/batches/batch-2") >= 1)
        process.kill()
        process.wait()
        desk.polls = 1
        first = list(load(entry(api.url, folder), "s")(map(request, (4, 0))))
        assert len(records(folder)) == 1
        # One of these was never asked.
        second = list(load(entry(api.url, folder), "s")(map(request, (1, 2, 3, 5, 6))))
    assert {outcome.number: outcome.text for outcome in first + second} == {
        number: f"answer to Question {number}" for number in range(7)
    }
    assert set(desk.asked.values()) == {1}
    assert records(folder) == []


def journaled(folder, api_entry, requests):
    """Ask as an inference job does: every answer is recorded before the next is taken."""
    who = answerer_of(api_entry, (*NEUTRAL_SETTINGS, "repeats"))
    with Journalist(folder, who) as journalist:
        for outcome in load(api_entry, "s")(requests):
            journalist.record(request(outcome.number).sha256, outcome)
            yield outcome


def test_a_withdrawn_answer_is_asked_again_even_if_a_job_was_killed_while_it_fetched(desk, folder):
    with LoopbackApi(desk) as api:
        fetching = journaled(folder, entry(api.url, folder), map(request, range(6)))
        taken = {f"{request(next(fetching).number).sha256}-0" for _ in range(2)}
        # As a kill would leave it: two answers are in the journal, and the record knows nothing of it.
        fetching.close()
        assert len(records(folder)) == 1
        assert refresh(folder) == 2
        outcomes = list(load(entry(api.url, folder), "s")(map(request, range(6))))
    assert len(texts(outcomes)) == 6
    assert {name for name, times in desk.asked.items() if times == 2} == taken
    assert set(desk.asked.values()) == {1, 2}
    assert records(folder) == []


def test_a_job_waits_for_another_one_that_is_handing_the_same_over(desk, folder):
    """What a living job is about to hand over is neither taken for abandoned nor handed over again."""
    with LoopbackApi(desk) as api:
        asked = entry(api.url, folder)
        batches = BatchFolder(folder / "batches")
        who = answerer_of(asked, (*NEUTRAL_SETTINGS, "repeats")).header()
        record = replace(batches.new(who), custom_ids=(custom_id(request(0), 0),))
        file = batches.writing(record.token)
        batches.write(record)
        outcomes = []
        asking = threading.Thread(
            target=lambda: outcomes.extend(load(asked, "s")([request(0), request(1)]))
        )
        asking.start()
        time.sleep(0.5)
        assert asking.is_alive()
        assert desk.calls == []
        # The other job succeeds.
        line = request_line(record.custom_ids[0], "some-model", request(0), asked.settings, 0)
        desk.files["file-in-other"] = line
        body = {
            "endpoint": "/v1/chat/completions",
            "completion_window": "24h",
            "input_file_id": "file-in-other",
            "metadata": {"afterimage": record.token},
        }
        made = json.loads(desk(Call("/v1/batches", {}, body, 0.0)).body)
        batches.write(replace(record, file_id="file-in-other", batch_id=made["id"]))
        file.close(keep=False)
        asking.join(timeout=240)
    assert sorted(texts(outcomes)) == ["answer to Question 0", "answer to Question 1"]
    assert set(desk.asked.values()) == {1}
    assert records(folder) == []


def test_a_batch_of_other_settings_answers_nothing(desk, folder):
    desk.polls = 10**9
    with LoopbackApi(desk) as api:
        process = start(folder, api.url)
        wait_until(lambda: desk.calls.count("GET /v1/batches/batch-2") >= 1)
        process.kill()
        process.wait()
        desk.polls = 1
        warm = entry(api.url, folder, {"temperature": 1})
        assert len(texts(list(load(warm, "s")(map(request, range(6)))))) == 6
    assert set(desk.asked.values()) == {2}
    assert len(records(folder)) == 1


def test_what_a_killed_job_had_not_handed_over_is_removed(desk, folder):
    (folder / "batches").mkdir(parents=True)
    (folder / "batches" / "20250101T000000.000000Z-0.requests.jsonl").write_bytes(b"{}\n")
    ask(desk, folder, [request(0)])
    assert records(folder) == []


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (
            '{"afterimage_batch": 2}',
            "a record of version 2; this Afterimage reads and writes version 1",
        ),
        ("oops", "not a record of a batch under way"),
    ],
)
def test_a_record_that_cannot_be_read_is_one_sentence(desk, folder, content, sentence):
    (folder / "batches").mkdir(parents=True)
    (folder / "batches" / "x.json").write_text(content)
    with pytest.raises(AfterimageError, match=f"x.json: {sentence}"):
        ask(desk, folder, [request(0)])
    assert desk.calls == []


def test_a_folder_that_cannot_be_written_is_one_sentence_before_anything_is_asked(desk, folder):
    folder.parent.mkdir()
    folder.write_text("a file")
    with pytest.raises(AfterimageError, match="cannot be written"):
        ask(desk, folder, [request(0)])
    assert desk.calls == []


# ---- cost ----


def spent(desk, batch_price=0.5):
    answers = sum(batch["request_counts"]["completed"] for batch in desk.batches.values())
    return answers * (400 * 0.01 + 5 * 0.02) * batch_price


@pytest.mark.parametrize("most", [3.0, 9.0, 30.0])
def test_max_cost_is_kept_at_half_the_price_and_the_rest_is_named(desk, folder, most):
    outcomes = ask(desk, folder, map(request, range(40)), max_cost=most, **PRICES)
    assert spent(desk) <= most
    answered = [outcome for outcome in outcomes if isinstance(outcome, Reply)]
    # One costs 2.05, and up to 2.5 before its answer has shown how short it is.
    assert len(answered) >= int((most - 3) / 2.05) + 1
    reasons = {outcome.reason for outcome in outcomes if isinstance(outcome, Failure)}
    assert reasons
    assert all(reason.startswith("not asked: this request may cost ") for reason in reasons)
    # The first alone shows what an image costs.
    assert len(desk.uploads[0]) == 1


def test_a_price_far_above_the_estimate_exceeds_max_cost_by_no_more_than_the_first_answer(folder):
    desk = BatchDesk(lambda body: completion("x", usage=(20_000, 5)))
    ask(desk, folder, map(request, range(40)), max_cost=450, **PRICES)
    # 100.05 each.
    answers = sum(batch["request_counts"]["completed"] for batch in desk.batches.values())
    assert answers == 4


def test_enough_money_answers_everything(desk, folder):
    outcomes = ask(desk, folder, map(request, range(40)), max_cost=110, **PRICES)
    assert len(texts(outcomes)) == 40
    assert spent(desk) == pytest.approx(82)


def test_an_earlier_batch_counts_towards_max_cost(desk, folder):
    desk.polls = 10**9
    with LoopbackApi(desk) as api:
        process = start(folder, api.url)
        wait_until(lambda: desk.calls.count("GET /v1/batches/batch-2") >= 1)
        process.kill()
        process.wait()
        desk.polls = 1
        rich = entry(api.url, folder, max_cost=16, **PRICES)
        outcomes = list(load(rich, "s")(map(request, range(20))))
    answered = {outcome.number for outcome in outcomes if isinstance(outcome, Reply)}
    assert set(range(6)) <= answered
    assert spent(desk) <= 16
    assert len(answered) < 20


# ---- bad input ----


def test_without_a_folder_it_is_one_sentence():
    lacking = entry("http://127.0.0.1:9/v1", Path("x"), batches=None)
    with pytest.raises(AfterimageError, match="client key 'mode' is 'batch', which works in jobs"):
        load(lacking, "s")


def test_an_unreachable_api_is_one_sentence_for_each_request(folder):
    with LoopbackApi(lambda call: completion("x")) as api:
        url = api.url
    outcomes = list(load(entry(url, folder, retries=1), "s")(map(request, range(3))))
    assert len(outcomes) == 3
    assert {outcome.reason.partition(" (")[0] for outcome in outcomes} == {
        "the batch could not be handed over: 2 attempts, the last: connection failed"
    }


def test_the_key_is_in_no_outcome_no_record_and_no_log(folder, monkeypatch, caplog):
    monkeypatch.setenv("SOME_KEY", KEY)
    seen = []
    desk = BatchDesk(lambda body: refused(400, f"bad key {KEY}"))

    def react(call):
        seen.append(call.headers["authorization"])
        if len(seen) == 1:
            return refused(500, f"upstream said: Bearer {KEY}")
        for record in (folder / "batches").iterdir():
            assert KEY.encode() not in record.read_bytes()
        return desk(call)

    with caplog.at_level("DEBUG"):
        (failure,) = ask(react, folder, [request(0)], {"api_key_env": "SOME_KEY"})
    assert failure.reason == "HTTP status 400: bad key [key]"
    assert set(seen) == {f"Bearer {KEY}"}
    assert KEY not in caplog.text
