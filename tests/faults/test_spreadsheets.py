"""No cell of a CSV file runs in a spreadsheet, and no participant's code acts upon a terminal."""

import ast
import csv
import logging
import sys
from pathlib import Path
from types import SimpleNamespace

import pandas as pd
import pytest
from form_samples import answered, as_csv, choice_task, listed
from hypothesis import given
from hypothesis import strategies as st

from afterimage.commands.cli import main
from afterimage.errors import AfterimageError, plain
from afterimage.files.csv_rows import (
    frame_text,
    guarded,
    read_frame,
    read_peoples_rows,
    read_rows,
    unguarded,
    write_csv,
)
from afterimage.files.human_responses import RESPONSE_COLUMNS, read_responses
from afterimage.files.parquet import write_records
from afterimage.files.stimulus import FORM_TASK
from afterimage.people.forms.returned_files import read_returned
from afterimage.people.review import REVIEW_COLUMNS, read_reviews
from afterimage.showing.tables.table_files import csv_text
from afterimage.stages.running import run_job

FORMULAS = ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "\x1b[2J"]
FORMULAS += ["＝1+1", "＋1", "－1-1", "＠A", '=HYPERLINK("http://x";"y")', "--1", "-", "'=1", "'"]
NUMBERS = ["-0.25", "+3", "-1e-05", "-.5", "-inf", "12", "", "0.5", "nan"]
HARMLESS = ["the left one", "it's", "a=b", "3 - 2", "−0.5", "(=1)", "日本語"]
RISKY = tuple("=+-@＝＋－＠\t\r\n\x00\x1b\x7f\x9b")
PACKAGE = Path(__file__).parents[2] / "workflow/scripts/afterimage"


@pytest.mark.parametrize("text", FORMULAS)
def test_a_formula_gets_an_apostrophe_which_reading_takes_off(text):
    assert guarded(text) == f"'{text}"
    assert unguarded(guarded(text)) == text


@pytest.mark.parametrize("cell", [*NUMBERS, *HARMLESS, -1, 0.5, None, True])
def test_numbers_and_plain_texts_stay_as_they_are(cell):
    assert guarded(cell) == cell and unguarded(cell) == cell


@given(st.text())
def test_every_text_comes_back(text):
    assert unguarded(guarded(text)) == text
    is_number = guarded(text) == text and text.startswith(RISKY)
    assert not guarded(text).startswith(RISKY) or (is_number and float(text) is not None)


def first_characters(path, encoding="utf-8"):
    with Path(path).open(encoding=encoding, newline="") as file:
        return {cell[:1] for row in csv.reader(file) for cell in row}


def test_a_file_of_rows_runs_nothing_and_is_read_back(tmp_path):
    rows = [{"said": text, "n": -1.5} for text in FORMULAS]
    path = tmp_path / "a.csv"
    write_csv(path, rows, ("said", "n"))
    assert first_characters(path) == {"s", "n", "'", "-"}
    assert [row["said"] for row in read_rows(path)] == FORMULAS
    assert {row["n"] for row in read_rows(path)} == {"-1.5"}
    assert read_frame(path, keep_default_na=False)["said"].tolist() == FORMULAS


def test_a_table_runs_nothing_and_its_numbers_stay_numbers(tmp_path):
    frame = pd.DataFrame(
        {"model": ["=1+1", "m"], "difference": [-0.125, float("nan")], "n": [-1, 2]}
    )
    text = csv_text(frame)
    assert text == "model,difference,n\n'=1+1,-0.1250,-1\nm,,2\n"
    (tmp_path / "t.csv").write_text(text)
    read = read_frame(tmp_path / "t.csv")
    assert read["model"].tolist() == ["=1+1", "m"]
    assert read["difference"].dtype == float


def test_a_carriage_return_ends_no_row(tmp_path):
    said = ["a\r=1+1", "b\r\n=2", "c"]
    write_csv(tmp_path / "rows.csv", [{"a": 1, "said": text} for text in said], ("a", "said"))
    (tmp_path / "frame.csv").write_text(
        frame_text(pd.DataFrame({"a": 1, "said": said})), newline=""
    )
    for name in ("rows.csv", "frame.csv"):
        assert [row["said"] for row in read_rows(tmp_path / name)] == said
        assert first_characters(tmp_path / name) == {"a", "s", "1", "b", "c"}


def test_an_ordinary_frame_is_written_as_pandas_writes_it():
    frame = pd.DataFrame(
        {"a": ["x", None], "b": [-1.5, 2], "c": [True, False], "d": pd.Categorical(["p", "q"])}
    )
    assert frame_text(frame, float_format="%.2f") == frame.to_csv(index=False, float_format="%.2f")


@pytest.mark.parametrize("text", ["=1+1", "@x", "－1"])
def test_readers_of_peoples_files_take_the_apostrophe_off(text, tmp_path):
    path = tmp_path / "a.csv"
    cells = dict.fromkeys(RESPONSE_COLUMNS, text)
    write_csv(path, [cells], RESPONSE_COLUMNS)
    assert read_responses(path)[0].participant_id == text
    assert dict(next(read_peoples_rows(path, RESPONSE_COLUMNS, "rows"))[1]) == cells
    write_csv(path, [dict.fromkeys(REVIEW_COLUMNS, text) | {"human_correct": "1"}], REVIEW_COLUMNS)
    assert read_reviews([path])[0].reviewer == text


def test_csv_is_written_in_one_place_only():
    # What is shipped with the package is made by its authors, out of numbers and names.
    allowed = {"files/csv_rows.py", "suites/blindtest/outcomes.py"}
    writing = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute)
        and (
            node.attr == "to_csv"
            or (ast.unparse(node.value) == "csv" and node.attr in ("writer", "DictWriter"))
        )
    }
    assert writing == allowed


@pytest.mark.parametrize("code", ["\x1b]0;owned\x07", "a\x1b[2Jb", "\x9b2J", "a\u202eb", "a\rb"])
def test_no_code_of_a_participant_acts_upon_a_terminal(code, tmp_path, capsys):
    rows = listed([choice_task("a"), choice_task("b")])
    tasks = tmp_path / "tasks/x"
    tasks.mkdir(parents=True)
    write_records(tasks / "f.parquet", rows, FORM_TASK)
    answers = answered(rows, lambda row, field: f"no {code}", annotator=code)
    (tmp_path / "a.csv").write_text(as_csv(answers), newline="")
    assert read_returned(tmp_path / "a.csv")[0].annotator_id == code
    main(["human", "check", "--tasks", str(tmp_path / "tasks"), str(tmp_path / "a.csv")])
    shown = "".join(capsys.readouterr())
    assert "unreadable answer" in shown
    assert plain(shown, keep="\n") == shown


def test_no_message_of_a_job_acts_upon_a_terminal(tmp_path, capfd, monkeypatch):
    def fail(spec, inputs, outputs, resources):
        logging.getLogger().warning("%s looks careless", "a\x1b[2J")
        raise AfterimageError("'b\x1b[2J' answered twice.")

    monkeypatch.setitem(sys.modules, "afterimage.stages.failing", SimpleNamespace(fail=fail))
    none = SimpleNamespace(items=dict)
    job = SimpleNamespace(
        log=[tmp_path / "log"], params=SimpleNamespace(run="afterimage.stages.failing:fail", spec={}), threads=1,
        resources={}, input=none, output=none, rule="r",
    )  # fmt: skip
    root = logging.getLogger()
    before = root.handlers[:], root.level
    try:
        with pytest.raises(SystemExit):
            run_job(job)
    finally:
        root.handlers[:], root.level = before
    for said in (capfd.readouterr().err, (tmp_path / "log").read_text()):
        assert "\x1b" not in said
        assert "a\\x1b[2J looks careless" in said and "'b\\x1b[2J' answered twice." in said
