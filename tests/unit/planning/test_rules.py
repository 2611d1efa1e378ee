"""What holds for every rule and script of the workflow."""

import ast
import re
import shutil
import subprocess

import pytest


def rule_files(root):
    return sorted((root / "workflow" / "rules").glob("*.smk"))


def rules(root):
    """Each rule's text, by file and number."""
    for path in rule_files(root):
        blocks = re.split(
            r"^ *(?:rule|checkpoint)\b[^\n]*:$", path.read_text(), flags=re.MULTILINE
        )[1:]
        for number, block in enumerate(blocks):
            yield f"{path.name} rule {number}", block


def test_every_rule_with_an_action_carries_the_fingerprint_of_its_code_and_its_spec(root):
    acting = {
        name: block
        for name, block in rules(root)
        if re.search(r"^ +(script|run|shell|notebook):", block, re.M)
    }
    assert len(acting) >= 10
    for name, block in acting.items():
        assert re.search(r"^ +code=", block, re.M), f"{name} lacks params: code="
        assert re.search(r"^ +spec=", block, re.M), f"{name} lacks params: spec="
        assert re.search(r"^ +log:", block, re.M), f"{name} lacks a log"
        assert re.search(r"^ +message:", block, re.M), f"{name} lacks a message"


def test_no_rule_runs_code_that_nothing_fingerprints(root):
    for name, block in rules(root):
        assert not re.search(r"^ +(run|shell|notebook):", block, re.M), name


def test_every_profile_leaves_code_to_the_fingerprints(root):
    import yaml

    profiles = sorted((root / "profiles").glob("*/profile.yaml"))
    assert profiles
    for path in profiles:
        settings = yaml.safe_load(path.read_text())
        assert settings["rerun-triggers"] == ["mtime", "params", "input", "software-env"], path
        assert settings["max-checksum-file-size"] >= 1_000_000_000, path


def script_files(root):
    return sorted((root / "workflow" / "scripts").glob("*.py"))


def test_a_script_is_an_adapter_of_at_most_25_lines_that_reads_no_config(root):
    assert len(script_files(root)) >= 10
    for path in script_files(root):
        source = path.read_text()
        assert len(source.splitlines()) <= 25, path.name
        assert ".config" not in source, path.name
        assert ast.get_docstring(ast.parse(source)), path.name


@pytest.fixture(scope="module")
def tracked(root):
    """The files under version control."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    listed = subprocess.run(
        ["git", "ls-files"], cwd=root, capture_output=True, text=True, check=False
    )
    if listed.returncode:
        pytest.skip("the sources are not a git checkout")
    return listed.stdout.split()


@pytest.mark.parametrize("word", ["/work/", "/root/", "/home/", "pypi.org", "files.pythonhosted"])
def test_no_file_names_a_place_of_one_machine(root, tracked, word):
    here = "tests/unit/planning/test_rules.py"
    assert here in tracked
    for name in tracked:
        path = root / name
        if name not in (here, "config.yaml") and path.suffix not in {".png", ".gz", ".ttf"}:
            assert not path.is_file() or word not in path.read_text(encoding="utf-8"), name
    # As it is shipped: what users name in theirs is their own.
    shipped = subprocess.run(
        ["git", "show", ":config.yaml"], cwd=root, capture_output=True, text=True, check=True
    )
    assert "models:" in shipped.stdout
    assert word not in shipped.stdout
