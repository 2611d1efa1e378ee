"""The house stays one that a newcomer can follow: rooms of one purpose, short functions, nothing found by chance.

Which room may import which is held by import-linter (``make check``).
"""

import ast
import graphlib
import os
import re
import subprocess
import sys

import grimp
import pytest

MAX_LINES = 450
MAX_LINES_OF_A_FUNCTION = 60
#: What suites and backends offer is typed (``contract/``); nothing of it is sought by name.
ROOMS_OF_TYPED_VALUES = ("planning", "stages", "people", "ledger", "report", "contract", "commands")


@pytest.fixture(scope="module")
def sources(scripts):
    """Name to source of every Python file of the workflow."""
    return {
        path.relative_to(scripts).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(scripts.rglob("*.py"))
        if "egg-info" not in path.as_posix()
    }


def test_no_file_is_long(sources):
    assert len(sources) > 400
    long = {name: source.count("\n") for name, source in sources.items()}
    assert not {name: lines for name, lines in long.items() if lines > MAX_LINES}


def test_no_function_is_long(sources):
    long = {
        f"{name}: {node.name}": node.end_lineno - node.lineno + 1
        for name, source in sources.items()
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert not {name: lines for name, lines in long.items() if lines > MAX_LINES_OF_A_FUNCTION}


def test_no_files_import_each_other_in_a_circle(sources):
    house = grimp.build_graph("afterimage", cache_dir=None)
    imports = {name: house.find_modules_directly_imported_by(name) for name in house.modules}
    assert len(imports) > 400
    graphlib.TopologicalSorter(imports).prepare()


def test_one_door_for_jobs(sources):
    assert [name for name in sources if "/" not in name] == ["job.py"]


@pytest.mark.parametrize("room", ROOMS_OF_TYPED_VALUES)
def test_nothing_of_a_suite_or_a_backend_is_sought_by_name(sources, room):
    sought = re.compile(
        r"(?:getattr|hasattr)\(\s*\w*(?:suite|backend|catalogue|figure|table|module)"
    )
    own = {name: source for name, source in sources.items() if f"afterimage/{room}/" in name}
    assert own
    assert not [name for name, source in own.items() if sought.search(source)]


def test_tests_edit_files_that_are_there(root, scripts):
    named = re.compile(r'"(?:\{PACKAGE\}|workflow/scripts/afterimage)/([\w/{}]+\.\w+)"')
    names = {
        name.replace("{SUITE}", "illusion_vqa")
        for path in (root / "tests" / "workflow").glob("test_*.py")
        for name in named.findall(path.read_text(encoding="utf-8"))
    }
    made = {"suites/dots.py", "models/counter.py"}  # By the tests themselves.
    assert len(names) > 10
    assert not [name for name in names - made if not (scripts / "afterimage" / name).is_file()]


def test_a_job_that_makes_no_frame_does_not_import_pandas(scripts):
    job = (
        "import sys; from afterimage.stages import running; running._spare_pandas(); import pyarrow as pa; "
        "table = pa.table({'a': ['b']}); assert 'pandas' not in sys.modules; assert len(table.to_pandas()) == 1"
    )
    environment = {**os.environ, "PYTHONPATH": str(scripts)}
    subprocess.run([sys.executable, "-c", job], check=True, env=environment)


def test_every_interval_of_tables_comes_through_one_module(sources):
    """So that another kind of interval is a change in one place."""
    interval = re.compile(
        r"afterimage\.statistics\.(?:bootstrap|intervals|matched|shares|unmatched) import"
        r"|afterimage\.statistics import|confint"
    )
    using = {
        name.removeprefix("afterimage/")
        for name, source in sources.items()
        if name.startswith(("afterimage/showing/", "afterimage/suites/"))
        and interval.search(source)
    }
    assert using == {"showing/tables/bounds.py"}
