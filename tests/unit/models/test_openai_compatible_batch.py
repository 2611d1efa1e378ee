"""Batches beyond their forms: what is handed over once, taken out of older ones, waited for, and may cost."""

import json
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest
from faulty_model import SETTINGS
from loopback_api import Call, LoopbackApi, completion, refused
from loopback_batches import FileDesk

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

PRICES = {"price_per_million_input": 10_000, "price_per_million_output": 20_000}
# Width and height stand where every PNG has them.
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (100).to_bytes(4) * 2 + b"\x08\x02" + bytes(40)


def request(number, repeats=(0,)):
    parts = (Image(PNG, "0" * 64), f"Question {number}")
    return Request(number, (Message("user", parts),), repeats=repeats)


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    monkeypatch.setattr(batch_api, "FIRST_WAIT_SECONDS", 0.01)


@pytest.fixture
def desk():
    return FileDesk()


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


def ask(react, folder, requests, settings=None, **client):
    """Ask; return outcomes in the order of the requests."""
    with LoopbackApi(react) as api:
        answer = load(entry(api.url, folder, settings, **client), "illusion_vqa")
        outcomes = list(answer(requests))
    return sorted(outcomes, key=lambda outcome: (outcome.number, getattr(outcome, "repeat", 0)))


def records(folder):
    return sorted(path.name for path in (folder / "batches").iterdir())


def texts(outcomes):
    return [outcome.text for outcome in outcomes]


# ---- what is handed over ----


def test_an_image_stands_before_its_question(desk, folder):
    ask(desk, folder, [request(7)])
    ((line,),) = desk.uploads
    image, text = line["body"]["messages"][0]["content"]
    assert image["image_url"]["url"].startswith("data:image/png;base64,iVBORw0KGgo")
    assert text["text"] == "Question 7"


def test_each_repeat_is_a_request_of_its_own_with_its_own_seed(desk, folder):
    outcomes = ask(desk, folder, [request(0, (1, 3)), request(1)], settings={"seed": 10})
    assert [(reply.number, reply.repeat) for reply in outcomes] == [(0, 1), (0, 3), (1, 0)]
    (upload,) = desk.uploads
    assert {line["custom_id"]: line["body"]["seed"] for line in upload} == {
        f"{request(0).sha256}-1": 11,
        f"{request(0).sha256}-3": 13,
        f"{request(1).sha256}-0": 10,
    }


def test_a_file_of_requests_is_no_larger_than_the_api_takes(desk, folder, monkeypatch):
    ask(desk, folder, map(request, range(7)))
    (content,) = desk.files.values()
    size = max(map(len, content.splitlines(keepends=True)))
    monkeypatch.setattr(batch_api.BatchApi, "max_bytes", 3 * size)
    desk.files.clear()
    assert len(texts(ask(desk, folder, map(request, range(7, 10))))) == 3
    assert len(texts(ask(desk, folder, map(request, range(7))))) == 7
    assert [len(upload) for upload in desk.uploads] == [3, 3, 3, 1]


def test_nothing_is_handed_over_where_nothing_is_asked(desk, folder):
    assert ask(desk, folder, []) == []
    assert desk.calls == []


def test_after_a_refusal_no_further_batch_is_tried(folder, monkeypatch):
    monkeypatch.setattr(batch_api.BatchApi, "max_requests", 2)
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


# ---- batches that an earlier job has left under way ----


@pytest.fixture
def leave(desk, folder, monkeypatch):
    """Hand six questions over and go before they are answered, as a job does that is killed."""

    def left(api):
        desk.polls = 10**9
        with monkeypatch.context() as impatiently:
            impatiently.setattr(batch_waiting, "LONGEST_BATCH_SECONDS", 0.2)
            outcomes = list(load(entry(api.url, folder), "s")(map(request, range(6))))
        assert all(isinstance(outcome, Failure) for outcome in outcomes)
        assert len(records(folder)) == 1
        desk.polls = 1

    return left


def test_with_other_shards_each_job_takes_its_own_answers_out_of_the_old_batch(desk, folder, leave):
    with LoopbackApi(desk) as api:
        leave(api)
        first = list(load(entry(api.url, folder), "s")(map(request, (4, 0))))
        assert len(records(folder)) == 1
        # One of these was never asked.
        second = list(load(entry(api.url, folder), "s")(map(request, (1, 2, 3, 5, 6))))
    assert {outcome.number: outcome.text for outcome in first + second} == {
        number: f"answer to Question {number}" for number in range(7)
    }
    assert set(desk.asked.values()) == {1}
    assert records(folder) == []


def test_a_batch_of_other_settings_answers_nothing(desk, folder, leave):
    with LoopbackApi(desk) as api:
        leave(api)
        warm = entry(api.url, folder, {"temperature": 1})
        assert len(texts(list(load(warm, "s")(map(request, range(6)))))) == 6
    assert set(desk.asked.values()) == {2}
    assert len(records(folder)) == 1


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
        taken = {f"Question {next(fetching).number}" for _ in range(2)}
        # As a kill would leave it: two answers are in the journal, and the record knows nothing of it.
        fetching.close()
        assert len(records(folder)) == 1
        assert refresh(folder) == 2
        outcomes = list(load(entry(api.url, folder), "s")(map(request, range(6))))
    assert len(texts(outcomes)) == 6
    assert {question for question, times in desk.asked.items() if times == 2} == taken
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
        host = api.url.split("/")[2]
        made = json.loads(desk(Call("/v1/batches", {"host": host}, body, 0.0)).body)
        batches.write(replace(record, file_id="file-in-other", batch_id=made["id"]))
        file.close(keep=False)
        asking.join(timeout=240)
    assert sorted(texts(outcomes)) == ["answer to Question 0", "answer to Question 1"]
    assert set(desk.asked.values()) == {1}
    assert records(folder) == []


def test_what_a_killed_job_had_not_handed_over_is_removed(desk, folder):
    (folder / "batches").mkdir(parents=True)
    (folder / "batches" / "20250101T000000.000000Z-0.requests.jsonl").write_bytes(b"{}\n")
    ask(desk, folder, [request(0)])
    assert records(folder) == []


# ---- cost ----


def spent(desk, batch_price=0.5):
    answers = sum(len(desk.became(name)) for name in desk.batches)
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


def test_a_price_far_above_the_estimate_exceeds_max_cost_by_no_more_than_the_first_answer(
    desk, folder
):
    desk.said = lambda question: desk.saying(question, usage=(20_000, 5))
    ask(desk, folder, map(request, range(40)), max_cost=450, **PRICES)
    # 100.05 each.
    assert sum(desk.asked.values()) == 4


def test_enough_money_answers_everything(desk, folder):
    outcomes = ask(desk, folder, map(request, range(40)), max_cost=110, **PRICES)
    assert len(texts(outcomes)) == 40
    assert spent(desk) == pytest.approx(82)


def test_an_earlier_batch_counts_towards_max_cost(desk, folder, leave):
    with LoopbackApi(desk) as api:
        leave(api)
        rich = entry(api.url, folder, max_cost=16, **PRICES)
        outcomes = list(load(rich, "s")(map(request, range(20))))
    answered = {outcome.number for outcome in outcomes if isinstance(outcome, Reply)}
    assert set(range(6)) <= answered
    assert spent(desk) <= 16
    assert len(answered) < 20


# ---- bad input ----


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
