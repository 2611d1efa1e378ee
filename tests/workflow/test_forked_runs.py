"""A run whose jobs are forked makes, to the byte, what jobs that start alone make, and fails as they do."""

import hashlib
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from workspace import Workspace, said

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="jobs are forked on Linux alone")

RUNNING = "workflow/scripts/afterimage/stages/running.py"
#: Written by each job, of which the results know nothing: who started it. Jobs that began before there was a server
#: wait for it, however long it imports on a busy machine.
NOTE = """
    import re, time
    started_by = Path(f'/proc/{os.getppid()}/cmdline').read_text()
    with open("starts.txt", "a") as starts:
        starts.write(f"{job.rule} {started_by}\\\\n")
    if (address := re.search(r"client[.]py (/[^ ]+)", started_by)) is not None:
        end = time.monotonic() + 200
        while not Path(address[1]).exists() and time.monotonic() < end:
            time.sleep(0.05)
"""
#: What differs from run to run: times, and what is drawn with the secret of a study.
OTHERWISE = ("logs", "benchmarks", "human/forms", "human/tasks")


def made(workspace):
    results = workspace.folder / "results"
    files = {path.relative_to(results).as_posix(): path for path in results.rglob("*")}
    return {
        name: hashlib.sha256(path.read_bytes()).hexdigest()
        for name, path in files.items()
        if path.is_file() and not name.startswith(OTHERWISE)
    }


def noting(workspace):
    workspace.edit(RUNNING, r"^    log = Path\(job\.log\[0\]\)$", NOTE + r"\g<0>")
    return workspace


def starts(workspace):
    """Return the rules of the jobs that were forked, and of those that were not."""
    lines = (workspace.folder / "starts.txt").read_text().splitlines()
    forked = {line.split()[0] for line in lines if "preloaded/server.py" in line}
    alone = {line.split()[0] for line in lines if "preloaded/server.py" not in line}
    return forked, alone


def test_forked_jobs_make_the_same_bytes(finished, drawn_study, tmp_path, monkeypatch):
    noting(finished).run()
    forked, alone = starts(finished)
    # The first ones begin while the server imports.
    assert {"grade_responses", "make_table", "draw_chart", "make_overview"} <= forked
    assert "make_table" not in alone

    other = noting(Workspace.copy(drawn_study, tmp_path / "alone"))
    monkeypatch.setenv("AFTERIMAGE_JOBS_ALONE", "1")
    other.run()
    assert starts(other)[0] == set()
    assert made(other) == made(finished)
    assert len(made(other)) > 50


def test_a_job_that_is_killed_fails_and_the_run_says_so(finished):
    noting(finished).edit(
        "workflow/scripts/afterimage/stages/tables.py",
        r"^    table = resolve\(",
        r"    os.kill(os.getpid(), 9)\n\g<0>",
    )
    failed = finished.snakemake()
    assert failed.returncode != 0
    assert "Traceback" not in failed.stdout
    assert "Missing: 6 jobs did not run: they need what failed." in said(failed)
    assert "make_table" in starts(finished)[0]


def test_no_process_is_left_of_a_run(finished):
    noting(finished).run()
    end = time.monotonic() + 120
    while (left := processes_of(finished.folder)) and time.monotonic() < end:
        time.sleep(0.1)
    assert left == []


def processes_of(folder):
    """Return the processes whose commands name a folder."""
    commands = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            commands.append(path.read_text())
    return [command for command in commands if str(folder) in command]
