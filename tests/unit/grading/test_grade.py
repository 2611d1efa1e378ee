import json
import logging
import math

import pytest

from afterimage.errors import AfterimageError
from afterimage.files.parquet import read_records, write_records
from afterimage.files.records import GRADE, ITEM, RESPONSE
from afterimage.grading.grade import grade, grade_responses
from afterimage.stages.grades import grade_model


def item(item_id="fick_A_fake:actual", **changes):
    return {
        "item_id": item_id,
        "suite": "illusion_vqa",
        "stimulus_id": "fick_A_fake",
        "figure": "fick",
        "prompt": "zero_shot",
        "question": "actual",
        "messages": [],
        "images": [{"pixels_sha256": "0" * 64, "png": b"png"}],
        "answer_type": "choice",
        "options": [
            {"option_id": "red", "text": "The red line is longer."},
            {"option_id": "blue", "text": "The blue line is longer."},
            {"option_id": "same", "text": "Both lines are the same length."},
        ],
        "key": "red",
        "factors": {"variant": "A", "condition": "fake"},
    } | changes


def response(item_id="fick_A_fake:actual", text="The red line is longer.", **changes):
    return {
        "item_id": item_id,
        "suite": "illusion_vqa",
        "model": "a_model",
        "repeat": 0,
        "text": text,
        "reasoning": None,
        "answer_text": text,
        "finish_reason": "stop",
        "backend": "chance",
        "model_id": "chance",
        "revision": None,
        "settings": "{}",
        "request_sha256": "0" * 64,
        "prompt_tokens": None,
        "completion_tokens": None,
        "reasoning_tokens": None,
        "latency_seconds": None,
    } | changes


def test_a_job_of_ten_thousand_answers_says_how_far_it_is(tmp_path, caplog):
    answers = (response(repeat=number) for number in range(10_000))
    write_records(tmp_path / "responses.parquet", answers, RESPONSE, 4096)
    write_records(tmp_path / "items.parquet", [item()], ITEM)
    inputs = {
        "responses": str(tmp_path / "responses.parquet"),
        "shards": [str(tmp_path / "items.parquet")],
    }
    with caplog.at_level(logging.INFO):
        assert grade_model({}, inputs, {"grades": str(tmp_path / "grades.parquet")}, {}) == 10_000
    assert [message for message in caplog.messages if message.endswith("answers graded")] == [
        f"{number} of 10000 answers graded" for number in range(1000, 10_001, 1000)
    ]


@pytest.mark.parametrize(
    ("finish_reason", "correct"), [("recorded_right", True), ("recorded_wrong", False)]
)
def test_an_outcome_without_words_is_a_grade_and_is_not_unparsed(finish_reason, correct):
    (graded,) = grade_responses([response(text="", finish_reason=finish_reason)], [item()])
    assert (graded["correct"], graded["answer"], graded["outcome"]) == (correct, None, "recorded")
    (unread,) = grade_responses([response(text="")], [item()])
    assert (unread["correct"], unread["outcome"]) == (False, "unparsed")


def test_right_answer_is_correct_and_keeps_how_it_was_read():
    assert grade(response(), item()) == {
        "item_id": "fick_A_fake:actual",
        "suite": "illusion_vqa",
        "model": "a_model",
        "repeat": 0,
        "stimulus_id": "fick_A_fake",
        "figure": "fick",
        "prompt": "zero_shot",
        "question": "actual",
        "key": "red",
        "answer": "red",
        "outcome": "exact",
        "reason": "the reply is the option's text",
        "reasoning_given": False,
        "offered": ["red", "blue", "same"],
        "is_listed": True,
        "correct": True,
        "score": None,
        "readings": {},
        "decided_by": "parser",
        "factors": {"variant": "A", "condition": "fake"},
    }


def test_wrong_answer_is_parsed_and_not_correct():
    graded = grade(response(text="I say: the blue line is longer."), item())
    assert (graded["answer"], graded["outcome"], graded["correct"]) == ("blue", "contained", False)


def test_unparsed_reply_has_no_answer_and_is_not_correct():
    graded = grade(response(text="It depends."), item())
    assert (graded["answer"], graded["outcome"], graded["correct"]) == (None, "unparsed", False)


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("Is the red line longer than the blue line?", "Yes"),
        ("Is the blue line longer than the red line?", "No"),
        ("", None),
    ],
)
def test_a_statement_is_read_as_yes_or_no_by_what_was_asked_last(asked, answer):
    def message(text):
        return {"role": "user", "parts": [{"type": "text", "text": text, "image": None}]}

    options = [{"option_id": word, "text": word} for word in ("Yes", "No")]
    messages = [message("Is anything here blue?"), message(asked)]
    one = item(answer_type="yes_no", options=options, key="Yes", messages=messages)
    (graded,) = grade_responses([response(text="The red line is longer.")], [one])
    assert (graded["answer"], graded["correct"]) == (answer, answer == "Yes")


@pytest.mark.parametrize("answer_type", ["choise", "grade", "parsed", "../choice", ""])
def test_unknown_answer_type_is_refused_by_name(answer_type):
    with pytest.raises(AfterimageError, match=f"unknown answer type '{answer_type}'"):
        grade(response(), item(answer_type=answer_type))


def test_key_that_is_no_option_is_refused():
    with pytest.raises(AfterimageError, match=r"key 'green' is not among.*red, blue, same"):
        grade(response(), item(key="green"))


@pytest.mark.parametrize("name", ["item_id", "suite"])
def test_response_and_item_that_do_not_belong_together_are_refused(name):
    with pytest.raises(AfterimageError, match=f"{name} 'another'"):
        grade(response(**{name: "another"}), item())


def test_responses_find_their_items_in_any_order():
    items = [item("a", key="red"), item("b", key="blue"), item("c", key="same")]
    replies = [
        response("c", "Both lines are the same length."),
        response("a", "The red line is longer."),
        response("b", "The blue line is longer."),
    ]
    graded = list(grade_responses(replies, items))
    assert [row["item_id"] for row in graded] == ["c", "a", "b"]
    assert all(row["correct"] for row in graded)


def test_repeats_and_models_are_graded_side_by_side():
    replies = [response("a", repeat=repeat, model=m) for m in ("m", "n") for repeat in (0, 1)]
    graded = list(grade_responses(replies, [item("a")]))
    assert [(row["model"], row["repeat"]) for row in graded] == [
        ("m", 0),
        ("m", 1),
        ("n", 0),
        ("n", 1),
    ]


def test_response_without_item_is_refused_with_the_first_and_the_count():
    replies = [response("a"), response("x"), response("y")]
    with pytest.raises(AfterimageError, match="2 of them belong to no item, the first to 'x'"):
        list(grade_responses(replies, [item("a")]))


def test_item_without_response_is_refused_with_the_first_and_the_count():
    items = [item("a"), item("b"), item("c")]
    with pytest.raises(AfterimageError, match=r"no answer to 2 of 3 items in repeat 0.*'b'"):
        list(grade_responses([response("a")], items))


def test_item_missing_in_one_repeat_only_is_refused():
    replies = [response("a"), response("b"), response("a", repeat=1)]
    with pytest.raises(AfterimageError, match=r"1 of 2 items in repeat 1.*'b'"):
        list(grade_responses(replies, [item("a"), item("b")]))


def test_no_responses_at_all_are_refused():
    with pytest.raises(AfterimageError, match="none at all for 2 items, the first is 'a'"):
        list(grade_responses([], [item("a"), item("b")]))


def test_answering_an_item_twice_in_one_repeat_is_refused():
    with pytest.raises(AfterimageError, match="answered item 'a' twice in repeat 0"):
        list(grade_responses([response("a"), response("a")], [item("a")]))


def test_item_that_occurs_twice_is_refused():
    with pytest.raises(AfterimageError, match="'a' occurs twice"):
        list(grade_responses([response("a")], [item("a"), item("a")]))


def test_grades_fit_their_schema_and_images_are_not_needed(tmp_path):
    write_records(tmp_path / "items.parquet", [item("a"), item("b", key="blue")], ITEM)
    write_records(tmp_path / "responses.parquet", [response("b"), response("a", "Hm.")], RESPONSE)
    columns = [name for name in ITEM.names if name not in {"messages", "images"}]
    graded = grade_responses(
        read_records(tmp_path / "responses.parquet", RESPONSE),
        read_records(tmp_path / "items.parquet", ITEM, columns=columns),
    )
    assert write_records(tmp_path / "grades.parquet", graded, GRADE) == 2
    rows = list(read_records(tmp_path / "grades.parquet", GRADE))
    assert [(row["item_id"], row["answer"], row["correct"]) for row in rows] == [
        ("b", "red", False),
        ("a", None, False),
    ]


def test_failed_join_leaves_no_grades_file(tmp_path):
    with pytest.raises(AfterimageError):
        write_records(
            tmp_path / "grades.parquet",
            grade_responses([response("a")], [item("a"), item("b")]),
            GRADE,
        )
    assert not list(tmp_path.iterdir())


def test_probabilities_stand_beside_the_reading_of_a_model_that_was_asked_for_them():
    token = {"token": "The", "logprob": 0.0, "top": []}
    red = {"token": " red", "logprob": math.log(0.75), "top": [
        {"token": " blue", "logprob": math.log(0.25)},
    ]}  # fmt: skip
    requested = {"settings": '{"scores": "first_token", "seed": null}'}
    scores = json.dumps({"first_token": [token, red]})
    graded = grade(response(scores=scores, **requested), item())
    assert graded["scored"] == "first_token"
    assert graded["option_probabilities"] == pytest.approx({"red": 0.75, "blue": 0.25, "same": 0})
    assert graded["mass"] == pytest.approx(1)
    without = grade(response(scores=None, **requested), item())
    assert (without["scored"], without["option_probabilities"], without["mass"]) == (
        "first_token",
        None,
        None,
    )
    assert "scored" not in grade(response(), item())
