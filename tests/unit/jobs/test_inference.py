"""One inference job: every item answered, or no file."""

import sys
from types import ModuleType

import pytest

from afterimage.contract.backend import Backend
from afterimage.errors import AfterimageError
from afterimage.files.item import ITEM
from afterimage.files.parquet import read_records, write_records
from afterimage.files.response import RESPONSE
from afterimage.jobs.inference import run_model
from afterimage.models.interface import Failure, Reply


def item(number):
    return {
        "item_id": f"ebbinghaus_A_fake/{number}",
        "suite": "illusion_vqa",
        "stimulus_id": "ebbinghaus_A_fake",
        "figure": "ebbinghaus",
        "prompt": "zero_shot",
        "question": "actual",
        "messages": [
            {
                "role": "user",
                "parts": [
                    {"type": "image", "text": None, "image": 0},
                    {"type": "text", "text": f"Question {number}", "image": None},
                ],
            }
        ],
        "images": [{"pixels_sha256": "1" * 64, "png": b"pixels"}],
        "answer_type": "choice",
        "options": [{"option_id": "left", "text": "Left."}, {"option_id": "same", "text": "Same."}],
        "key": "left",
        "factors": {"condition": "fake"},
    }


@pytest.fixture
def ask(tmp_path, monkeypatch):
    """Run a backend, given as a function of requests, over five items."""
    write_records(tmp_path / "items.parquet", map(item, range(5)), ITEM)

    def run(answer, settings=None, **declared):
        backend = ModuleType("afterimage.models.scripted")
        backend.BACKEND = Backend(lambda entry, part: answer, **declared)
        monkeypatch.setitem(sys.modules, "afterimage.models.scripted", backend)
        entry = {
            "backend": "scripted",
            "model_id": "m",
            "revision": None,
            "settings": settings or {"b": 1, "a": 2},
        }
        run_model(
            {"suite": "illusion_vqa", "model": "m", "entry": entry},
            {"shards": [tmp_path / "items.parquet"]},
            {"responses": tmp_path / "r.parquet"},
            {"journal": tmp_path / "journal"},
        )
        return list(read_records(tmp_path / "r.parquet", RESPONSE))

    return run


def test_answers_that_come_in_another_order_stay_with_their_items(ask):
    def backwards(requests):
        for request in reversed(list(requests)):
            yield Reply(request.number, request.messages[0].text)

    rows = ask(backwards)
    assert [row["text"] for row in rows] == [f"Question {number}" for number in range(5)]
    assert [row["item_id"][-1] for row in rows] == list("01234")
    assert rows[0]["settings"] == '{"a": 2, "b": 1}'


def test_an_empty_answer_is_an_answer(ask):
    rows = ask(lambda requests: (Reply(request.number, "", "length") for request in requests))
    assert {(row["text"], row["finish_reason"]) for row in rows} == {("", "length")}


def test_repeats_of_a_request_are_kept_apart(ask):
    def twice(requests):
        for request in requests:
            yield Reply(request.number, "second", repeat=1)
            yield Reply(request.number, "first", repeat=0)

    rows = ask(twice, settings={"repeats": 2})
    assert [(row["repeat"], row["text"]) for row in rows][:2] == [(0, "first"), (1, "second")]


def test_a_backend_is_told_which_repeats_to_give(ask):
    told = []

    def all_repeats(requests):
        for request in requests:
            told.append(request.repeats)
            yield from (Reply(request.number, "Left.", repeat=n) for n in request.repeats)

    ask(all_repeats, settings={"repeats": 3})
    assert told == [(0, 1, 2)] * 5


def test_the_version_that_a_backend_found_out_stands_in_the_responses(ask):
    def versioned(requests):
        for request in requests:
            yield Reply(request.number, "Left.", revision=None if request.number else "0a1b2c")

    revisions = [row["revision"] for row in ask(versioned)]
    assert revisions == ["0a1b2c", None, None, None, None]


def test_a_repeat_that_nobody_asked_for_is_an_error(ask):
    with pytest.raises(AfterimageError, match=r"answer number 1 .* that were asked for: 0\."):
        ask(lambda requests: (Reply(request.number, "more", repeat=1) for request in requests))


def test_a_failed_request_writes_no_file_and_is_named(ask, tmp_path):
    def third_fails(requests):
        for request in requests:
            if request.number == 3:
                yield Failure(3, "server error 500")
            else:
                yield Reply(request.number, "Left.")

    with pytest.raises(
        AfterimageError, match=r"1 of 5 requests.*ebbinghaus_A_fake/3 \(server error 500\)"
    ):
        ask(third_fails)
    assert not (tmp_path / "r.parquet").exists()


def test_a_request_that_a_backend_forgets_is_noticed(ask):
    with pytest.raises(AfterimageError, match=r"2 of 5 requests.*left it out"):
        ask(lambda requests: (Reply(r.number, "Left.") for r in list(requests)[:3]))


def test_a_real_model_sees_messages_and_images_and_nothing_beside_them(ask):
    seen = []

    def record(requests):
        for request in requests:
            seen.append(request)
            yield Reply(request.number, "Left.")

    ask(record)
    assert seen[0].beside is None
    shown = repr(seen)
    assert not any(
        word in shown for word in ("ebbinghaus", "fake", "illusion_vqa", "left", "zero_shot")
    )


def test_a_reference_responder_that_declares_it_reads_beside_the_request(ask):
    seen = []

    def record(requests):
        for request in requests:
            seen.append(request.beside)
            yield Reply(request.number, "Left.")

    ask(record, reads_beside=True, journaled=False)
    assert seen[0]["figure"] == "ebbinghaus"
    assert "key" not in seen[0]
