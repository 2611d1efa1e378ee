"""Recorded answers and the items of a suite: each to its own, and every fault is said."""

import logging

import pytest

from afterimage.contract.model import ModelEntry
from afterimage.errors import AfterimageError
from afterimage.files.parquet import write_records
from afterimage.files.records import RECORDED_ANSWER
from afterimage.models.interface import Failure, Message, Reply, Request
from afterimage.models.recorded import load
from afterimage.models.recorded.answer import RecordedAnswer
from afterimage.models.recorded.matching import matched

ITEMS = {"a": "Which of\nthe two?", "b": "How many?", "c": "How long?"}
STRICT = {"repeats": 1, "missing": "fail", "unknown": "fail"}


def given(recorded_id, text="x", repeat=0, **more):
    return RecordedAnswer(f"file, line of {recorded_id}", recorded_id, text, repeat, **more)


def match(*answers, ids=None, **settings):
    listed = ids is not None
    names = None if ids is None else {name: [item] for name, item in ids.items()}
    return list(matched(answers, ITEMS, {**STRICT, **settings}, "file", names, are_listed=listed))


def test_answers_find_their_items_whatever_their_order():
    rows = match(given("c", "3"), given("a", "1"), given("b", "2"))
    assert [(row["item_id"], row["text"]) for row in rows] == [("a", "1"), ("b", "2"), ("c", "3")]
    assert {row["finish_reason"] for row in rows} == {"unknown"}


def test_all_faults_are_one_sentence_with_their_numbers_and_the_first_of_each():
    answers = (given("a"), given("a", "z"), given("x"), given("y"), given("b", None))
    with pytest.raises(AfterimageError) as caught:
        match(*answers)
    assert str(caught.value) == (
        "file: found 1 answer given twice and differently, the first for 'a' (file, line of a and file, line of a); "
        "2 answers without an item, "
        "the first for 'x' (file, line of x; unknown: ignore leaves them out); 2 of 3 items without an answer, the "
        "first 'b' (missing: empty counts them as answered with nothing)."
    )


def test_an_item_without_an_answer_counts_only_where_that_is_said(caplog):
    with caplog.at_level(logging.WARNING):
        rows = match(given("a"), given("c", None), missing="empty")
    assert [(row["text"], row["finish_reason"]) for row in rows] == [
        ("x", "unknown"),
        ("", "not_recorded"),
        ("", "not_recorded"),
    ]
    assert "2 of 3 items without an answer" in caplog.text


def test_an_outcome_without_words_is_an_answer_and_words_go_before_it():
    rows = match(
        given("a", None, correct=True), given("b", None, correct=False), given("c", correct=False)
    )
    assert [(row["text"], row["finish_reason"]) for row in rows] == [
        ("", "recorded_right"),
        ("", "recorded_wrong"),
        ("x", "unknown"),
    ]


def test_answers_without_an_item_are_left_out_only_where_that_is_said(caplog):
    with caplog.at_level(logging.WARNING):
        rows = match(given("a"), given("b"), given("z"), given("c"), unknown="ignore")
    assert [row["item_id"] for row in rows] == ["a", "b", "c"]
    assert "1 answer without an item" in caplog.text


def test_two_answers_that_nothing_tells_apart_are_a_fault_even_where_others_are_forgiven():
    with pytest.raises(AfterimageError, match="1 answer given twice"):
        match(given("a", "1"), given("a", "2"), missing="empty", unknown="ignore")


def test_repeats_are_numbered_in_their_order_and_no_more_are_taken():
    answers = [given(item, f"{item}{run}", run) for item in ITEMS for run in (10, 9, 11)]
    rows = match(*answers, repeats=2)
    assert [(row["text"], row["repeat"]) for row in rows[:2]] == [("a9", 0), ("a10", 1)]
    assert len(rows) == 6
    with pytest.raises(AfterimageError, match="3 of 3 items without 4 answers"):
        match(*answers, repeats=4)


def test_a_table_of_ids_leads_from_theirs_to_ours():
    rows = match(
        given("0", "1"), given("1", "2"), given("2", "3"), ids={"0": "b", "1": "c", "2": "a"}
    )
    assert [row["text"] for row in rows] == ["3", "1", "2"]
    with pytest.raises(AfterimageError, match="1 answer without an item, the first for 'a'"):
        match(given("a"), ids={"0": "a"}, missing="empty")


def test_answers_to_other_words_are_noticed_and_layout_is_not(caplog):
    same = [given("a", prompt="<image> Which of the  two? Be brief."), given("b", prompt=None)]
    with caplog.at_level(logging.WARNING):
        match(*same, given("c", prompt="How long?"))
    assert caplog.text == ""
    with caplog.at_level(logging.WARNING):
        match(*same, given("c", prompt="How wide?"))
    assert "1 of 2 answers were given to other words than the item asks, the first for 'c'" in (
        caplog.text
    )


SHOWN = {
    "a": "Image 1: Which of\nthe two?\na. left\nAnswer 1: ",
    "b": "Image 1: How many?\na. one\nAnswer 1: ",
    "c": "Image 1: How many?\na. two\nAnswer 1: ",
}
NAMES = {"7.jpg": ["a", "b"], "8.jpg": ["c"], "9.jpg": ["b", "c"]}


def test_items_of_one_name_are_told_apart_by_what_was_asked(caplog):
    """As a release has it: the image's name and the question, which an item shows among options and labels."""
    answers = (
        given("7.jpg", "2", prompt="how many?"),
        given("8.jpg", "3", prompt="How many?"),
        given("7.jpg", "1", prompt="Which of the two?"),
    )
    with caplog.at_level(logging.WARNING):
        rows = list(matched(answers, SHOWN, STRICT, "file", NAMES))
    assert [(row["item_id"], row["text"]) for row in rows] == [("a", "1"), ("b", "2"), ("c", "3")]
    assert caplog.text == ""
    with pytest.raises(AfterimageError, match=r"1 answer without an item, the first for '7\.jpg'"):
        list(matched((*answers, given("7.jpg", prompt="How wide?")), SHOWN, STRICT, "file", NAMES))


@pytest.mark.parametrize("prompt", [None, "How many?"])
def test_items_that_name_and_words_do_not_tell_apart_are_named(prompt):
    with pytest.raises(AfterimageError, match=r"'b' and 'c' are both called '9\.jpg'"):
        list(matched([given("9.jpg", prompt=prompt)], SHOWN, STRICT, "file", NAMES))


def test_the_whole_of_what_was_shown_tells_them_apart_too():
    answers = [given("9.jpg", name, prompt=f"<image>{SHOWN[name]}") for name in "cb"]
    rows = list(matched(answers, SHOWN, STRICT | {"missing": "empty"}, "file", NAMES))
    assert [row["text"] for row in rows] == ["", "b", "c"]


def test_the_backend_looks_up_what_it_is_asked_and_nothing_else(tmp_path):
    path = tmp_path / "answers.parquet"
    answers = [
        given(item, f"{item}{run}", run, finish_reason="stop") for item in ITEMS for run in (0, 1)
    ]
    write_records(path, match(*answers, repeats=2), RECORDED_ANSWER)
    requests = [
        Request(7, (Message("user", ("?",)),), {"item_id": "c"}, (0, 1)),
        Request(3, (Message("user", ("?",)),), {"item_id": "a"}, (1,)),
        Request(9, (Message("user", ("?",)),), {"item_id": "z"}),
    ]
    outcomes = list(load(ModelEntry("m", "recorded", "m", answers=path), "suite")(iter(requests)))
    assert {outcome.number: outcome for outcome in outcomes}[9] == Failure(
        9, "the recorded answers hold none for this item"
    )
    replies = {(o.number, o.repeat, o.text) for o in outcomes if isinstance(o, Reply)}
    assert replies == {(7, 0, "c0"), (7, 1, "c1"), (3, 1, "a1")}


@pytest.mark.parametrize("unknown", ["fail", "ignore"])
def test_answers_without_their_images_are_one_sentence_that_says_so(unknown):
    with pytest.raises(AfterimageError) as caught:
        match(given("COCO_1.jpg/car"), given("COCO_2.jpg/car"), unknown=unknown, missing="empty")
    said = str(caught.value)
    assert said.startswith("file: none of 2 answers is about an image that this study asks about")
    assert "'COCO_1.jpg/car'" in said and "its first item is 'a'" in said
    assert "expected the images that the answers were given about" in said
    with pytest.raises(AfterimageError, match="while it has no item at all"):
        list(matched([given("x")], {}, STRICT, "file"))
