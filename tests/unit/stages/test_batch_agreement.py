"""A sample of a model's items is asked again one at a time, and the answers are compared."""

import tempfile

import pandas as pd
import pytest

from afterimage.contract.model import Backend
from afterimage.errors import AfterimageError
from afterimage.files.parquet import write_records
from afterimage.files.records import ITEM, RESPONSE
from afterimage.models.interface import Reply
from afterimage.stages.batch_agreement import agreement_table, compare_batches
from afterimage.statistics.intervals import wilson


def item(suite, number, part="text"):
    return {
        "item_id": f"item {number}",
        "suite": suite,
        "stimulus_id": "s",
        "figure": "f",
        "prompt": "p",
        "question": "q",
        "messages": [
            {"role": "user", "parts": [{"type": part, "text": f"item {number - 1}", "image": None}]}
        ],
        "images": [],
        "answer_type": "choice",
        "options": [],
        "key": "",
        "factors": {},
    }


def response(suite, number, text, repeat=0):
    return {
        "item_id": f"item {number}",
        "suite": suite,
        "model": "m",
        "repeat": repeat,
        "text": text,
        "reasoning": None,
        "answer_text": text,
        "finish_reason": "stop",
        "backend": "b",
        "model_id": "m",
        "revision": None,
        "settings": "{}",
        "request_sha256": "0",
        "prompt_tokens": None,
        "completion_tokens": None,
        "reasoning_tokens": None,
        "latency_seconds": None,
    }


class Model:
    """Says of every request what it says in batches, but for one of them; notes how it was asked."""

    def __init__(self):
        self.asked = []
        self.BACKEND = Backend(self.load, neutral_settings=("batch_size",))

    def load(self, entry, part):
        assert entry.settings["one_at_a_time"] is True

        def answer(requests):
            for request in requests:
                text = request.messages[0].text
                self.asked.append(text)
                yield Reply(request.number, "other" if text == "item 8" else f"about {text}")

        return answer


@pytest.fixture
def backend(monkeypatch):
    from afterimage.models import asking

    backend = Model()
    monkeypatch.setattr(asking, "load_backend", lambda name: backend.BACKEND)
    return backend


def study(folder):
    """Two shards of one suite and one of another, and the answers in batches."""
    shards = [
        ("one", range(0, 10)),
        ("one", range(10, 20)),
        ("two", range(0, 5)),
    ]
    items = []
    for index, (suite, numbers) in enumerate(shards):
        items.append(folder / f"items{index}.parquet")
        write_records(items[-1], [item(suite, number) for number in numbers], ITEM)
    responses = []
    for suite, count in (("one", 20), ("two", 5)):
        responses.append(folder / f"{suite}.parquet")
        rows = [response(suite, number, f"about item {number - 1}") for number in range(count)]
        write_records(responses[-1], rows, RESPONSE)
    return items, responses


def spec(sampled):
    settings = {"one_at_a_time": False, "temperature": 0, "repeats": 1, "batch_size": 8}
    entry = {"backend": "b", "model_id": "m", "revision": None, "settings": settings}
    return {"entry": entry, "model": "m", "sampled": sampled}


def compared(folder, sampled):
    items, responses = study(folder)
    target = folder / "compared.csv"
    compare(spec(sampled), items, responses, target)
    return pd.read_csv(target)


def compare(spec, shards, responses, target):
    files = {"shards": shards, "responses": responses}
    compare_batches(spec, files, {"compared": target}, {"journal": target.parent / "journal"})


def test_the_sample_is_spread_evenly_over_each_suite_and_all_of_a_small_one(tmp_path, backend):
    frame = compared(tmp_path, 10)
    one = frame[frame["suite"] == "one"]["item_id"]
    assert list(one) == [f"item {number}" for number in range(0, 20, 2)]
    assert len(frame[frame["suite"] == "two"]) == 5


def test_no_folder_for_temporary_files_is_needed(tmp_path, backend, monkeypatch):
    def none():
        raise FileNotFoundError("No usable temporary directory found")

    monkeypatch.setattr(tempfile, "gettempdir", none)
    assert len(compared(tmp_path, 4)) == 8
    assert not [path.name for path in tmp_path.iterdir() if path.name.startswith(".compared")]


def test_only_what_differs_is_counted_as_differing(tmp_path, backend):
    frame = compared(tmp_path, 64)
    assert len(frame) == 25
    # Item 9 is asked with the text "item 8".
    differing = frame[~frame["same"]]
    assert list(differing["item_id"]) == ["item 9"]
    assert list(differing["alone"]) == ["other"]
    assert list(differing["in_batches"]) == ["about item 8"]


def test_what_was_asked_one_at_a_time_is_journaled_and_not_asked_again(tmp_path, backend):
    compared(tmp_path, 64)
    asked = len(backend.asked)
    # Items of the same content are asked once.
    assert asked == 20
    compared(tmp_path, 10)
    assert len(backend.asked) == asked


def test_items_that_hold_the_answer_to_another_are_left_out(tmp_path, backend):
    file, answers = tmp_path / "items.parquet", tmp_path / "responses.parquet"
    rows = [item("one", number, "answer" if number % 2 else "text") for number in range(6)]
    write_records(file, rows, ITEM)
    texts = [response("one", number, f"about item {number - 1}") for number in range(6)]
    write_records(answers, texts, RESPONSE)
    target = tmp_path / "compared.csv"
    compare(spec(64), [file], [answers], target)
    assert list(pd.read_csv(target)["item_id"]) == ["item 0", "item 2", "item 4"]


def test_the_first_repeat_is_what_is_compared(tmp_path, backend):
    file, answers = tmp_path / "items.parquet", tmp_path / "responses.parquet"
    write_records(file, [item("one", 1)], ITEM)
    given = [response("one", 1, "about item 0"), response("one", 1, "else", repeat=1)]
    write_records(answers, given, RESPONSE)
    target = tmp_path / "compared.csv"
    compare(spec(64), [file], [answers], target)
    assert list(pd.read_csv(target)["same"]) == [True]


def test_the_table_has_the_share_its_denominator_and_its_interval(tmp_path, backend):
    compared(tmp_path, 64)
    outputs = {
        "csv": tmp_path / "t.csv",
        "markdown": tmp_path / "t.md",
        "latex": tmp_path / "t.tex",
        "html": tmp_path / "t.html",
    }
    settings = {"batch_sizes": {"m": 8}, "confidence": 0.95}
    agreement_table(settings, {"compared": [tmp_path / "compared.csv"]}, outputs, {})
    frame = pd.read_csv(outputs["csv"]).set_index("suite")
    assert dict(frame["n"]) == {"one": 20, "two": 5}
    assert dict(frame["differ_k"]) == {"one": 1, "two": 0}
    assert frame["differ"]["one"] == 5.0
    # All about one image: worth one answer.
    assert frame["images"]["one"] == 1
    low, high = wilson(0.05, 1.0)
    assert frame["differ_low"]["one"] == pytest.approx(100 * low, abs=1e-3)
    assert frame["differ_high"]["one"] == pytest.approx(100 * high, abs=1e-3)
    assert "5.0 (1/20)" in outputs["markdown"].read_text()
    assert "0.0 (0/5)" in outputs["html"].read_text()


def test_a_study_without_such_models_is_told_so(tmp_path):
    with pytest.raises(AfterimageError, match="no model of this study gives greedy answers in"):
        agreement_table({"batch_sizes": {}, "confidence": 0.95}, {"compared": []}, {}, {})
