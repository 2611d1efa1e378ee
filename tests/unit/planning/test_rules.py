"""What holds for every rule and script of the workflow."""

import ast
import inspect
import re
import shutil
import subprocess

import pytest

from afterimage.contract.parts import resolve
from afterimage.fingerprints.codes import DOOR
from afterimage.stages.all_stages import STAGES


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


def test_a_file_holds_rules_or_functions(root):
    """As Snakemake's linter asks; functions of several files stand in ``*_common.smk``."""
    mixed = [
        path.name
        for path in rule_files(root)
        if {"def", "rule"} <= set(re.findall(r"^ *(def|rule)\b", path.read_text(), re.MULTILINE))
    ]
    assert mixed == []


#: What a rule says of itself.
STAGE = re.compile(r'\*{0,2}\bdepends\("(\w+)"', re.M)


def test_every_rule_with_an_action_carries_the_fingerprint_of_its_code_and_its_spec(root):
    acting = {
        name: block
        for name, block in rules(root)
        if re.search(r"^ +(script|run|shell|notebook):", block, re.M)
    }
    assert len(acting) >= 10
    for name, block in acting.items():
        assert STAGE.search(block), (
            f"{name} does not say of what stage it is: params: **depends(...)"
        )
        assert re.search(r"^ +JOB$", block, re.M), f"{name} runs another script"
        assert re.search(r"^ +log:", block, re.M), f"{name} lacks a log"
        assert re.search(r"^ +message:", block, re.M), f"{name} lacks a message"


def test_every_stage_has_a_rule_and_every_rule_a_stage(root):
    used = [stage for _, block in rules(root) for stage in STAGE.findall(block)]
    assert sorted(used) == sorted(STAGES)


def test_all_files_of_a_job_have_names(root):
    """A job finds its files by name; Snakemake would hand over others too."""
    for name, block in rules(root):
        if STAGE.search(block):
            for listed in re.findall(r"^( +)(?:input|output):\n((?:\1 .*\n|\n)+)", block, re.M):
                first = re.findall(rf"^{listed[0]}    (\S+)", listed[1], re.M)
                files = [word for word in first if not word.startswith(("#", ")"))]
                assert files, name
                assert all(re.match(r"\w+=|\*\*\w+\(", word) for word in files), (name, files)


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


def test_there_is_one_door_and_what_lies_behind_it_reads_no_config(root):
    scripts = root / "workflow" / "scripts"
    (door,) = scripts.glob("*.py")
    assert door.stem == DOOR
    assert len(door.read_text().splitlines()) <= 10
    stages = sorted((scripts / "afterimage" / "stages").glob("*.py"))
    assert len(stages) >= 10
    for path in (door, *stages):
        source = path.read_text()
        assert ".config" not in source, path.name
        assert ast.get_docstring(ast.parse(source)), path.name


def test_the_function_of_every_stage_takes_what_the_door_hands_over():
    for stage in STAGES.values():
        assert resolve(stage.part) is stage.run, stage.name
        taken = list(inspect.signature(stage.run).parameters)
        assert taken == ["spec", "inputs", "outputs", "resources"], stage.name


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
            assert not path.is_file() or word.encode() not in path.read_bytes(), name
    # As it is shipped: what users name in theirs is their own.
    shipped = subprocess.run(
        ["git", "show", ":config.yaml"], cwd=root, capture_output=True, text=True, check=True
    )
    assert "models:" in shipped.stdout
    assert word not in shipped.stdout
