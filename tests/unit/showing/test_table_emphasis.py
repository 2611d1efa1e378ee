"""Headings of groups, headings over columns, and cells that stand out."""

import shutil
import subprocess
from dataclasses import dataclass

import pandas as pd
import pytest
from table_forms import described, laid_out

from afterimage.errors import AfterimageError
from afterimage.showing.tables.columns import Cell, Number, Text
from afterimage.showing.tables.declaration import Span
from afterimage.showing.tables.latex import latex_text
from afterimage.showing.tables.layout import Line, lines_of
from afterimage.showing.tables.renderers import html_text, markdown_text
from afterimage.showing.tables.table_files import csv_text


@dataclass(frozen=True)
class Changed:
    """A cell whose second line is a change."""

    header: str
    numeric: bool = True

    def cell(self, row):
        style = "rise" if row["change"] >= 0 else "fall"
        return Cell(f"{row['b']}\n({row['change']}%)", {1: style})


FRAME = pd.DataFrame(
    {
        "group": ["open & free", "open & free", "shut", ""],
        "model": ["x", "y", "z", "people"],
        "a": [0.25, 0.5, 0.5, 0.9],
        "b": [1, 2, 3, 4],
        "change": [1, -2, 0, 3],
    }
)


def layout(frame=None, **changes):
    values = {
        "title": "Scores",
        "columns": (Text("Model", "model"), Number("A", "a", decimals=2), Changed("B")),
        "group_by": "group",
        "contested": {"A": "a"},
        "contest": lambda row: row["model"] != "people",
    }
    return laid_out(FRAME if frame is None else frame, described(**(values | changes)))


def test_heading_begins_where_the_group_changes():
    assert layout().headings == ["open & free", "", "shut", ""]
    assert layout(group_by=None).headings == [""] * 4


def test_ties_for_the_best_all_stand_out_and_who_does_not_compete_never():
    markdown = markdown_text(layout())
    assert markdown.count("**0.50**") == 2
    assert "**0.90**" not in markdown
    assert html_text(layout()).count("<strong>0.50</strong>") == 2
    assert latex_text(layout()).count(r"\textbf{0.50}") == 2


def test_all_compete_where_nobody_is_excluded():
    assert "**0.90**" in markdown_text(layout(contest=None))


def test_column_without_any_value_has_no_best():
    empty = FRAME.assign(a=float("nan"))
    assert "<strong>" not in html_text(layout(empty))


def test_contested_column_that_is_missing_is_named():
    with pytest.raises(AfterimageError, match="no column 'c'"):
        markdown_text(layout(contested={"A": "c"}))


def test_headings_are_data_in_every_form():
    assert "**open \\& free**" in markdown_text(layout())
    assert r"\multicolumn{3}{@{}l}{\textit{open \& free}} \\" in latex_text(layout())
    html = html_text(layout())
    assert '<tr class="group"><th scope="rowgroup" colspan="3">open &amp; free</th></tr>' in html


def test_spans_stand_over_their_columns():
    spans = (Span("", 1), Span("Both & all", 2))
    assert r"\multicolumn{1}{c}{} & \multicolumn{2}{c}{Both \& all} \\" in latex_text(
        layout(spans=spans)
    )
    assert '<th scope="colgroup" colspan="2">Both &amp; all</th>' in html_text(layout(spans=spans))
    assert 'class="span"' not in html_text(layout())


def test_changes_are_coloured_and_latex_does_without_the_package():
    html = html_text(layout())
    assert html.count('<span class="rise">') == 3
    assert html.count('<span class="fall">(-2%)</span>') == 1
    latex = latex_text(layout())
    assert r"\textcolor{green!50!black}{(-2\%)}" in latex
    assert latex.count(r"\providecommand{\textcolor}[2]{#2}") == 1
    plain = layout(columns=(Text("Model", "model"), Number("A", "a")))
    assert "textcolor" not in latex_text(plain)


def test_csv_has_no_emphasis():
    assert "*" not in csv_text(FRAME)


def test_cell_is_its_text():
    cell = Cell("1\n2", {1: "rise"}).styled(0, "best")
    assert cell == "1\n2"
    assert lines_of(cell) == [Line("1", "best"), Line("2", "rise")]
    assert lines_of("1\n2") == [Line("1"), Line("2")]


def test_latex_with_groups_spans_and_colours_compiles_with_booktabs_alone(tmp_path):
    if shutil.which("pdflatex") is None:
        pytest.skip("pdflatex is not installed")
    table = latex_text(layout(spans=(Span("", 1), Span("Both", 2)), notes=("± ↑ ↓",)))
    (tmp_path / "table.tex").write_text(
        "\\documentclass{article}\\usepackage{booktabs}\\begin{document}\n"
        + table
        + "\\end{document}\n"
    )
    subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "table.tex"],
        cwd=tmp_path,
        check=True,
        stdout=subprocess.DEVNULL,
    )
