"""A job that is forked from the server of a run is, to all appearances, the process that Snakemake started."""

import json
import os
import pickle
import resource
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from types import SimpleNamespace

import pytest

from preloaded.starting import keep_memory

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="jobs are forked on Linux alone")

# Holds a server as Snakemake does, and tells the prefix of its jobs; it ends when its standard input is closed.
HOLDER = """
import signal, sys
sys.path.insert(0, {scripts!r})
signal.signal(signal.SIGINT, lambda *_: None)
from preloaded.starting import prefix_of_jobs
print(prefix_of_jobs(), flush=True)
sys.stdin.read()
"""
ONE_THREAD = (
    "OMP_NUM_THREADS",
    "GOTO_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "NUMEXPR_NUM_THREADS",
)
PREAMBLE = "import pickle; snakemake = pickle.loads({job!r}); import snakemake.logging as _\n"
#: What a job can see of itself; its process and its parent, which differ, apart.
LOOK = """
import gc, json, os, signal, sys, threading, warnings
print("said on standard error", file=sys.stderr)
print(json.dumps({
    "arguments": sys.argv, "path": sys.path, "name": __name__, "file": __file__,
    "main": sys.modules["__main__"].__file__,
    "folder": os.getcwd(), "environment": dict(os.environ), "said": sys.stdin.read(), "flags": list(sys.flags),
    "interrupt": str(signal.getsignal(signal.SIGINT)), "child": str(signal.getsignal(signal.SIGCHLD)),
    "blocked": sorted(signal.pthread_sigmask(signal.SIG_BLOCK, ())),
    "group": os.getpgrp(), "session": os.getsid(0), "mask": os.umask(0), "gc": gc.isenabled(),
    "threads": threading.active_count(), "open": sorted(os.listdir("/proc/self/fd"), key=int)[:-1],
    "buffered": [sys.stdout.line_buffering, sys.stderr.line_buffering, sys.stdout.encoding, sys.stdout.errors],
}))
"""
PARENT = "import os; print(os.getppid(), 'pandas' in __import__('sys').modules)"


class Run:
    """A server with the folder in which its jobs run."""

    def __init__(self, folder: Path, scripts: Path) -> None:
        self.folder = folder
        # A shell that is not interactive takes the prompt of an activated environment away.
        self.environment = {**os.environ, "PS1": "(venv) "}
        self.environment.pop("AFTERIMAGE_JOBS_ALONE", None)
        self.holder = subprocess.Popen(
            [sys.executable, "-c", HOLDER.format(scripts=str(scripts))],
            cwd=folder,
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.prefix = self.holder.stdout.readline().strip()
        self.address = Path(shlex.split(self.prefix)[-1])
        assert within_seconds(120, self.address.exists)
        (self.server,) = children(self.holder.pid)

    def start(
        self, code, measured=False, alone=False, folder=".", python=sys.executable, **changes
    ):
        """Start a script as Snakemake does."""
        job = pickle.dumps(SimpleNamespace(bench_iteration=0 if measured else None))
        script = self.folder / folder / f"{time.monotonic_ns()}.job.py"
        script.write_text(PREAMBLE.format(job=job) + code)
        return subprocess.Popen(
            ["bash", "-c", f"{'' if alone else self.prefix} {python} {script.name}"],
            cwd=script.parent,
            env={**self.environment, **dict.fromkeys(ONE_THREAD, "1"), **changes},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            # Ignored where the tests themselves run in the background of a shell.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )

    def said(self, code: str, **changes) -> str:
        """Run a script to its end and return what it prints; it must succeed."""
        done = self.start(code, **changes)
        output, errors = done.communicate("asked\n", timeout=300)
        assert done.returncode == 0, errors
        return output

    def has_forked(self, code: str = PARENT, **changes) -> bool:
        """Tell whether a script is forked from the server."""
        parent, preloaded = self.said(code, **changes).split()
        assert (preloaded == "True") == (int(parent) == self.server)
        return int(parent) == self.server


@contextmanager
def served(folder, scripts):
    """Run a server."""
    own = Run(folder, scripts)
    yield own
    own.holder.kill()
    own.holder.communicate()
    assert within_seconds(120, lambda: not is_there(own.server))


@pytest.fixture(scope="module")
def run(tmp_path_factory, scripts):
    """A server that is ready."""
    with served(tmp_path_factory.mktemp("run"), scripts) as own:
        yield own


@pytest.fixture
def own_run(tmp_path, scripts):
    """One that the test ends."""
    with served(tmp_path, scripts) as own:
        yield own


def within_seconds(seconds, condition):
    """Wait for a condition; tell whether it came true."""
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    return condition()


def children(process):
    return [
        int(one) for one in Path(f"/proc/{process}/task/{process}/children").read_text().split()
    ]


def is_there(process):
    """Tell whether a process runs; a zombie has ended."""
    with suppress(OSError):
        return ") Z " not in Path(f"/proc/{process}/stat").read_text()
    return False


def started(run, code="", **changes):
    """Return a job that has begun to wait, and the number of its process."""
    job = run.start(f"import os, time; print(os.getpid(), flush=True)\n{code}\ntime.sleep(600)")
    return job, int(job.stdout.readline())


def test_a_forked_job_sees_what_it_would_see_alone(run):
    forked, alone = (json.loads(run.said(LOOK, alone=alone)) for alone in (False, True))
    for seen in (forked, alone):
        seen["script"] = seen["arguments"] = [
            Path(argument).suffix for argument in seen["arguments"]
        ]
        for name in ("file", "main"):
            seen[name] = str(Path(seen[name]).parent)
        # Of the shell, and of the script's own name.
        for name in ("_", "SHLVL", "BASH_EXECUTION_STRING"):
            seen["environment"].pop(name, None)
    assert forked == alone
    assert forked["said"] == "asked\n"


def test_each_job_has_its_streams(run):
    jobs = [
        run.start(f"import sys; print({one}); print(-{one}, file=sys.stderr)")
        for one in range(1, 6)
    ]
    said = [job.communicate(timeout=300) for job in jobs]
    assert said == [(f"{one}\n", f"-{one}\n") for one in range(1, 6)]


@pytest.mark.parametrize(
    ("end", "code"),
    [
        ("", 0),
        ("sys.exit(3)", 3),
        ("sys.exit('a sentence')", 1),
        ("raise ValueError('seen')", 1),
        ("os.kill(os.getpid(), signal.SIGKILL)", -signal.SIGKILL),
        ("os.kill(os.getpid(), signal.SIGTERM)", -signal.SIGTERM),
        ("os.kill(os.getpid(), signal.SIGSEGV)", -signal.SIGSEGV),
        ("os.kill(os.getpid(), signal.SIGINT)", -signal.SIGINT),
        ("import atexit; atexit.register(print, 'at its end')", 0),
        ("print('said'); sys.exit(-1)", 255),
        ("print('said'); sys.stdout.close()", 0),
        ("import threading as t, time; t.Timer(0.3, print, ['a thread']).start(); sys.exit(4)", 4),
    ],
)
def test_a_job_ends_as_it_would_alone(run, end, code):
    ends = []
    for alone in (False, True):
        job = run.start(f"import os, signal, sys\n{end}", alone=alone)
        said, errors = job.communicate(timeout=300)
        ends.append((job.returncode, said, errors.splitlines()[-1:]))
    assert ends[0] == ends[1]
    assert ends[0][0] == code


def test_a_job_does_not_take_apart_what_the_server_has_imported(run):
    code = "class Left:\n    def __del__(self): print('taken apart')\nleft = Left()"
    assert (run.said(code), run.said(code, alone=True)) == ("", "taken apart\n")


def test_what_is_not_as_the_server_is_runs_alone(run):
    assert run.has_forked()
    assert run.has_forked(AFTERIMAGE_PROGRESS="here", TMPDIR="/var/tmp")
    assert not run.has_forked(OMP_NUM_THREADS="2")
    assert not run.has_forked(PYTHONHASHSEED="1")
    # Snakemake measures the process that it has started.
    assert not run.has_forked(measured=True)
    assert not run.has_forked(python=f"{sys.executable} -B")
    (run.folder / "other").mkdir()
    assert not run.has_forked(folder="other")
    assert run.has_forked()


def test_code_that_was_edited_since_the_start_is_what_runs(run):
    code = "import sys; sys.path.append('.'); import edited; print(edited.VALUE)"
    # Of other lengths: Python tells compiled modules apart by seconds and size.
    for value in ("before", "afterwards"):
        (run.folder / "edited.py").write_text(f"VALUE = '{value}'\n")
        assert run.said(code) == f"{value}\n"


def test_chance_differs_from_job_to_job(run):
    code = "import numpy, random; print(numpy.random.random(), random.random())"
    first, second = run.said(code).split(), run.said(code).split()
    assert first[0] != second[0]
    assert first[1] != second[1]


def test_a_job_ends_with_the_process_that_waits_for_it(run):
    job, process = started(run)
    job.kill()
    assert within_seconds(120, lambda: not is_there(process))
    assert run.has_forked()


def test_a_job_that_is_killed_fails_and_others_go_on(run):
    job, process = started(run)
    other, _ = started(run)
    os.kill(process, signal.SIGKILL)
    job.communicate(timeout=300)
    assert job.returncode == -signal.SIGKILL
    assert other.poll() is None
    other.kill()


def test_an_interrupt_reaches_the_job_and_ends_it_once(tmp_path, scripts):
    """As of Ctrl-C: all processes of a group get it; the server stays, for Snakemake waits for other jobs."""
    with subprocess.Popen(
        [sys.executable, __file__, str(tmp_path), str(scripts)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as group:
        assert group.stdout.readline() == "waits\n"
        os.killpg(group.pid, signal.SIGINT)
        said, errors = group.communicate(timeout=300)
    assert said == "interrupted 130 True\n", errors


@pytest.mark.parametrize(("answer", "code"), [(b"+130", 130), (b"", -signal.SIGINT)])
def test_an_interrupt_while_a_job_is_handed_over_is_the_jobs_or_the_commands(
    tmp_path, scripts, answer, code
):
    address = tmp_path / "jobs"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(address))
        server.listen()
        words = [sys.executable, "-I", "-S", scripts / "preloaded/client.py", address]
        client = subprocess.Popen(
            [*words, shutil.which("echo"), "ran"],
            stdout=subprocess.PIPE,
            text=True,
            # Ignored where the tests themselves run in the background of a shell.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        asking, _ = server.accept()
        with asking:
            asking.recv(int.from_bytes(asking.recv(4), "big"), socket.MSG_WAITALL)
            client.send_signal(signal.SIGINT)
            asking.sendall(answer)
    said, _ = client.communicate(timeout=300)
    assert (said, client.returncode) == ("", code)


def test_a_run_that_was_interrupted_forks_no_more(own_run):
    assert own_run.has_forked()
    os.kill(own_run.server, signal.SIGINT)
    assert not own_run.has_forked()


def test_without_a_server_jobs_run_alone(own_run):
    job, process = started(own_run)
    os.kill(own_run.server, signal.SIGKILL)
    _, errors = job.communicate(timeout=300)
    assert job.returncode == 1
    assert errors == "The process from which this job was forked has ended, and the job with it.\n"
    assert within_seconds(120, lambda: not is_there(process))
    assert not own_run.has_forked()


def test_nothing_is_left_of_a_run_that_is_killed(own_run):
    job, process = started(own_run)
    own_run.holder.kill()
    assert within_seconds(120, lambda: not is_there(process) and not is_there(own_run.server))
    assert job.wait(timeout=300) == 1
    assert within_seconds(120, lambda: not own_run.address.parent.exists())


def test_the_time_of_jobs_counts_as_that_of_the_run(own_run):
    before = seconds_of_children()
    own_run.said("import time\nwhile time.process_time() < 3: pass")
    own_run.holder.communicate(timeout=300)
    assert own_run.holder.returncode == 0
    assert seconds_of_children() - before > 3
    assert not is_there(own_run.server)


def seconds_of_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def test_a_setting_switches_it_off(tmp_path, scripts):
    code = HOLDER.format(scripts=str(scripts))
    environment = {**os.environ, "AFTERIMAGE_JOBS_ALONE": "1"}
    said = subprocess.run(
        [sys.executable, "-c", code],
        env=environment,
        input="",
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout == "None\n"


ARRAY = """
import ctypes, numpy

class Mallinfo2(ctypes.Structure):  # mallinfo(3); hblkhd: bytes in mappings of their own
    _fields_ = [
        (name, ctypes.c_size_t)
        for name in (
            "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost".split()
        )
    ]

libc = ctypes.CDLL(None)
libc.mallinfo2.restype = Mallinfo2
before = libc.mallinfo2().hblkhd
array = numpy.ones(1 << 20)
print(libc.mallinfo2().hblkhd - before >= array.nbytes)
"""


def test_jobs_use_the_memory_of_arrays_again(monkeypatch):
    """An array that has a mapping of its own is given back as soon as it is freed."""

    def has_its_own_mapping():
        job = subprocess.run(
            [sys.executable, "-c", ARRAY], capture_output=True, check=True, text=True
        )
        return job.stdout == "True\n"

    for name in ("MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_"):
        monkeypatch.setenv(name, "")  # noted, so that what `keep_memory` sets is taken back
        monkeypatch.delenv(name)
    assert has_its_own_mapping()
    monkeypatch.setenv("MALLOC_TRIM_THRESHOLD_", "100000000")
    keep_memory()
    assert os.environ["MALLOC_TRIM_THRESHOLD_"] == "100000000"
    assert not has_its_own_mapping()


def _interrupted_job(folder: Path, scripts: Path) -> None:
    """Start a server and a job, which says how it is interrupted; say how its command ends."""
    own = Run(folder, scripts)
    signal.signal(signal.SIGINT, lambda *_: None)
    code = (
        "import sys, time\n"
        "try: print('waits', flush=True); time.sleep(600)\n"
        "except KeyboardInterrupt: print('interrupted', end=' '); sys.exit(130)"
    )
    job = own.start(code)
    print(job.stdout.readline(), end="", flush=True)
    said, _ = job.communicate(timeout=300)
    print(said.strip(), job.returncode, is_there(own.server), flush=True)
    own.holder.kill()


if __name__ == "__main__":
    _interrupted_job(*map(Path, sys.argv[1:]))
