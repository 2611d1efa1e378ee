"""Recorded answers that are no texts: read by their type, never as Python prints them.

Public report: NVIDIA/cudf issue 6429, whole numbers beside an empty cell that come out of a frame as 3.0.
"""

import json
from datetime import date, datetime
from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from afterimage.errors import AfterimageError
from afterimage.files.recorded_value import count_of, id_of, number_of, text_of, truth_of
from afterimage.models.recorded.reading import read_answers
from afterimage.planning.schemas import completed, read_schema
from afterimage.suites.hallusionbench.rescore import read_recorded as read_hallusionbench
from afterimage.suites.pope.recorded import read_answers as read_pope

TEXTS = [
    ("nan", "nan"),
    ("NA", "NA"),
    ("", ""),
    (3, "3"),
    (3.0, "3"),
    (-0.5, "-0.5"),
    (Decimal("7.00"), "7"),
    (Decimal("0.10"), "0.10"),
    (np.float64(4.0), "4"),
    (np.int32(4), "4"),
    (np.str_("T"), "T"),
    (b"Yes", "Yes"),
    ("はい".encode(), "はい"),
    (["T"], "T"),
    ([["T"]], "T"),
    (("T",), "T"),
    (np.array(["T"]), "T"),
    ([3.0], "3"),
    ([{"type": "text", "text": "T"}], "T"),
    ([{"type": "reasoning", "text": "hm"}, {"type": "text", "text": "T"}], "T"),
    ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "a\nb"),
    ({"type": "output_text", "text": "T"}, "T"),
    ({"role": "assistant", "content": [{"type": "text", "text": "T"}]}, "T"),
]
NOTHING = [None, float("nan"), np.nan, np.float32("nan"), pd.NA, pd.NaT, Decimal("NaN"), [], [None]]
NO_TEXTS = [
    (True, "found true"),
    (np.bool_(False), "found false"),
    ([True], "found true"),
    (float("inf"), "digits are lost"),
    (1e300, "digits are lost"),
    (["a", "b"], "found a list of 2 values"),
    ({"answer": "T"}, "found an object with the keys answer"),
    ([{"type": "image_url", "url": "x"}], "a part of the type 'image_url'"),
    (b"\xff", "bytes that are not UTF-8"),
    (datetime(2026, 3, 4), "found the date or time 2026-03-04"),
    (date(2026, 3, 4), "found the date or time 2026-03-04"),
    (pd.Timestamp("2026-03-04"), "found the date or time 2026-03-04"),
    (np.datetime64("2026-03-04"), "type datetime64"),
    ("half \ud800", r"found half a character \(\\ud800\)"),
    pytest.param(object(), "a value of the type object", id="an object"),
]


@pytest.fixture
def read(root):
    schema = read_schema(root / "workflow/schemas/backends/recorded.schema.yaml")

    def reading(path, **settings):
        return list(read_answers(path, completed({"file": "x", **settings}, schema, "settings")))

    return reading


@pytest.mark.parametrize(("value", "text"), TEXTS, ids=repr)
def test_a_value_is_the_text_that_it_means(value, text):
    assert text_of(value, "here") == text


@pytest.mark.parametrize("value", NOTHING, ids=repr)
def test_what_stands_for_no_value_is_no_answer(value):
    assert text_of(value, "here") is None
    assert id_of(value, "here") == ""
    assert number_of(value, "here") is None


@pytest.mark.parametrize(("value", "found"), NO_TEXTS, ids=lambda value: repr(value)[:30])
def test_what_is_no_text_is_one_sentence(value, found):
    with pytest.raises(AfterimageError, match=found) as told:
        text_of(value, "answers.jsonl, line 3: field 'a'")
    assert str(told.value).startswith("answers.jsonl, line 3: field 'a': found")
    assert "\n" not in str(told.value)


def test_deep_lists_of_one_end_in_no_traceback():
    value = "T"
    for _ in range(300):
        value = [value]
    assert text_of(value, "here") == "T"


@pytest.mark.parametrize(
    ("value", "name"),
    [
        *((3.0, "3"), ("3.0", "3"), ("03", "03"), ("1.5", "1.5"), ("a.0", "a.0")),
        *((True, "True"), (np.bool_(False), "False")),
    ],
)
def test_an_id_loses_only_what_a_frame_has_put_behind_it(value, name):
    assert id_of(value, "here") == name


def test_numbers_and_outcomes_are_read_from_what_a_frame_made_of_them():
    assert [count_of(value, "here") for value in (3.0, "3.0", 3, " 3 ", "")] == [3, 3, 3, 3, None]
    assert number_of("0.25", "here") == 0.25
    assert [truth_of(value, "here") for value in (1.0, "0.0", "TRUE", False, float("nan"))] == [
        *(True, False, True, False, None)
    ]
    for value in (3.5, "x", True, [1, 2], float("inf"), 1e40):
        with pytest.raises(AfterimageError, match="here: found"):
            count_of(value, "here")


def test_the_texts_of_lines_that_pandas_and_others_wrote(read, tmp_path):
    path = tmp_path / "a.jsonl"
    values = [float("nan"), ["T"], 3.0, [{"type": "text", "text": "disc"}], "nan"]
    path.write_text("".join(json.dumps({"item_id": 1.0, "text": value}) + "\n" for value in values))
    answers = read(path)
    assert [answer.text for answer in answers] == [None, "T", "3", "disc", "nan"]
    assert {answer.recorded_id for answer in answers} == {"1"}


def test_a_line_that_is_no_text_is_named(read, tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"item_id": "a", "text": "x"}\n{"item_id": "b", "text": "\\ud800"}\n')
    with pytest.raises(AfterimageError, match=r"a\.jsonl, line 2: field 'text': found half a char"):
        read(path)


@pytest.mark.parametrize(
    "column",
    [
        pa.array([3.0, 4.0, None, 6.0]),
        pa.array([3, 4, None, 6], pa.int8()),
        pa.array(["3", "4", None, "6"], pa.large_string()),
        pa.array(["3", "4", None, "6"]).dictionary_encode(),
        pa.array([b"3", b"4", None, b"6"]),
        pa.array([["3"], ["4"], None, ["6"]]),
        pa.array([Decimal("3.0"), Decimal("4.0"), None, Decimal("6.0")]),
        pa.array([3.0, 4.0, float("nan"), 6.0], pa.float32()),
    ],
    ids=["doubles", "bytes", "large", "dictionary", "binary", "lists", "decimals", "floats"],
)
def test_every_type_of_a_parquet_column_gives_the_same_texts(read, tmp_path, column):
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"item_id": ["a", "b", "c", "d"], "text": column}), path)
    assert [answer.text for answer in read(path)] == ["3", "4", None, "6"]


def test_what_pandas_writes_is_read(read, tmp_path):
    frame = pd.DataFrame({"item_id": [1, None, 3], "text": [3, 4, None], "run": [1, 1, 2]})
    frame.to_parquet(tmp_path / "a.parquet")
    answers = read(tmp_path / "a.parquet", columns={"repeat": "run"})
    assert [(answer.recorded_id, answer.text) for answer in answers] == [
        ("1", "3"),
        ("", "4"),
        ("3", None),
    ]


def test_a_column_of_times_in_parquet_is_one_sentence(read, tmp_path):
    path = tmp_path / "a.parquet"
    moments = pa.array([datetime(2026, 3, 4)], pa.timestamp("ns"))
    pq.write_table(pa.table({"item_id": ["a"], "text": moments}), path)
    with pytest.raises(AfterimageError, match="row 1: field 'text': found the date or time 2026"):
        read(path)


def test_the_logs_of_harnesses_are_read_by_type_too(read, tmp_path):
    lines = [
        {"doc_id": 0.0, "filtered_resps": [float("nan")]},
        {"doc_id": 1.0, "filtered_resps": [{"type": "text", "text": "T"}]},
        {"doc_id": 2, "resps": [["3"]], "token_counts": [{"output_tokens": 2.0}]},
    ]
    path = tmp_path / "s.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    answers = read(path, format="lmms_eval")
    assert [(one.recorded_id, one.text) for one in answers] == [("0", None), ("1", "T"), ("2", "3")]
    assert answers[2].completion_tokens == 2
    parts = [{"type": "reasoning", "reasoning": "hm"}, {"type": "text", "text": "T"}]
    sample = {
        "id": 1.0,
        "epoch": 1.0,
        "input": "q",
        "output": {"choices": [{"message": {"content": parts}}]},
    }
    log = tmp_path / "log.json"
    log.write_text(json.dumps({"version": 2, "samples": [sample]}))
    (answer,) = read(log)
    assert (answer.recorded_id, answer.repeat, answer.text) == ("1", 1, "T")


def test_recorded_answers_of_a_suite_are_read_by_type(tmp_path):
    asked = {"category": "VS", "subcategory": "map", "set_id": 1.0, "figure_id": 0.0}
    asked |= {"question_id": 2.0, "visual_input": 1.0, "gt_answer": 1.0}
    lines = [asked | {"response": float("nan"), "human_check": 0.0}, asked | {"response": ["Yes"]}]
    (tmp_path / "m.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (read,) = read_hallusionbench(tmp_path)
    assert read.questions["response"].tolist() == ["", "Yes"]
    assert set(read.questions["set_id"]) == {"1"} and set(read.questions["gt_answer"]) == {"1"}


def test_pope_s_recorded_answers_are_read_by_type(tmp_path):
    line = {"split": "random", "image": "a.jpg", "text": "Is there a cat?", "label": "yes"}
    given = [(1.0, ["Yes"]), (2, float("nan")), (3, True), (4, [{"type": "text", "text": "No"}])]
    rows = [line | {"question_id": number, "response": said} for number, said in given]
    (tmp_path / "m.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    found, remarks = read_pope(tmp_path)
    answers = found["m"]["random"]
    assert [(answer.question_id, answer.response) for answer in answers] == [
        ("1", "Yes"),
        ("4", "No"),
    ]
    assert "2 lines without question_id, split or response, the first line 2" in remarks[0]


def test_numbers_and_bytes_of_rare_types():
    assert text_of(Decimal("sNaN"), "here") is None
    assert text_of(memoryview(b"T"), "here") == "T"
    with pytest.raises(AfterimageError, match="here: found the number Decimal"):
        text_of(Decimal("Infinity"), "here")


@pytest.mark.parametrize("kind", [pa.float16(), pa.float32(), pa.float64()], ids=str)
def test_a_short_number_has_no_more_digits_than_it_was_given(kind, read, tmp_path):
    numbers = np.array([3.1, 4, 0.25, np.nan, 2047], dtype=kind.to_pandas_dtype())
    texts = pa.array(numbers, kind)
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"item_id": list("abcde"), "text": texts}), path)
    assert [answer.text for answer in read(path)] == ["3.1", "4", "0.25", None, "2047"]


def test_a_day_that_no_calendar_has_is_one_sentence(read, tmp_path):
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"item_id": ["a"], "text": pa.array([2**30], pa.date32())}), path)
    with pytest.raises(AfterimageError, match="not a readable Parquet file"):
        list(read(path))


def test_messages_within_messages_end_in_no_traceback():
    value = "T"
    for _ in range(3000):
        value = {"role": "assistant", "content": value}
    with pytest.raises(AfterimageError, match="nested too deeply"):
        text_of(value, "a.jsonl, line 1")
