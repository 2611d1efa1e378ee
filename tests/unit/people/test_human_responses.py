"""Reading files of raw responses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterimage.errors import AfterimageError
from afterimage.files.human_responses import HumanResponse, in_lines, read_responses

HEADER = "participant_id,image_id,question,option_id\n"
GOOD = HEADER + "p1,fick_A_fake,actual,red\n"


@pytest.fixture
def read(tmp_path):
    def read(content):
        path = tmp_path / "responses.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_responses(path)

    return read


@pytest.fixture
def fault(read):
    def fault(content):
        with pytest.raises(AfterimageError) as caught:
            read(content)
        message = str(caught.value)
        assert "responses.csv: " in message
        assert "\n" not in message
        return message.partition("responses.csv: ")[2]

    return fault


FIRST = HumanResponse(2, "p1", "fick_A_fake", "actual", "red")


@pytest.mark.parametrize(
    "content",
    [
        GOOD,
        b"\xef\xbb\xbf" + GOOD.encode(),
        GOOD.replace("\n", "\r\n"),
        GOOD.replace("\n", "\r"),
        GOOD + "\n\n,,,\n",
        GOOD.replace(",", " , "),
        GOOD.replace("fick_A_fake", '"fick_A_fake"'),
        "option_id,question,image_id,participant_id\nred,actual,fick_A_fake,p1\n",
    ],
    ids=["plain", "bom", "crlf", "cr", "blank-rows", "blanks", "quoted", "order"],
)
def test_harmless_differences_are_read_alike(read, content):
    assert read(content) == [FIRST]


def test_a_last_row_without_a_line_break_may_be_half_of_one(read):
    assert read(GOOD.rstrip("\n")) == [FIRST._replace(is_whole=False)]


def test_lines_count_the_header_blank_lines_and_breaks_in_cells(read):
    content = HEADER + '\np1,a,actual,x\n"p\n2",a,actual,x\np3,a,actual,x\n'
    assert [(row.line, row.participant_id) for row in read(content)] == [
        (3, "p1"),
        (4, "p\n2"),
        (6, "p3"),
    ]


def test_unanswered_question_is_a_row_without_option(read):
    assert read(GOOD + "p2,fick_A_fake,actual,\n")[1].option_id == ""


def test_names_in_any_script_are_kept(read):
    assert read(GOOD + "参加者,fick_A_fake,actual,red\n")[1].participant_id == "参加者"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "its first line is empty; expected the header participant_id,image_id,"),
        ("\n" + GOOD, "its first line is empty"),
        (HEADER, "holds no responses below its header"),
        ("p1,fick_A_fake,actual,red\n", "line 1: column 'participant_id' is missing"),
        (
            GOOD.replace("option_id", "answer"),
            "column 'option_id' is missing, column 'answer' is unknown",
        ),
        (GOOD.replace("option_id", "option_id,age"), "line 1: column 'age' is unknown"),
        (
            GOOD.replace("question", "image_id"),
            "'question' is missing, column 'image_id' occurs 2 times",
        ),
        (GOOD.replace(",", ";"), "line 1: cells are separated by semicolons; expected the header"),
        (GOOD.replace(",", "\t"), "line 1: cells are separated by tabs; expected the header"),
        (GOOD + "p1,fick_A_fake,actual\n", "expected 4 fields in line 3"),
        (GOOD + "p1,fick_A_fake,actual,red,\n", "expected 4 fields in line 3"),
        (GOOD + ",fick_A_fake,actual,red\n", "empty participant_id in line 3"),
        (
            GOOD + "p1, ,actual,red\np1,fick_A_fake,,red\n",
            "empty image_id in line 3; empty question in line 4",
        ),
        (GOOD + 'p1,"fick_A_fake,actual,red\n', "the row in line 3 is not CSV"),
        (GOOD + 'p1,"fick"_A_fake,actual,red\n', "the row in line 3 is not CSV"),
        (
            GOOD.encode() + b"p\xe9,fick_A_fake,actual,red\n",
            "line 3, byte 2: found the byte 0xe9, which is not UTF-8",
        ),
        (GOOD.encode() + b"\0", "line 3: found a zero byte"),
        (b"PK\x03\x04\x00\x00", "is a workbook; expected it saved as CSV"),
    ],
)
def test_malformed_file_is_one_sentence_with_line_numbers(fault, content, message):
    assert message in fault(content)


def test_all_faults_are_named_at_once_and_only_ten_lines_of_a_kind(fault):
    content = GOOD + "short\n" * 14 + ",fick_A_fake,actual,red\n"
    assert fault(content) == (
        "malformed responses: expected 4 fields in lines 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 4 "
        "more; empty participant_id in line 17."
    )


def test_missing_file_is_named(tmp_path):
    with pytest.raises(AfterimageError, match=r"absent\.csv: no such file"):
        read_responses(tmp_path / "absent.csv")


@given(st.binary(max_size=120))
def test_no_content_whatever_ends_in_anything_but_one_sentence(tmp_path_factory, content):
    path = tmp_path_factory.getbasetemp() / "arbitrary.csv"
    for start in (b"", HEADER.encode()):
        path.write_bytes(start + content)
        try:
            assert all(isinstance(row, HumanResponse) for row in read_responses(path))
        except AfterimageError as error:
            assert "\n" not in str(error).removeprefix(str(path))


def test_lines_in_words():
    assert in_lines([7]) == "line 7"
    assert in_lines([9, 3, 3]) == "lines 3, 9"


def test_a_file_without_rows_is_refused_unless_it_may_be_empty(tmp_path):
    path = tmp_path / "responses.csv"
    path.write_text(HEADER)
    with pytest.raises(AfterimageError, match="holds no responses below its header"):
        read_responses(path)
    assert read_responses(path, may_be_empty=True) == []
