"""A printed page gets one table for each value of a column."""

import re
import shutil
import subprocess

import pandas as pd
import pytest

from afterimage.showing.table_files import latex_text, markdown_text
from afterimage.showing.table_layout import Layout, Share, Text, split

FRAME = pd.DataFrame(
    {
        "model": ["m_1", "m_1", "50% & $x^2$ #~\\"],
        "condition": ["fake", "control_fake", "fake"],
        "n": [28, 28, 28],
        "both_correct_k": [5, 15, 21],
    }
)
LAYOUT = Layout(
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


def test_each_value_has_its_rows_its_references_and_its_heading():
    (fakes, fake_layout), (controls, control_layout) = split(FRAME, LAYOUT)
    assert list(fakes["both_correct_k"]) == [5, 21]
    assert list(controls["both_correct_k"]) == [15]
    assert [layout.title for layout in (fake_layout, control_layout)] == [
        "Fakes: fake",
        "Fakes: control of fake",
    ]
    assert [row["Model"] for row in fake_layout.reference_rows] == ["guessing", "either"]
    assert [row["Model"] for row in control_layout.reference_rows] == ["other", "either"]
    assert [column.header for column in fake_layout.columns] == ["Model", "Both correct"]


def test_a_table_without_that_column_stays_whole():
    from dataclasses import replace

    whole = replace(LAYOUT, split_by="Prompt")
    assert split(FRAME, whole) == [(FRAME, whole)]


def test_latex_is_split_and_markdown_is_not():
    assert latex_text(FRAME, LAYOUT).count(r"\begin{table}") == 2
    assert markdown_text(FRAME, LAYOUT).count("Fakes") == 1
    assert "control of fake" in markdown_text(FRAME, LAYOUT)


def test_hostile_text_compiles_with_booktabs_alone(tmp_path):
    if shutil.which("pdflatex") is None:
        pytest.skip("pdflatex is not installed")
    document = (
        "\\documentclass{article}\n\\usepackage{booktabs}\n\\begin{document}\n%s\\end{document}\n"
    )
    (tmp_path / "table.tex").write_text(document % latex_text(FRAME, LAYOUT))
    finished = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "table.tex"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stdout[-2000:]
    assert re.search(r"Output written on table.pdf \(\d page", finished.stdout)
