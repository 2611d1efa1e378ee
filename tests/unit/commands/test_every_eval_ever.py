"""Records of Every Eval Ever: each follows the released schemas and says what the answers say."""

import hashlib
import json
import re

import pytest
from jsonschema import Draft7Validator

from afterimage.commands.cli import main
from afterimage.files.parquet import write_records
from afterimage.files.records import ANSWER
from afterimage.statistics.shares import clustered_share


def answer(number, model="big", **changes):
    return {
        "suite": "dots",
        "suite_version": "3",
        "model": model,
        "item_id": f"dot_{number}/where/plain",
        "repeat": 0,
        "stimulus_id": f"dot_{number // 2}",
        "figure": "dot",
        "prompt": "plain",
        "question": "where",
        "probe": None,
        "question_text": "<image>\nWhere?",
        "options": [{"option_id": one, "text": f"On the {one}."} for one in ("left", "right")],
        "answer_type": "choice",
        "key": "left",
        "reply": "Left, I think.",
        "reading": "left",
        "outcome": "contained",
        "reason": "",
        "correct": True,
        "score": None,
        "decided_by": "parser",
        "finish_reason": "stop",
        "backend": "openai_compatible",
        "model_id": "big-1",
        "revision": None,
        "settings": '{"temperature": 0}',
        "prompt_tokens": 10,
        "completion_tokens": 4,
        "reasoning_tokens": None,
        "latency_seconds": 0.25,
        "factors": {"size": "small"},
        **changes,
    }


WRONG = {"correct": False, "reading": None, "outcome": "unparsed"}
ANSWERS = [
    *(answer(number, **(WRONG if number < 2 else {})) for number in range(8)),
    answer(8, item_id="x~blank", probe="blank"),
    answer(9, question="tell", answer_type="description", score=1.5, options=[], correct=False),
    answer(0, "own", backend="transformers", model_id="maker/open-7b", revision="abc"),
    answer(0, "chance", backend="chance", model_id="chance", prompt_tokens=None),
]


@pytest.fixture
def exported(tmp_path, capsys):
    def export(*arguments, rows=ANSWERS):
        write_records(tmp_path / "all_answers.parquet", rows, ANSWER)
        options = ["--results", str(tmp_path), "--organization", "A lab", *arguments]
        code = main(["export", "every_eval_ever", *options])
        output = capsys.readouterr()
        records = {
            path.parent.relative_to(tmp_path).as_posix(): path for path in tmp_path.rglob("*.json")
        }
        return code, records, output

    return export


def schema(root, name):
    return json.loads((root / f"resources/schemas/every_eval_ever/{name}.schema.json").read_text())


def test_the_schemas_are_the_released_ones(root):
    folder = root / "resources/schemas/every_eval_ever"
    pinned = dict(
        re.findall(r"\| `(\S+)` \| ([0-9a-f]{64}) \|", (folder / "README.md").read_text())
    )
    found = {
        one.name: hashlib.sha256(one.read_bytes()).hexdigest() for one in folder.glob("*.json")
    }
    assert found == pinned
    assert {schema(root, name)["version"] for name in ("eval", "instance_level_eval")} == {"0.3.0"}


def test_every_record_follows_the_schema_and_says_what_the_answers_say(exported, root, tmp_path):
    code, records, said = exported()
    base = "export/every_eval_ever/data/dots"
    assert (code, set(records)) == (0, {f"{base}/openai_compatible/big-1", f"{base}/maker/open-7b"})
    assert ": 9 answers" in said.out
    path = records[f"{base}/openai_compatible/big-1"]
    record = json.loads(path.read_text())
    Draft7Validator(schema(root, "eval")).validate(record)
    (result,) = record["evaluation_results"]
    assert result["evaluation_name"] == "dots/where/plain"
    assert result["source_data"]["additional_details"] == {"version": "3"}
    details = result["score_details"]
    assert details["score"] == 6 / 8
    assert details["details"] == {"right": "6", "unparsed": "2", "images": "4"}
    expected = clustered_share([0, 0, 1, 1, 1, 1, 1, 1], [0, 0, 1, 1, 2, 2, 3, 3], 0.95)
    interval = details["uncertainty"]["confidence_interval"]
    assert (interval["lower"], interval["upper"]) == pytest.approx((expected.low, expected.high))
    detailed = record["detailed_evaluation_results"]
    samples = tmp_path / "export/every_eval_ever" / detailed["file_path"]
    assert detailed["checksum"] == hashlib.sha256(samples.read_bytes()).hexdigest()
    lines = [json.loads(line) for line in samples.read_text().splitlines()]
    assert detailed["total_rows"] == len(lines) == 9
    for line in lines:
        Draft7Validator(schema(root, "instance_level_eval")).validate(line)
        assert line["evaluation_id"] == record["evaluation_id"]
    assert lines[0]["answer_attribution"] == []
    assert lines[2]["answer_attribution"][0]["extracted_value"] == "On the left."
    assert lines[2]["input"]["reference"] == ["On the left."]
    assert lines[2]["token_usage"]["total_tokens"] == 14
    assert lines[2]["performance"] == {"latency_ms": 250}
    # A score is no share of right answers.
    assert lines[-1]["evaluation"] == {"score": 1.5, "is_correct": False}
    assert "evaluation_result_id" not in lines[-1]


def test_a_second_export_of_the_same_answers_has_the_same_names(exported):
    first = exported()[1]
    assert (
        exported("--output", str(next(iter(first.values())).parents[4]))[1].keys() == first.keys()
    )


def test_reference_responders_are_no_models_unless_they_are_named(exported):
    code, records, said = exported(rows=ANSWERS[-1:])
    assert (code, records) == (1, {})
    assert "only reference responders answered" in said.err
    code, records, _ = exported("chance")
    assert (code, len(records)) == (0, 1)
    code, _, said = exported("chanse")
    assert (code, "did you mean 'chance'" in said.err) == (1, True)


def test_what_does_not_follow_the_schema_is_not_written(exported):
    code, records, said = exported(rows=[answer(0, prompt_tokens=-1)])
    assert (code, records) == (1, {})
    assert (
        "dot_0/where/plain: its record does not follow instance_level_eval.schema.json" in said.err
    )
    assert "$.token_usage.input_tokens" in said.err


def test_without_all_answers_there_is_nothing_to_export(tmp_path, capsys):
    options = ["--results", str(tmp_path), "--organization", "A lab"]
    assert main(["export", "every_eval_ever", *options]) == 1
    assert "all_answers.parquet: no such file" in capsys.readouterr().err


def test_results_are_sought_in_the_studys_own_folder(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "config.yaml").write_text("results_folder: elsewhere\n")
    (tmp_path / "elsewhere").mkdir()
    write_records(tmp_path / "elsewhere" / "all_answers.parquet", ANSWERS, ANSWER)
    assert main(["export", "every_eval_ever", "--organization", "A lab"]) == 0
    assert "elsewhere/export/every_eval_ever" in capsys.readouterr().out
    assert list((tmp_path / "elsewhere" / "export").rglob("*.json"))
