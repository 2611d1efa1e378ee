"""What a person can get wrong on the command line is one sentence and exit code 1."""

import pytest

from afterimage.commands import start
from afterimage.commands.cli import main

STUDY = "models: [chance]\nsuites: {pope: {}}\n"


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "study.yaml").write_text(STUDY)
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "folder").mkdir()
    return tmp_path


CASES = {
    "a folder as study": (
        ["check", "--configfile", "folder"],
        "--configfile: 'folder' is a folder; expected a YAML file.",
    ),
    "a study's folder that is a file": (
        ["init", "study.yaml"],
        "'study.yaml' is a file; expected a folder.",
    ),
    "a study's folder below a file": (
        ["init", "study.yaml/new"],
        "'study.yaml/new' lies below 'study.yaml', which is a file; expected a folder.",
    ),
    "a study's folder that leads nowhere": (
        ["init", "loop"],
        "'loop' is a link that leads nowhere; expected a folder.",
    ),
    "no cores": (
        ["plan", "--configfile", "study.yaml", "--cores", "0"],
        "--cores: found 0; expected at least 1.",
    ),
    "tokens that are no number": (
        ["plan", "--configfile", "study.yaml", "--answer-tokens", "nan"],
        "--answer-tokens: found nan; expected a number of at least 0.",
    ),
    "a target behind the study": (
        ["run", "--configfile", "study.yaml", "results/tables/pope.csv"],
        "--configfile (targets come before it): file 'results/tables/pope.csv' does not exist; expected a YAML file.",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_mistake_is_one_sentence(case, here, capsys):
    arguments, sentence = CASES[case]
    assert main(arguments) == 1
    assert capsys.readouterr().err == f"afterimage: {sentence}\n"


def test_a_results_folder_that_is_no_text_is_one_sentence(here, capsys):
    (here / "study.yaml").write_text("results_folder: [a]\n")
    assert main(["images", "--configfile", "study.yaml"]) == 1
    assert capsys.readouterr().err == (
        "afterimage: study.yaml: key 'results_folder': found [\"a\"]; expected a text.\n"
    )


def test_a_file_that_cannot_be_written_is_one_sentence(here, capsys, monkeypatch):
    def refuse(source, target):
        raise PermissionError(13, "Permission denied", str(target))

    monkeypatch.setattr(start.shutil, "copyfile", refuse)
    assert main(["init", "new"]) == 1
    assert capsys.readouterr().err == "afterimage: new/config.yaml: Permission denied.\n"


def test_several_faults_are_lines_without_a_name_before_the_first(here, capsys):
    text = f"models: [chance]\nsuites: {{images: {{sets: {{signs: {here}/folder}}}}}}\n"
    (here / "study.yaml").write_text(text)
    (here / "folder" / "questions.csv").write_text("image,question\n")
    assert main(["check", "--configfile", "study.yaml"]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert all(line.startswith(str(here)) for line in lines)
