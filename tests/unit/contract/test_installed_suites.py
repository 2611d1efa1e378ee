"""Suites of other packages: found by entry points, imported as the own ones, refused in one sentence."""

import sys
from importlib import import_module

import pytest

from afterimage.contract import installed
from afterimage.contract.finding import load_suite, suite_names
from afterimage.errors import AfterimageError
from afterimage.fingerprints.scripts import Scripts

SUITE = """
from afterimage.contract.suite import Figure, Suite
from afterimage.contract.question import SingleQuestion
SUITE = Suite("Lines", {figures}, SingleQuestion("How many?", "integer", options=("1", "2")))
"""
FILE = SUITE.format(figures="(Figure('lines', None, print),)")


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Install files as a package ``theirs`` with these entry points of the group, for one test."""

    def install(files, **points):
        about = tmp_path / "theirs-1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
        lines = "\n".join(f"{name} = {module}" for name, module in points.items())
        (about / "entry_points.txt").write_text(f"[{installed.GROUP}]\n{lines}\n")
        for name, text in {"__init__.py": "", **files}.items():
            path = tmp_path / "theirs" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        monkeypatch.syspath_prepend(str(tmp_path))
        installed.installed_suites.cache_clear()

    known = set(sys.modules)
    yield install
    for name in set(sys.modules) - known:
        if name.startswith(("theirs", "afterimage.suites.lines")):
            del sys.modules[name]
    installed.installed_suites.cache_clear()


def test_a_file_and_a_folder_are_imported_as_suites_of_this_package(package, tmp_path, scripts):
    folder = {"lines_2/__init__.py": "", "lines_2/suite.py": FILE, "lines_2/words.py": "ONE = 1"}
    package({"one.py": FILE, **folder}, lines="theirs.one", lines_2="theirs.lines_2")
    assert {"lines", "lines_2", "pope"} <= set(suite_names())
    assert import_module("afterimage.suites.lines").SUITE.title == "Lines"
    assert import_module("afterimage.suites.lines_2.words").ONE == 1
    assert import_module("afterimage.suites.lines_2.suite").SUITE.title == "Lines"

    sources = Scripts(scripts)
    assert sources.module_file("afterimage.suites.lines") == "afterimage/suites/lines.py"
    name = sources.module_file("afterimage.suites.lines_2.words")
    before = sources.facts(name)
    assert before.definitions[0].names == "ONE"
    (tmp_path / "theirs/lines_2/words.py").write_text("ONE = 2")
    assert Scripts(scripts).facts(name) != before


def test_a_fault_of_theirs_is_said_as_of_an_own_suite(package):
    package({"one.py": SUITE.format(figures="()")}, lines="theirs.one")
    with pytest.raises(AfterimageError, match="suite 'lines' has no figures; expected at least"):
        load_suite("lines")


@pytest.mark.parametrize(
    ("point", "sentence"),
    [
        (
            {"pope": "theirs.one"},
            r"entry point 'pope' of afterimage.suites: there is another suite 'pope'",
        ),
        ({"lines": "theirs.two"}, r"found no module 'theirs.two'; expected a module with SUITE"),
        ({"lines": "nobody.two"}, r"found no module 'nobody.two'"),
        ({"lines": "theirs.empty"}, r"theirs/empty holds no suite.py; expected SUITE = Suite"),
    ],
)
def test_what_is_no_suite_is_one_sentence(package, point, sentence):
    package({"one.py": FILE, "empty/__init__.py": ""}, **point)
    with pytest.raises(AfterimageError, match=f"package 'theirs', .*{sentence}"):
        suite_names()
