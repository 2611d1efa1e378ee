"""The papers' printed numbers as targets, and a manuscript that includes them."""

import csv
import re
import shutil

import pytest
from latex_runs import compiled
from workspace import Workspace

from afterimage.commands.cli import main

SQUARES = "blindtest/task5/gpt-4o/squares/accuracy"
#: A responder passes for a model that nobody can ask any more.
STUDY = {
    "models": ["chance", "mine"],
    "own_models": {
        "mine": {"backend": "chance", "model_id": "gpt-4o-2024-05-13", "settings": {"seed": 5}}
    },
    "suites": {"blindtest": {"tasks": ["nested_squares"]}},
    "statistics": {"resamples": 200},
}


@pytest.fixture(scope="module")
def study(root, tmp_path_factory):
    study = Workspace(root, tmp_path_factory.mktemp("ledger") / "study", STUDY)
    shutil.copytree(root / "docs" / "paper", study.folder / "docs" / "paper")
    study.run("results/numbers.tex", "results/tables/blindtest_squares.tex")
    return study


def ledger(study):
    with (study.folder / "results/numbers.csv").open(newline="", encoding="utf-8") as file:
        return {"/".join(list(row.values())[:5]): row for row in csv.DictReader(file)}


def test_the_ledger_has_the_studys_own_number_beside_the_published_one(study):
    entry = ledger(study)[SQUARES]
    with (study.folder / entry["source_file"]).open(newline="", encoding="utf-8") as file:
        (row,) = (
            row
            for row in csv.DictReader(file)
            if row["model"] == "mine" and row["row"] == "squares"
        )
    assert entry["status"] == "measured"
    assert (entry["value"], entry["k"], entry["n"]) == (row["accuracy"], row["k"], "120")
    assert entry["published"] == "48.33"
    published = (study.folder / "resources/published").glob("*.csv")
    assert len(ledger(study)) == sum(len(path.read_text().splitlines()) - 1 for path in published)


def test_what_the_study_leaves_out_is_there_as_recorded_elsewhere(study):
    entry = ledger(study)["blindtest/task1/gpt-4o/average/accuracy"]
    assert (entry["status"], entry["verdict"]) == ("recorded", "consistent")
    assert (entry["value"], entry["k"], entry["n"]) == ("48.6667", "146", "300")
    statuses = [row["status"] for name, row in ledger(study).items() if "blindtest/task" in name]
    assert (statuses.count("recorded"), statuses.count("measured")) == (82, 1)
    (missing,) = [row for row in ledger(study).values() if "do not have it either" in row["reason"]]
    assert (missing["model"], missing["status"]) == ("claude-3.5-sonnet", "not_run")


def test_real_models_stand_in_the_table_beside_the_studys_own(study):
    table = study.folder / "results/tables/blindtest_squares.csv"
    with table.open(newline="", encoding="utf-8") as file:
        rows = {row["model"]: row for row in csv.DictReader(file)}
    assert rows["GPT-4o (recorded)"]["kind"] == "recorded"
    assert rows["GPT-4o (recorded)"]["printed"] == "48.33"
    assert rows["chance"]["kind"] == "measured"
    assert "on the authors' images" in table.with_suffix(".md").read_text()


def test_a_single_number_is_a_target_and_needs_its_own_table_only(study):
    target = f"results/numbers/{SQUARES}.txt"
    assert len(study.planned(target)) == 1
    study.run(target)
    line = (study.folder / target).read_text()
    assert re.fullmatch(
        rf"[\d.]+ \(\d+/120\) \[[\d.]+, [\d.]+\] percent; measured: {SQUARES}; published 48.33, .*\n",
        line,
    )
    assert study.planned(target) == {}


def test_a_number_that_no_paper_prints_ends_with_the_nearest_name(study):
    wrong = SQUARES.replace("gpt-4o", "gpt4o")
    finished = study.snakemake(f"results/numbers/{wrong}.txt")
    assert finished.returncode != 0
    assert f"unknown number '{wrong}': did you mean '{SQUARES}'?" in finished.stdout


def test_an_edit_of_a_papers_printed_numbers_remakes_the_ledger_and_nothing_else(study):
    path = study.folder / "resources/published/pope.csv"
    before = path.read_text()
    path.write_text(before.replace(",3,count,", ",4,count,", 1))
    assert set(study.planned("results/numbers.tex")) == {
        "Putting the study's numbers beside the papers'",
        "Writing the study's numbers as LaTeX macros",
    }
    path.write_text(before)


def test_the_manuscript_compiles_with_the_studys_numbers_and_nothing_sticks_out(study):
    paper = study.folder / "docs" / "paper"
    log = compiled(paper / "manuscript.tex")
    assert (paper / "manuscript.pdf").stat().st_size > 10_000
    assert "Overfull" not in log
    assert "undefined" not in log
    assert "blindtest_squares.tex" in log


def test_a_recorded_number_is_taken_apart_under_every_choice(study, monkeypatch, capsys):
    monkeypatch.chdir(study.folder)
    asked = ["dissect", "blindtest_squares", "GPT-4o_(recorded)/nested_count_plain/squares"]
    assert main([*asked, "accuracy", "--printed", "48.33", "--output", "squares"]) == 0
    output = capsys.readouterr().out
    assert "| as the table has it" in output
    assert "48.33 is printed by" in output
    assert "* as the table has it; rounded" in output
    assert (study.folder / "squares.png").is_file()
    assert (study.folder / "squares.csv").read_text().startswith("choices,value,moved,")
    assert main([*asked, "accuracy", "--printed", "12.34"]) == 1
    assert "No set prints 12.34" in capsys.readouterr().out
    assert main(["dissect", "blindtest_sqares", asked[2], "accuracy"]) == 1
    assert "did you mean 'blindtest_squares'?" in capsys.readouterr().err
    (study.folder / "results/grades/blindtest/mine.parquet").rename(study.folder / "aside")
    assert main([*asked, "accuracy"]) == 1
    assert "mine.parquet: not there; expected a finished run" in capsys.readouterr().err
    (study.folder / "aside").rename(study.folder / "results/grades/blindtest/mine.parquet")
