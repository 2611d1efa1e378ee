"""Workbooks of others: texts as written, empty cells as no answer, everything else one sentence with its cell.

Public report: pandas-dev/pandas issue 32741, texts that begin with an equals sign and come back as 0; also
jmcnamara/XlsxWriter issue 461.
"""

import zipfile
from datetime import datetime

import pytest

from afterimage.errors import AfterimageError
from afterimage.files.csv_rows import unguarded
from afterimage.files.recorded_rows import read_csv
from afterimage.models.recorded.harnesses import read_vlmevalkit
from afterimage.models.recorded.reading import read_answers

openpyxl = pytest.importorskip("openpyxl", reason="openpyxl is not installed")


def workbook(path, rows, change=lambda sheet: None):
    book = openpyxl.Workbook()
    for row in (("index", "question", "prediction"), *rows):
        book.active.append(row)
    change(book.active)
    book.save(path)
    return path


def with_stored(path, text, stored):
    """Give the one formula of a workbook the result that another program stores."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    sheet = "xl/worksheets/sheet1.xml"
    before = f"<f>{text}</f><v />".encode()
    assert before in parts[sheet] or before.replace(b" /", b"/") in parts[sheet]
    for empty in (before, before.replace(b" /", b"/")):
        parts[sheet] = parts[sheet].replace(empty, f"<f>{text}</f><v>{stored}</v>".encode())
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return path


def texts(path):
    return [answer.text for answer in read_vlmevalkit(path, "{index}")]


@pytest.mark.parametrize("text", ["= 7 discs", "== I see 7 discs ==", "=7", "=yes", "=-3 or so"])
@pytest.mark.parametrize("stored", [None, 0])
def test_a_text_that_was_taken_for_a_formula_is_that_text(tmp_path, text, stored):
    path = workbook(tmp_path / "a.xlsx", [(0, "Q", text)])
    if stored is not None:
        with_stored(path, text[1:], stored)
    assert texts(path) == [text]


def test_an_empty_cell_is_no_answer_and_numbers_are_whole_again(tmp_path):
    rows = [(0, "Q", None), (1.0, "Q", 3.0), (2, "Q", "3"), (None, None, None), (4, "Q", "NA")]
    answers = list(read_vlmevalkit(workbook(tmp_path / "a.xlsx", rows), "{index}"))
    assert [(answer.recorded_id, answer.text) for answer in answers] == [
        ("0", None),
        ("1", "3"),
        ("2", "3"),
        ("4", "NA"),
    ]
    assert answers[3].location.endswith("row 5")


def test_a_genuine_formula_counts_with_its_result_and_is_refused_without(tmp_path):
    path = workbook(tmp_path / "a.xlsx", [(0, "Q", "=CONCATENATE(A1)")])
    with pytest.raises(AfterimageError, match="cell C2: found the formula '=CONCATENATE"):
        texts(path)
    assert texts(with_stored(path, "CONCATENATE(A1)", 5)) == ["5"]


@pytest.mark.parametrize("error", ["#N/A", "#REF!", "#DIV/0!"])
def test_a_cell_with_an_error_is_named(tmp_path, error):
    path = workbook(tmp_path / "a.xlsx", [(0, "Q", "T"), (1, "Q", error)])
    with pytest.raises(AfterimageError, match=f"cell C3: found the error {error}"):
        texts(path)


def test_cells_that_a_spreadsheet_made_something_else_of_are_named(tmp_path):
    moment = datetime(2026, 3, 4)
    path = workbook(tmp_path / "a.xlsx", [(0, "Q", moment)])
    with pytest.raises(AfterimageError, match="row 1: field 'prediction': found the date or time"):
        texts(path)
    with pytest.raises(AfterimageError, match="row 1: field 'prediction': found true"):
        texts(workbook(tmp_path / "b.xlsx", [(0, "Q", True)]))


def test_merged_and_hidden_cells(tmp_path):
    def change(sheet):
        sheet.merge_cells("C2:C3")
        sheet.row_dimensions[4].hidden = True

    path = workbook(tmp_path / "a.xlsx", [(0, "Q", "T"), (1, "Q", "T"), (2, "Q", "F")], change)
    assert texts(path) == ["T", None, "F"]


def test_several_sheets_are_refused_and_empty_ones_passed_over(tmp_path):
    path = workbook(tmp_path / "a.xlsx", [(0, "Q", "T")])
    book = openpyxl.load_workbook(path)
    book.create_sheet("notes")
    book.save(path)
    assert texts(path) == ["T"]
    book["notes"]["A1"] = "x"
    book.save(path)
    with pytest.raises(AfterimageError, match=r"found 2 sheets with cells \(Sheet, notes\)"):
        texts(path)


def test_a_name_that_stands_twice_in_the_header_is_refused(tmp_path):
    def change(sheet):
        sheet["B1"] = "prediction"

    with pytest.raises(AfterimageError, match="column 'prediction' occurs twice"):
        texts(workbook(tmp_path / "a.xlsx", [(0, "Q", "T")], change))


@pytest.mark.parametrize("ending", ["xls", "ods"])
def test_other_workbooks_are_refused_with_what_to_save_as(tmp_path, ending):
    path = tmp_path / f"a.{ending}"
    path.write_bytes(b"\xd0\xcf\x11\xe0")
    with pytest.raises(AfterimageError, match=r"expected it saved as \.xlsx, or as CSV in UTF-8"):
        texts(path)


def test_a_workbook_is_a_table_of_ones_own_too(tmp_path):
    path = workbook(tmp_path / "a.xlsx", [("a", "Q", "= 7 discs"), ("b", "Q", 3)])
    columns = dict.fromkeys(
        ("correct", "repeat", "prompt", "finish_reason", "prompt_tokens", "completion_tokens")
    )
    settings = {"format": "auto", "item_id": "{index}"}
    settings["columns"] = {**columns, "latency_seconds": None, "text": "prediction"}
    assert [one.text for one in read_answers(path, settings)] == ["= 7 discs", "3"]


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ("'= 7 discs", "= 7 discs"),
        ('="007"', "007"),
        ('="a ""b"""', 'a "b"'),
        ("'tis", "'tis"),
        ("= 7 discs", "= 7 discs"),
        ('="', '="'),
    ],
)
def test_what_keeps_a_spreadsheet_from_changing_a_text_is_taken_off(tmp_path, cell, text):
    assert unguarded(cell) == text
    path = tmp_path / "a.csv"
    quoted = cell.replace('"', '""')
    path.write_text(f'item_id,text\na,"{quoted}"\n')
    (row,) = read_csv(path)
    assert row.values == {"item_id": "a", "text": text}


def test_what_was_computed_counts_and_escaped_characters_come_back(tmp_path):
    path = workbook(tmp_path / "a.xlsx", [(0, "Q", "=3+4")])
    assert texts(with_stored(path, "3+4", 7)) == ["7"]
    assert texts(workbook(tmp_path / "b.xlsx", [(0, "Q", "a_x000D_\nb")])) == ["a\r\nb"]
