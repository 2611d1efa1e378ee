"""Batches under the worst of faults: nothing is lost, handed over twice, or taken for another request's answer."""

import gzip
import json
import subprocess
import sys
import textwrap
import zlib
from dataclasses import replace
from urllib.parse import urlsplit

import pytest
from faulty_model import asked, journal_of
from loopback_api import LoopbackApi, Reaction, completion
from loopback_batches import BatchDesk, asked_text

from afterimage.models.journaling.entries import Answerer, encode, header_line
from afterimage.models.openai_compatible import batch_api, batch_waiting
from afterimage.models.openai_compatible.batch_api import bounded_lines
from afterimage.models.openai_compatible.batch_records import BatchFolder, forget_recorded

MOST_BYTES = 100 * 2**20

JOB = """
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


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    monkeypatch.setattr(batch_api, "FIRST_WAIT_SECONDS", 0.01)


@pytest.fixture
def desk():
    return BatchDesk(lambda body: completion(f"answer to {asked_text(body)}"))


def ask(desk, folder, count, port=0, **client):
    """Ask so many questions in batches; the address is part of who answers, so a second time takes the first's port."""
    batches = {"mode": "batch", "batches": str(journal_of(folder) / "batches")}
    options = {**batches, "poll_seconds": 0.01, "retries": 1, **client}
    return asked(desk, folder, count, port, **options)


def answers(asking):
    return {number: replies[0].text for number, replies in asking.replies.items()}


def expected(*numbers):
    return {number: f"answer to Question {number}" for number in numbers}


class Spoilt(BatchDesk):
    """A desk whose file of answers is spoilt before it is fetched."""

    def __init__(self, spoil):
        super().__init__(lambda body: completion(f"answer to {asked_text(body)}"))
        self.spoil = spoil

    def __call__(self, call):
        reaction = super().__call__(call)
        if urlsplit(call.path).path.endswith("/content"):
            lines = reaction.body.split(b"\n")
            return Reaction(b"\n".join(self.spoil(lines)), sound=True)
        return reaction


def changed(line, **fields):
    return json.dumps({**json.loads(line), **fields}).encode()


SPOILT = {
    "twice": lambda lines: [line for line in lines for _ in range(2)],
    "out of order": lambda lines: [*lines[1::2], *lines[::2]],
    "for other ids": lambda lines: [
        *(
            changed(line, custom_id=name)
            for line, name in zip(lines, ("x", None, 7, []), strict=False)
        ),
        *lines,
    ],
    "nonsense between": lambda lines: [b"[]", b"\xff\xfe", b"null", b"[" * 100_000, b"", *lines],
    "line ends of Windows": lambda lines: [line + b"\r" for line in lines],
    "statuses as texts": lambda lines: [line.replace(b": 200", b': "200"') for line in lines],
    "bytes that are no UTF-8": lambda lines: [
        line.replace(b'"custom_id"', b'"x": "\xe9", "custom_id"') for line in lines
    ],
}


@pytest.mark.parametrize("spoil", SPOILT.values(), ids=SPOILT)
def test_rows_that_come_twice_out_of_order_or_for_others_change_no_answer(spoil, tmp_path):
    desk = Spoilt(spoil)
    asking, _ = ask(desk, tmp_path, 6)
    assert (answers(asking), asking.failures) == (expected(*range(6)), {})
    assert not list((journal_of(tmp_path) / "batches").iterdir())


class Miscounting(BatchDesk):
    """A desk that says something else of how far its batches are."""

    def __init__(self, **said):
        super().__init__(lambda body: completion(f"answer to {asked_text(body)}"))
        self.said = said

    def __call__(self, call):
        reaction = super().__call__(call)
        if call.method == "GET" and "/batches/" in urlsplit(call.path).path:
            state = {**json.loads(reaction.body), **self.said}
            return Reaction(json.dumps(state).encode(), sound=True)
        return reaction


@pytest.mark.parametrize("count", [None, "6", "many", 1.5, []])
def test_a_desk_that_counts_in_words_and_names_no_file_as_an_empty_text_is_believed_its_answers(
    count, tmp_path
):
    desk = Miscounting(request_counts={"completed": count, "total": count}, error_file_id="")
    asking, _ = ask(desk, tmp_path, 6)
    assert (answers(asking), asking.failures) == (expected(*range(6)), {})


RECORD = {
    "afterimage_batch": 1,
    "token": "t",
    "created_at": "2026-01-01T00:00:00+00:00",
    "answerer": {},
    "custom_ids": [f"{'0' * 64}-0"],
}
NO_RECORDS = {
    "a field missing": {name: RECORD[name] for name in RECORD if name != "custom_ids"},
    "a field too many": {**RECORD, "colour": "red"},
    "ids that are none": {**RECORD, "custom_ids": ["x"]},
    "a date that is none": {**RECORD, "created_at": "yesterday"},
    "a date without its zone": {**RECORD, "created_at": "2026-01-01T00:00:00"},
}


@pytest.mark.parametrize("record", NO_RECORDS.values(), ids=NO_RECORDS)
def test_a_record_on_disk_that_is_none_is_a_sentence(record, tmp_path):
    file = journal_of(tmp_path) / "batches" / "t.json"
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps(record))
    asking, _ = ask(Spoilt(lambda lines: lines), tmp_path, 1)
    assert str(file) in asking.failures[0]
    assert "not a record of a batch under way" in asking.failures[0]


RESPONSES = {
    "no response": {"response": None},
    "an error": {"response": None, "error": {"message": "overloaded"}},
    "words for an error": {"error": "overloaded"},
    "no body": {"response": {"status_code": 200}},
    "a list": {"response": [1]},
    "a status in words": {"response": {"status_code": "200", "body": {}}},
    "a tool": {
        "response": {
            "status_code": 200,
            "body": {"choices": [{"message": {"content": None}, "finish_reason": "tool_calls"}]},
        }
    },
}


@pytest.mark.parametrize("fields", RESPONSES.values(), ids=RESPONSES)
def test_rows_that_hold_no_answer_fail_alone_and_are_asked_again(fields, tmp_path):
    desk = Spoilt(lambda lines: [changed(lines[0], **fields), *lines[1:]])
    asking, api = ask(desk, tmp_path, 3)
    assert answers(asking) == expected(0, 1)
    assert list(asking.failures) == [2]
    desk.spoil = lambda lines: lines
    again, _ = ask(desk, tmp_path, 3, api.port)
    assert answers(again) == expected(0, 1, 2)
    assert sorted(desk.asked.values()) == [1, 1, 2]


@pytest.mark.parametrize("ending", ["expired", "cancelled", "completed"])
def test_of_a_batch_that_ends_early_the_answers_count_and_only_the_rest_is_asked_again(
    desk, tmp_path, ending
):
    desk.ending = ending
    desk.answered = lambda body: asked_text(body) in ("Question 0", "Question 3")
    asking, api = ask(desk, tmp_path, 5)
    assert answers(asking) == expected(0, 3)
    assert sorted(asking.failures) == [1, 2, 4]
    desk.ending, desk.answered = "completed", lambda body: True
    again, _ = ask(desk, tmp_path, 5, api.port)
    assert answers(again) == expected(*range(5))
    assert sorted(desk.asked.values()) == [1, 1, 2, 2, 2]


def test_an_answer_behind_a_failure_of_the_same_request_is_fetched_by_the_next_run(tmp_path):
    desk = Spoilt(lambda lines: [changed(lines[0], response=None, error="busy"), *lines])
    asking, api = ask(desk, tmp_path, 2)
    assert (answers(asking), list(asking.failures)) == (expected(0), [1])
    desk.spoil = lambda lines: lines
    again, _ = ask(desk, tmp_path, 2, api.port)
    assert answers(again) == expected(0, 1)
    assert set(desk.asked.values()) == {1}


def test_a_row_that_is_too_long_fails_alone_and_is_fetched_later_with_more_room(tmp_path):
    long = "x" * 100_000
    desk = BatchDesk(lambda body: completion(long if "1" in asked_text(body) else "short"))
    asking, api = ask(desk, tmp_path, 3, max_response_mb=0.05)
    assert answers(asking) == {0: "short", 2: "short"}
    assert "longer than client key 'max_response_mb' allows" in asking.failures[1]
    again, _ = ask(desk, tmp_path, 3, api.port, max_response_mb=1)
    assert answers(again) == {0: "short", 1: long, 2: "short"}
    assert set(desk.asked.values()) == {1}


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
    monkeypatch.setattr(batch_api, "MOST_PAGES", 5)
    pages = []

    def react(call):
        address = urlsplit(call.path)
        if call.method == "POST" and address.path.endswith("/batches"):
            return Reaction(b"", 500)
        if call.method == "GET" and address.path.endswith("/batches"):
            pages.append(call)
            batch = {"id": f"b{len(pages)}", "created_at": 10**10}
            page = json.dumps({"data": [batch], "has_more": True})
            return Reaction(page.encode(), sound=True)
        return desk(call)

    asking, _ = ask(react, tmp_path, 1)
    assert "could not be handed over" in asking.failures[0]
    assert len(pages) == 5


def test_lines_are_bounded_wherever_the_pieces_end():
    text = b"one\n\n" + b"x" * 50 + b"\ntwo"
    whole = [b"one\n", b"too long\n", b"two\n"]
    for size in (1, 3, 7, 100):
        pieces = [text[at : at + size] for at in range(0, len(text), size)]
        assert list(bounded_lines(pieces, 10)) == whole


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br"])
def test_packed_results_are_unpacked_or_refused(desk, tmp_path, encoding):
    pack = {"gzip": gzip.compress, "deflate": zlib.compress, "br": bytes}[encoding]

    def react(call):
        reaction = desk(call)
        if call.path.endswith("/content"):
            return Reaction(pack(reaction.body), headers={"Content-Encoding": encoding}, sound=True)
        return reaction

    asking, _ = ask(react, tmp_path, 2)
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


@pytest.mark.parametrize("where", ["results", "state", "upload", "list"])
def test_a_bomb_costs_little_wherever_it_comes(bomb, desk, tmp_path, root, scripts, where):
    def react(call):
        address = urlsplit(call.path).path
        place = {
            "results": address.endswith("/content"),
            "state": call.method == "GET" and "/batches/" in address,
            "upload": address.endswith("/files"),
            "list": address.endswith("/batches"),
        }
        if place[where]:
            return Reaction(bomb, headers={"Content-Encoding": "gzip"})
        return desk(call)

    with LoopbackApi(react) as api:
        done = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(JOB.format(url=api.url)), str(tmp_path)],
            env={"PYTHONPATH": f"{scripts}:{root / 'tests/support'}"},
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    assert "Failure(number=0" in done.stderr
    assert int(done.stdout) < MOST_BYTES


# ---- other hosts, other answers, other files ----


@pytest.mark.parametrize("path", ["files", "batches", "content"])
def test_nothing_of_a_batch_follows_a_redirect(path, desk, tmp_path):
    elsewhere = []

    def react(call):
        if urlsplit(call.path).path.endswith(path):
            return Reaction(b"", 307, {"Location": f"http://127.0.0.1:{other.port}{call.path}"})
        return desk(call)

    with LoopbackApi(lambda call: elsewhere.append(call) or desk(call)) as other:
        asking, _ = ask(react, tmp_path, 3)
    assert elsewhere == []
    assert asking.failures.keys() == {0, 1, 2}
    assert "HTTP status 307: Temporary Redirect" in asking.failures[0]


@pytest.mark.parametrize("seconds", [0, 0.005])
def test_a_second_copy_of_each_response_changes_nothing(seconds, desk, tmp_path):
    def react(call):
        reaction = desk(call)
        return replace(reaction, after=reaction.whole, after_seconds=seconds)

    asking, _ = ask(react, tmp_path, 6)
    assert (answers(asking), asking.failures) == (expected(*range(6)), {})


def test_one_answer_for_two_requests_is_an_answer_to_the_first_alone(tmp_path):
    names = iter([f"chatcmpl-{number:032x}" for number in (1, 2, 3, 2, 4, 5)])

    def answer(body):
        return completion(f"answer to {asked_text(body)}", name=next(names))

    desk = BatchDesk(answer)
    first, api = ask(desk, tmp_path, 5)
    assert len(first.failures) == 1
    (reason,) = first.failures.values()
    assert "came before, with another answer" in reason
    second, _ = ask(desk, tmp_path, 5, api.port)
    assert (answers(second), second.failures) == (expected(*range(5)), {})
    assert sum(desk.asked.values()) == 6


NAMES = ["../../x", "a/b", "", "x" * 300, "a b", 7, ["a"], "a?b", "%2e%2e"]


@pytest.mark.parametrize("name", NAMES, ids=str)
@pytest.mark.parametrize("kind", ["files", "batches"])
def test_what_a_server_calls_things_is_a_name_and_no_path(kind, name, desk, tmp_path):
    def react(call):
        reaction = desk(call)
        if call.method == "POST" and urlsplit(call.path).path.endswith(kind):
            return Reaction(json.dumps({**json.loads(reaction.body), "id": name}).encode())
        return reaction

    asking, api = ask(react, tmp_path, 2)
    if kind == "files":
        assert asking.failures.keys() == {0, 1}
    else:
        # Found in the list of batches, where it has its right name.
        assert answers(asking) == expected(0, 1)
        api.calls[:] = [call for call in api.calls if call.method == "POST"]
    known = {"/v1/files", "/v1/batches"}
    assert {urlsplit(call.path).path for call in api.calls} <= known


@pytest.mark.parametrize(
    "changes",
    [
        {"token": "../../../victim"},
        {"token": "/tmp/victim"},
        {"token": "other"},
        {"token": ["x"]},
        {"token": 7},
        {"batch_id": "../files/x"},
        {"batch_id": 7},
        {"file_id": "a/b"},
        {"created_at": 7},
        {"answerer": []},
    ],
    ids=str,
)
def test_a_record_names_nothing_but_itself(changes, desk, tmp_path):
    folder = journal_of(tmp_path) / "batches"
    folder.mkdir(parents=True)
    record = {
        **{"afterimage_batch": 1, "token": "mine", "created_at": "2025-01-01T00:00:00+00:00"},
        **{"answerer": {}, "custom_ids": [f"{'0' * 64}-0"], "file_id": "f", "batch_id": "b"},
    }
    victim = tmp_path / "victim.requests.jsonl"
    victim.write_text("precious")
    (folder / "mine.json").write_text(json.dumps({**record, **changes}))
    asking, api = ask(desk, tmp_path, 2)
    assert "mine.json: not a record of a batch under way" in asking.failures[0]
    assert victim.read_text() == "precious"
    assert api.calls == []


@pytest.mark.parametrize(
    "name", ["mi\nne", "-" * 201, 'mi"ne', "mi ne", "m\u0131ne", "..mine", "$(mine)"]
)
def test_a_record_whose_own_name_is_odd_is_none(name, desk, tmp_path):
    folder = journal_of(tmp_path) / "batches"
    folder.mkdir(parents=True)
    record = {
        **{"afterimage_batch": 1, "token": name, "created_at": "2025-01-01T00:00:00+00:00"},
        **{"answerer": {}, "custom_ids": [f"{'0' * 64}-0"], "file_id": "f", "batch_id": "b"},
    }
    (folder / f"{name}.json").write_text(json.dumps(record))
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
