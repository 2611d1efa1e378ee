"""Batches of every form under the worst of faults: no answer is lost, asked for twice, or taken for another's."""

import gzip
import json
import os
import signal
import subprocess
import sys
import textwrap
import zlib
from collections import Counter
from dataclasses import replace

import pytest
from batch_asking import DESKS, IN_LINES, answers, ask, expected, records
from faulty_model import entry, journal_of, request
from loopback_api import LoopbackApi, Reaction, refused
from loopback_batches import KEY, FileDesk, shown
from loopback_other_batches import GeminiDesk

from afterimage.models.interface import Reply
from afterimage.models.journaling.entries import Answerer, encode, header_line
from afterimage.models.openai_compatible import batch_api, batch_gemini, batch_waiting, load
from afterimage.models.openai_compatible.batch_anthropic import MessageBatches
from afterimage.models.openai_compatible.batch_api import BatchApi, bounded_lines
from afterimage.models.openai_compatible.batch_gemini import GeminiBatches
from afterimage.models.openai_compatible.batch_records import BatchFolder, forget_recorded

MAX_BYTES = 100 * 2**20


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    monkeypatch.setattr(batch_api, "FIRST_WAIT_SECONDS", 0.01)


@pytest.fixture(params=DESKS)
def desk(request, monkeypatch):
    kind, inline = DESKS[request.param]
    if inline is not None:
        monkeypatch.setattr(batch_gemini, "_INLINE_REQUESTS", inline)
    return kind()


in_lines = pytest.mark.parametrize("desk", IN_LINES, indirect=True)
of_openai = pytest.mark.parametrize("desk", ["openai"], indirect=True)


# ---- what is handed over, what comes back ----


def test_each_request_gets_its_own_answer_with_its_tokens(desk, tmp_path):
    asking, _ = ask(desk, tmp_path, 20)
    assert (answers(asking), asking.failures) == (expected(*range(20)), {})
    replies = [replies[0] for replies in asking.replies.values()]
    assert {(reply.prompt_tokens, reply.completion_tokens) for reply in replies} == {(400, 5)}
    assert {(reply.revision, reply.latency_seconds) for reply in replies} == {(None, None)}
    assert records(tmp_path) == []


def test_more_than_a_batch_holds_goes_out_in_several(desk, tmp_path, monkeypatch):
    for kind in (BatchApi, MessageBatches, GeminiBatches):
        monkeypatch.setattr(kind, "max_requests", 8)
    asking, _ = ask(desk, tmp_path, 20)
    assert answers(asking) == expected(*range(20))
    assert [len(batch["requests"]) for batch in desk.batches.values()] == [8, 8, 4]


# ---- what fails ----


def test_single_failures_fail_alone_with_the_apis_words_and_are_asked_again(desk, tmp_path):
    bad = ("Question 2", "Question 5")
    desk.said = lambda question: (
        desk.failing("bad image") if question in bad else desk.saying(question)
    )
    asking, api = ask(desk, tmp_path, 8)
    reason = "HTTP status 400: bad image" if desk.form == "openai" else "bad image"
    assert asking.failures == {2: reason, 5: reason}
    desk.said = desk.saying
    again, _ = ask(desk, tmp_path, 8, api.port)
    assert answers(again) == expected(*range(8))
    assert sorted(desk.asked.values()) == [1] * 6 + [2] * 2
    assert records(tmp_path) == []


@pytest.mark.parametrize("ending", range(3))
def test_of_a_batch_that_ends_early_the_answers_count_and_only_the_rest_is_asked_again(
    desk, tmp_path, ending
):
    desk.ended = desk.endings[ending]
    desk.answered = lambda question: question in ("Question 0", "Question 3")
    asking, api = ask(desk, tmp_path, 5)
    assert answers(asking) == expected(0, 3)
    assert sorted(asking.failures) == [1, 2, 4]
    assert all(desk.ended in reason for reason in asking.failures.values())
    desk.answered = lambda question: True
    again, _ = ask(desk, tmp_path, 5, api.port)
    assert answers(again) == expected(*range(5))
    assert sorted(desk.asked.values()) == [1, 1, 2, 2, 2]
    assert records(tmp_path) == []


def rejecting_openai():
    desk = FileDesk()
    desk.ended = "failed"
    desk.errors = [{"line": 3, "code": "invalid", "message": "max_tokens is too large"}]
    return desk, desk, "failed (line 3: max_tokens is too large)"


def rejecting_gemini():
    desk = GeminiDesk()

    def react(call):
        reaction = desk(call)
        if desk.kinds(call) != "state":
            return reaction
        state = json.loads(reaction.body)
        state["metadata"]["state"] = "BATCH_STATE_FAILED"
        state.pop("response", None)
        return shown({**state, "error": {"code": 8, "message": "no quota"}})

    return desk, react, "failed (no quota)"


@pytest.mark.parametrize("rejecting", [rejecting_openai, rejecting_gemini])
def test_a_batch_that_the_api_rejects_says_why_for_each_request_and_is_asked_again(
    rejecting, tmp_path
):
    desk, react, words = rejecting()
    asking, api = ask(desk, tmp_path, 3, react=react)
    (reason,) = set(asking.failures.values())
    assert reason.endswith(f"has ended without an answer to it: {words}")
    desk.ended = "expired"
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


def test_a_batch_whose_confirmation_was_lost_is_found_and_not_made_twice(desk, tmp_path):
    lost = []

    def react(call):
        reaction = desk(call)
        if desk.kinds(call) != "create" or lost:
            return reaction
        lost.append(call)
        return Reaction(reaction.body, written=10)

    asking, api = ask(desk, tmp_path, 5, react=react)
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


@pytest.mark.parametrize("desk", ["anthropic"], indirect=True)
def test_a_batch_of_another_job_is_not_taken_for_the_lost_one(desk, tmp_path):
    """As many requests, at the same time, of the same content: of another model, say."""
    desk.polls = 0
    ask(desk, tmp_path / "other", 5)
    met = []

    def react(call):
        if desk.kinds(call) == "create" and not met:
            met.append(call)
            return Reaction(b"", written=-1)
        return desk(call)

    asking, _ = ask(desk, tmp_path / "own", 5, react=react)
    assert (answers(asking), asking.failures) == (expected(*range(5)), {})
    assert len(desk.batches) == 2
    # It was looked into, and is another's.
    assert desk.calls.count("results") == 3


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


def changed(line, **fields):
    return json.dumps({**json.loads(line), **fields}).encode()


SPOILT = {
    "twice": lambda lines: [line for line in lines for _ in range(2)],
    "out of order": lambda lines: [*lines[1::2], *lines[::2]],
    "for other ids": lambda lines: [
        *(changed(lines[0], custom_id=name, key=name) for name in ("x", None, 7, [])),
        *lines,
    ],
    "nonsense between": lambda lines: [b"[]", b"\xff\xfe", b"null", b"[" * 100_000, b"", *lines],
    "line ends of Windows": lambda lines: [line + b"\r" for line in lines],
    "statuses as texts": lambda lines: [line.replace(b": 200", b': "200"') for line in lines],
    "bytes that are no UTF-8": lambda lines: [
        line.replace(b"{", b'{"x": "\xe9", ', 1) for line in lines
    ],
}


@in_lines
@pytest.mark.parametrize("spoil", SPOILT.values(), ids=SPOILT)
def test_rows_that_come_twice_out_of_order_or_for_others_change_no_answer(spoil, desk, tmp_path):
    desk.spoil = spoil
    asking, _ = ask(desk, tmp_path, 6)
    assert (answers(asking), asking.failures) == (expected(*range(6)), {})
    assert records(tmp_path) == []


NO_ANSWERS = {
    "openai": [
        {"response": None},
        {"response": None, "error": {"message": "overloaded"}},
        {"error": "overloaded"},
        {"response": {"status_code": 200}},
        {"response": [1]},
        {"response": {"status_code": "200", "body": {}}},
        {
            "response": {
                "status_code": 200,
                "body": {
                    "choices": [{"message": {"content": None}, "finish_reason": "tool_calls"}]
                },
            }
        },
    ],
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
    "gemini file": [
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


@pytest.mark.parametrize(
    ("desk", "fields"),
    [(form, fields) for form, rows in NO_ANSWERS.items() for fields in rows],
    indirect=["desk"],
)
def test_rows_that_hold_no_answer_fail_alone_and_are_asked_again(desk, fields, tmp_path):
    desk.spoil = lambda lines: [changed(lines[0], **fields), *lines[1:]]
    asking, api = ask(desk, tmp_path, 3)
    assert answers(asking) == expected(0, 1)
    assert list(asking.failures) == [2]
    desk.spoil = lambda lines: lines
    again, _ = ask(desk, tmp_path, 3, api.port)
    assert answers(again) == expected(0, 1, 2)
    assert sorted(desk.asked.values()) == [1, 1, 2]


@of_openai
def test_an_answer_behind_a_failure_of_the_same_request_is_fetched_by_the_next_run(desk, tmp_path):
    desk.spoil = lambda lines: [changed(lines[0], response=None, error="busy"), *lines]
    asking, api = ask(desk, tmp_path, 2)
    assert (answers(asking), list(asking.failures)) == (expected(0), [1])
    desk.spoil = lambda lines: lines
    again, _ = ask(desk, tmp_path, 2, api.port)
    assert answers(again) == expected(0, 1)
    assert set(desk.asked.values()) == {1}


@in_lines
def test_a_row_that_is_too_long_fails_alone_and_is_fetched_later_with_more_room(desk, tmp_path):
    desk.said = lambda question: desk.saying("x" * 100_000 if "1" in question else question)
    asking, api = ask(desk, tmp_path, 3, max_response_mb=0.05)
    assert answers(asking) == expected(0, 2)
    assert "longer than client key 'max_response_mb' allows" in asking.failures[1]
    again, _ = ask(desk, tmp_path, 3, api.port, max_response_mb=1)
    assert len(answers(again)[1]) > 100_000
    assert set(desk.asked.values()) == {1}


@of_openai
def test_one_answer_for_two_requests_is_an_answer_to_the_first_alone(desk, tmp_path):
    names = iter([f"chatcmpl-{number:032x}" for number in (1, 2, 3, 2, 4, 5)])
    desk.said = lambda question: {**desk.saying(question), "id": next(names)}
    first, api = ask(desk, tmp_path, 5)
    (reason,) = first.failures.values()
    assert "came before, with another answer" in reason
    second, _ = ask(desk, tmp_path, 5, api.port)
    assert (answers(second), second.failures) == (expected(*range(5)), {})
    assert sum(desk.asked.values()) == 6


# ---- an API that does not come to an end ----


def test_an_api_that_is_silent_while_the_batch_goes_on_loses_nothing(desk, tmp_path, monkeypatch):
    monkeypatch.setattr(batch_waiting, "FRUITLESS_POLLS", 2)

    def react(call):
        return refused(503, "off") if desk.kinds(call) == "state" else desk(call)

    asking, api = ask(desk, tmp_path, 3, react=react)
    (record,) = records(tmp_path)
    (reason,) = set(asking.failures.values())
    batch, file = *desk.batches, journal_of(tmp_path) / "batches" / record
    assert reason == (
        f"batch {batch} was handed over, and its answers cannot be had now: 2 attempts, the last: server error 503: "
        f"off; run again to fetch them, or delete {file} to ask again"
    )
    again, _ = ask(desk, tmp_path, 3, api.port)
    assert answers(again) == expected(*range(3))
    assert set(desk.asked.values()) == {1}
    assert records(tmp_path) == []


def test_a_batch_that_never_ends_is_waited_for_so_long_and_fetched_later(
    desk, tmp_path, monkeypatch
):
    desk.polls = 10**9
    monkeypatch.setattr(batch_waiting, "LONGEST_BATCH_SECONDS", 0.2)
    asking, api = ask(desk, tmp_path, 2)
    assert "run again to fetch them" in asking.failures[0]
    desk.polls = 1
    again, _ = ask(desk, tmp_path, 2, api.port)
    assert answers(again) == expected(0, 1)
    assert set(desk.asked.values()) == {1}


def test_a_list_of_batches_without_end_is_not_read_for_ever(desk, tmp_path, monkeypatch):
    monkeypatch.setattr(batch_api, "MAX_PAGES", 5)
    made = 10**10 if desk.form == "openai" else "2999-01-01T00:00:00Z"
    pages = []

    def react(call):
        if desk.kinds(call) == "create":
            return Reaction(b"", 500)
        if desk.kinds(call) == "list":
            pages.append(call)
            batch = {"id": f"b{len(pages)}", "created_at": made, "name": "batches/b"}
            more = {"has_more": True, "nextPageToken": "x"}
            return shown({"data": [batch], "operations": [batch], **more})
        return desk(call)

    asking, _ = ask(desk, tmp_path, 1, react=react)
    assert "could not be handed over" in asking.failures[0]
    assert len(pages) == 5


@of_openai
@pytest.mark.parametrize("count", [None, "6", "many", 1.5, []])
def test_a_desk_that_counts_in_words_and_names_no_file_as_an_empty_text_is_believed_its_answers(
    count, desk, tmp_path
):
    said = {"request_counts": {"completed": count, "total": count}, "error_file_id": ""}

    def react(call):
        reaction = desk(call)
        if desk.kinds(call) == "state":
            return shown({**json.loads(reaction.body), **said})
        return reaction

    asking, _ = ask(desk, tmp_path, 6, react=react)
    assert (answers(asking), asking.failures) == (expected(*range(6)), {})


# ---- how much is read ----


def test_lines_are_bounded_wherever_the_pieces_end():
    text = b"one\n\n" + b"x" * 50 + b"\ntwo"
    whole = [b"one\n", b"too long\n", b"two\n"]
    for size in (1, 3, 7, 100):
        pieces = [text[at : at + size] for at in range(0, len(text), size)]
        assert list(bounded_lines(pieces, 10)) == whole


@in_lines
@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br"])
def test_packed_results_are_unpacked_or_refused(desk, tmp_path, encoding):
    pack = {"gzip": gzip.compress, "deflate": zlib.compress, "br": bytes}[encoding]

    def react(call):
        reaction = desk(call)
        if desk.kinds(call) == "results":
            return Reaction(pack(reaction.body), headers={"Content-Encoding": encoding}, sound=True)
        return reaction

    asking, _ = ask(desk, tmp_path, 2, react=react)
    if encoding == "br":
        assert "response packed as 'br'" in asking.failures[0]
    else:
        assert answers(asking) == expected(0, 1)


@pytest.fixture(scope="module")
def bomb():
    """1.5 GB, packed: a block that stands for a megabyte, over and over."""
    packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    first, block = (
        packer.compress(b"1" * 2**20) + packer.flush(zlib.Z_FULL_FLUSH) for _ in range(2)
    )
    return first + 1535 * block + packer.flush()


BOMBED = """
    import sys
    from pathlib import Path
    from faulty_model import entry, request
    from afterimage.models.openai_compatible import load

    def peak():
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM"))

    client = dict(mode="batch", batches=sys.argv[1], poll_seconds=0.01, retries=0)
    load(entry("{url}", **client))([request(0)])
    import afterimage.models.openai_compatible.batching, openai.resources
    before = peak()
    outcomes = list(load(entry("{url}", **client))([request(0)]))
    print(outcomes, file=sys.stderr)
    print(peak() - before)
"""


@of_openai
@pytest.mark.parametrize("kind", ["results", "state", "upload", "create"])
def test_a_bomb_costs_little_wherever_it_comes(bomb, desk, tmp_path, root, scripts, kind):
    def react(call):
        if desk.kinds(call) == kind:
            return Reaction(bomb, headers={"Content-Encoding": "gzip"})
        return desk(call)

    with LoopbackApi(react) as api:
        done = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(BOMBED.format(url=api.url)), str(tmp_path)],
            env={"PYTHONPATH": f"{scripts}:{root / 'tests/support'}"},
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    assert "Failure(number=0" in done.stderr
    assert int(done.stdout) < MAX_BYTES


# ---- other hosts, other answers, other names, the key ----


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


@pytest.mark.parametrize("seconds", [0, 0.005])
def test_a_second_copy_of_each_response_changes_nothing(seconds, desk, tmp_path):
    def react(call):
        reaction = desk(call)
        return replace(reaction, after=reaction.whole, after_seconds=seconds)

    asking, _ = ask(desk, tmp_path, 6, react=react)
    assert (answers(asking), asking.failures) == (expected(*range(6)), {})


@pytest.mark.parametrize("desk", ["anthropic", "gemini file"], indirect=True)
def test_an_address_that_the_api_names_is_asked_only_at_the_same_server(desk, tmp_path):
    """Whoever names another one would get the key."""
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


NAMES = ["../../x", "a/b", "", "x" * 300, "a b", 7, ["a"], "a?b", "%2e%2e"]


@pytest.mark.parametrize("name", NAMES, ids=str)
def test_what_a_server_calls_a_batch_is_a_name_and_no_path(name, desk, tmp_path):
    def react(call):
        reaction = desk(call)
        if desk.kinds(call) == "create":
            named = f"batches/{name}" if desk.form == "gemini" and isinstance(name, str) else name
            return shown({**json.loads(reaction.body), "id": name, "name": named})
        return reaction

    asking, _ = ask(desk, tmp_path, 2, react=react)
    assert "unknown" not in desk.calls
    if desk.form != "anthropic":
        # Found in the list of batches, where it has its right name.
        assert answers(asking) == expected(0, 1)


@of_openai
@pytest.mark.parametrize("name", NAMES, ids=str)
def test_what_a_server_calls_a_file_is_a_name_and_no_path(name, desk, tmp_path):
    def react(call):
        reaction = desk(call)
        if desk.kinds(call) == "upload":
            return shown({**json.loads(reaction.body), "id": name})
        return reaction

    asking, _ = ask(desk, tmp_path, 2, react=react)
    assert asking.failures.keys() == {0, 1}
    assert {*desk.calls} <= {"upload", "list"}


def test_the_key_goes_into_its_own_header_and_into_no_message(desk, tmp_path, monkeypatch, caplog):
    monkeypatch.setenv("SOME_KEY", KEY)
    seen, noted = [], []

    def react(call):
        seen.append(call.headers.get(desk.key_header))
        noted.extend(path.read_bytes() for path in (journal_of(tmp_path) / "batches").iterdir())
        return desk(call)

    desk.said = lambda question: desk.failing(f"bad key {KEY}")
    with caplog.at_level("DEBUG"):
        asking, _ = ask(desk, tmp_path, 1, react=react, settings={"api_key_env": "SOME_KEY"})
    assert set(seen) == {f"Bearer {KEY}" if desk.form == "openai" else KEY}
    assert asking.failures[0].endswith("bad key [key]")
    assert noted
    assert not any(KEY.encode() in content for content in noted)
    assert KEY not in caplog.text


# ---- records on disk ----

RECORD = {
    "afterimage_batch": 1,
    "token": "mine",
    "created_at": "2026-01-01T00:00:00+00:00",
    "answerer": {},
    "custom_ids": [f"{'0' * 64}-0"],
    "file_id": "f",
    "batch_id": "b",
}
NO_RECORDS = {
    "a field missing": {name: RECORD[name] for name in RECORD if name != "custom_ids"},
    "a field too many": {**RECORD, "colour": "red"},
    "ids that are none": {**RECORD, "custom_ids": ["x"]},
    "a date that is none": {**RECORD, "created_at": "yesterday"},
    "a date without its zone": {**RECORD, "created_at": "2026-01-01T00:00:00"},
    "a date as a number": {**RECORD, "created_at": 7},
    "a path above as token": {**RECORD, "token": "../../../victim"},
    "a path as token": {**RECORD, "token": "/tmp/victim"},
    "another's token": {**RECORD, "token": "other"},
    "a list as token": {**RECORD, "token": ["x"]},
    "a number as token": {**RECORD, "token": 7},
    "a path as batch": {**RECORD, "batch_id": "../files/x"},
    "a number as batch": {**RECORD, "batch_id": 7},
    "a path as file": {**RECORD, "file_id": "a/b"},
    "a list as answerer": {**RECORD, "answerer": []},
}


def note(folder, record, name="mine"):
    file = journal_of(folder) / "batches" / f"{name}.json"
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps(record))
    return file


@of_openai
@pytest.mark.parametrize("record", NO_RECORDS.values(), ids=NO_RECORDS)
def test_a_record_that_is_none_names_nothing_but_itself_and_is_a_sentence(record, desk, tmp_path):
    victim = tmp_path / "victim.requests.jsonl"
    victim.write_text("precious")
    file = note(tmp_path, record)
    asking, api = ask(desk, tmp_path, 2)
    assert f"{file}: not a record of a batch under way" in asking.failures[0]
    assert victim.read_text() == "precious"
    assert api.calls == []


@of_openai
@pytest.mark.parametrize(
    "name", ["mi\nne", "-" * 201, 'mi"ne', "mi ne", "m\u0131ne", "..mine", "$(mine)"]
)
def test_a_record_whose_own_name_is_odd_is_none(name, desk, tmp_path):
    note(tmp_path, {**RECORD, "token": name}, name)
    asking, api = ask(desk, tmp_path, 2)
    if not name.startswith("."):
        assert "not a record of a batch under way" in asking.failures[0]
        assert api.calls == []


def test_a_journaled_answer_without_a_time_zone_is_one_in_utc(tmp_path):
    who = Answerer("b", "m", None, "{}")
    folder = BatchFolder(tmp_path / "batches")
    record = replace(folder.new(who.header()), custom_ids=(f"{'0' * 64}-0", f"{'1' * 64}-0"))
    folder.write(record)
    line = {
        **{"key": who.keys().key("0" * 64, 0), "request": "0" * 64, "repeat": 0},
        **{"answered_at": "2999-01-01T00:00:00", "text": "x", "finish_reason": "stop"},
    }
    (tmp_path / "a.jsonl").write_bytes(header_line(who) + encode(line))
    forget_recorded(folder, who)
    assert [one.custom_ids for one in folder.records(who.header())] == [(f"{'1' * 64}-0",)]


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
        *(("openai", at) for at in ("upload", "create", "state")),
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
        outcomes = list(load(own, "s")(map(request, range(6))))
    assert all(isinstance(outcome, Reply) for outcome in outcomes), outcomes
    assert {outcome.number: outcome.text for outcome in outcomes} == expected(*range(6))
    assert set(desk.asked.values()) == {1}
    assert records(tmp_path) == []
