"""One inference job: a row for every item, answered or not; those without answer are to be asked again."""

import re
import sys
import time
from types import ModuleType

import pytest
from asked_items import item

from afterimage.contract.model import Backend
from afterimage.errors import AfterimageError
from afterimage.files.attempts import begin_again, last_attempt
from afterimage.files.parquet import read_records, write_records
from afterimage.files.records import ITEM, RESPONSE
from afterimage.models.interface import Failure, Reply
from afterimage.stages import inference
from afterimage.stages.inference import run_model


@pytest.fixture
def ask(tmp_path, monkeypatch):
    """Run a backend, given as a function of requests, over five items."""
    write_records(tmp_path / "items.parquet", map(item, range(5)), ITEM)

    def run(answer, settings=None, starts_left=0, **declared):
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
            {"journal": tmp_path / "journal", "starts_left": starts_left},
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


def third_fails(requests):
    for request in requests:
        if request.number == 3:
            yield Failure(3, "server error 500")
        else:
            yield Reply(request.number, "Left.")


def test_a_failed_request_has_a_row_without_text_and_is_named(ask, tmp_path, caplog):
    rows = ask(third_fails)
    assert [row["text"] for row in rows] == ["Left.", "Left.", "Left.", None, "Left."]
    assert (rows[3]["answer_text"], rows[3]["finish_reason"]) == (None, "failed: server error 500")
    assert re.search(r"1 of 5 requests.*ebbinghaus_A_fake/3 \(server error 500\)", caplog.text)
    _, asked, failed, reason = last_attempt(tmp_path / "r.parquet")
    assert (asked, failed, reason) == (5, 1, "server error 500")


def test_each_attempt_with_failures_leaves_a_newer_file_and_one_without_leaves_none(ask, tmp_path):
    """Whatever Snakemake knows of the job: the file is newer than the answers, which it dates after the job."""
    found = []
    for answer in (third_fails, third_fails, answers, answers):
        begin_again(tmp_path.glob("r.again-*"))
        ask(answer, journaled=False)
        made_at = time.time() + 30
        newer = [path.name for path in tmp_path.glob("r.again-*") if path.stat().st_mtime > made_at]
        found.append(sorted(newer))
    assert found == [["r.again-1"], ["r.again-2"], [], []]
    assert last_attempt(tmp_path / "r.parquet")[::2] == (2, 0)


def test_a_file_that_has_answers_made_again_is_newer_though_other_shards_took_hours(
    ask, tmp_path, monkeypatch
):
    def hours(*_):
        begin_again(tmp_path.glob("r.again-*"))

    monkeypatch.setattr(inference, "_ask_pending", hours)
    ask(third_fails)
    assert (tmp_path / "r.again-1").stat().st_mtime > time.time() + 30


def test_while_the_job_is_started_again_missing_answers_are_an_error_and_leave_no_note(
    ask, tmp_path
):
    with pytest.raises(AfterimageError, match=r"^1 of 5 answers .* is started up to 2 times more"):
        ask(third_fails, starts_left=2)
    assert not list(tmp_path.glob("r.a*"))
    assert ask(third_fails, starts_left=0)[3]["text"] is None


def test_where_nothing_ever_failed_there_is_no_note(ask, tmp_path):
    ask(answers)
    assert last_attempt(tmp_path / "r.parquet").number == 0
    assert not list(tmp_path.glob("r.a*"))


def answers(requests):
    return (Reply(request.number, "Left.") for request in requests)


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (AfterimageError("the key is not set."), "the key is not set."),
        (RuntimeError("secret"), "unexpected error (RuntimeError; the job's log has it)"),
    ],
)
def test_a_model_that_breaks_down_keeps_its_answers_and_fails_for_the_rest(ask, error, reason):
    def breaks(requests):
        yield from (Reply(r.number, "Left.") for r in list(requests)[:2])
        raise error

    rows = ask(breaks)
    assert [row["text"] for row in rows] == ["Left."] * 2 + [None] * 3
    assert {row["finish_reason"] for row in rows[2:]} == {f"failed: {reason}"}


def test_what_answers_from_code_may_not_break_down(ask):
    def breaks(requests):
        raise RuntimeError("a fault of the package")

    with pytest.raises(RuntimeError, match="a fault of the package"):
        ask(breaks, journaled=False)


def test_a_request_that_a_backend_forgets_is_noticed(ask):
    rows = ask(lambda requests: (Reply(r.number, "Left.") for r in list(requests)[:3]))
    assert [row["finish_reason"] for row in rows[3:]] == ["failed: the backend left it out"] * 2


def test_a_real_model_sees_messages_and_images_and_nothing_beside_them(ask):
    seen = []

    def record(requests):
        for request in requests:
            seen.append(request)
            yield Reply(request.number, "Left.")

    ask(record)
    assert seen[0].metadata is None
    shown = repr(seen)
    assert not any(
        word in shown for word in ("ebbinghaus", "fake", "illusion_vqa", "left", "zero_shot")
    )


def test_a_reference_responder_that_declares_it_reads_the_metadata_of_the_item(ask):
    seen = []

    def record(requests):
        for request in requests:
            seen.append(request.metadata)
            yield Reply(request.number, "Left.")

    ask(record, reads_metadata=True, journaled=False)
    assert seen[0]["figure"] == "ebbinghaus"
    assert "key" not in seen[0]
