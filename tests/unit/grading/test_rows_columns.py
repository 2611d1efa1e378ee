import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterimage.grading.rows_columns import parse

IN_FORMAT = [
    ("rows={5} columns={6}", "5x6"),
    ("rows={5}, columns={6}", "5x6"),
    ("Rows={4}\nColumns={3}", "4x3"),
    ("**rows={10} columns={9}**", "10x9"),
    ("rows=7 columns=8", "7x8"),
    ("(5,6)", "5x6"),
    ("(5, 6)", "5x6"),
    ("The table has the size (3, 4).", "3x4"),
    ("{5, 6}", "5x6"),
    ("[5, 6]", "5x6"),
    ("\\((5, 6)\\)", "5x6"),
    ("(row, column) = (4, 5)", "4x5"),
    ("(columns, rows) = (4, 5)", "5x4"),
    ("For example, rows={5} columns={6}.\n\nrows={3} columns={4}", "3x4"),
    ("rows={3} columns={4}, written like e.g., (5,6)", "3x4"),
    ("I first thought (4, 4), but it is (4, 5).", "4x5"),
    ("rows={05} columns={06}", "5x6"),
]
IN_PROSE = [
    ("There are 5 rows and 6 columns.", "5x6"),
    ("There are 6 columns and 5 rows.", "5x6"),
    ("The table has five rows and six columns.", "5x6"),
    ("It has 3 horizontal rows. It also has 4 vertical columns.", "3x4"),
    ("Rows: 5\nColumns: 6", "5x6"),
    ("Columns: 6, Rows: 5", "5x6"),
    ("**Rows:** 7\n**Columns:** 8", "7x8"),
    ("rows: {5} columns: {6}", "5x6"),
    ("{5} rows and {6} columns", "5x6"),
    ("Number of rows is 4 and number of columns is 5.", "4x5"),
    ("The number of rows in the table is 4; the number of columns in it is 5.", "4x5"),
    ("A grid with 5 (five) rows and 6 (six) columns.", "5x6"),
    ("5x6", "5x6"),
    ("A 5\u00d76 grid.", "5x6"),
    ("It is a 5 by 6 table.", "5x6"),
    ("{5} {6}", "5x6"),
    ("5, 6", "5x6"),
    ("A 4x4 grid: 4 rows and 4 columns.", "4x4"),
    ("It seems to have 4 rows and 4 columns. So there are 5 rows and 4 columns.", "5x4"),
]
UNPARSED = [
    ("", "empty"),
    ("5", "one number only"),
    ("{5}", "one number only"),
    ("There are 5 rows.", "one number only"),
    ("rows={5}", "one number only"),
    ("I cannot tell.", "refused: "),
    ("5 rows and 6 columns. 5 rows and 7 columns.", "several sizes: rows 5; columns 6, 7"),
    ("5x6 or 6x5", "several sizes: 5x6, 6x5"),
    ("The picture is 500x500 pixels.", "no number"),
    ("There are 5 and 6.", "no number"),
]


@pytest.mark.parametrize(("reply", "answer"), IN_FORMAT)
def test_requested_form_is_read_exactly_and_its_last_occurrence_counts(reply, answer):
    assert parse(reply, [])[:2] == (answer, "exact")


@pytest.mark.parametrize(("reply", "answer"), IN_PROSE)
def test_rows_and_columns_are_read_out_of_a_sentence_in_either_order(reply, answer):
    assert parse(reply, [])[:2] == (answer, "contained")


@pytest.mark.parametrize(("reply", "reason"), UNPARSED)
def test_reply_without_one_size_is_unparsed_and_says_why(reply, reason):
    parsed = parse(reply, [])
    assert parsed[:2] == (None, "unparsed")
    assert reason in parsed.reason


@given(st.text())
def test_any_reply_is_read_without_error(reply):
    parsed = parse(reply, [])
    assert (parsed.answer is None) == (parsed.outcome == "unparsed")


@given(st.text(alphabet="0123456789 (){}=,.:xrowscolumnd\n"))
def test_answer_is_canonical_and_reads_as_itself(reply):
    answer = parse(reply, []).answer
    if answer is not None:
        assert parse(answer, []).answer == answer


@given(st.integers(1, 99), st.integers(1, 99))
def test_rows_come_first_whatever_the_notation(rows, columns):
    replies = [
        f"rows={{{rows}}} columns={{{columns}}}",
        f"({rows},{columns})",
        f"{rows} rows and {columns} columns",
        f"{columns} columns, {rows} rows",
        f"{rows}x{columns}",
    ]
    assert {parse(reply, []).answer for reply in replies} == {f"{rows}x{columns}"}


@given(st.lists(st.integers(1, 20), min_size=2, max_size=2, unique=True), st.integers(1, 20))
def test_two_different_numbers_of_rows_are_unparsed(rows, columns):
    reply = f"{rows[0]} rows and {columns} columns. {rows[1]} rows."
    assert parse(reply, []).outcome == "unparsed"
