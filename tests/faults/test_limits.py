"""Limits of the system end no job without a sentence: the size of a file, no folder for temporary files."""

import resource
import subprocess
import sys
import textwrap

import pytest

#: More than a job's log needs, and less than what the writers write.
LIMIT = 40_000
WRITERS = {
    "text": "write_text(path, 'x' * 200_000)",
    "Parquet": "write_records(path, [{'a': os.urandom(20_000)} for _ in range(20)], SCHEMA)",
    "a picture": "with_picture(path)",
    "nothing but a long log": "[logging.info('y' * 1_000) for _ in range(200)]; write_text(path, 'done')",
}
JOB = """
import logging, os, sys
from types import SimpleNamespace
import pyarrow as pa
from PIL import Image
from afterimage.files.parquet import write_records
from afterimage.files.paths import atomic_path, write_text
from afterimage.stages import running

SCHEMA = pa.schema([("a", pa.binary())])
path = sys.argv[1] + "/out"

def with_picture(path):
    with atomic_path(path) as temporary:
        Image.effect_noise((500, 500), 50).save(temporary, "PNG")

def work(spec, inputs, outputs, resources):
    WRITE

class Named(dict):
    def __iter__(self):
        return iter(self.values())

running.resolve = lambda name: work
running.run_job(SimpleNamespace(
    log=[sys.argv[1] + "/job.log"], rule="make_table", threads=1, resources={}, input={},
    output=Named(out=path), params=SimpleNamespace(run="x", spec={}),
))
"""


def run(write, folder):
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(JOB).replace("WRITE", write), str(folder)],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, LIMIT)),
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


@pytest.mark.parametrize("writer", ["text", "Parquet", "a picture"])
def test_a_limit_on_the_size_of_files_is_one_sentence_and_leaves_the_older_file(writer, tmp_path):
    (tmp_path / "out").write_text("older")
    done = run(WRITERS[writer], tmp_path)
    assert done.returncode == 1
    (sentence,) = done.stderr.splitlines()
    assert "the limit on the size of a file (ulimit -f) is reached" in sentence
    assert str(tmp_path / "out") in sentence
    assert (tmp_path / "out").read_text() == "older"
    assert {path.name for path in tmp_path.iterdir()} == {"out", "job.log"}


def test_a_log_that_may_not_grow_ends_no_job(tmp_path):
    done = run(WRITERS["nothing but a long log"], tmp_path)
    assert done.returncode == 0, done.stderr
    (sentence,) = done.stderr.splitlines()
    assert "ulimit -f" in sentence
    assert "missing in this log" in sentence
    assert (tmp_path / "out").read_text() == "done"
