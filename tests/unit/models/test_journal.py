"""The journal: no answer is lost, none is invented, whatever happens to the file or its writer."""

import errno
import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from afterimage.contract.model import ModelEntry
from afterimage.errors import AfterimageError
from afterimage.models.interface import Reply
from afterimage.models.journaling.entries import VERSION, answerer_of, encode
from afterimage.models.journaling.lookup import load_index
from afterimage.models.journaling.writing import Journalist

ENTRY = ModelEntry("m", "b", "org/model", "r1", {"temperature": 0, "stop": ["\n"]})


def who(**changes):
    return answerer_of(replace(ENTRY, **changes))


def request_hash(number):
    return f"{number:064x}"


def journaled(folder, answers, answerer=None):
    """Record answers (number of request, repeat, text) in one file and return its path."""
    with Journalist(folder, answerer or who()) as journalist:
        for number, repeat, text in answers:
            journalist.record(request_hash(number), Reply(7, text, repeat=repeat))
    return journalist.path


def found(folder, numbers, answerer=None, repeats=(0,)):
    """Return what the journal answers, as texts by number and repeat, and the faults met."""
    answerer = answerer or who()
    keys = answerer.keys()
    wanted = {
        keys.key(request_hash(number), repeat): (number, repeat)
        for number in numbers
        for repeat in repeats
    }
    index = load_index(folder, answerer, dict.fromkeys(wanted, 0))
    texts = {wanted[key]: reply.text for key, reply in index.answers.items()}
    return texts, index.faults


# ---- what is kept ----


def test_a_reply_comes_back_with_every_field(tmp_path):
    reply = Reply(3, 'a "quoted"\nline \x00 \u2028 \ud800 \U0001f600', "length", 2, 10, 0, 0.1)
    answerer = who()
    with Journalist(tmp_path, answerer) as journalist:
        journalist.record(request_hash(1), reply)
    key = answerer.keys().key(request_hash(1), 2)
    assert load_index(tmp_path, answerer, {key: 3}).answers == {key: reply}


@pytest.mark.parametrize(
    "changes",
    [
        {"backend": "c"},
        {"model_id": "org/other"},
        {"revision": "r2"},
        {"revision": None},
        {"settings": {"temperature": 0.5, "stop": ["\n"]}},
        {"settings": {"temperature": 0, "stop": ["\n"], "seed": 1}},
    ],
)
def test_another_model_revision_or_setting_has_answers_of_its_own(tmp_path, changes):
    journaled(tmp_path, [(1, 0, "mine")])
    assert found(tmp_path, [1], who(**changes)) == ({}, [])
    journaled(tmp_path, [(1, 0, "other")], who(**changes))
    assert found(tmp_path, [1])[0] == {(1, 0): "mine"}
    assert found(tmp_path, [1], who(**changes))[0] == {(1, 0): "other"}


def test_the_order_of_settings_and_the_writing_of_a_number_change_no_key():
    first = who(settings={"a": 1, "b": {"c": 2, "d": 0.0}})
    second = who(settings={"b": {"d": 0, "c": 2}, "a": 1.0})
    assert first.keys().key("0" * 64, 0) == second.keys().key("0" * 64, 0)


def test_a_key_is_the_hash_of_plain_canonical_json():
    import hashlib

    fields = {
        "backend": "b",
        "model_id": "org/model",
        "revision": "r1",
        "settings": ENTRY.settings,
    }
    text = json.dumps([fields, request_hash(5), 3], sort_keys=True, separators=(",", ":"))
    assert who().keys().key(request_hash(5), 3) == hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize(
    "held",
    [
        {"api_key": "sk-1"},
        {"headers": {"Authorization": "Bearer 1"}},
        {"base_url": "https://me:word@host/v1"},
        {"more": [{"access_token": "1"}]},
    ],
)
def test_a_secret_in_the_settings_is_refused_before_anything_is_written(held):
    with pytest.raises(AfterimageError) as refused:
        who(settings=held)
    assert "sk-1" not in str(refused.value)
    assert "word@" not in str(refused.value)


def test_the_name_of_a_variable_and_a_token_limit_are_no_secrets():
    who(settings={"api_key_env": "KEY", "max_tokens": 5, "base_url": "http://localhost:8000/v1"})


def test_every_line_is_json_and_says_when_it_was_answered(tmp_path):
    with Journalist(tmp_path, who(), lambda: datetime(2025, 1, 2, 3, 4, 5, 6, UTC)) as journalist:
        journalist.record(request_hash(1), Reply(0, "yes"))
    header, answer = map(json.loads, journalist.path.read_text().splitlines())
    assert header["afterimage_journal"] == VERSION
    assert header["answerer"]["settings"] == ENTRY.settings
    assert answer["answered_at"] == "2025-01-02T03:04:05.000006+00:00"
    assert answer["request"] == request_hash(1)


# ---- torn and damaged lines ----


@pytest.fixture(scope="module")
def three_answers(tmp_path_factory):
    """The bytes of a file with three answers, and where each of its four lines ends."""
    path = journaled(tmp_path_factory.mktemp("three"), [(0, 0, "zero"), (1, 0, "\n"), (2, 0, "")])
    content = path.read_bytes()
    ends = [index for index, byte in enumerate(content) if byte == ord("\n")]
    assert len(ends) == 4
    return content, ends


TEXTS = {(0, 0): "zero", (1, 0): "\n", (2, 0): ""}


def test_a_file_cut_at_any_byte_gives_every_complete_answer_and_no_other(tmp_path, three_answers):
    content, ends = three_answers
    file = tmp_path / "m" / "cut.jsonl"
    file.parent.mkdir()
    for length in range(len(content) + 1):
        file.write_bytes(content[:length])
        texts, faults = found(file.parent, range(3))
        whole = sum(length >= end for end in ends[1:])
        assert texts == dict(list(TEXTS.items())[:whole]), length
        assert all(fault.torn for fault in faults)
        complete = {place for end in ends for place in (end, end + 1)}
        assert len(faults) == (length not in complete), length


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_a_damaged_byte_costs_its_own_line_at_most_and_is_reported(
    tmp_path_factory, three_answers, data
):
    content, ends = three_answers
    place = data.draw(st.integers(0, len(content) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda value: value != content[place]))
    file = tmp_path_factory.mktemp("damaged") / "damaged.jsonl"
    file.write_bytes(content[:place] + bytes([byte]) + content[place + 1 :])
    texts, faults = found(file.parent, range(3))
    hit = sum(place > end for end in ends)
    assert texts.items() <= TEXTS.items()
    unhurt = {
        key: text for key, text in TEXTS.items() if key[0] + 1 not in (hit, hit + (place in ends))
    }
    assert unhurt.items() <= texts.items()
    # Only a lost line break at the very end costs nothing.
    assert faults or place == ends[-1], (place, byte)
    assert all(fault.file == file and fault.line in (hit + 1, hit + 2) for fault in faults)


@settings(max_examples=100, deadline=None)
@given(tail=st.binary(max_size=300))
def test_whatever_stands_behind_the_last_line_no_answer_is_lost_or_invented(
    tmp_path_factory, three_answers, tail
):
    content, _ = three_answers
    file = tmp_path_factory.mktemp("tail") / "tail.jsonl"
    file.write_bytes(content + tail)
    assert found(file.parent, range(5))[0] == TEXTS


def test_a_damaged_line_is_named_with_its_file_and_number(tmp_path, three_answers):
    content, _ = three_answers
    file = tmp_path / "hurt.jsonl"
    file.write_bytes(content.replace(b"zero", b"hero"))
    texts, (fault,) = found(tmp_path, range(3))
    assert texts == {(1, 0): "\n", (2, 0): ""}
    assert (
        str(fault)
        == f"{file}, line 2 is damaged: it does not match its checksum; it is passed over."
    )


def test_answers_below_a_damaged_first_line_are_found(tmp_path, three_answers):
    content, ends = three_answers
    (tmp_path / "headless.jsonl").write_bytes(b"\0" * ends[0] + content[ends[0] :])
    texts, faults = found(tmp_path, range(3))
    assert texts == TEXTS
    assert [fault.line for fault in faults] == [1]


@pytest.mark.parametrize(
    "first_line",
    [
        encode({"afterimage_journal": 99, "answerer": None}),
        b'{"afterimage_journal": 99, "sha": "abc"}\n',
    ],
)
def test_a_journal_of_another_version_is_one_sentence(tmp_path, first_line):
    (tmp_path / "new.jsonl").write_bytes(first_line)
    with pytest.raises(
        AfterimageError, match=rf"new\.jsonl: a journal of version 99.*version {VERSION}"
    ):
        found(tmp_path, [1])


def test_no_folder_and_an_empty_file_are_no_faults_of_the_user(tmp_path):
    assert found(tmp_path / "absent", [1]) == ({}, [])
    (tmp_path / "empty.jsonl").touch()
    assert found(tmp_path, [1])[0] == {}


# ---- several files ----


def test_files_sort_by_time_whatever_the_host_and_process(tmp_path):
    start = datetime(2025, 12, 31, 23, 59, 59, 999999, UTC)
    names = []
    for number in range(3):
        moment = start + timedelta(microseconds=number)
        with Journalist(tmp_path, who(), lambda moment=moment: moment) as journalist:
            journalist.record(request_hash(number), Reply(0, ""))
        names.append(journalist.path.name)
    assert names == sorted(names)


def test_a_writer_without_an_answer_leaves_no_file(tmp_path):
    with Journalist(tmp_path, who()) as journalist:
        assert journalist.path.exists()
    assert list(tmp_path.iterdir()) == []


def test_files_that_are_merged_while_they_are_read_lose_nothing(tmp_path, monkeypatch):
    first, second = (journaled(tmp_path, [(number, 0, "")]) for number in (1, 2))
    from afterimage.models.journaling import lookup

    real, merged = lookup.numbered_lines, []

    def interrupted(file):
        lines = list(real(file))
        if not merged:
            merged.append(True)
            first.write_bytes(first.read_bytes() + second.read_bytes().splitlines(True)[1])
            second.unlink()
        return lines

    monkeypatch.setattr(lookup, "numbered_lines", interrupted)
    assert found(tmp_path, [1, 2])[0] == {(1, 0): "", (2, 0): ""}


# ---- processes ----

WRITER = textwrap.dedent(
    """
    import os, sys
    from pathlib import Path
    from afterimage.contract.model import ModelEntry
    from afterimage.models.interface import Reply
    from afterimage.models.journaling.entries import answerer_of
    from afterimage.models.journaling.writing import Journalist

    folder, start, stop = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    entry = ModelEntry("m", "b", "org/model", "r1", {"temperature": 0, "stop": ["\\n"]})
    with Journalist(folder, answerer_of(entry)) as journalist:
        for number in range(start, stop):
            journalist.record(f"{number:064x}", Reply(0, f"answer {number} " + "x" * 500))
            # Told only after it was recorded: what is told must be found, whatever happens now.
            os.write(1, b"%d\\n" % number)
    """
)


def writer(scripts, folder, start, stop, **options):
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(folder), str(start), str(stop)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        env={**os.environ, "PYTHONPATH": str(scripts)},
        **options,
    )


@pytest.mark.parametrize("least", [2, 100, 1000])
def test_kill_9_loses_no_recorded_answer(scripts, tmp_path, least):
    process = writer(scripts, tmp_path, 0, 10_000_000)
    for _ in range(least):
        process.stdout.readline()
    process.send_signal(signal.SIGKILL)
    told = least + process.communicate()[0].count(b"\n")
    texts, faults = found(tmp_path, range(told))
    assert texts == {(number, 0): f"answer {number} {'x' * 500}" for number in range(told)}
    assert all(fault.torn for fault in faults)


def test_writers_at_the_same_time_do_not_disturb_each_other(scripts, tmp_path):
    processes = [writer(scripts, tmp_path, 500 * n, 500 * (n + 1)) for n in range(3)]
    for process in processes:
        assert process.communicate()[1] == b""
    texts, faults = found(tmp_path, range(1500))
    assert len(texts) == 1500
    assert faults == []
    assert len(list(tmp_path.glob("*.jsonl"))) == 3


def test_a_full_disk_is_one_sentence_and_earlier_answers_stay(scripts, tmp_path):
    """A limit on the size of files ends a write in the middle, as a full disk does."""
    import resource

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))

    process = writer(scripts, tmp_path, 0, 1000, preexec_fn=limit)
    told, error = process.communicate()
    count = len(told.splitlines())
    assert process.returncode == 1
    assert 10 < count < 40
    assert b"AfterimageError" in error
    sentence = error.decode().splitlines()[-1]
    assert "the answer just received could not be recorded (File too large)" in sentence
    assert f"the {count} before it are" in sentence
    texts, faults = found(tmp_path, range(1000))
    assert len(texts) == count
    # What had been written of the last one was taken back.
    assert faults == []


def on_a_full_device(journalist):
    # The device refuses to be synchronised, for another reason than being full.
    journalist._file._syncer.stop()
    device = os.open("/dev/full", os.O_WRONLY)
    os.dup2(device, journalist._file._descriptor)
    os.close(device)


def test_no_space_left_is_said_and_nothing_is_appended_behind_it(tmp_path):
    journalist = Journalist(tmp_path, who())
    journalist.record(request_hash(1), Reply(0, "kept"))
    on_a_full_device(journalist)
    for number in (2, 3):
        with pytest.raises(AfterimageError, match=r"recorded \(No space .*the 1 before it are"):
            journalist.record(request_hash(number), Reply(0, "lost"))
    with pytest.raises(AfterimageError, match="No space left on device"):
        journalist.close()
    assert found(tmp_path, [1, 2, 3])[0] == {(1, 0): "kept"}


def test_a_disk_that_fails_late_is_noticed(tmp_path, monkeypatch):
    """Network file systems report a full disk only when the data are to be kept."""
    journalist = Journalist(tmp_path, who())

    def failing(descriptor):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", failing)
    journalist.record(request_hash(1), Reply(0, "perhaps"))
    with pytest.raises(AfterimageError, match="the disk did not take every answer"):
        journalist.close()


def test_a_disk_that_failed_takes_no_further_answer(tmp_path, monkeypatch):
    journalist = Journalist(tmp_path, who())
    tried = threading.Event()

    def failing(descriptor):
        tried.set()
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "fsync", failing)
    journalist.record(request_hash(1), Reply(0, "perhaps"))
    assert tried.wait(60)
    # The thread that tried has ended by the time its error can be seen.
    journalist._file._syncer.join(60)
    with pytest.raises(AfterimageError, match="Input/output error"):
        journalist.record(request_hash(2), Reply(0, "never"))
    with pytest.raises(AfterimageError, match="Input/output error"):
        journalist.close()


def test_an_error_on_its_way_is_not_replaced_by_that_of_the_disk(tmp_path):
    with pytest.raises(KeyError), Journalist(tmp_path, who()) as journalist:
        journalist.record(request_hash(1), Reply(0, "kept"))
        on_a_full_device(journalist)
        with pytest.raises(AfterimageError):
            journalist.record(request_hash(2), Reply(0, "lost"))
        raise KeyError


def test_each_answer_is_on_its_way_to_the_disk_within_a_second(tmp_path, monkeypatch):
    synced, pauses = [], []
    with Journalist(tmp_path, who()) as journalist:
        path, stopping = journalist.path, journalist._file._syncer._stopping
        monkeypatch.setattr(os, "fsync", lambda _: synced.append(path.stat().st_size))
        wait = stopping.wait
        monkeypatch.setattr(stopping, "wait", lambda pause: (pauses.append(pause), wait(pause)))
        for number in range(20):
            journalist.record(request_hash(number), Reply(0, ""))
        deadline = time.monotonic() + 60
        while not synced or synced[-1] < path.stat().st_size:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        assert all(0 <= pause <= 1 for pause in pauses)
        assert len(synced) < 10


def test_a_setting_that_is_added_later_and_left_unset_orphans_no_answer():
    entry = ModelEntry("m", "b", "m", settings={"temperature": 0})
    later = entry.with_settings(top_p=None)
    assert answerer_of(entry).keys().key("1" * 64, 0) == answerer_of(later).keys().key("1" * 64, 0)
    chosen = entry.with_settings(top_p=0.9)
    assert answerer_of(entry).keys().key("1" * 64, 0) != answerer_of(chosen).keys().key("1" * 64, 0)
