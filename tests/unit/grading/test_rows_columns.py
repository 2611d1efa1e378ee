from hypothesis import given
from hypothesis import strategies as st

from afterimage.grading.readers.rows_columns import parse


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
