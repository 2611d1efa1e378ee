"""Texts of others in other encodings: read where the encoding is certain, else refused with the byte and its place.

Public report: brianmario/charlock_holmes issue 6, a CSV file of Excel on a Mac taken for another encoding.
"""

import json

import pytest
from form_samples import answered, as_csv, choice_task, listed

from afterimage.errors import AfterimageError
from afterimage.files.csv_rows import read_peoples_rows
from afterimage.files.external_text import decoded
from afterimage.files.human_responses import read_responses
from afterimage.files.json_files import read_json_list
from afterimage.files.recorded_rows import read_csv, read_json_lines
from afterimage.people.forms.joining import join
from afterimage.people.forms.returned_files import read_returned
from afterimage.people.review import REVIEW_COLUMNS, read_reviews
from afterimage.suites.images.csv_rows import read_rows as read_own_images
from afterimage.suites.texture import columns as texture
from afterimage.suites.texture.columns import read_rows as read_texture

JAPANESE = "問い,どちらの線が長いですか？,左の方。,ふわふわ,一番\n"
NAMES = "answer,annotator_id\n2,Hélène\n1,Zoë\n3,François\n"


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp932"]
)
def test_what_is_certain_is_read(encoding):
    text = "form_id,answer\n" * 40 + JAPANESE
    assert decoded(text.encode(encoding), "a.csv") == text


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (NAMES, "mac_roman"),
        (NAMES, "latin-1"),
        (NAMES, "cp1252"),
        (NAMES, "cp437"),
        (NAMES, "cp850"),
        ("answer\nÉCOLE DÉGÉNÉRÉE\n", "mac_roman"),
        ("answer\nça et là, où çà\n", "mac_roman"),
        ("answer\nGrößenänderung übermäßig\n", "mac_roman"),
        ("answer\nLínea más larga, ¿no?\n", "mac_roman"),
        ("answer\nВова и Вася\n", "mac_cyrillic"),
        ("answer\nАнна\n", "cp1251"),
        ("answer\nанна, вера, вова\n", "koi8-r"),
        ("answer\nкруги касаются\n", "cp866"),
        ("answer\n左边的线更长，两个圆不重叠\n", "gbk"),
        ("answer\n左邊的線比較長\n", "big5"),
        ("answer\n왼쪽 선이 더 길어요\n", "cp949"),
        ("answer\n" + JAPANESE, "euc-jp"),
        # Kanji alone could as well be accents.
        ("annotator_id\n山田\n", "cp932"),
    ],
    ids=lambda value: value[:12] if "\n" in value else value,
)
def test_what_is_not_certain_is_refused_with_the_byte_and_its_place(text, encoding):
    data = text.encode(encoding)
    with pytest.raises(AfterimageError) as told:
        decoded(data, "a.csv")
    line, byte = next(
        (number, index)
        for number, row in enumerate(data.split(b"\n"), start=1)
        for index, value in enumerate(row, start=1)
        if value > 127
    )
    found = next(value for value in data if value > 127)
    # The first byte that is no UTF-8 may be the second of a pair that could begin one.
    message = str(told.value)
    assert f"a.csv: line {line}, byte " in message and "not UTF-8" in message
    assert f"byte {byte}: found the byte 0x{found:02x}" in message
    assert "CSV UTF-8" in message and "\n" not in message


def readers(tmp_path, data):
    """Yield each reader of others' texts, called with a file of these bytes."""
    path = tmp_path / "a.csv"
    path.write_bytes(data)
    yield lambda: read_returned(path)
    yield lambda: read_responses(path)
    yield lambda: read_reviews([path])
    yield lambda: read_own_images(path)
    yield lambda: read_texture(path, texture.VOTES)
    yield lambda: list(read_peoples_rows(path, ["a"], "rows"))
    yield lambda: list(read_csv(path))
    yield lambda: list(read_json_lines(path))
    yield lambda: read_json_list(path, "questions")


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"a,b\nx,\xe9\n", r"line 2, byte 3: found the byte 0xe9"),
        (b"a,b\nx,\x8e\n", r"line 2, byte 3: found the byte 0x8e"),
        (b"PK\x03\x04", "is a workbook; expected it saved as CSV"),
        (b"\xd0\xcf\x11\xe0", "is a workbook; expected it saved as CSV .*xls"),
        (b"a,b\nx,\0\n", "line 2: found a zero byte"),
        (b"%PDF-1.4\n\xe2", "is a PDF"),
    ],
)
def test_every_reader_refuses_in_the_same_words(tmp_path, data, found):
    for read in readers(tmp_path, data):
        with pytest.raises(AfterimageError, match=found):
            read()


def test_every_reader_reads_utf_16(tmp_path):
    path = tmp_path / "a.csv"

    def write(text):
        path.write_text(text, encoding="utf-16")
        return path

    header = ",".join(REVIEW_COLUMNS)
    assert read_reviews([write(f"{header}\nm,i,a,1,Zoë\n")])[0].reviewer == "Zoë"
    rows = "participant_id,image_id,question,option_id\nZoë,i,q,o\n"
    assert read_responses(write(rows))[0].participant_id == "Zoë"
    assert read_own_images(write("image,question,options,answer\né.png,q,,x\n"))[1][0].line == 2
    assert [row.values for row in read_csv(write("a\tb\né\tü\n"))] == [{"a": "é", "b": "ü"}]
    assert [row.values for row in read_json_lines(write('{"a": "é"}\n'))] == [{"a": "é"}]
    assert read_json_list(write(json.dumps([{"a": "é"}], ensure_ascii=False)), "x") == [{"a": "é"}]


def test_one_person_stays_one_person(tmp_path):
    tasks = listed([choice_task("a"), choice_task("b")])
    given = answered(tasks, lambda row, field: "1", annotator="Hélène")
    for name, encoding in (("0.csv", "utf-8"), ("1.csv", "utf-16"), ("2.csv", "utf-8-sig")):
        (tmp_path / name).write_text(as_csv(given), encoding=encoding, newline="")
    rows = [row for path in sorted(tmp_path.glob("*.csv")) for row in read_returned(path)]
    assert {one.row.annotator_id for one in join(tasks, rows).given} == {"Hélène"}
    (tmp_path / "3.csv").write_text(as_csv(given), encoding="mac_roman", newline="")
    with pytest.raises(AfterimageError, match=r"3\.csv: line 2, byte .*0x8e"):
        read_returned(tmp_path / "3.csv")


def test_files_with_marks_that_were_joined_hold_none_within(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("a,b\n1,2\n\ufeff3,4\n", encoding="utf-8-sig")
    assert [row["a"] for _, row in read_peoples_rows(path, ("a", "b"), "x")] == ["1", "3"]


@pytest.mark.parametrize("other", ["p\u200b 1", "P 1", "p  1"])
def test_a_person_written_in_two_ways_is_told(tmp_path, other):
    path = tmp_path / "a.csv"
    head = "participant_id,image_id,question,option_id\n"
    path.write_text(f"{head}p 1,i,q,1\n{other},i,r,1\n", encoding="utf-8")
    with pytest.raises(AfterimageError, match=r"in (case|the way it is written) alone"):
        read_responses(path)


def test_cells_beyond_the_header_and_half_rows_are_refused(tmp_path):
    path = tmp_path / "a.csv"
    for text, found in (("a,b\n1,2,3\n", "more cells"), ("a,b\n1,2\n3", "ends early")):
        path.write_text(text)
        with pytest.raises(AfterimageError, match=found):
            list(read_peoples_rows(path, ("a", "b"), "x"))
