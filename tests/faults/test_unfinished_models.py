"""One item that a provider will not take, and one that its filter holds back, among others that it answers."""

import pytest
from faulty_model import SETTINGS
from loopback_api import LoopbackApi, completion, refused

from afterimage.files.attempts import last_attempt
from afterimage.files.parquet import read_records, write_records
from afterimage.files.records import ITEM, RESPONSE
from afterimage.grading.grade import grade_responses
from afterimage.stages.inference import run_model


def item(number):
    return {
        "item_id": f"item_{number}",
        "suite": "s",
        "stimulus_id": "fick_A_fake",
        "figure": "fick",
        "prompt": "zero_shot",
        "question": "actual",
        "messages": [
            {
                "role": "user",
                "parts": [{"type": "text", "text": f"Question {number}", "image": None}],
            }
        ],
        "images": [],
        "answer_type": "choice",
        "options": [{"option_id": "left", "text": "Left."}, {"option_id": "same", "text": "Same."}],
        "key": "left",
        "factors": {},
    }


ITEMS = [item(number) for number in range(5)]


@pytest.fixture
def ask(tmp_path):
    """Ask a server, once at each call, and return the rows and what it was asked."""
    write_records(tmp_path / "items.parquet", ITEMS, ITEM)
    ports = []

    def run(react):
        with LoopbackApi(react, port=ports[0] if ports else 0) as api:
            ports.append(api.port)
            settings = {**SETTINGS, "base_url": api.url}
            entry = {"backend": "openai_compatible", "model_id": "some-model", "revision": None}
            run_model(
                {"suite": "s", "model": "hosted", "entry": {**entry, "settings": settings}},
                {"shards": [tmp_path / "items.parquet"]},
                {"responses": tmp_path / "r.parquet"},
                {"journal": tmp_path / "journal", "client": '{"client": {"retries": 0}}'},
            )
            asked = sorted(call.text for call in api.calls)
        return list(read_records(tmp_path / "r.parquet", RESPONSE)), asked

    run.responses = tmp_path / "r.parquet"
    return run


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (refused(413, "too large"), "HTTP status 413: too large"),
        (refused(400, "bad image", code="invalid_image"), "HTTP status 400: bad image"),
        (refused(422, "cannot be read"), "HTTP status 422: cannot be read"),
    ],
)
def test_what_a_server_will_not_take_is_a_failure_of_that_item_alone_and_asked_again(
    ask, fault, reason
):
    rows, asked = ask(lambda call: fault if call.text == "Question 3" else completion("Left."))
    assert len(asked) == 5
    assert [row["finish_reason"] for row in rows] == [*["stop"] * 3, f"failed: {reason}", "stop"]
    graded = list(grade_responses(rows, ITEMS))
    assert [row["correct"] for row in graded] == [True, True, True, None, True]
    assert [row["outcome"] for row in graded].count("failed") == 1
    assert last_attempt(ask.responses).failed == 1

    rows, asked = ask(lambda call: completion("Left."))
    assert asked == ["Question 3"]
    assert all(row["text"] == "Left." for row in rows)
    assert last_attempt(ask.responses).failed == 0


@pytest.mark.parametrize(
    "held_back",
    [
        refused(400, "filtered", code="content_filter"),
        completion("", finish_reason="content_filter"),
    ],
)
def test_what_a_filter_holds_back_is_an_answer_of_its_own_kind_and_not_asked_again(ask, held_back):
    rows, _ = ask(lambda call: held_back if call.text == "Question 3" else completion("Left."))
    graded = list(grade_responses(rows, ITEMS))[3]
    assert (graded["outcome"], graded["correct"]) == ("unparsed", False)
    assert graded["reason"].startswith("refused:")
    assert last_attempt(ask.responses).number == 0
    assert ask(lambda call: completion("Left."))[1] == []


def test_a_key_that_is_refused_after_some_answers_keeps_these_and_asks_for_no_more(ask):
    def react(call):
        known = call.text in ("Question 0", "Question 1")
        return completion("Left.") if known else refused(401, "no such key")

    rows, _ = ask(react)
    assert [row["text"] is None for row in rows] == [False, False, True, True, True]
    assert rows[2]["finish_reason"] == "failed: HTTP status 401: no such key"
    rows, asked = ask(lambda call: completion("Left."))
    assert asked == ["Question 2", "Question 3", "Question 4"]
