"""What a suite itself makes of its answers sees no probe: judge, review, page of examples, sample of batches."""

import sys
from types import ModuleType

import numpy as np
import pytest

from afterimage.contract.model import Backend
from afterimage.contract.readings import JudgeFields
from afterimage.files.parquet import read_records, write_records
from afterimage.files.png import encode_png
from afterimage.files.records import GRADE, ITEM, RESPONSE, VOTE
from afterimage.items.deriving import with_probes
from afterimage.models.interface import Reply
from afterimage.showing.charts.example_page import compose
from afterimage.stages import batch_agreement, example_page
from afterimage.stages.judge_checks import queue_review, read_judged
from afterimage.stages.judging import grade_judged, judge_responses

SUITE = "probed_suite"
FIELDS = f"afterimage.suites.{SUITE}.judging:fields"
PROBES = {"option_orders": 0, "text_only": True, "blank": True, "words": {}}
OWN = ["item_0", "item_1", "item_2"]


def item(number):
    parts = [
        {"type": "image", "text": None, "image": 0},
        {"type": "text", "text": "Is it there?", "image": None},
    ]
    png = encode_png(np.full((8, 8, 3), number, dtype=np.uint8))
    return {
        "item_id": f"item_{number}",
        "suite": SUITE,
        "stimulus_id": f"image_{number}",
        "figure": "f",
        "prompt": "p",
        "question": "q",
        "messages": [{"role": "user", "parts": parts}],
        "images": [{"pixels_sha256": f"{number:064d}", "png": png}],
        "answer_type": "yes_no",
        "options": [],
        "key": "Yes",
        "factors": {},
    }


def response(item_id):
    return dict.fromkeys(RESPONSE.names) | {
        "item_id": item_id,
        "suite": SUITE,
        "model": "m",
        "repeat": 0,
        "text": "No",
        "answer_text": "No",
        "finish_reason": "stop",
        "backend": "b",
        "model_id": "i",
        "settings": "{}",
        "request_sha256": item_id,
    }


@pytest.fixture
def job(tmp_path, monkeypatch):
    """A folder with items, their probes and answers to all; a suite and a judge that says no to everything."""
    suite = ModuleType(f"afterimage.suites.{SUITE}.judging")
    suite.fields = lambda item, response: JudgeFields(
        "ask", {"question": "?", "gold": item["key"], "answer": response["text"]}
    )
    judge = ModuleType("afterimage.models.stub_no")
    judge.BACKEND = Backend(
        lambda entry, part: (
            lambda requests: (
                Reply(request.number, "0", repeat=n)
                for request in requests
                for n in request.repeats
            )
        )
    )
    monkeypatch.setitem(sys.modules, suite.__name__, suite)
    monkeypatch.setitem(sys.modules, judge.__name__, judge)
    rows = list(with_probes([item(number) for number in range(3)], PROBES))
    assert len(rows) == 9
    write_records(tmp_path / "items.parquet", rows, ITEM)
    answers = [response(row["item_id"]) for row in rows]
    write_records(tmp_path / "responses.parquet", answers, RESPONSE)
    entry = {"backend": "stub_no", "model_id": "j", "revision": None, "settings": {}}
    prompt = {"text": "{gold}/{answer}", "values": [0, 1], "aggregation": "majority"}
    asked = {
        "responses": tmp_path / "responses.parquet",
        "shards": [tmp_path / "items.parquet"],
    }
    judge_responses(
        {
            "suite": SUITE,
            "model": "m",
            "fields": FIELDS,
            "judge": {
                "name": "j",
                "entry": entry,
                "prompt_set": "own",
                "prompts": {"ask": prompt},
                "rounds": 1,
            },
        },
        asked,
        {"votes": tmp_path / "votes.parquet"},
        {"client": "{}", "journal": tmp_path / "journal"},
    )
    grade_judged(
        {"fields": FIELDS, "aggregations": {"ask": "majority"}},
        {**asked, "votes": [tmp_path / "votes.parquet"]},
        {"grades": tmp_path / "grades.parquet"},
        {},
    )
    return tmp_path


def test_a_judge_is_asked_about_the_suites_own_answers_only(job):
    assert [vote["item_id"] for vote in read_records(job / "votes.parquet", VOTE)] == OWN


def test_probes_are_graded_by_the_parser_and_tables_about_the_judge_leave_them_out(job):
    decided = {
        row["item_id"]: row["decided_by"] for row in read_records(job / "grades.parquet", GRADE)
    }
    assert len(decided) == 9
    assert {name for name, by in decided.items() if by == "judge"} == set(OWN)
    frame = read_judged([job / "grades.parquet", job / "grades.parquet"])
    assert list(frame["item_id"]) == OWN * 2
    assert list(frame.index) == list(range(6))


def test_people_are_not_asked_to_review_answers_to_probes(job):
    names = {"grades": "grades", "responses": "responses", "shards": "items"}
    files = {name: [job / f"{file}.parquet"] for name, file in names.items()}
    spec = {"fields": FIELDS, "right_share": 1.0}
    count = queue_review(spec, files, {"queue": job / "queue.csv"}, {})
    assert count == len(OWN)
    assert "~" not in (job / "queue.csv").read_text()


def test_a_page_of_examples_shows_images_that_were_drawn_and_no_blank_ones(job, monkeypatch):
    composed = []
    monkeypatch.setattr(
        "afterimage.showing.charts.example_page.compose",
        lambda panels, **more: composed.extend(panels) or compose(panels, **more),
    )
    names = {"shards": "items", "responses": "responses", "grades": "grades"}
    files = {name: [job / f"{file}.parquet"] for name, file in names.items()}
    spec = {"panels": [{"figure": "f"}], "images": 6}
    example_page.draw_examples(spec, files, {"png": job / "page.png"}, {})
    shown = [example.pixels[0, 0, 0] for panel in composed for example in panel.examples]
    assert sorted(shown) == [0, 1, 2]


def test_the_sample_that_is_asked_one_at_a_time_is_of_the_suites_own_items(job):
    chosen = batch_agreement._sample([job / "items.parquet"], 64)
    assert sorted(chosen) == [(SUITE, name) for name in OWN]
