"""Records in another shape: read, or one sentence with the shape that was found and the one expected.

Public report: huggingface/datasets pull request 8086, a .json file that is one object over several lines; also
nuprl/MultiPL-E pull request 81, an array where JSON lines were read.
"""

import gzip
import json
import zipfile

import pandas as pd
import pytest

from afterimage.errors import AfterimageError
from afterimage.models.recorded.reading import read_answers
from afterimage.planning.schemas import completed, read_schema
from afterimage.suites.hallusionbench.rescore import read_recorded
from afterimage.suites.pope.recorded import read_answers as read_pope

RECORDS = [
    {"item_id": f"q{number}", "text": text} for number, text in enumerate(["Yes", "NA", "é"])
]
EXPECTED = [(record["item_id"], record["text"]) for record in RECORDS]
LINES = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in RECORDS)
FRAME = pd.DataFrame(RECORDS)


@pytest.fixture
def read(root, tmp_path):
    schema = read_schema(root / "workflow/schemas/backends/recorded.schema.yaml")

    def read(content, name="a.jsonl", **settings):
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        whole = completed({"file": "x", **settings}, schema, "settings")
        return [(one.recorded_id, one.text) for one in read_answers(path, whole)]

    return read


SHAPES = {
    "lines": LINES,
    "lines with blank ones": LINES.replace("\n", "\n\n"),
    "lines of Windows": LINES.replace("\n", "\r\n"),
    "without a last break": LINES.rstrip(),
    "array": json.dumps(RECORDS),
    "array over lines": json.dumps(RECORDS, indent=2),
    "array of lines": "[\n" + LINES.rstrip().replace("\n", ",\n") + "\n]\n",
    "objects over lines": "\n".join(json.dumps(record, indent=2) for record in RECORDS),
    "objects on one line": "".join(json.dumps(record) for record in RECORDS),
    "objects with commas": LINES.rstrip().replace("\n", ",\n"),
    "lists on lines": "".join(json.dumps([record]) + "\n" for record in RECORDS),
    "under results": json.dumps({"results": RECORDS, "model": "m"}),
    "under samples": json.dumps({"config": {"a": 1}, "samples": RECORDS}, indent=1),
    "under the only key": json.dumps({"whatever": RECORDS}),
    "columns of pandas": FRAME.to_json(),
    "rows of pandas": FRAME.to_json(orient="index"),
    "split by pandas": FRAME.to_json(orient="split"),
    "table of pandas": FRAME.to_json(orient="table", index=False),
    "records of pandas": FRAME.to_json(orient="records"),
    "lists by column": json.dumps(FRAME.to_dict("list")),
}


@pytest.mark.parametrize("name", ["a.jsonl", "a.json"])
@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_gives_the_same_records(read, shape, name):
    assert read(SHAPES[shape], name) == EXPECTED


@pytest.mark.parametrize("shape", ["lines", "array over lines", "columns of pandas"])
def test_packed_marked_and_in_16_bits(read, shape):
    text = SHAPES[shape]
    assert read(gzip.compress(text.encode()), "a.jsonl.gz") == EXPECTED
    assert read(gzip.compress(text.encode()), "a.jsonl") == EXPECTED
    assert read(text, "b.jsonl.gz") == EXPECTED
    assert read("\ufeff" + text) == EXPECTED
    assert read(text.encode("utf-16")) == EXPECTED


def test_of_records_by_key_the_key_is_the_id(read):
    by_key = {record["item_id"]: {"text": record["text"]} for record in RECORDS}
    assert read(json.dumps(by_key), item_id="{id}") == EXPECTED
    assert read(json.dumps({"results": by_key, "n": 3}), item_id="{id}") == EXPECTED


def test_a_single_record_with_lists_in_it_is_one_record(read):
    one = {"item_id": "a", "text": [{"type": "text", "text": "T"}]}
    assert read(json.dumps(one) + "\n") == [("a", "T")]
    one = {"item_id": "a", "text": "T", "scores": {"x": {"a": 1}, "y": {"a": 2}}}
    assert read(json.dumps(one, indent=2)) == [("a", "T")]


def test_an_array_is_read_as_a_harness_s_log_too(read):
    logs = [{"doc_id": 0, "resps": [["Yes"]]}, {"doc_id": 1, "resps": [["No"]]}]
    expected = [("0", "Yes"), ("1", "No")]
    assert read(json.dumps(logs), "a.json", format="lmms_eval") == expected
    old = {"args": {"model": "m"}, "model_configs": {}, "logs": logs}
    assert read(json.dumps(old), "a.json", format="lmms_eval") == expected


TABLE = "item_id,text\nq0,Yes\nq1,NA\nq2,é\n"


@pytest.mark.parametrize(
    "text",
    [
        TABLE,
        "\ufeff" + TABLE,
        TABLE.replace(",", ";"),
        TABLE.replace(",", "\t"),
        TABLE.replace("\n", "\r\n"),
        TABLE.replace("\n", "\n\n"),
        TABLE.replace("item_id,", '"item_id" ,').replace(" ,", ","),
        TABLE + ",\n",
    ],
)
def test_every_form_of_csv_gives_the_same_records(read, text):
    assert read(text, "a.csv") == EXPECTED
    assert read(gzip.compress(text.encode()), "a.csv.gz") == EXPECTED


def test_a_line_break_in_quotes_belongs_to_its_cell(read):
    assert read('item_id,text\n"a","two\nlines; ""quoted"""\n', "a.csv") == [
        ("a", 'two\nlines; "quoted"')
    ]


@pytest.mark.parametrize(
    ("content", "name", "found"),
    [
        (TABLE, "a.jsonl", "line 1: not a JSON object .*found 'item_id,text'.*; expected one JSON"),
        (LINES, "a.csv", r"line 1: found JSON; expected CSV .*\(format: jsonl reads JSON\)"),
        ("[1, 2]", "a.json", r"found \[1, 2\], whose entry 1 is no object"),
        ('["Yes", "No"]', "a.jsonl", r"found \['Yes', 'No'\], whose entry 1 is no object"),
        ("[[1]]", "a.jsonl", r"found \[\[1\]\], whose entry 1 is no object"),
        ("7", "a.jsonl", "found 7; expected one JSON object on each line, an array"),
        ('"text"', "a.json", "found 'text'; expected one JSON object"),
        ("null", "a.json", "found None; expected one JSON object"),
        (json.dumps({"q1": "Yes", "q2": "No"}), "a.json", "unknown field 'text'"),
        (json.dumps({"results": RECORDS, "samples": RECORDS}), "a.json", "under several keys"),
        (json.dumps({"columns": ["a"], "data": [[1, 2]]}), "a.json", "a row has other cells"),
        ('{"item_id": "a"', "a.json", "line 1: not a JSON object"),
        (LINES + '{"item_id": "q', "a.jsonl", "line 4: not a JSON object"),
        ('{"item_id": "a", "text": "a\0b"}\n', "a.jsonl", "line 1: found a zero byte"),
        ("item_id,text\na,b\0\n", "a.csv", "line 2: found a zero byte"),
        ("item_id,text,text\na,b,c\n", "a.csv", "column 'text' occurs twice"),
        ("item_id;text\na;b;c\n", "a.csv", "row 1: its number of fields is not that of the header"),
        ("<!DOCTYPE html><html></html>", "a.jsonl", "line 1: not a JSON object .*found '<!DOCTYPE"),
        (b"PAR1rest", "a.jsonl", "is a Parquet file; expected a text"),
        (b"\x28\xb5\x2f\xfdrest", "a.jsonl", "is packed with Zstandard"),
        (gzip.compress(LINES.encode(), mtime=0)[:-12], "a.jsonl.gz", "packed, and cut off or damaged"),
        (b"version https://git-lfs.github.com/spec/v1\n", "a.jsonl", "is a pointer of Git LFS"),
    ],
    ids=lambda value: None if isinstance(value, bytes) else repr(value)[:30],
)  # fmt: skip
def test_what_cannot_be_read_is_one_sentence_with_what_was_found(read, content, name, found):
    with pytest.raises(AfterimageError, match=found) as told:
        read(content, name)
    assert "\n" not in str(told.value) and len(str(told.value)) < 500


def test_an_archive_is_refused_with_its_kind(read, tmp_path):
    with zipfile.ZipFile(tmp_path / "packed", "w") as archive:
        archive.writestr("a.jsonl", LINES)
    with pytest.raises(AfterimageError, match="is a ZIP archive; expected a text"):
        read((tmp_path / "packed").read_bytes())


def test_an_array_named_as_a_log_of_inspect_ai_is_told_what_reads_it(read):
    with pytest.raises(AfterimageError, match=r"expected an object with 'version'.*format: jsonl"):
        read(json.dumps(RECORDS), "a.json", format="inspect_ai")


def test_the_recorded_answers_of_suites_are_read_in_every_shape(tmp_path):
    keys = ("category", "subcategory", "set_id", "figure_id", "question_id", "visual_input")
    row = dict(zip(keys, ("VS", "map", "1", "0", "0", "1"), strict=True))
    row |= {"gt_answer": "1", "response": "Yes"}
    (tmp_path / "h").mkdir()
    (tmp_path / "h" / "m.jsonl").write_text(
        json.dumps([row, {**row, "question_id": "1"}], indent=1)
    )
    (read,) = read_recorded(tmp_path / "h")
    assert len(read.questions) == 2
    asked = {"split": "random", "question_id": 1, "image": "a", "text": "q", "label": "no"}
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / "m.jsonl").write_text(json.dumps([asked | {"response": "No"}]))
    found, remarks = read_pope(tmp_path / "p")
    assert [answer.response for answer in found["m"]["random"]] == ["No"] and not remarks


@pytest.mark.parametrize(
    "text",
    [
        '{"q1": {"text": "Yes"}, "q1": {"text": "No"}, "q2": {"text": "No"}}',
        '{\n"q1": {"text": "Yes"},\n"q1": {"text": "No"}}',
        '{"item_id": "a", "text": "Yes", "text": "No"}\n{"item_id": "b", "text": "No"}',
    ],
)
def test_a_key_with_two_values_is_refused(read, text):
    with pytest.raises(AfterimageError, match=r"the key '(q1|text)' occurs twice in one object"):
        read(text)


def test_a_filtered_frame_is_read_by_column(read):
    assert read(FRAME[FRAME.index > 0].to_json()) == EXPECTED[1:]


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"item_id,text,x\na,Yes,1\nb,No", "row 2: found the end of the file"),
        (b'item_id,text\na,Yes\nb,"No, it', "row 2: found the end of the file"),
        ("item_id,text\na,Yes\nb,é".encode()[:-1], "in the middle of a character"),
    ],
)
def test_a_table_that_was_cut_off_is_called_that(read, content, found):
    with pytest.raises(AfterimageError, match=found):
        read(content, "a.csv")
    assert read(b"item_id,text\na,Yes\nb,No", "b.csv") == [("a", "Yes"), ("b", "No")]
    korean = "item_id,text\na,왔".encode("utf-16")
    assert read(korean, "c.csv") == [("a", "왔")]
