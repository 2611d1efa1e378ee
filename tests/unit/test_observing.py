"""Observed jobs note every function that they enter, and behave as they do unobserved."""

import json
import os
import subprocess
import sys
from pathlib import Path

from observing import OBSERVER

DECORATING = """
def kept(function):
    return lambda *values: function(*values)
"""
COUNTING = '''
from afterimage.decorating import kept

@kept
def double(x):
    """Docstring."""
    def inner():
        return 2 * x
    return inner()

class Number:
    size = [double(one) for one in (1, 2)]
    __slots__ = ("x",)

    def __init__(self, x):
        self.x = x

    @property
    def plus_one(self):
        return self.x + 1

    async def later(self):
        return self.x

def counted(end):
    "Docstring."
    yield from range(end)

def documented(): "Docstring."

unused = lambda x: x
plus = lambda x, y=2: x + y
'''
# As Snakemake does: the script defines the job, then calls the package.
JOB = """
import asyncio
from types import SimpleNamespace
snakemake = SimpleNamespace(params=SimpleNamespace(code="code of job"), rule="job", wildcards={})
from afterimage import counting
unstarted = counting.counted(1)
three = counting.Number(3)
print(three.plus_one, counting.plus(1), counting.documented(), counting.documented.__doc__)
"""
MORE = """
print(list(counting.counted(2)), counting.double(4), asyncio.run(three.later()))
"""
#: The first line of each function, where its decorators begin, and its name.
CALLED_AT_IMPORT = {
    ("def kept(function):", "kept"),
    ("return lambda *values: function(*values)", "kept.<locals>.<lambda>"),
    ("@kept", "double"),
    ("def inner():", "double.<locals>.inner"),
}
CALLED = {
    ("def __init__(self, x):", "Number.__init__"),
    ("@property", "Number.plus_one"),
    ('def documented(): "Docstring."', "documented"),
    ("plus = lambda x, y=2: x + y", "<lambda>"),
}
CALLED_LATER = {
    ("def counted(end):", "counted"),
    ("async def later(self):", "Number.later"),
    *CALLED_AT_IMPORT - {("def kept(function):", "kept")},
}
SOURCES = {"__init__": "", "decorating": DECORATING, "counting": COUNTING}


def observed_job(folder, text):
    """Run a job; return what it printed, what it entered, and what was entered while a module was imported."""
    package = folder / "workflow" / "scripts" / "afterimage"
    package.mkdir(parents=True, exist_ok=True)
    for name, source in SOURCES.items():
        (package / f"{name}.py").write_text(source)
    script, seen = folder / "some.job.py", folder / "seen"
    script.write_text(text)
    seen.mkdir(exist_ok=True)
    environment = os.environ | {
        "AFTERIMAGE_OBSERVED": str(seen),
        "PYTHONPATH": os.pathsep.join([str(OBSERVER), str(package.parent)]),
    }
    printed = subprocess.run(
        [sys.executable, script], env=environment, capture_output=True, text=True, check=True
    ).stdout
    (file,) = seen.glob("*.json")
    noted = json.loads(file.read_text())
    file.unlink()
    return printed, noted["entered"], noted["imported"]


def line_of(file, line):
    return SOURCES[Path(file).stem].splitlines()[line - 1].strip()


def functions(noted):
    return {(line_of(file, line), name) for file, line, name, *_ in noted}


def test_every_function_that_is_entered_is_noted(tmp_path):
    printed, entered, imported = observed_job(tmp_path, JOB)
    assert printed == "4 3 None Docstring.\n"
    assert functions(entered) == CALLED
    assert functions(imported) == CALLED_AT_IMPORT
    # What called: the top-level statements.
    assert {line_of(file, line) for *_, file, line in imported} == {
        "@kept",
        "class Number:",
    }


def test_what_is_called_at_import_is_noted_again_when_it_is_called(tmp_path):
    observed_job(tmp_path, JOB)  # The next job uses what this one compiled.
    printed, entered, imported = observed_job(tmp_path, JOB + MORE)
    assert printed.endswith("[0, 1] 8 3\n")
    assert functions(entered) == CALLED | CALLED_LATER
    assert functions(imported) == CALLED_AT_IMPORT
