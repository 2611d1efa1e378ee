"""What stands in a journal's folder and is none of its own: exchanged keys, our own words, pipes, emptied files.

Public report: MakazhanAlpamys/Soup#343 (records dropped in silence once their folder is gone).
"""

import functools
import json
import logging
import os
import shutil
import signal
import socket
import stat
from contextlib import suppress
from pathlib import Path
from zlib import crc32

import pytest
from faulty_model import asked, entry, journal_of, request
from loopback_api import LoopbackApi, completion, refused

from afterimage.commands.cli import main
from afterimage.contract.model import ModelEntry
from afterimage.errors import AfterimageError
from afterimage.files.paths import oddity
from afterimage.models.asking import Asking
from afterimage.models.interface import UNKNOWN, Reply
from afterimage.models.journaling.claims import Claims
from afterimage.models.journaling.entries import answerer_of, decode, encode
from afterimage.models.journaling.lookup import load_index
from afterimage.models.journaling.refreshing import last_refresh
from afterimage.models.journaling.upkeep import refresh, restore
from afterimage.models.journaling.writing import Journalist
from afterimage.models.progress import Progress

WHO = answerer_of(ModelEntry("m", "b", "m", settings={"temperature": 0}))
COUNT = 5
REPAIR = "repair", "--idle-minutes", "-1"


@pytest.fixture(autouse=True)
def bounded():
    """End a test that hangs."""
    signal.alarm(60)
    yield
    signal.alarm(0)


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "journal" / "m"


def record(journalist):
    for number in range(COUNT):
        journalist.record(f"{number:064x}", Reply(0, f"answer {number}"))


@pytest.fixture
def file(folder):
    with Journalist(folder, WHO) as journalist:
        record(journalist)
    return journalist.path


def found(folder):
    keys = {WHO.keys().key(f"{number:064x}", 0): number for number in range(COUNT)}
    index = load_index(folder, WHO, keys)
    return {reply.number: reply for reply in index.answers.values()}, index.faults


def texts(folder):
    return {number: reply.text for number, reply in found(folder)[0].items()}


def answers(*lost):
    return {number: f"answer {number}" for number in range(COUNT) if number not in lost}


def journal(folder, *words):
    """Run ``afterimage journal`` and return its exit code."""
    return main(["journal", *words, "--journal", str(folder.parent)])


def changed(file, change):
    """Write the records of a file anew, each with a sound checksum."""
    head, *rows = file.read_bytes().splitlines(keepends=True)
    records = [decode(row) for row in rows]
    change(records)
    file.write_bytes(head + b"".join(map(encode, records)))


def exchange(*names):
    def change(records):
        for name in names:
            records[1][name], records[2][name] = records[2][name], records[1][name]

    return change


def put(number, **fields):
    return lambda records: records[number].update(fields)


#: How lines are forged, and which answers are not to be believed.
FORGED = {
    "exchanged keys": (exchange("key"), {1, 2}),
    "exchanged requests": (exchange("request"), {1, 2}),
    "a foreign repeat": (put(1, repeat=3), {1}),
    "a negative repeat": (put(1, repeat=-1), {1}),
    "another request": (put(1, request="0" * 64), {1}),
    "no request": (put(1, request=""), {1}),
    "the key of another": (lambda records: records[1].update(key=records[2]["key"]), {1}),
}


@pytest.mark.parametrize(("change", "lost"), FORGED.values(), ids=FORGED)
def test_a_line_answers_the_request_that_it_holds_or_none(folder, file, change, lost, capsys):
    changed(file, change)
    assert texts(folder) == answers(*lost)
    _, faults = found(folder)
    assert all("its key is not that of its request and repeat" in str(fault) for fault in faults)
    assert journal(folder, "verify") == 1
    assert "so it answers neither (" in capsys.readouterr().err
    assert journal(folder, *REPAIR) == 0
    assert journal(folder, "verify") == 0
    assert texts(folder) == answers(*lost)


def test_a_foreign_line_is_asked_again_once_and_not_in_every_run(tmp_path):
    def react(call):
        return completion(f"answer to {call.text}")

    _, first = asked(react, tmp_path, COUNT, concurrency=1)
    (path,) = journal_of(tmp_path).glob("*.jsonl")
    changed(path, put(1, repeat=7))
    _, second = asked(react, tmp_path, COUNT, first.port)
    third, api = asked(react, tmp_path, COUNT, first.port)
    assert [len(second.calls), len(api.calls)] == [1, 0]
    assert {number: replies[0].text for number, replies in third.replies.items()} == {
        number: f"answer to Question {number}" for number in range(COUNT)
    }


def sealed(pairs):
    """Return a line of names and values, of which a name may stand twice, with a sound checksum."""
    members = ",".join(f"{json.dumps(name)}:{json.dumps(value)}" for name, value in pairs)
    body = f"{{{members}}}".encode("ascii")
    return b'{"crc32":"%08x",%b\n' % (crc32(body), body[1:])


def members(record, **changes):
    return [(k, changes.get(k, v)) for k, v in record.items() if k != "crc32"]


#: Lines that two readers read in two ways, or that no reader can; made of the records of two answers.
TWO_FACED = {
    "the key of one before the answer to another": lambda one, other: (
        ("key", one["key"]),
        *members(other),
    ),
    "two texts": lambda one, other: (*members(one), ("text", "another")),
    "two requests": lambda one, other: (
        *members(other, key=one["key"]),
        ("request", one["request"]),
    ),
    "an answer that withdraws": lambda one, other: (*members(one), ("withdraws", "00000000")),
    "a withdrawal in disguise": lambda one, other: (
        ("key", one["key"]),
        ("text", "x"),
        ("withdraws", "00000000"),
    ),
    "a withdrawal of no answer": lambda one, other: (("key", one["key"]), ("withdraws", ["x"])),
    "half a character for a request": lambda one, other: members(one, request="\ud800"),
    "half a character withdrawn": lambda one, other: (("key", one["key"]), ("withdraws", "\ud800")),
    "truth for a repeat": lambda one, other: members(one, repeat=False),
    "a repeat of 4,000 digits": lambda one, other: members(one, repeat=10**4000),
}


@pytest.mark.parametrize("make", TWO_FACED.values(), ids=TWO_FACED)
def test_a_line_that_can_be_read_in_two_ways_is_damaged(folder, file, make, capsys, tmp_path):
    head, *rows = file.read_bytes().splitlines(keepends=True)
    line = sealed(make(decode(rows[1]), decode(rows[2])))
    file.write_bytes(b"".join([head, rows[0], line, *rows[2:]]))
    assert texts(folder) == answers(1)
    assert journal(folder, "verify") == 1
    assert "line 3" in capsys.readouterr().err
    for action in (["list"], ["export", "--output", str(tmp_path / "a.parquet")]):
        assert journal(folder, *action) == 0


NOBODY = {
    "half a character": {"backend": "\ud800", "model_id": "m", "revision": None, "settings": {}},
    "lists": {"backend": ["b"], "model_id": {}, "revision": None, "settings": {}},
    "settings without end": {
        **{"backend": "b", "model_id": "m", "revision": None},
        "settings": functools.reduce(lambda inside, _: [inside], range(900), []),
    },
    "a number": 5,
    "a word": "m",
}


@pytest.mark.parametrize("who", NOBODY.values(), ids=NOBODY)
def test_a_file_of_nobody_stops_nobody(folder, file, who, tmp_path):
    head = sealed([("afterimage_journal", 1), ("answerer", who)])
    other = folder / "20250101T000000.000000Z-h-1-0.jsonl"
    other.write_bytes(head + b"".join(file.read_bytes().splitlines(keepends=True)[1:]))
    assert len(found(folder)[0]) == COUNT
    assert journal(folder, "verify") == 1
    for action in (["list"], ["export", "--output", str(tmp_path / "a.parquet")]):
        assert journal(folder, *action) == 0
    assert journal(folder, *REPAIR) == 0
    assert len(found(folder)[0]) == COUNT


@pytest.mark.parametrize(
    "word",
    ["recorded_right", "recorded_wrong", "not_recorded", "failed", "failed: x", " Recorded_Right"],
)
def test_our_own_words_are_not_believed_from_a_file(folder, file, word, capsys):
    changed(file, put(1, finish_reason=word))
    assert found(folder)[0][1] == Reply(1, "answer 1", UNKNOWN)
    assert journal(folder, "verify") == 1
    assert "a word of this package's own" in capsys.readouterr().err
    assert journal(folder, *REPAIR) == 0
    assert journal(folder, "verify") == 0
    assert found(folder)[0][1] == Reply(1, "answer 1", UNKNOWN)
    changed(file, put(1, finish_reason=word, text=""))
    # Without text it says nothing at all.
    assert 1 not in found(folder)[0]


@pytest.mark.parametrize("word", ["recorded_right", "Recorded_wrong", "failed: x", "not_recorded"])
def test_nor_from_a_server(word, tmp_path):
    asking, _ = asked(lambda call: completion("Left.", finish_reason=word), tmp_path)
    assert asking.replies[0][0].finish_reason == UNKNOWN


# ---- what is no file ----


def link_out(path):
    outside = path.parents[2] / "outside.txt"
    outside.write_text("precious")
    path.symlink_to(outside)


def bound_socket(path):
    here = Path.cwd()
    os.chdir(path.parent)
    try:
        with socket.socket(socket.AF_UNIX) as one:
            one.bind(path.name)
    finally:
        os.chdir(here)


ODD = {
    "a pipe": os.mkfifo,
    "a link to a device": lambda path: path.symlink_to("/dev/zero"),
    "a link to a terminal": lambda path: path.symlink_to("/dev/tty"),
    "a folder": lambda path: path.mkdir(),
    "a socket": bound_socket,
    "a link that leads nowhere": lambda path: path.symlink_to("nowhere"),
    "a link to itself": lambda path: path.symlink_to(path.name),
}


@pytest.mark.parametrize("make", ODD.values(), ids=ODD)
def test_what_is_no_file_is_named_and_stops_nobody(folder, file, make, capsys, tmp_path):
    odd = folder / "20250101T000000.000000Z-h-1-0.jsonl"
    make(odd)
    replies, faults = found(folder)
    assert len(replies) == COUNT
    assert [str(fault).startswith(f"{odd} is a ") for fault in faults] == [True]
    assert journal(folder, "verify") == 1
    assert f"{odd} is a " in capsys.readouterr().err
    for action in (
        ["list"],
        REPAIR,
        ["compact"],
        ["export", "--output", str(tmp_path / "a.parquet")],
    ):
        assert journal(folder, *action) == 0


def test_a_link_to_a_file_elsewhere_is_one_sentence_and_nothing_is_paid_for_again(
    folder, file, capsys
):
    link_out(folder / "a.jsonl")
    with pytest.raises(AfterimageError, match=r"a\.jsonl: found a link to a file outside"):
        found(folder)
    assert journal(folder, "verify") == 1
    (folder / "a.jsonl").unlink()
    (folder / "a.jsonl").symlink_to(file.name)
    assert len(found(folder)[0]) == COUNT


@pytest.mark.parametrize("name", ["a.lease", "deciding"])
@pytest.mark.parametrize("make", [*ODD.values(), link_out], ids=[*ODD, "a link out"])
def test_what_is_no_lease_holds_up_nobody(folder, make, name, caplog):
    leases = folder / ".leases"
    leases.mkdir(parents=True)
    make(leases / name)
    with Claims(folder).claim(["k"]) as claim:
        assert claim.keys == {"k"} and not claim.others
    outside = folder.parent / "outside.txt"
    assert not outside.exists() or outside.read_text() == "precious"
    if name == "a.lease":
        assert "a.lease is no lease" in caplog.text


@pytest.mark.parametrize("make", [*ODD.values(), link_out], ids=[*ODD, "a link out"])
@pytest.mark.parametrize("name", [".refreshed.json", ".compacting"])
def test_nor_what_is_no_note_beside_the_answers(folder, file, make, name, capsys):
    make(folder / name)
    for action in (["verify"], ["list"], ["compact"], ["repair"]):
        assert journal(folder, *action) in (0, 1)
        assert "Traceback" not in capsys.readouterr().err
    assert last_refresh(folder) == ""
    for act in (refresh, restore):
        # One sentence where it cannot be done.
        with suppress(AfterimageError):
            act(folder)
    outside = folder.parents[1] / "outside.txt"
    assert not outside.exists() or outside.read_text() == "precious"


def test_a_note_that_is_nested_without_end_notes_nothing(folder, file):
    (folder / ".refreshed.json").write_text("[" * 200_000)
    assert last_refresh(folder) == ""


@pytest.mark.parametrize("name", ["mine.json", "mine.requests.jsonl"])
@pytest.mark.parametrize("make", [ODD["a pipe"], ODD["a link to a device"]], ids=["pipe", "device"])
def test_what_is_no_record_of_a_batch_is_one_sentence(name, make, tmp_path):
    batches = journal_of(tmp_path) / "batches"
    batches.mkdir(parents=True)
    make(batches / name)
    client = {"mode": "batch", "batches": str(batches), "retries": 0, "timeout_seconds": 60}
    asking, _ = asked(lambda call: refused(400, "no"), tmp_path, 1, **client)
    assert asking.failures.keys() == {0}
    if name == "mine.json":
        assert "mine.json: not a record" in asking.failures[0]


def test_a_link_that_leads_nowhere_is_not_written_through(folder, tmp_path):
    folder.mkdir(parents=True)
    (folder / ".gitattributes").symlink_to(tmp_path / "victim")
    with Journalist(folder, WHO) as journalist:
        journalist.record("0" * 64, Reply(0, "x"))
    assert not (tmp_path / "victim").exists()


def test_a_file_is_no_oddity(tmp_path):
    (tmp_path / "f").write_text("x")
    assert oddity(tmp_path / "f") is None
    assert oddity(tmp_path / "absent") is None


# ---- removed, emptied, full ----


def removed(file):
    file.unlink()


def replaced(file):
    file.unlink()
    file.write_text("another's")


def moved(file):
    file.rename(file.with_name("elsewhere.txt"))


REMOVED = {
    "the file": removed,
    "replaced": replaced,
    "moved": moved,
    "the folder": lambda file: shutil.rmtree(file.parent),
    "the journal": lambda file: shutil.rmtree(file.parents[1]),
}


def test_a_mount_that_shows_an_open_file_under_another_device_begins_no_second_one(
    folder, monkeypatch, caplog
):
    held = os.fstat

    def elsewhere(descriptor):
        whole = list(held(descriptor))
        whole[stat.ST_DEV] += 1
        return os.stat_result(whole)

    monkeypatch.setattr(os, "fstat", elsewhere)
    with Journalist(folder, WHO) as journalist:
        record(journalist)
    assert len(list(folder.rglob("*.jsonl"))) == 1
    assert not caplog.text
    assert len(found(folder)[0]) == COUNT


@pytest.mark.parametrize("late", [False, True], ids=["between answers", "before the end"])
@pytest.mark.parametrize("remove", REMOVED.values(), ids=REMOVED)
def test_a_writer_whose_file_is_removed_goes_on_in_another(folder, remove, late, caplog):
    with Journalist(folder, WHO) as journalist:
        for number in range(COUNT):
            if number == 3 and not late:
                remove(journalist.path)
            journalist.record(f"{number:064x}", Reply(0, f"answer {number}"))
        if late:
            remove(journalist.path)
    assert texts(folder) == answers()
    assert "was removed while this job wrote to it" in caplog.text


@pytest.mark.parametrize("others", [b"x", b'{"crc32":"12', b"\0" * 100, b"whole\n", b"x" * 200_000])
def test_what_others_append_costs_no_answer(folder, others):
    with Journalist(folder, WHO) as journalist:
        for number in range(COUNT):
            journalist.record(f"{number:064x}", Reply(0, f"answer {number}"))
            with journalist.path.open("ab") as file:
                file.write(others)
    assert texts(folder) == answers()
    assert len(found(folder)[1]) == COUNT


def test_a_writer_whose_file_is_emptied_says_so(folder):
    journalist = Journalist(folder, WHO)
    journalist.record("0" * 64, Reply(0, "x"))
    journalist.path.write_bytes(b"")
    with pytest.raises(AfterimageError, match=r"was cut from [0-9]+ to 0 bytes while this job"):
        journalist.record("1" * 64, Reply(0, "y"))


def test_a_job_loses_nothing_when_its_journal_is_removed_under_it(tmp_path):
    def react(call):
        if call.text == "Question 6":
            shutil.rmtree(journal_of(tmp_path))
        return completion(f"answer to {call.text}")

    first, api = asked(react, tmp_path, 12, concurrency=1)
    assert len(first.replies) == 12
    _, later = asked(react, tmp_path, 12, api.port)
    assert later.calls == []


def test_an_emptied_file_is_said_and_can_be_mended_away(folder, file, tmp_path, capsys, caplog):
    file.write_bytes(b"")
    replies, faults = found(folder)
    assert replies == {}
    assert [str(fault) for fault in faults] == [
        f"{file} is empty: what it held is lost, and asked again; it is passed over."
    ]
    assert journal(folder, "verify") == 1
    assert journal(folder, *REPAIR) == 0
    assert journal(folder, "verify") == 0


def test_an_emptied_file_is_said_on_the_terminal_of_a_job(tmp_path, caplog):
    _, api = asked(lambda call: completion("x"), tmp_path)
    (path,) = journal_of(tmp_path).glob("*.jsonl")
    path.write_bytes(b"")
    asked(lambda call: completion("x"), tmp_path, 1, api.port)
    output = [record for record in caplog.records if "is empty: what it held" in record.message]
    assert [record.levelno for record in output] == [logging.WARNING]


@pytest.mark.parametrize("number", [28, 122])
def test_without_room_for_a_lease_nothing_is_asked(number, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("afterimage.models.journaling.claims.HeldLease", full)
    with LoopbackApi(lambda call: completion("x")) as api:
        asking = Asking(entry(api.url), None, tmp_path / "journal", Progress())
        with asking, pytest.raises(AfterimageError, match=r"no room for a lease.*nothing is asked"):
            asking.ask({0: request(0).sha256}, {0: (0,)}, lambda missing: map(request, missing))
    assert api.calls == []
