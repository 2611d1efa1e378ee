"""All answers of a study in one file: each once, beside its question, and open to other programs."""

import json
import math

import numpy as np
import pytest

from afterimage.errors import AfterimageError
from afterimage.files.parquet import read_records, write_records
from afterimage.files.png import encode_png
from afterimage.files.records import ANSWER, GRADE, ITEM, RESPONSE
from afterimage.grading.grade import grade_responses
from afterimage.stages.grades import make_all_answers

SUITES = {"dots": "1", "lines": "2"}
# Of the words "The left one." the second token decides.
SCORES = json.dumps(
    {
        "first_token": [
            {"token": "The", "logprob": 0.0, "top": []},
            {"token": " left", "logprob": -0.25, "top": []},
        ]
    }
)
PNG = encode_png(np.zeros((2, 3, 3), np.uint8))


def part(kind, text=None, image=None):
    return {"type": kind, "text": text, "image": image}


def item(suite, number, probe=None):
    name = f"{suite}_{number}/q/p"
    first = {"role": "system", "parts": [part("text", "Look.")]}
    second = {
        "role": "user",
        "parts": [part("image", image=0), part("text", f"Which of {number}?")],
    }
    third = {"role": "assistant", "parts": [part("answer", "another")]}
    return {
        "item_id": f"{name}~{probe}" if probe else name,
        "suite": suite,
        "stimulus_id": f"{suite}_{number}",
        "figure": "f",
        "prompt": "p",
        "question": "q",
        "messages": [first, second, *([third] if probe else [])],
        "images": [{"pixels_sha256": "0" * 64, "png": PNG}],
        "answer_type": "choice",
        "options": [{"option_id": name, "text": f"The {name} one."} for name in ("left", "right")],
        "key": "left",
        "factors": {"probe": probe} if probe else {"size": "small"},
    }


def response(asked, model, repeat):
    return {
        "item_id": asked["item_id"],
        "suite": asked["suite"],
        "model": model,
        "repeat": repeat,
        "reasoning": None,
        "answer_text": f"The {model} one.",
        "text": f"The {model} one.",
        "finish_reason": "stop",
        "backend": "b",
        "model_id": f"some/{model}",
        "revision": None,
        "settings": "{}",
        "request_sha256": "0" * 64,
        "prompt_tokens": 10,
        "completion_tokens": None,
        "reasoning_tokens": None,
        "latency_seconds": 0.5,
        **({"scores": SCORES} if model == "left" and repeat == 0 else {}),
    }


@pytest.fixture
def study(tmp_path):
    """Two suites, two models, two repeats; a probe in one of the suites."""
    inputs = {"responses": [], "grades": [], "shards": []}
    for suite in SUITES:
        items = [item(suite, number) for number in range(3)]
        items += [item(suite, 0, "text_only")] if suite == "lines" else []
        shard = tmp_path / "items" / suite / "000000-000002.parquet"
        shard.parent.mkdir(parents=True)
        write_records(shard, items, ITEM)
        inputs["shards"].append(str(shard))
        for model in ("left", "right"):
            answers = [response(one, model, repeat) for repeat in (0, 1) for one in items]
            for kind, rows, schema in (
                ("responses", answers, RESPONSE),
                ("grades", list(grade_responses(answers, items)), GRADE),
            ):
                path = tmp_path / kind / suite / f"{model}.parquet"
                path.parent.mkdir(parents=True, exist_ok=True)
                write_records(path, rows, schema)
                inputs[kind].append(str(path))
    return inputs


@pytest.fixture
def made(study, tmp_path):
    path = tmp_path / "all_answers.parquet"
    assert make_all_answers({"suites": SUITES}, study, {"answers": str(path)}, {}) == 28
    return path


def test_every_answer_is_there_once_with_question_and_verdict(made):
    rows = list(read_records(made, ANSWER))
    names = [(row["suite"], row["model"], row["item_id"], row["repeat"]) for row in rows]
    assert len(set(names)) == len(names) == 28
    first, last = rows[0], rows[-1]
    assert first["question_text"] == "Look.\n\n<image>\nWhich of 0?"
    assert (first["suite_version"], last["suite_version"]) == ("1", "2")
    assert (first["reply"], first["reading"], first["correct"]) == ("The left one.", "left", True)
    assert (last["reply"], last["reading"], last["correct"]) == ("The right one.", "right", False)
    assert last["question_text"].endswith("\n\n<answer to another>")
    assert (first["probe"], last["probe"]) == (None, "text_only")
    assert first["options"][1] == {"option_id": "right", "text": "The right one."}
    assert first["factors"] == {"size": "small"}
    assert (first["prompt_tokens"], first["completion_tokens"]) == (10, None)
    assert first["model_id"] == "some/left"
    shares = [("left", 1.0), ("right", 0.0)]
    expected = [{"option_id": name, "probability": share} for name, share in shares]
    assert first["option_probabilities"] == expected
    assert (first["scored"], first["mass"]) == ("first_token", math.exp(-0.25))
    assert [last[name] for name in ("scored", "option_probabilities", "mass")] == [None] * 3


def test_grades_of_other_answers_are_refused(study, tmp_path):
    mixed = {**study, "grades": [study["grades"][0], *study["grades"][:1], *study["grades"][2:]]}
    mixed["responses"] = [study["responses"][2], *study["responses"][1:]]
    with pytest.raises(AfterimageError, match=r"dots/left\.parquet: does not grade the answers of"):
        make_all_answers({"suites": SUITES}, mixed, {"answers": str(tmp_path / "a")}, {})
    assert not (tmp_path / "a").exists()


def test_the_library_datasets_opens_answers_and_items(made, study, tmp_path):
    datasets = pytest.importorskip(
        "datasets", reason="the library datasets is not installed (pip install '.[datasets]')"
    )

    def opened(*files):
        found = datasets.load_dataset(
            "parquet", data_files=list(files), split="train", cache_dir=str(tmp_path / "c")
        )
        return found, found[0]

    answers, row = opened(str(made))
    assert answers.column_names == ANSWER.names
    assert (len(answers), row["reading"]) == (28, "left")
    assert row["factors"] == [{"name": "size", "value": "small"}]
    items, row = opened(*study["shards"])
    assert items.column_names == ITEM.names
    assert len(items) == 7
    assert row["images"][0]["png"] == PNG
    assert row["messages"][1]["parts"][1]["text"] == "Which of 0?"
    assert row["factors"] == [{"name": "size", "value": "small"}]
