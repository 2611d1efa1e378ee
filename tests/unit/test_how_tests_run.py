"""What the tests' own conftest promises, whether they run in one process or side by side."""

import os
import subprocess
import sys

import pytest
import yaml
from tiers import TESTS, is_left_out, is_there, names_of, read_tiers, tier_of_whole_runs

SKIPPED = """
import pytest

def test_skipped():
    pytest.skip("there is no such program")
"""
TABLE = """
import pytest

@pytest.mark.parametrize("edit", ["a prompt", "a chart"])
def test_edit(record_property, edit):
    record_property("rerun", (edit, "the tables", "Params have changed"))
"""
SIDE_BY_SIDE = ("--numprocesses", "2", "--dist", "loadfile")


@pytest.fixture(params=[(), SIDE_BY_SIDE], ids=["one process", "side by side"])
def reported(request, root, tmp_path):
    """Run tests as written in a text under the repository's conftest; return what pytest prints."""

    def run(text, **environment):
        (tmp_path / "test_sample.py").write_text(text)
        command = [sys.executable, "-m", "pytest", "-p", "conftest", "-p", "no:cacheprovider"]
        paths = os.pathsep.join(str(root / folder) for folder in ("tests", "tests/support"))
        # A worker's own test run is not one of its siblings'.
        own = {key: value for key, value in os.environ.items() if "PYTEST" not in key}
        own.pop("AFTERIMAGE_FORBID_SKIPS", None)
        return subprocess.run(
            [*command, *request.param, str(tmp_path)],
            cwd=tmp_path,
            env={**own, "PYTHONPATH": paths, **environment},
            capture_output=True,
            text=True,
            check=False,
        ).stdout

    return run


def test_a_skip_fails_where_skips_are_forbidden(reported):
    said = reported(SKIPPED, AFTERIMAGE_FORBID_SKIPS="1")
    assert "skipped although AFTERIMAGE_FORBID_SKIPS is set" in said
    assert "there is no such program" in said
    assert "1 failed" in said.splitlines()[-1]


def test_a_skip_is_a_skip_elsewhere(reported):
    assert "1 skipped" in reported(SKIPPED).splitlines()[-1]


def test_the_rerun_table_has_the_rows_of_all_tests_and_the_last_line_is_pytests_own(reported):
    said = reported(TABLE)
    assert "what reruns after which edit" in said
    rows = [line for line in said.splitlines() if line in ("a prompt", "a chart")]
    assert sorted(rows) == ["a chart", "a prompt"]
    assert said.count("    reruns: the tables") == said.count("    reason: Params have") == 2
    assert "2 passed in" in said.splitlines()[-1]


def test_no_test_reads_the_study_that_the_user_configured(root):
    with pytest.raises(AssertionError, match=r"support/studies\.py"):
        yaml.safe_load((root / "config.yaml").read_text())


def test_every_test_that_is_said_to_take_long_is_there():
    tiers = read_tiers()
    assert {*tiers.values()} == {"long", "slow"}
    assert not [name for name in tiers if not is_there(name)]


def test_a_test_has_the_tier_of_what_it_shares_with_others(request, root):
    file = "tests/unit/test_how_tests_run.py"
    own = f"{file}::{request.node.name}"
    assert {own, f"{file}::root"} <= {*names_of(request.node)}


@pytest.mark.parametrize(
    ("expression", "left_out"),
    [
        ("not long", {"long"}),
        ("not slow and not long and not browser", {"slow", "long"}),
        ("long", set()),
        ("not long or browser", set()),
        ("not slow and not (long and browser)", set()),
        ("", set()),
    ],
)
def test_only_files_of_which_no_test_is_wanted_are_not_collected(expression, left_out):
    files = [*TESTS.rglob("test_*.py")]
    found = {path for path in files if is_left_out(path, expression)}
    assert found == {path for path in files if tier_of_whole_runs(path) in left_out}
    assert not is_left_out(TESTS / "browser", expression)
