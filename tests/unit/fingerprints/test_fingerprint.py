"""Code fingerprints: the same for the same meaning, another for another."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from studies import plain_study

from afterimage.fingerprints.codes import fingerprint
from afterimage.fingerprints.definitions import ProvenanceError, meaning
from afterimage.fingerprints.reach import Reach
from afterimage.fingerprints.scripts import Scripts

SLOW = {
    "jinja2",
    "matplotlib",
    "numpy",
    "pandas",
    "PIL",
    "pyarrow",
    "scipy",
    "skimage",
    "torch",
}

MODULE = '''"""Docstring."""

import os
import sys

LIMIT = 3


def area(width, height=2):
    """Return it."""
    # Why.
    return width * height + LIMIT
'''

SAME_MEANING = {
    "comment": MODULE.replace("# Why.", "# Another reason."),
    "docstring of the module": MODULE.replace("Docstring.", "Other words."),
    "docstring removed": MODULE.replace('    """Return it."""\n', ""),
    "blank lines": MODULE.replace("\n\n\n", "\n"),
    "line breaks": MODULE.replace("width, height=2", "width,\n    height=2,\n"),
    "parentheses": MODULE.replace("width * height + LIMIT", "((width * height) + LIMIT)"),
    "order of imports": MODULE.replace("import os\nimport sys", "import sys\nimport os"),
}

OTHER_MEANING = {
    "number": MODULE.replace("LIMIT = 3", "LIMIT = 4"),
    "type of a number": MODULE.replace("LIMIT = 3", "LIMIT = 3.0"),
    "operator": MODULE.replace("width * height", "width / height"),
    "default": MODULE.replace("height=2", "height=1"),
    "name": MODULE.replace("def area", "def areas"),
    "string that is no docstring": MODULE + '\nTEXT = "a"\n',
}


@pytest.mark.parametrize("change", SAME_MEANING)
def test_what_only_looks_different_means_the_same(change):
    assert SAME_MEANING[change] != MODULE
    assert meaning(SAME_MEANING[change]) == meaning(MODULE)


@pytest.mark.parametrize("change", OTHER_MEANING)
def test_what_computes_something_else_means_something_else(change):
    assert meaning(OTHER_MEANING[change]) != meaning(MODULE)


@pytest.fixture
def package(tmp_path):
    """A script, a package with a chain of imports, and a module that nobody imports."""
    files = {
        "job.py": "from afterimage.first import run\nrun()\n",
        "afterimage/__init__.py": "",
        "afterimage/first.py": "def run():\n    from afterimage.inner import second\n    return second.VALUE\n",
        "afterimage/inner/__init__.py": "",
        "afterimage/inner/second.py": "from afterimage.third import THIRD\nVALUE = THIRD + 1\nOTHER = 1\n",
        "afterimage/third.py": "THIRD = 1\n",
        "afterimage/alone.py": "VALUE = 1\nNAMES = ('a', 'b')\n",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def code(package: Path, *parts: str, data: Sequence[Path] = ()) -> str:
    return fingerprint(Reach(Scripts(package)), ["job", *parts], data).text


def edited(package: Path, name: str, text: str) -> str:
    (package / name).write_text(text)
    return code(package)


def test_imports_inside_functions_and_of_imported_modules_are_followed(package):
    reach = Reach(Scripts(package))
    found = {(node.file, node.key) for node in reach.closure(reach.begin("job"))}
    assert found >= {
        ("afterimage/first.py", "run"),
        ("afterimage/inner/second.py", "VALUE"),
        ("afterimage/third.py", "THIRD"),
    }
    assert ("afterimage/inner/second.py", "OTHER") not in found


def test_a_definition_that_is_reached_changes_the_fingerprint(package):
    before = code(package)
    assert edited(package, "afterimage/third.py", "THIRD = 2\n") != before


def test_what_the_init_of_a_package_on_the_way_does_changes_the_fingerprint(package):
    before = code(package)
    assert edited(package, "afterimage/inner/__init__.py", "SIDE = 1\n") == before
    assert edited(package, "afterimage/inner/__init__.py", "print()\n") != before


def test_a_definition_that_is_not_reached_does_not(package):
    before = code(package)
    assert edited(package, "afterimage/alone.py", "VALUE = 2\n") == before


def test_a_part_that_a_job_finds_by_name_is_covered(package):
    before = code(package, "afterimage.alone:VALUE")
    assert before != code(package)
    (package / "afterimage/alone.py").write_text("VALUE = 1\nNAMES = ()\n")
    assert code(package, "afterimage.alone:VALUE") == before
    assert code(package, "afterimage.alone") != before


def test_a_part_that_is_not_there_is_named(package):
    with pytest.raises(ProvenanceError, match=r"afterimage/alone\.py: defines no OTHER"):
        code(package, "afterimage.alone:OTHER")
    with pytest.raises(ProvenanceError, match=r"afterimage/nowhere\.py: no such file"):
        code(package, "afterimage.nowhere:OTHER")


def test_a_moved_checkout_has_the_same_fingerprint(package, tmp_path_factory):
    other = tmp_path_factory.mktemp("other") / "place"
    before = code(package)
    package.rename(other)
    assert code(other) == before


def test_pins_count_and_comments_beside_them_do_not(package):
    pins = package / "stimuli.yaml"
    hashes = []
    for text in ("a==1\n", "# why\na==1  # because\n", "a==2\n"):
        pins.write_text(text)
        hashes.append(code(package, data=[pins]))
    assert hashes[0] == hashes[1] != hashes[2]


def test_a_relative_import_is_refused_with_its_line(package):
    with pytest.raises(ProvenanceError, match=r"afterimage/first.py, line 1: relative import"):
        edited(package, "afterimage/first.py", "from . import third\n")


def test_a_missing_module_is_named_with_its_importer(package):
    with pytest.raises(ProvenanceError, match=r"job.py: imports afterimage.nothing"):
        edited(package, "job.py", "import afterimage.nothing\n")


def test_every_module_of_the_package_imports_absolutely_and_exists(scripts):
    modules = [
        path.relative_to(scripts).with_suffix("").as_posix().replace("/", ".")
        for path in (scripts / "afterimage").rglob("*.py")
    ]
    assert len(modules) > 30
    reach = Reach(Scripts(scripts))
    for module in modules:
        reach.digests(reach.begin(module.removesuffix(".__init__")))


def test_planning_a_study_loads_nothing_slow(root):
    study = plain_study()
    study["suites"] |= {
        "illusion_strength": {},
        "images": {"sets": {"signs": "resources/examples/own_images"}},
    }
    code = (
        f"study = {study!r}"
        + """
import sys
from pathlib import Path
from afterimage.stages.all_stages import code_of, spec_of
from afterimage.planning.plan import Plan
plan = Plan(study, Path.cwd())
for suite, figures in plan.figures.items():
    code_of(plan, "make_items", suite=suite)
    for model in plan.models:
        spec_of(plan, "run_model", suite=suite, model=model)
        for shard in plan.shards(suite, model):
            spec_of(plan, "make_items", suite=suite, shard=shard)
assert len(plan.suites) > 2
print(*sys.modules)
"""
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root / "workflow" / "scripts")},
        capture_output=True,
        text=True,
        check=True,
    )
    # Pillow looks at one's own images before anything starts.
    assert SLOW.isdisjoint({*run.stdout.split()} - {"PIL"})
