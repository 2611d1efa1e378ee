"""While somebody shows the run, a job prints nothing: all that it says stands in its log."""

import os
import subprocess
import sys

import pytest

JOB = """
import sys
from types import SimpleNamespace
from afterimage.jobs import running

def work(spec, inputs, outputs, beside):
    import logging, os
    logging.warning("careful")
    logging.getLogger("fontTools.subset").info("of every table of a typeface")
    print("a library speaks")
    os.write(2, b"and one below Python\\n")
    exec(os.environ.get("RAISES", "raise running.AfterimageError('no key')"))

running.resolve = lambda name: work
job = SimpleNamespace(log=["logs/run_model/pope/mine.log"], params=SimpleNamespace(run="x", spec={}), threads=1,
                      resources={}, input={}, output={}, rule="r")
running.run_job(job)
"""


def run(folder, **environment):
    own = {**os.environ, **environment}
    own.pop("AFTERIMAGE_PROGRESS", None) if not environment else None
    return subprocess.run(
        [sys.executable, "-c", JOB],
        cwd=folder,
        env=own,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_job_that_is_shown_prints_nothing_and_logs_all(tmp_path, root):
    python_path = str(root / "workflow" / "scripts")
    done = run(tmp_path, AFTERIMAGE_PROGRESS=str(tmp_path), PYTHONPATH=python_path)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")
    log = (tmp_path / "logs/run_model/pope/mine.log").read_text()
    for words in ("WARNING careful", "a library speaks", "and one below Python", "ERROR no key"):
        assert words in log
    assert "typeface" not in log


def test_a_job_that_nobody_shows_prints_its_sentence(tmp_path, root, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(root / "workflow" / "scripts"))
    done = run(tmp_path)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "ERROR: no key"


INTERRUPTED = "ERROR rule r was interrupted (Ctrl-C); what was answered is in the journal"


@pytest.mark.parametrize(
    ("raises", "code", "words"),
    [
        ("os.kill(os.getpid(), 2); import time; time.sleep(30)", 130, INTERRUPTED),
        ("raise KeyboardInterrupt", 130, INTERRUPTED),
        (
            "class Panic(BaseException): pass\nraise Panic('unwrap on None')",
            1,
            "ERROR unexpected error in rule r",
        ),
        ("raise SystemExit(143)", 143, "WARNING careful"),
    ],
)
def test_what_ends_a_job_is_called_that_in_its_log(raises, code, words, tmp_path, root):
    python_path = str(root / "workflow" / "scripts")
    done = run(tmp_path, AFTERIMAGE_PROGRESS=str(tmp_path), PYTHONPATH=python_path, RAISES=raises)
    assert done.returncode == code
    log = (tmp_path / "logs/run_model/pope/mine.log").read_text()
    assert words in log
    # All of it stands in one line: the display says the first of an error.
    assert ("Traceback" in log) == (code == 1)
