"""Starts the server from which a run's jobs are forked, says how their commands reach it, and what all jobs inherit."""

import atexit
import contextlib
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

#: Set to anything, jobs are processes of their own from the start.
ALONE = "AFTERIMAGE_JOBS_ALONE"
#: What Snakemake (9.27) tells a job of one thread; libraries read it when they are imported.
_ONE_THREAD = dict.fromkeys(
    (
        "OMP_NUM_THREADS",
        "GOTO_NUM_THREADS",
        "OPENBLAS_NUM_THREADS",
        "MKL_NUM_THREADS",
        "VECLIB_MAXIMUM_THREADS",
        "NUMEXPR_NUM_THREADS",
    ),
    "1",
)
#: By default glibc hands the memory of each large array back, and the kernel fills it with zeros for the next one.
_KEPT_BYTES = {"MALLOC_MMAP_THRESHOLD_": 32 << 20, "MALLOC_TRIM_THRESHOLD_": 256 << 20}
# A server ends when the writing end of its standard input is closed: when this process ends, however it does.
_servers: list[subprocess.Popen] = []
#: Seconds in which it does.
_PATIENCE = 10


def keep_memory() -> None:
    """Let jobs use the memory of an array again (docs/performance.md), unless the environment says otherwise."""
    for name, size in _KEPT_BYTES.items():
        os.environ.setdefault(name, str(size))


def prefix_of_jobs() -> str | None:
    """Start a server; return what stands before a job's command, or None if jobs are not forked.

    Elsewhere than on Linux a process that has imported much is not safe to fork.
    """
    if sys.platform != "linux" or os.environ.get(ALONE):
        return None
    here = Path(__file__).parent
    address = Path(tempfile.mkdtemp(prefix="afterimage-")) / "jobs"
    _servers.append(
        subprocess.Popen(
            # By a shell, as jobs are: it takes some variables away, such as PS1.
            f"exec {shlex.join([sys.executable, str(here / 'server.py'), str(address)])}",
            shell=True,
            executable=shutil.which("bash"),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **_ONE_THREAD},
        )
    )
    atexit.register(_end)
    # Without site-packages, Python starts in a hundredth of a second.
    client = [sys.executable, "-I", "-S", str(here / "client.py"), str(address)]
    return f"{shlex.join(client)} "


def _end() -> None:
    """Wait for the end of a server, so that its jobs' time counts as this process's (``time``, ``getrusage``)."""
    for server in _servers:
        server.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            server.wait(_PATIENCE)
