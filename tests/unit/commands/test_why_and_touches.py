"""`afterimage touches` on a study that nobody ran, and `afterimage why` where no run was."""

import shutil

import pytest
import yaml

from afterimage.commands.cli import main
from afterimage.commands.code import KNOWN
from afterimage.fingerprints.scripts import Scripts

STUDY = {
    "models": ["chance", "pixels"],
    "suites": {"illusion_vqa": {"illusions": ["fick"]}, "blindtest": {"tasks": ["grid"]}},
}


@pytest.fixture(scope="module")
def known(scripts, tmp_path_factory):
    """What a start keeps of the source files, so that no command parses all of them anew."""
    folder = tmp_path_factory.mktemp("known")
    Scripts(scripts, folder)
    return folder


@pytest.fixture
def told(tmp_path, known, monkeypatch, capsys):
    """Call a command in a folder with a study; return exit code and lines of output, or the error's sentence."""
    (tmp_path / "config.yaml").write_text(yaml.safe_dump(STUDY))
    shutil.copytree(known, tmp_path / KNOWN)
    monkeypatch.chdir(tmp_path)

    def call(*arguments):
        code = main(arguments)
        output = capsys.readouterr()
        return code, (output.err or output.out).splitlines()

    return call


def test_one_kind_of_column_touches_the_tables_that_have_it(told):
    code, lines = told("touches", "showing/tables/columns.py:Difference")
    assert code == 0
    assert lines == [
        "showing/tables/columns.py:Difference: these jobs of config.yaml rerun, and what follows from them:",
        "    make_table: pairs_blindtest, illusion_vqa_tests, pairs_illusion_vqa",
    ]


@pytest.mark.parametrize(
    ("part", "figure"),
    [
        ("suites/illusions/figures/lengths.py:fick", "illusion_vqa fick"),
        ("suites/blindtest/figures/texts.py:_draw_grid", "blindtest grid"),
    ],
)
def test_a_drawing_touches_its_figure(told, part, figure):
    code, lines = told("touches", part)
    assert (code, lines[1:]) == (0, [f"    draw_figure: {figure}"])


def test_a_file_may_be_named_by_its_path(told, scripts):
    path = scripts / "afterimage/showing/tables/columns.py"
    assert (
        told("touches", f"{path}:Difference")[1][1:]
        == (told("touches", "showing/tables/columns.py:Difference")[1][1:])
    )


def test_anything_in_a_file_touches_more_than_one_definition(told):
    whole, one = (
        told("touches", f"showing/tables/columns.py{name}")[1] for name in ("", ":Difference")
    )
    assert set(one[1].split(": ")[1].split(", ")) < set(whole[1].split(": ")[1].split(", "))


def test_an_unused_definition_touches_nothing(told):
    code, lines = told("touches", "commands/code.py")
    assert code == 0
    assert lines == ["commands/code.py: no job of config.yaml reaches it; nothing reruns."]


@pytest.mark.parametrize(
    ("edited", "sentence"),
    [
        ("nowhere.py", "nowhere.py: no file of the package; expected one such as"),
        (
            "showing/tables/columns.py:Diference",
            "unknown definition 'Diference': did you mean 'Difference'",
        ),
    ],
)
def test_what_is_not_there_is_named(told, edited, sentence):
    code, lines = told("touches", edited)
    assert code == 1
    assert sentence in lines[0]


def test_a_file_that_no_run_made_has_no_reasons(told):
    code, lines = told("why", "config.yaml")
    assert code == 1
    assert lines[0].startswith("afterimage: config.yaml: Snakemake has no record of it here")
