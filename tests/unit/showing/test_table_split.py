"""A printed page gets one table for each value of a column."""

import re
import shutil
import subprocess

import pandas as pd
import pytest
from table_forms import described, laid_out

from afterimage.showing.tables.columns import Share, Text
from afterimage.showing.tables.latex import latex_text
from afterimage.showing.tables.layout import split
from afterimage.showing.tables.renderers import markdown_text

FRAME = pd.DataFrame(
    {
        "model": ["m_1", "m_1", "50% & $x^2$ #~\\"],
        "condition": ["fake", "control_fake", "fake"],
        "n": [28, 28, 28],
        "both_correct_k": [5, 15, 21],
    }
)
TABLE = described(
    title="Fakes",
    columns=(
        Text("Model", "model"),
        Text("Condition", "condition", {"control_fake": "control of fake"}),
        Share("Both correct", "both_correct_k"),
    ),
    notes=("One note.",),
    reference_rows=(
        {"Model": "guessing", "Condition": "fake", "Both correct": "14.1"},
        {"Model": "other", "Condition": "control of fake", "Both correct": "11.1"},
        {"Model": "either", "Both correct": "1.0"},
    ),
    split_by="Condition",
)
LAYOUT = laid_out(FRAME, TABLE)


def test_each_value_has_its_rows_its_references_and_its_heading():
    fakes, controls = split(LAYOUT)
    assert [row.cells[1] for row in fakes.rows] == ["17.9 (5/28)", "75.0 (21/28)"]
    assert [row.cells[1] for row in controls.rows] == ["53.6 (15/28)"]
    assert [layout.title for layout in (fakes, controls)] == [
        "Fakes: fake",
        "Fakes: control of fake",
    ]
    assert [row[0] for row in fakes.references] == ["guessing", "either"]
    assert [row[0] for row in controls.references] == ["other", "either"]
    assert [column.header for column in fakes.columns] == ["Model", "Both correct"]


def test_a_table_without_that_column_stays_whole():
    from dataclasses import replace

    whole = replace(LAYOUT, split_by="Prompt")
    assert split(whole) == [whole]


def test_latex_is_split_and_markdown_is_not():
    assert latex_text(LAYOUT).count(r"\begin{table}") == 2
    assert markdown_text(LAYOUT).count("Fakes") == 1
    assert "control of fake" in markdown_text(LAYOUT)


def test_hostile_text_compiles_with_booktabs_alone(tmp_path):
    if shutil.which("pdflatex") is None:
        pytest.skip("pdflatex is not installed")
    document = (
        "\\documentclass{article}\n\\usepackage{booktabs}\n\\begin{document}\n%s\\end{document}\n"
    )
    (tmp_path / "table.tex").write_text(document % latex_text(LAYOUT))
    finished = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "table.tex"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stdout[-2000:]
    assert re.search(r"Output written on table.pdf \(\d page", finished.stdout)
