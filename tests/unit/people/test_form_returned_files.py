"""Files that come back: whatever Excel made of them."""

import pytest
from form_samples import answered, as_csv, choice_task, fields_of, listed, words_task, writing_task

from afterimage.errors import AfterimageError
from afterimage.people.forms.page import render_sheet
from afterimage.people.forms.returned_files import read_returned


@pytest.fixture(scope="module")
def tasks():
    return listed([choice_task("a"), choice_task("b")])


@pytest.fixture(scope="module")
def page_rows(tasks):
    """What a page saves: two answers, one of them with a letter that no code page but Unicode's has in common."""
    texts = iter(["The left one.", "左の方。"])
    return answered(tasks, lambda row, field: next(texts), annotator="参加者1")


@pytest.fixture
def read(tmp_path):
    def read(content, name="answers.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_returned(path)

    return read


@pytest.fixture
def fault(read):
    def fault(content, name="answers.csv"):
        with pytest.raises(AfterimageError) as caught:
            read(content, name)
        message = str(caught.value)
        assert name in message
        assert "\n" not in message
        return message

    return fault


def cells(rows):
    return [(row.line, row.task_id, row.annotator_id, row.answer) for row in rows]


@pytest.mark.parametrize(
    "write",
    [
        lambda rows: as_csv(rows).encode(),
        lambda rows: b"\xef\xbb\xbf" + as_csv(rows).encode(),
        lambda rows: as_csv(rows).encode("cp932"),
        lambda rows: as_csv(rows, separator="\t").encode("utf-16"),
        lambda rows: b"\xfe\xff" + as_csv(rows, separator="\t").encode("utf-16-be"),
        lambda rows: as_csv(rows, separator="\t").encode("utf-16-le"),
        lambda rows: as_csv(rows, separator=";").encode(),
        lambda rows: as_csv(rows, separator=";").encode("cp932"),
        lambda rows: as_csv(rows, separator="\t").encode(),
        lambda rows: as_csv(rows, line_end="\n").encode(),
        lambda rows: as_csv(rows, line_end="\r").encode(),
        lambda rows: as_csv(rows).rstrip().encode(),
        lambda rows: as_csv(rows).encode() + b",,,,,,,,,,\r\n\r\n",
        lambda rows: as_csv([dict(reversed(row.items())) for row in rows]).encode(),
        lambda rows: as_csv([{"remarks": "x", **row} for row in rows]).encode(),
        lambda rows: as_csv([{name.upper(): cell for name, cell in row.items()} for row in rows]).encode(),
        lambda rows: as_csv([{name: f" {cell} " for name, cell in row.items()} for row in rows]).encode(),
    ],
    ids=[
        "UTF-8", "Excel's mark", "Shift_JIS", "Excel's Unicode text", "UTF-16 the other way round",
        "UTF-16 without a mark", "semicolons", "Shift_JIS with semicolons", "tabs", "LF", "CR",
        "no last break", "blank rows", "columns in another order", "a further column", "capitals",
        "blanks around cells",
    ],
)  # fmt: skip
def test_what_spreadsheets_do_to_a_file_changes_nothing(read, page_rows, tasks, write):
    assert cells(read(write(page_rows))) == [
        (2, tasks[0]["task_id"], "参加者1", "The left one."),
        (3, tasks[1]["task_id"], "参加者1", "左の方。"),
    ]


def test_excel_s_line_that_names_the_separator_is_passed_over(read, page_rows):
    rows = read("sep=;\r\n" + as_csv(page_rows, separator=";"))
    assert [row.line for row in rows] == [3, 4]


def test_a_line_break_in_a_cell_keeps_the_count_of_lines(read, page_rows):
    rows = [{**page_rows[0], "answer": "one\r\ntwo"}, page_rows[1]]
    assert [(row.line, row.answer) for row in read(as_csv(rows))] == [
        (2, "one\r\ntwo"),
        (4, "左の方。"),
    ]


def test_an_apostrophe_that_the_page_put_before_a_formula_is_taken_off(read, page_rows):
    rows = [{**page_rows[0], "answer": "'=1+1"}, {**page_rows[1], "answer": "''s"}]
    assert [row.answer for row in read(as_csv(rows))] == ["=1+1", "'s"]


def test_a_sheet_that_was_filled_in_is_read_like_a_page_s_file(read, tasks):
    text = render_sheet(tasks, "ja")
    lines = text.replace(",,,", ",2,p1,").encode("cp932", errors="ignore")
    assert b",2,p1," in lines
    assert {row.answer for row in read(lines)} == {"2"}


def test_whoever_signs_one_row_signs_all_rows_of_the_file(read, page_rows):
    rows = [page_rows[0], {**page_rows[1], "annotator_id": ""}]
    assert [row.annotator_id for row in read(as_csv(rows))] == ["参加者1"] * 2


def test_answers_that_nobody_signed_are_refused_with_their_lines(fault, page_rows):
    rows = [{**row, "annotator_id": ""} for row in page_rows]
    assert "empty annotator_id in lines 2, 3" in fault(as_csv(rows))


def test_an_unsigned_answer_among_those_of_two_people_is_refused(fault, page_rows):
    rows = [page_rows[0], {**page_rows[1], "annotator_id": "q"}]
    rows.append({**page_rows[0], "annotator_id": ""})
    assert "empty annotator_id in line 4" in fault(as_csv(rows))


def test_a_code_typed_with_wide_letters_is_the_same_code(read, page_rows):
    rows = [{**page_rows[0], "annotator_id": "ａｂｃ１２"}]
    assert read(as_csv(rows))[0].annotator_id == "abc12"


def test_a_missing_column_is_named_with_its_line(fault, page_rows):
    rows = [{k: v for k, v in row.items() if k != "task_id"} for row in page_rows]
    message = fault(as_csv(rows, separator=";"))
    assert "line 1: lacks the columns 'task_id';" in message


def test_a_file_of_something_else_is_told_what_was_expected(fault):
    assert "expected the header form_id,page," in fault("name,age\nx,3\n")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "is empty"),
        (b"\r\n \r\n", "is empty"),
        (b"PK\x03\x04rest", "is a workbook; expected it saved as CSV"),
        (b"\xff\x80\x81\xfd", "neither UTF-8 nor Shift_JIS nor UTF-16"),
    ],
)
def test_what_is_no_such_text_is_refused_in_one_sentence(fault, content, sentence):
    assert sentence in fault(content)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(AfterimageError, match=r"nowhere\.csv: no such file"):
        read_returned(tmp_path / "nowhere.csv")


def test_a_broken_quotation_is_named_with_its_line(fault, page_rows):
    text = as_csv(page_rows).replace("The left one.", '"The "left" one."')
    assert "the row in line 2 is not CSV" in fault(text)


def test_cells_beyond_the_header_are_refused_because_a_comma_may_have_split_an_answer(
    fault, page_rows
):
    text = as_csv(page_rows).replace("Z,\r\n", "Z,,more\r\n", 1)
    assert "expected 12 fields in line 2" in fault(text)


def test_empty_cells_beyond_the_header_are_harmless(read, page_rows):
    assert len(read(as_csv(page_rows).replace("\r\n", ",,\r\n"))) == 2


def test_a_row_that_was_cut_off_by_a_spreadsheet_has_blank_cells(read, tasks):
    rows = [
        {"form_id": "f", "task_id": "t", "field_id": "x", "page_checksum": "p", "task_checksum": "c",
         "annotator_id": "p1", "answer": "1"},
    ]  # fmt: skip
    text = as_csv(rows) + "f,t,y,p,c\r\n"
    assert [row.answer for row in read(text)] == ["1", ""]


def test_an_answer_whose_ids_were_lost_is_refused(fault, page_rows):
    rows = [page_rows[0], {**page_rows[1], "form_id": "", "task_id": "", "field_id": ""}]
    assert "an answer without ids in line 3" in fault(as_csv(rows))


def test_a_row_without_ids_and_answer_is_dropped(read, page_rows):
    blank = dict.fromkeys(page_rows[0], "")
    assert len(read(as_csv([page_rows[0], {**blank, "order": "7"}]))) == 1


def test_fields_of_every_kind_come_back(read):
    rows = listed([words_task("w"), writing_task("e")])
    given = answered(rows, lambda row, field: 'すべすべ、"つや"\nつや')
    assert [row.answer for row in read(as_csv(given))] == ['すべすべ、"つや"\nつや'] * 7
    assert {row.field_id for row in read(as_csv(given))} == {
        field["field_id"] for row in rows for field in fields_of(row)
    }
