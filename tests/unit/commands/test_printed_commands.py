"""Every command that a document, a page or a message prints runs as it is copied.

What a dry run has to say of Snakemake's targets is in ``tests/workflow/test_printed_targets.py``.
"""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from printed_commands import ELSEWHERE, of_documents
from snakemake.cli import get_argument_parser

from afterimage import command_line
from afterimage.commands.cli import _parser, main

ROOT = Path(__file__).parents[3]
PRINTED = [(name, words) for name, words in of_documents(ROOT) if name != ELSEWHERE]


def of(program):
    return [
        pytest.param(name, words, id=f"{name}: {' '.join(words)[:80]}")
        for name, words in PRINTED
        if Path(words[0]).name == program
    ]


def test_documents_print_commands():
    assert len(of("afterimage")) > 40
    assert len(of("snakemake")) > 30
    assert len(of("make")) > 30


@pytest.mark.parametrize(("name", "words"), of("afterimage"))
def test_a_command_of_ours_is_taken(name, words, capsys):
    assert words[0] == ".venv/bin/afterimage"
    named = {("coco",): 2, ("journal",): 1, ("human",): 1, ("run",): 1}
    if len(words) == 2 and tuple(words[1:]) not in named:
        # The name of a command, in a sentence; what it needs stands in its help.
        with pytest.raises(SystemExit) as ended:
            _parser().parse_args([words[1], "--help"])
        assert ended.value.code == 0
        return
    _parser().parse_args(_complete(words[1:]))


def _complete(words):
    # A sentence may name a command without what it needs.
    needed = {("journal", "export"): ["--output", "x"], ("rescore", "pope"): ["FOLDER"]}
    return [*words, *needed.get(tuple(words), [])]


@pytest.mark.parametrize(("name", "words"), of("snakemake"))
def test_a_command_of_snakemakes_is_taken(name, words):
    assert words[0] == ".venv/bin/snakemake"
    options = get_argument_parser().parse_args(words[1:])
    does_nothing = options.dryrun or options.unlock or options.report or len(words) == 2
    has_cores = options.cores or "--workflow-profile" in words
    assert does_nothing or has_cores, "Snakemake asks for --cores"
    for study in options.configfile:
        assert (ROOT / study).is_file() or Path(study).name == "mine.yaml"
        # Whatever stands behind it would be taken for another study.
        assert options.configfile == [study]


@pytest.mark.parametrize(("name", "words"), of("make"))
def test_a_target_of_make_is_there(name, words):
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    settings = dict(word.split("=", 1) for word in words[1:] if "=" in word)
    assert {word for word in words[1:] if "=" not in word} <= targets
    study = settings.get("STUDY", "studies/mine.yaml")
    assert (ROOT / study).is_file() or study == "studies/mine.yaml"


# ---- one function makes them all ----


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_default_study_is_not_named_and_another_is_behind_the_targets(folder):
    (folder / "Snakefile").touch()
    assert "--configfile" not in command_line.snakemake(study="config.yaml")
    words = shlex.split(command_line.snakemake(targets=["a b.csv"], study="my studies/one.yaml"))
    assert words[1:] == ["--cores", "2", "a b.csv", "--configfile", "my studies/one.yaml"]
    assert shlex.split(command_line.afterimage("plan", study="x.yaml"))[1:] == [
        "plan",
        "--configfile",
        "x.yaml",
    ]


def test_without_a_snakefile_the_workflow_is_run_by_this_package(folder):
    assert Path(shlex.split(command_line.snakemake())[0]).name == "afterimage"
    assert shlex.split(command_line.snakemake())[1] == "run"


@pytest.mark.parametrize("is_shared", [True, False])
def test_a_program_of_this_environment_is_found(folder, is_shared, monkeypatch):
    installed = Path(sys.prefix, "bin", "afterimage")
    monkeypatch.setenv("PATH", "/usr/bin")
    outside = shlex.split(command_line.afterimage("plan", is_shared=is_shared))[0]
    # What others may read names no folder of this computer.
    assert outside == ("afterimage" if is_shared else str(installed))
    (folder / ".venv").symlink_to(sys.prefix)
    assert shlex.split(command_line.afterimage("plan", is_shared=is_shared))[0] == (
        ".venv/bin/afterimage"
    )
    (folder / ".venv").unlink()
    monkeypatch.setenv("PATH", f"{installed.parent}:/usr/bin")
    assert shlex.split(command_line.afterimage("plan", is_shared=is_shared))[0] == "afterimage"


def test_settings_of_the_command_line_are_named_as_well(folder):
    words = command_line.naming(
        [folder / "a.yaml"], {"models": ["x", "y"], "limit": 3, "title": "a b"}
    )
    options = get_argument_parser().parse_args(words)
    assert options.configfile == [Path("a.yaml")]
    assert options.config == ['models=["x", "y"]', "limit=3", 'title="a b"']


def test_init_prints_a_command_that_runs_its_study(folder, capsys):
    assert main(["init", "my study"]) == 0
    command = capsys.readouterr().out.splitlines()[-1].partition("then: ")[2]
    words = shlex.split(command)
    assert words[1:] == ["run", "--directory", "my study"]
    done = subprocess.run(
        [*words, "--dry-run", "--quiet"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_what_installs_a_part_names_where_it_is(folder, monkeypatch):
    monkeypatch.chdir(ROOT)
    assert command_line.install("[transformers]").endswith("pip install '.[transformers]'")
    monkeypatch.chdir(folder)
    assert command_line.install("[xlsx]").endswith(f"{ROOT}[xlsx]'")
    assert command_line.install("bitsandbytes").endswith("pip install bitsandbytes")
