"""What every job does around its work: files that were fetched, a full disk, what is shown and logged."""

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from afterimage.stages.running import no_room, with_fetched

FETCHED = ".snakemake/storage/fs/store/results/stimuli/pope/records.jsonl"


def test_a_fetched_input_takes_the_place_of_its_path_wherever_a_spec_names_it():
    named = "results/stimuli/pope/records.jsonl"
    spec = {"bank": {"records": named}, "files": [named, "other"], "seed": 3, "none": None}
    placed = with_fetched(spec, {"files": [FETCHED], "shard": "results/items/a.parquet"})
    assert placed == {
        "bank": {"records": FETCHED},
        "files": [FETCHED, "other"],
        "seed": 3,
        "none": None,
    }


@pytest.mark.parametrize(
    "value",
    ["pope/records", "records.jsonl", "of a/b", "ults/stimuli/pope/records.jsonl"],
    ids=["a part", "a bare name", "a text", "an end that is no path"],
)
def test_what_is_no_inputs_path_stays(value):
    assert with_fetched({"x": value}, {"files": [FETCHED]}) == {"x": value}


def test_a_path_that_is_there_stays(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b.csv").touch()
    inputs = {"files": "/elsewhere/a/b.csv"}
    assert with_fetched(["a/b.csv"], inputs) == ["a/b.csv"]
    (tmp_path / "a" / "b.csv").unlink()
    assert with_fetched(["a/b.csv"], inputs) == ["/elsewhere/a/b.csv"]


pytestmark = pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")


def by_python():
    with Path("/dev/full").open("w") as file:
        file.write("x" * 100_000)


def by_arrow():
    # By a path the library would remove what it could not write.
    with pa.OSFile("/dev/full", "wb") as file:
        pq.write_table(pa.table({"a": list(range(100_000))}), file)


def by_a_picture():
    from PIL import Image

    with Path("/dev/full").open("wb") as file:
        Image.effect_noise((500, 500), 50).save(file, "PNG")


def by_an_error_that_wraps_it():
    try:
        by_python()
    except OSError as error:
        raise RuntimeError("could not write") from error


@pytest.mark.parametrize("write", [by_python, by_arrow, by_a_picture, by_an_error_that_wraps_it])
def test_whatever_writes_to_a_full_disk_is_without_room(write):
    with pytest.raises(Exception) as caught:
        write()
    assert no_room(caught.value) == "the disk is full"


@pytest.mark.parametrize(
    "error", [OSError(errno.EACCES, "denied"), ValueError("No space left on device")]
)
def test_other_errors_are_not_called_that(error):
    assert no_room(error) is None


JOB = """
import sys
from types import SimpleNamespace
from afterimage.stages import running

def work(spec, inputs, outputs, resources):
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


@pytest.fixture
def heeding_interrupts():
    """What a job inherits from tests that were started in the background ignores SIGINT."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


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
@pytest.mark.usefixtures("heeding_interrupts")
def test_what_ends_a_job_is_called_that_in_its_log(raises, code, words, tmp_path, root):
    python_path = str(root / "workflow" / "scripts")
    done = run(tmp_path, AFTERIMAGE_PROGRESS=str(tmp_path), PYTHONPATH=python_path, RAISES=raises)
    assert done.returncode == code
    log = (tmp_path / "logs/run_model/pope/mine.log").read_text()
    assert words in log
    # All of it stands in one line: the display says the first of an error.
    assert ("Traceback" in log) == (code == 1)
