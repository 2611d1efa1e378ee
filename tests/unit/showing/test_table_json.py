"""The report shows of a table exactly what its JSON file says."""

import json

import pandas as pd
import pytest
from table_forms import described, write_table

from afterimage.errors import AfterimageError
from afterimage.report.page_entries import table_entry
from afterimage.showing.tables.columns import (
    Cell,
    Counted,
    Number,
    Printed,
    PValue,
    Share,
    Text,
    rounded,
)
from afterimage.showing.tables.declaration import Span

FRAME = pd.DataFrame(
    {
        "model": ["a <b>", "c & d", "e"],
        "family": ["open", "open", "closed"],
        "k": [21, 5, 0],
        "n": [28, 28, 0],
        "low": [56.6, 7.9, None],
        "high": [87.3, 35.6, None],
        "score": [1.5, None, -2.25],
    }
)


@pytest.fixture
def shown(tmp_path):
    table = described(
        "Accuracy & more",
        (
            Text("Model", "model"),
            Text("n", "n", numeric=True),
            Share("Right", "k", low="low", high="high"),
            Number("Score", "score"),
        ),
        notes=("k of n, 95 % interval.",),
        warnings=("Simulated people",),
        reference_rows=({"Model": "Humans", "Right": Cell("62.5 (10/16)", {0: "rise"}, 62.5)},),
        group_by="family",
        spans=(Span("", 2), Span("Measured", 2)),
        contested={"Right": "k"},
    )
    write_table(FRAME, {"json": tmp_path / "table.json"}, table)
    return json.loads((tmp_path / "table.json").read_text(encoding="utf-8"))


def test_columns_are_those_of_the_file(shown):
    assert shown["title"] == "Accuracy & more"
    assert [column["label"] for column in shown["columns"]] == ["Model", "n", "Right", "Score"]
    assert [column["is_numeric"] for column in shown["columns"]] == [False, True, True, True]
    assert shown["spans"] == [{"label": "", "columns": 2}, {"label": "Measured", "columns": 2}]


def test_a_cell_has_its_value_and_below_it_its_interval(shown):
    cell = shown["rows"][0]["cells"][2]
    assert cell["lines"] == [
        {"text": "75.0 (21/28)", "style": "best"},
        {"text": "[56.6, 87.3]", "style": ""},
    ]
    assert cell["text"] == "75.0 (21/28) [56.6, 87.3]"


def test_rows_are_sorted_by_what_was_measured_not_by_its_digits(shown):
    assert [row["cells"][2]["sort"] for row in shown["rows"]] == [75.0, 17.9, None, 62.5]
    assert [row["cells"][3]["sort"] for row in shown["rows"]] == [1.5, None, -2.3, None]


@pytest.mark.parametrize(
    ("column", "value", "sort"),
    [
        (Text("x", "cell", numeric=True), 2754, 2754.0),
        (Text("x", "cell", numeric=True), "0.5", 0.5),
        (Text("x", "cell", numeric=True), "all", None),
        (Text("x", "cell", numeric=True), "inf", None),
        (Number("x", "cell"), -1.46, -1.5),
        (Number("x", "cell"), None, None),
        (PValue("x", "cell"), 0.0000001, 0.001),
        (Counted("x", "cell", of="whole"), 12, 12.0),
        (Printed("x", lambda row: rounded(row["cell"]).with_text("at least 3.2 EUR")), 3.21, 3.2),
        (Printed("x", lambda row: "3 of them"), 3, None),
    ],
)
def test_a_cell_sorts_by_its_number_whatever_is_printed_around_it(tmp_path, column, value, sort):
    frame = pd.DataFrame({"model": ["a"], "cell": [value], "whole": [30]}, dtype=object)
    table = described("T", (Text("Model", "model"), column))
    write_table(frame, {"json": tmp_path / "table.json"}, table)
    (row,) = json.loads((tmp_path / "table.json").read_text(encoding="utf-8"))["rows"]
    assert row["cells"][1]["sort"] == sort


def test_names_are_read_as_text(shown):
    assert [row["cells"][0]["text"] for row in shown["rows"]] == ["a <b>", "c & d", "e", "Humans"]


def test_headings_and_rows_of_reference_are_told_apart(shown):
    assert [row["group"] for row in shown["rows"]] == ["open", "", "closed", ""]
    assert [row["is_reference"] for row in shown["rows"]] == [False, False, False, True]
    assert shown["rows"][3]["cells"][2]["lines"][0]["style"] == "rise"


def test_notes_and_warnings_come_along(shown):
    assert shown["notes"] == ["k of n, 95 % interval."]
    assert shown["warnings"] == ["SIMULATED PEOPLE"]


@pytest.mark.parametrize("text", ["<html></html>", "{}"])
def test_another_file_is_refused_by_name(tmp_path, text):
    path = tmp_path / "page.json"
    path.write_text(text)
    with pytest.raises(AfterimageError, match=r"page\.json: not a table of this workflow"):
        table_entry("t", path, path, "")
