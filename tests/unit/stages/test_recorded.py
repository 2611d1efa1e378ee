"""Recorded answers find the items of a suite by the names that a release has."""

import json

import numpy as np
import pytest
from asked_items import item

from afterimage.errors import AfterimageError
from afterimage.files.attempts import UNREADABLE_ITEMS
from afterimage.files.parquet import read_records, write_records
from afterimage.files.png import encode_png
from afterimage.files.records import ITEM, RECORDED_ANSWER
from afterimage.files.stimulus import stimulus_row, write_stimuli
from afterimage.stages.recorded import match_recorded_answers

COLUMNS = {"text": "said", "repeat": None, "prompt": None, "finish_reason": None, "correct": None}
COLUMNS |= dict.fromkeys(("prompt_tokens", "completion_tokens", "latency_seconds"))
SETTINGS = {
    "format": "auto",
    "item_id": "{image}/{split}/{question}",
    "item_name": "{file}/{strategy}/{text}",
    "columns": COLUMNS,
    "repeats": 1,
    "missing": "fail",
    "unknown": "fail",
}


def question(number, stimulus, strategy):
    """One of the questions about an image; both strategies may ask the same."""
    own = item(number) | {"stimulus_id": stimulus, "factors": {"strategy": strategy}}
    return own | {"item_id": f"{stimulus}/{strategy}/{number}"}


@pytest.fixture
def match(tmp_path):
    pixels = np.zeros((2, 2, 3), np.uint8)
    rows = [
        stimulus_row(
            "pope",
            "questions",
            name,
            encode_png(pixels),
            pixels,
            {"nominal": {"file": f"coco/{name}.jpg"}},
            {},
        )
        for name in ("one", "two")
    ]
    write_stimuli(tmp_path / "stimuli.parquet", rows)
    items = [question(1, name, how) for name in ("one", "two") for how in ("random", "popular")]
    write_records(tmp_path / "items.parquet", items, ITEM)

    def matched(answers, ids=(), unreadable=(), **settings):
        # Nobody is asked about them; what they would be asked stands in the file's metadata.
        asked = [row for row in items if row["stimulus_id"] not in unreadable]
        names = ("item_id", "stimulus_id", "prompt", "question", "factors", "messages")
        unasked = [
            {name: row[name] for name in names} for row in items if row["stimulus_id"] in unreadable
        ]
        about = {UNREADABLE_ITEMS: json.dumps(unasked)} if unasked else {}
        write_records(tmp_path / "items.parquet", asked, ITEM, about=about)
        (tmp_path / "ids.csv").write_text("\n".join(["recorded,item_id", *ids]))
        (tmp_path / "answers.jsonl").write_text("".join(json.dumps(a) + "\n" for a in answers))
        inputs = {
            "recorded": [tmp_path / "answers.jsonl"],
            "ids": [tmp_path / "ids.csv"] if ids else [],
            "shards": [tmp_path / "items.parquet"],
            "stimuli": [tmp_path / "stimuli.parquet"],
        }
        outputs = {"answers": tmp_path / "matched.parquet"}
        match_recorded_answers({"settings": SETTINGS | settings}, inputs, outputs, {})
        found = read_records(tmp_path / "matched.parquet", RECORDED_ANSWER)
        return {row["item_id"]: row["text"] for row in found}

    return matched


def said(image, split, text):
    return {"image": image, "split": split, "question": "Question 1", "said": text}


ANSWERS = [
    said("two.jpg", "popular", "a"),
    said("one.jpg", "random", "b"),
    said("one.jpg", "popular", "c"),
    said("two.jpg", "random", "d"),
]


def test_answers_find_their_items_by_question_and_the_name_of_the_images_file(match):
    assert match(ANSWERS) == {
        "one/random/1": "b",
        "one/popular/1": "c",
        "two/random/1": "d",
        "two/popular/1": "a",
    }


def test_a_name_that_two_items_have_is_said(match):
    with pytest.raises(AfterimageError, match=r"'two/random/1' and 'two/popular/1' are both"):
        match(ANSWERS, item_id="{image}/{question}", item_name="{file}/{text}")


def test_answers_about_other_images_say_that_the_images_are_missing(match):
    with pytest.raises(AfterimageError, match="none of 1 answer is about an image that this study"):
        match([said("three.jpg", "random", "a")])


def test_answers_about_an_image_that_cannot_be_read_are_left_out_and_no_others(match, caplog):
    assert match(ANSWERS, unreadable=["two"]) == {"one/random/1": "b", "one/popular/1": "c"}
    assert "left out: 2 answers about images that cannot be read, the first for" in caplog.text
    mistyped = [said("tow.jpg", "random", "e")]
    with pytest.raises(AfterimageError, match=r"found 1 answer without an item.*tow\.jpg"):
        match([*ANSWERS, *mistyped], unreadable=["two"])
    own = listed("one/random/1", "one/popular/1", "two/random/1")
    plain = {"item_id": "{id}", "item_name": None, "unreadable": ["two"]}
    assert list(match(own, **plain)) == ["one/random/1", "one/popular/1"]
    with pytest.raises(AfterimageError, match=r"found 1 answer without an item.*'two/random/2'"):
        match([*own, *listed("two/random/2")], **plain)
    found = match(listed(1, "2", "a", "b"), ids=IDS, **plain)
    assert list(found.values()) == ["0", "1"]
    with pytest.raises(AfterimageError, match="found 1 answer without an item, the first for 'c'"):
        match(listed(1, "2", "a", "b", "c"), ids=IDS, **plain)


IDS = ("1,one/random/1", "2.0,one/popular/1", "a,two/random/1", "b,two/popular/1")


def listed(*names):
    """Answers that say which item they belong to by a name of the user's."""
    return [{"id": name, "said": str(index)} for index, name in enumerate(names)]


def test_names_that_a_file_lists_are_found_whatever_a_spreadsheet_made_of_numbers(match):
    found = match(listed(1, "2", "a", "b"), ids=IDS, item_id="{id}", item_name=None)
    assert list(found.values()) == ["0", "1", "2", "3"]


@pytest.mark.parametrize(
    ("ids", "sentence"),
    [
        (("1,one/random/1", "1.0,one/popular/1"), "line 3: recorded id '1' stands for two items"),
        (
            ("a,one/random/1", "A,one/popular/1"),
            r"line 3: recorded id 'A' differs from 'a' .*line 2",
        ),
    ],
)
def test_names_that_a_file_lists_are_told_apart(match, ids, sentence):
    with pytest.raises(AfterimageError, match=sentence):
        match(listed("a"), ids=ids, item_id="{id}", item_name=None)


def test_a_name_in_another_case_is_no_name_of_an_item(match):
    answers = [ANSWERS[0] | {"image": "TWO.jpg"}, *ANSWERS[1:]]
    with pytest.raises(AfterimageError, match=r"without an item, the first for 'TWO\.jpg"):
        match(answers)
