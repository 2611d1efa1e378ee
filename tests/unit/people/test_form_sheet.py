"""The sheet for spreadsheets."""

import csv
import io

import pytest
from form_samples import choice_task, fields_of, listed, rating_task, words_task

from afterimage.people.forms.page import SHEET_COLUMNS, render_sheet


def read(text):
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


@pytest.fixture(scope="module")
def rows():
    return listed([choice_task("secret_a"), words_task("b"), rating_task("c", "=1+1")])


def test_excel_is_told_that_it_is_utf8_and_gets_its_line_ends(rows):
    text = render_sheet(rows, "ja")
    assert text.startswith("\ufefforder,heading,")
    assert text.count("\r\n") >= len(read(text)) + 1


def test_there_is_a_row_for_every_field_with_the_task_s_number_on_the_page(rows):
    sheet = read(render_sheet(rows, "en"))
    assert [row["field_id"] for row in sheet] == [f["field_id"] for r in rows for f in fields_of(r)]
    assert [row["order"] for row in sheet] == [str(r["order"]) for r in rows for _ in fields_of(r)]
    assert tuple(sheet[0]) == SHEET_COLUMNS


def test_questions_and_what_may_be_answered_are_in_the_sheet_s_language(rows):
    question = {code: read(render_sheet(rows, code)) for code in ("en", "ja")}
    english = next(row for row in question["en"] if row["question"] == "Which one is larger?")
    assert english["answers"] == "1 = The left one.\n2 = The right one.\n3 = The same one."
    japanese = next(row for row in question["ja"] if row["field_id"] == english["field_id"])
    assert japanese["question"] == "どちらが大きいですか。"
    assert japanese["task_checksum"] != english["task_checksum"]


def test_the_answer_columns_are_empty_and_own_ids_are_nowhere(rows):
    text = render_sheet(rows, "en")
    for row in read(text):
        assert row["answer"] == row["annotator_id"] == row["answered_at"] == ""
    assert "secret" not in text
    assert "surfaces" not in text


def test_what_a_spreadsheet_would_run_begins_with_an_apostrophe():
    rows = listed([choice_task("a", heading={"en": '=HYPERLINK("http://x")'})])
    (row,) = read(render_sheet(rows, "en"))
    assert row["heading"] == '\'=HYPERLINK("http://x")'
