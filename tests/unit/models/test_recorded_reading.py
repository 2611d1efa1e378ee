"""Recorded answers as they stand in files: of one's own, of lmms-eval, of inspect_ai and of VLMEvalKit."""

import csv
import gzip
import json
import zipfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from afterimage.errors import AfterimageError
from afterimage.grading.reasoning import split
from afterimage.models.recorded.reading import read_answers
from afterimage.planning.schemas import completed, read_schema


@pytest.fixture
def read(root):
    """Read a file with the given settings, the others being the defaults."""
    schema = read_schema(root / "workflow/schemas/backends/recorded.schema.yaml")

    def reading(path, **settings):
        return list(read_answers(path, completed({"file": "x", **settings}, schema, "settings")))

    return reading


RECORDS = [
    {"item_id": "a/actual", "text": "NA", "tokens": 12},
    {"item_id": "b/actual", "text": "", "tokens": 0},
    {"item_id": "c/actual", "text": 'two\nlines, "quoted"', "tokens": 3},
]


def write_jsonl(path, records=RECORDS):
    path.write_text("\n".join(json.dumps(record) for record in records) + "\n\n")
    return path


def write_csv(path, records=RECORDS):
    def cell(value):
        return '"' + str(value).replace('"', '""') + '"'

    lines = [",".join(records[0]), *(",".join(map(cell, row.values())) for row in records)]
    path.write_text("\n".join(lines) + "\n")
    return path


def write_parquet(path, records=RECORDS):
    pq.write_table(pa.Table.from_pylist(records), path)
    return path


@pytest.mark.parametrize(
    ("write", "ending"), [(write_jsonl, "jsonl"), (write_csv, "csv"), (write_parquet, "parquet")]
)
def test_a_table_gives_its_answers_word_for_word_whatever_its_form(read, tmp_path, write, ending):
    path = write(tmp_path / f"answers.{ending}")
    answers = read(path, columns={"completion_tokens": "tokens"})
    assert [answer.recorded_id for answer in answers] == [row["item_id"] for row in RECORDS]
    # "NA" is an answer, and so is nothing; pandas would have made both a missing value.
    assert [answer.text for answer in answers] == [row["text"] for row in RECORDS]
    assert [answer.completion_tokens for answer in answers] == [12, 0, 3]
    assert str(path) in answers[1].location
    assert "2" in answers[1].location


def test_an_items_id_is_made_from_fields_and_nested_ones(read, tmp_path):
    record = {"image": {"name": "fick_A_fake"}, "kind": "actual", "answer": "x", "run": 3}
    path = write_jsonl(tmp_path / "a.jsonl", [record])
    (answer,) = read(
        path,
        item_id="{image.name}/{kind}/zero_shot",
        columns={"text": "answer", "repeat": "run", "prompt": "kind"},
    )
    assert (answer.recorded_id, answer.repeat, answer.prompt) == (
        "fick_A_fake/actual/zero_shot",
        3,
        "actual",
    )


def test_null_is_no_answer(read, tmp_path):
    path = write_jsonl(tmp_path / "a.jsonl", [{"item_id": "a", "text": None}])
    assert [answer.text for answer in read(path)] == [None]


def test_outcomes_without_words_are_read_from_text_and_from_numbers(read, tmp_path):
    rows = [{"item_id": "a", "said": "1"}, {"item_id": "b", "said": "0"}]
    path = write_csv(tmp_path / "a.csv", rows)
    columns = {"text": None, "correct": "said"}
    answers = read(path, columns=columns)
    assert [(answer.text, answer.correct) for answer in answers] == [(None, True), (None, False)]
    path = write_jsonl(tmp_path / "a.jsonl", [{"item_id": "a", "said": True}])
    assert read(path, columns=columns)[0].correct is True
    path = write_jsonl(tmp_path / "b.jsonl", [{"item_id": "a", "said": "perhaps"}])
    with pytest.raises(
        AfterimageError, match="field 'said': found 'perhaps'; expected true, false, 1, 0"
    ):
        read(path, columns=columns)


def test_a_packed_table_is_read_like_a_plain_one(read, tmp_path):
    path = tmp_path / "answers.jsonl.gz"
    path.write_bytes(gzip.compress(write_jsonl(tmp_path / "answers.jsonl").read_bytes()))
    assert [answer.text for answer in read(path)] == [row["text"] for row in RECORDS]


def test_of_lmms_eval_the_answer_before_the_filter_counts(read, tmp_path):
    lines = [
        {"doc_id": 0, "target": "x", "filtered_resps": "Left.", "input": "Which?", "doc_hash": "0"},
        {
            "doc_id": 1,
            "target": "x",
            "resps": ["<think>hm</think>Right."],
            "filtered_resps": "Right.",
            "input": "Which?",
            "token_counts": [{"input_tokens": 300, "output_tokens": 9}],
            "score": {"question_id": "q7"},
        },
        {"doc_id": 2, "target": "x", "filtered_resps": ["one", "two"], "input": None},
        # Version 0.5 and before.
        {"doc_id": 3, "target": "x", "filtered_resps": ["Up."], "resps": [["Up. "]]},
    ]
    path = write_jsonl(tmp_path / "20250101_samples_task.jsonl", lines)
    answers = read(path, format="lmms_eval")
    assert [(answer.recorded_id, answer.text, answer.repeat) for answer in answers] == [
        ("0", "Left.", 0),
        ("1", "<think>hm</think>Right.", 0),
        ("2", "one", 0),
        ("2", "two", 1),
        ("3", "Up. ", 0),
    ]
    assert [answer.prompt for answer in answers[:3]] == ["Which?", "Which?", None]
    assert (answers[1].prompt_tokens, answers[1].completion_tokens) == (300, 9)
    by_question = write_jsonl(tmp_path / "b.jsonl", lines[1:2])
    assert (
        read(by_question, format="lmms_eval", item_id="{score.question_id}")[0].recorded_id == "q7"
    )


def test_a_task_of_lmms_eval_that_compares_likelihoods_is_refused(read, tmp_path):
    record = {"doc_id": 0, "filtered_resps": [["-1.5", "False"], ["-0.2", "True"]]}
    path = write_jsonl(tmp_path / "a.jsonl", [record])
    with pytest.raises(AfterimageError, match="line 1: its answers are not texts"):
        read(path, format="lmms_eval")


def test_of_lm_eval_the_likeliest_option_is_the_answer_with_all_log_probabilities(read, tmp_path):
    record = {
        "doc_id": 7,
        "resps": [[["-1.5", "False"]], [[-0.25, True]], [["-inf", "False"]]],
        "filtered_resps": [["-1.5", "False"], [-0.25, True], ["-inf", "False"]],
        "arguments": {
            f"gen_args_{index}": {"arg_0": "Which?\nAnswer:", "arg_1": f" {word}"}
            for index, word in enumerate(("left", "right", "none"))
        },
    }
    path = write_jsonl(tmp_path / "a.jsonl", [record])
    (answer,) = read(path, format="lm_eval")
    assert (answer.recorded_id, answer.text) == ("7", "right")
    known = [(each["text"], each["logprob"]) for each in answer.scores["options"]]
    assert known == [("left", -1.5), ("right", -0.25), ("none", -1e9)]
    pairs = [[each["arg_0"], each["arg_1"]] for each in record["arguments"].values()]
    path = write_jsonl(tmp_path / "b.jsonl", [{**record, "arguments": pairs}])
    assert read(path, format="lm_eval")[0].scores == answer.scores


def _compared(pairs, **more):
    """Return a line of lm-eval as ``EvaluationTracker`` writes it: pairs of prompt, option and log-probability."""
    return {
        "doc_id": 3,
        "doc": {"id": "a"},
        "target": "1",
        "arguments": {
            f"gen_args_{index}": {"arg_0": prompt, "arg_1": option, "arg_2": {"visual": "<PIL>"}}
            for index, (prompt, option, _) in enumerate(pairs)
        },
        "resps": [[[value, "False"]] for *_, value in pairs],
        "filtered_resps": [[value, "False"] for *_, value in pairs],
        "filter": "none",
        **more,
    }


def test_of_lm_eval_with_an_image_the_option_is_the_second_argument(read, tmp_path):
    asked = [("Q", " left", "-1.5"), ("Q", " right", "-0.25")]
    alone = [("", " left", "-0.1"), ("", " right", "-9.0")]
    path = write_jsonl(tmp_path / "a.jsonl", [_compared(asked), _compared(asked + alone)])
    for answer in read(path, format="lm_eval", item_id="{doc.id}"):
        assert (answer.recorded_id, answer.text) == ("a", "right")
        assert [each["logprob"] for each in answer.scores["options"]] == [-1.5, -0.25]


def test_of_lm_eval_compared_contexts_name_no_option(read, tmp_path):
    record = _compared([("Ann", " won", "-1.5"), ("Bob", " won", "-0.2")])
    with pytest.raises(AfterimageError, match="line 1: its answers are not texts"):
        read(write_jsonl(tmp_path / "a.jsonl", [record]), format="lm_eval")


def test_of_several_filters_of_lm_eval_each_document_counts_once(read, tmp_path):
    lines = [
        {"doc_id": number, "filter": name, "resps": [["It is 4."]], "filtered_resps": [said]}
        for name, said in (("strict-match", "[invalid]"), ("flexible-extract", "4"))
        for number in range(2)
    ]
    answers = read(write_jsonl(tmp_path / "a.jsonl", lines), format="lm_eval")
    assert [(answer.recorded_id, answer.text) for answer in answers] == [
        ("0", "It is 4."),
        ("1", "It is 4."),
    ]


def test_the_log_probabilities_of_an_inspect_ai_log_come_along(read, tmp_path):
    token = {"token": "No", "logprob": -0.5, "bytes": [78, 111], "top_logprobs": None}
    choice = {
        "message": {"role": "assistant", "content": "No"},
        "stop_reason": "stop",
        "logprobs": {"content": [token]},
    }
    sample = {"id": "a", "epoch": 1, "input": "?", "output": {"choices": [choice]}}
    sample["output"]["completion"] = "No"
    path = tmp_path / "log.json"
    path.write_text(json.dumps({"version": 2, "samples": [sample]}))
    (answer,) = read(path, format="inspect_ai")
    assert answer.scores == {
        "first_token": [{"token": "No", "logprob": -0.5, "bytes": [78, 111], "top": []}]
    }


@pytest.fixture
def genuine(root, tmp_path) -> Path:
    """A log that inspect_ai 0.3.285 wrote: four samples, two epochs, answers set by a solver."""
    packed = (root / "tests/data/inspect_ai_0.3.285.eval.gz").read_bytes()
    path = tmp_path / "log.eval"
    path.write_bytes(gzip.decompress(packed))
    return path


def test_a_log_of_inspect_ai_is_read_sample_by_sample(read, genuine):
    answers = read(genuine)
    assert len(answers) == 8
    by_name = {(answer.recorded_id, answer.repeat): answer for answer in answers}
    answer = by_name["fick_A_fake/apparent/zero_shot", 2]
    assert answer.text == "answer 2 to fick_A_fake/apparent/zero_shot"
    assert answer.prompt == "How long are the lines?"
    assert answer.finish_reason == "max_tokens"
    # 90 tokens and 10 that the provider had in its cache.
    assert (answer.prompt_tokens, answer.completion_tokens) == (100, 7)
    assert answer.latency_seconds == 0.25


def test_a_damaged_log_of_inspect_ai_is_one_sentence(read, genuine):
    content = bytearray(genuine.read_bytes())
    with zipfile.ZipFile(genuine) as archive:
        middle = archive.getinfo(archive.namelist()[1])
    content[middle.header_offset + 200] ^= 0xFF
    genuine.write_bytes(content)
    with pytest.raises(AfterimageError, match=r"log\.eval: not a log of inspect_ai"):
        read(genuine)


def sample(number=1, **changes):
    message = {"role": "assistant", "content": f"answer {number}"}
    return {
        "id": f"s{number}",
        "epoch": 1,
        "input": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": [{"type": "image"}, {"type": "text", "text": "Which?"}]},
        ],
        "output": {"choices": [{"message": message, "stop_reason": "stop"}]},
        **changes,
    }


def write_log(path, *samples, version=2):
    path.write_text(json.dumps({"version": version, "status": "success", "samples": samples}))
    return path


def test_a_sample_of_inspect_ai_with_an_error_got_no_answer(read, tmp_path):
    failed = sample(2, output={"choices": [], "completion": ""}, error={"message": "no luck"})
    late = sample(3, error={"message": "the scorer failed"})
    answers = read(write_log(tmp_path / "log.json", sample(1), failed, late))
    assert [answer.text for answer in answers] == ["answer 1", None, None]


def test_long_texts_that_older_logs_store_apart_are_put_back(read, tmp_path):
    parts = [{"type": "text", "text": "attachment://f00"}]
    log = sample(
        1,
        output={
            "completion": "attachment://f00",
            "choices": [{"message": {"content": parts}, "stop_reason": "stop"}],
        },
        attachments={"f00": "a long answer"},
    )
    assert [answer.text for answer in read(write_log(tmp_path / "log.json", log))] == [
        "a long answer"
    ]


def test_an_archive_without_zstandard_and_with_a_sample_written_again_is_read(read, tmp_path):
    path = tmp_path / "old.eval"
    again = sample(1, output={"completion": "better", "choices": [{"message": {"content": ""}}]})
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("_journal/start.json", json.dumps({"version": 2}))
        archive.writestr("samples/s1_epoch_1.json", json.dumps(sample(1)))
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("samples/s1_epoch_1.json", json.dumps(again))
    assert [answer.text for answer in read(path)] == ["better"]


@pytest.mark.parametrize(
    ("name", "content", "settings", "sentence"),
    [
        ("a.jsonl", '{"item_id": "a"}\n', {}, "a.jsonl, line 1: unknown field 'text'"),
        ("a.jsonl", '{"id": 1, "text": "x"}\n', {}, "unknown field 'item_id': expected one of: id"),
        ("a.jsonl", "[1]\n", {}, r"a.jsonl: found \[1\], whose entry 1 is no object"),
        ("a.jsonl", "1\n", {}, "a.jsonl: found 1; expected one JSON object on each line"),
        ("a.jsonl", '{"item_id"\n', {}, "a.jsonl, line 1: not a JSON object"),
        (
            "a.jsonl",
            b"\xff\n",
            {},
            "a.jsonl: line 1, byte 1: found the byte 0xff, which is not UTF-8",
        ),
        ("a.csv", "item_id,text\na\n", {}, "a.csv, row 1: its number of fields"),
        ("a.csv", "item_id,text\na,b,c\n", {}, "a.csv, row 1: its number of fields"),
        (
            "a.csv",
            "item_id,text,n\na,b,c\n",
            {"columns": {"prompt_tokens": "n"}},
            "row 1: field 'n': found 'c'; expected a number",
        ),
        ("a.parquet", "no", {}, "a.parquet: not a readable Parquet file"),
        ("a.eval", "no", {}, "a.eval: not a log of inspect_ai"),
        ("a.json", '{"version": 1}', {}, "found a log of format version 1; expected version 2"),
        ("a.json", '{"samples": []}', {}, "found a log of format version None"),
        ("a.json", '{"version": 2, "samples": [{}]}', {}, "a.json: not a log of inspect_ai"),
        ("a.txt", "x", {}, "unknown ending '.txt'"),
    ],
)
def test_a_file_that_is_not_what_it_should_be_is_one_sentence(
    read, tmp_path, name, content, settings, sentence
):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(AfterimageError, match=sentence) as caught:
        read(path, **settings)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_one_sentence(read, tmp_path):
    with pytest.raises(AfterimageError, match="no such file; expected recorded answers"):
        read(tmp_path / "absent.jsonl")


VLMEVALKIT = [
    {"index": 4, "question": "Which?", "A": "left", "answer": "A", "prediction": "A"},
    {"index": 5, "question": "Which?", "A": "left", "answer": "A", "prediction": 'two\nlines, "B"'},
    {"index": 7, "question": "Which?", "A": "left", "answer": "A", "prediction": ""},
    {
        "index": 9,
        "question": "Which?",
        "A": "left",
        "answer": "A",
        "prediction": "Failed to obtain answer via API.",
    },
]


def write_tsv(path, records):
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, records[0], delimiter="\t", lineterminator="\n")
        writer.writeheader()
        writer.writerows(records)
    return path


def write_xlsx(path, records):
    openpyxl = pytest.importorskip(
        "openpyxl", reason="openpyxl is not installed: pip install -e '.[xlsx]'"
    )
    book = openpyxl.Workbook()
    book.active.append(list(records[0]))
    for record in records:
        # As pandas writes them: an empty text is an empty cell.
        book.active.append([value if value != "" else None for value in record.values()])
    book.save(path)
    return path


@pytest.mark.parametrize(
    ("write", "ending"), [(write_tsv, "tsv"), (write_csv, "csv"), (write_xlsx, "xlsx")]
)
def test_a_result_of_vlmevalkit_gives_its_predictions(read, tmp_path, write, ending):
    answers = read(write(tmp_path / f"m_d.{ending}", VLMEVALKIT), format="vlmevalkit")
    assert [answer.recorded_id for answer in answers] == ["4", "5", "7", "9"]
    # An empty cell of a workbook may be a text of no letters or none at all.
    empty = None if ending == "xlsx" else ""
    assert [answer.text for answer in answers] == ["A", 'two\nlines, "B"', empty, None]
    assert {answer.prompt for answer in answers} == {"Which?"}
    assert answers[1].location.endswith("row 2")


def test_what_vlmevalkit_split_off_as_thinking_is_reasoning_again(read, tmp_path):
    rows = [{**VLMEVALKIT[0], "thinking": "It leans."}, {**VLMEVALKIT[1], "thinking": ""}]
    answers = read(
        write_tsv(tmp_path / "m_d.tsv", rows), format="vlmevalkit", item_id="{A}/{index}"
    )
    assert [answer.recorded_id for answer in answers] == ["left/4", "left/5"]
    assert split(answers[0].text).answer == "A"
    assert split(answers[0].text).reasoning == "It leans."
    assert split(answers[1].text).reasoning is None


def test_no_pickle_is_read_and_what_has_no_predictions_is_one_sentence(read, tmp_path):
    (tmp_path / "m_d.pkl").write_bytes(b"cos\nsystem\n(S'exit 1'\ntR.")
    with pytest.raises(AfterimageError, match=r"a pickle may run code when it is read; expected"):
        read(tmp_path / "m_d.pkl", format="vlmevalkit")
    (tmp_path / "m_d.json").write_text("[]")
    with pytest.raises(AfterimageError, match=r"unknown ending '\.json'"):
        read(tmp_path / "m_d.json", format="vlmevalkit")
    with pytest.raises(AfterimageError, match=r"row 1: unknown field 'prediction'"):
        read(write_tsv(tmp_path / "m_d.tsv", [{"index": 1, "predicted": "A"}]), format="vlmevalkit")
    (tmp_path / "torn.xlsx").write_bytes(b"PK\x03\x04 torn")
    with pytest.raises(AfterimageError, match=r"torn\.xlsx: (not a readable workbook|needs the)"):
        read(tmp_path / "torn.xlsx", format="vlmevalkit")
