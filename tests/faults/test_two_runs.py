"""Two runs on one journal, in real processes: they share the work, whoever is killed, suspended or on another node."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import contextmanager
from pathlib import Path

import pytest
from loopback_api import LoopbackApi, completion

from afterimage.models.journaling import claims, leases
from afterimage.models.journaling.claims import Claims, file_system_of
from afterimage.models.journaling.leases import HeldLease, Watch

SUPPORT = Path(__file__).parents[1] / "support"
QUESTIONS = 60
IN_FLIGHT = 4


#: What a job says that has nothing else to do.
WAITS = "answers are being asked for by another job, process"


def answer(call):
    return completion(f"answer to {call.text}", seconds=0.03)


@contextmanager
def gated(count):
    """Serve so many answers, and the others when the event is set: not before what a test waits for has happened."""
    numbers, opened = iter(range(10**6)), threading.Event()

    def react(call):
        number = next(numbers)
        return completion(
            f"answer to {call.text}", held=lambda: number >= count and not opened.is_set()
        )

    with LoopbackApi(react) as api:
        yield api, opened


class Job:
    """A process that asks the questions ``first`` to ``last``."""

    def __init__(
        self, api, folder, name, first=0, last=QUESTIONS - 1, stale_seconds=120.0, **client
    ):
        self.answers = folder / f"{name}.json"
        self.said = folder / f"{name}.log"
        paths = [str(SUPPORT), *sys.path]
        words = [api.url, folder / "journal", first, last, self.answers, stale_seconds]
        words.append(json.dumps(client))
        with self.said.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, str(SUPPORT / "asking_process.py"), *map(str, words)],
                stdout=log,
                stderr=log,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            )

    def finish(self, first=0, last=QUESTIONS - 1):
        """Wait for the end; every question must have the server's answer."""
        assert self.process.wait(timeout=300) == 0, self.said.read_text()
        found = json.loads(self.answers.read_text())
        expected = {str(n): f"answer to Question {n}" for n in range(first, last + 1)}
        assert found == {"answers": expected, "failures": {}}
        return self.said.read_text()


def asked(api):
    return Counter(call.text for call in api.calls)


def wait_until(condition):
    deadline = time.monotonic() + 100
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def wait_for_calls(api, count):
    wait_until(lambda: len(api.calls) >= count)


@pytest.fixture
def api():
    with LoopbackApi(answer) as api:
        yield api


def test_two_runs_at_once_ask_nothing_twice_and_the_one_that_waits_says_so(tmp_path):
    with gated(20) as (api, opened):
        jobs = [Job(api, tmp_path, name) for name in ("one", "two")]
        wait_until(lambda: any(WAITS in job.said.read_text() for job in jobs))
        opened.set()
        said = [job.finish() for job in jobs]
    assert asked(api) == {f"Question {n}": 1 for n in range(QUESTIONS)}
    assert sum(WAITS in text for text in said) == 1
    assert not list(tmp_path.glob("journal/hosted/.leases/*"))


def test_shards_that_are_cut_in_another_way_share_what_they_have_in_common(api, tmp_path):
    one, two = Job(api, tmp_path, "one", 0, 39), Job(api, tmp_path, "two", 20, 59)
    one.finish(0, 39)
    two.finish(20, 59)
    assert asked(api) == {f"Question {n}": 1 for n in range(QUESTIONS)}


def test_shards_of_one_run_do_not_wait_for_each_other(api, tmp_path):
    one, two = Job(api, tmp_path, "one", 0, 29), Job(api, tmp_path, "two", 30, 59)
    for said in (one.finish(0, 29), two.finish(30, 59)):
        assert "another job" not in said


def test_after_a_kill_another_job_goes_on_at_once_and_asks_again_only_what_was_in_flight(tmp_path):
    with gated(20) as (api, opened):
        killed = Job(api, tmp_path, "killed")
        wait_for_calls(api, 20 + IN_FLIGHT)
        waiting = Job(api, tmp_path, "waiting")
        wait_until(lambda: WAITS in waiting.said.read_text())
        killed.process.kill()
        killed.process.wait()
        opened.set()
        waiting.finish()
    assert sum(asked(api).values()) == QUESTIONS + IN_FLIGHT


def test_a_job_that_was_suspended_notices_that_it_lost_its_lease(tmp_path):
    with gated(8) as (api, opened):
        suspended = Job(api, tmp_path, "suspended", stale_seconds=4)
        wait_for_calls(api, 8 + IN_FLIGHT)
        suspended.process.send_signal(signal.SIGSTOP)
        opened.set()
        other = Job(api, tmp_path, "other", stale_seconds=4)
        wait_for_calls(api, 20)
        suspended.process.send_signal(signal.SIGCONT)
        other.finish()
        assert "another one has taken over" in suspended.finish()
    assert sum(asked(api).values()) <= QUESTIONS + 2 * IN_FLIGHT


def test_a_job_that_wakes_looks_at_its_lease_before_it_tries_again(tmp_path):
    """What was in flight has run out of time meanwhile, and another job has it."""
    is_slow = threading.Event()
    is_slow.set()

    def react(call):
        return completion(f"answer to {call.text}", seconds=30 if is_slow.is_set() else 0.03)

    with LoopbackApi(react) as api:
        suspended = Job(api, tmp_path, "suspended", stale_seconds=2, timeout_seconds=3)
        wait_for_calls(api, IN_FLIGHT)
        suspended.process.send_signal(signal.SIGSTOP)
        is_slow.clear()
        other = Job(api, tmp_path, "other", stale_seconds=2)
        other.finish()
        suspended.process.send_signal(signal.SIGCONT)
        suspended.finish()
        counts = asked(api)
    assert sum(counts.values()) == QUESTIONS + IN_FLIGHT
    assert max(counts.values()) == 2


def test_a_job_that_was_suspended_for_a_moment_keeps_its_lease(tmp_path):
    with gated(8) as (api, opened):
        suspended = Job(api, tmp_path, "suspended")
        wait_for_calls(api, 8 + IN_FLIGHT)
        suspended.process.send_signal(signal.SIGSTOP)
        opened.set()
        other = Job(api, tmp_path, "other")
        wait_until(lambda: WAITS in other.said.read_text())
        suspended.process.send_signal(signal.SIGCONT)
        suspended.finish()
        other.finish()
    assert asked(api) == {f"Question {n}": 1 for n in range(QUESTIONS)}


class Elsewhere:
    """Leases of processes on other nodes, whose numbers mean nothing here."""

    def __init__(self, folder):
        self.folder = folder / ".leases"
        self.folder.mkdir(parents=True)

    def lease(self, name, *keys, beat=0, since="1999-01-01T00:00:00+00:00"):
        holder = {"token": name, "host": "node7", "process": 1, "machine": "other", "since": since}
        content = b"%016d\n" % beat + "\n".join([json.dumps(holder), *keys]).encode()
        (self.folder / name).write_bytes(content)
        return self.folder / name


@pytest.fixture
def elsewhere(tmp_path):
    return Elsewhere(tmp_path)


@pytest.mark.parametrize("since", ["1999-01-01T00:00:00+00:00", "2999-01-01T00:00:00+00:00"])
def test_whether_another_node_is_alive_is_known_from_its_beats_and_from_no_clock(
    elsewhere, tmp_path, monkeypatch, since
):
    monkeypatch.setattr(leases, "STALE_SECONDS", 0.5)
    path = elsewhere.lease("a.lease", "k1", since=since)
    clock = iter(range(1000)).__next__
    monkeypatch.setattr(leases, "MAX_SECONDS_PER_LOOK", 0.2)
    watch = Watch(path, clock)
    for beat in range(9):
        elsewhere.lease("a.lease", "k1", beat=beat, since=since)
        assert not watch.is_over()
    # From the last beat on it is silent; one look counts for no more than 0.2 s.
    assert [watch.is_over() for _ in range(3)] == [False, False, True]
    assert not path.exists()


def test_what_somebody_elsewhere_asks_is_left_to_them_and_the_rest_is_claimed(elsewhere, tmp_path):
    elsewhere.lease("a.lease", "k1", "k2")
    elsewhere.lease("b.lease", "k9")
    with Claims(tmp_path).claim(["k1", "k3"]) as claim:
        assert (claim.keys, [lease.path.name for lease in claim.others]) == ({"k3"}, ["a.lease"])
        with Claims(tmp_path).claim(["k3"]) as second:
            assert not second.keys
    with Claims(tmp_path).claim(["k3"]) as third:
        assert third.keys == {"k3"}


def test_a_lease_that_was_silent_for_a_day_is_removed_by_whoever_comes_by(elsewhere, tmp_path):
    path = elsewhere.lease("a.lease", "k1")
    os.utime(path, (path.stat().st_atime, path.stat().st_mtime - 90_000))
    with Claims(tmp_path).claim(["k1"]) as claim:
        assert claim.keys == {"k1"}
    assert not path.exists()


@pytest.mark.parametrize("content", [b"", b"\x00\xff", b"0\n[1]\n", b"0\n" + b"[" * 100_000])
def test_a_lease_that_cannot_be_read_blocks_nobody(elsewhere, tmp_path, monkeypatch, content):
    monkeypatch.setattr(leases, "STALE_SECONDS", 0.2)
    (elsewhere.folder / "a.lease").write_bytes(content)
    (elsewhere.folder / "deciding").write_bytes(content)
    with Claims(tmp_path).claim(["k1"]) as claim:
        assert claim.keys == {"k1"}


def test_whoever_was_taken_for_dead_while_deciding_decides_again(elsewhere, tmp_path, monkeypatch):
    made = []

    class Robbed(HeldLease):
        def __init__(self, path, content=""):
            super().__init__(path, content)
            made.append(path.name)
            if made.count("deciding") == 1 and path.suffix == ".lease":
                # Somebody else takes the gate, claims the same and is done.
                (path.parent / "deciding").unlink()
                elsewhere.lease("a.lease", "k1")

    monkeypatch.setattr(claims, "HeldLease", Robbed)
    with Claims(tmp_path).claim(["k1"]) as claim:
        assert not claim.keys
    assert [path.name for path in elsewhere.folder.iterdir()] == ["a.lease"]


def test_a_holder_that_beats_at_the_moment_it_is_given_up_keeps_its_lease(elsewhere):
    path = elsewhere.lease("a.lease", "k1")
    before = leases.read(path)
    elsewhere.lease("a.lease", "k1", beat=5)
    assert not leases.remove(before)
    assert path.exists()


def test_a_process_with_the_number_of_one_that_has_ended_is_another(tmp_path):
    lease = HeldLease(tmp_path / "a.lease")
    found = leases.read(lease.path)
    assert not found.has_ended()
    again = leases.Lease(found.path, found.beat, {**found.holder, "started": "1"})
    assert again.has_ended()
    lease.release()
    assert not lease.path.exists()


def test_where_no_lease_can_be_written_a_warning_says_what_may_happen(tmp_path, caplog):
    (tmp_path / ".leases").write_text("in the way")
    with Claims(tmp_path).claim(["k1"]) as claim:
        assert claim.keys == {"k1"}
        assert claim.is_held()
    assert "another run on this journal would ask the same again" in caplog.text


def test_on_file_systems_that_do_not_show_leases_a_warning_is_given(tmp_path, caplog, monkeypatch):
    mounts = tmp_path / "mounts"
    mounts.write_text(f"/dev/sda / ext4 rw 0 0\nhost:/x {tmp_path} fuse.sshfs rw 0 0\n")
    assert file_system_of(Path("/"), mounts) == "ext4"
    kind = file_system_of(tmp_path, mounts)
    monkeypatch.setattr(claims, "file_system_of", lambda folder: kind)
    with Claims(tmp_path).claim(["k1"]):
        pass
    assert "let only one run at a time use this journal" in caplog.text
