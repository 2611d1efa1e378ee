"""The gallery: which items it shows, and what it says of every answer."""

import base64
import io

import numpy as np
import pytest
from PIL import Image

from afterimage.files.parquet import write_records
from afterimage.files.records import GRADE, ITEM, RESPONSE
from afterimage.report.gallery import (
    OUTCOMES,
    brief_options,
    choose,
    gallery,
    keep_within,
    question_text,
)
from afterimage.report.page_entries import thumbnail

SPEC = {"gallery_items": 100, "image_side": 64}
SCRIPT = "<script>alert(1)</script>"


def png(colour, size=(200, 100)):
    stored = io.BytesIO()
    Image.new("RGB", size, colour).save(stored, "PNG")
    return stored.getvalue()


def text(words):
    return {"type": "text", "text": words, "image": None}


def picture(number):
    return {"type": "image", "text": None, "image": number}


def item(name, figure="fick", colours=("red",), answer_type="choice", probe=None, **factors):
    parts = [*map(picture, range(len(colours))), text(f"Which of {name}?")]
    return {
        "item_id": name,
        "suite": "demo",
        "stimulus_id": name,
        "figure": figure,
        "prompt": "zero_shot",
        "question": "actual",
        "messages": [{"role": "user", "parts": parts}],
        "images": [{"pixels_sha256": colour, "png": png(colour)} for colour in colours],
        "answer_type": answer_type,
        "options": [
            {"option_id": "left", "text": "The left one."},
            {"option_id": "right", "text": "The right one."},
        ],
        "key": "left",
        "factors": factors | ({"probe": probe} if probe else {}),
    }


def response(name, reply, repeat=0):
    return {
        "item_id": name,
        "suite": "demo",
        "model": "a_model",
        "repeat": repeat,
        "text": reply,
        "reasoning": None,
        "answer_text": reply,
        "finish_reason": "stop",
        "backend": "chance",
        "model_id": "chance",
        "revision": None,
        "settings": "{}",
        "request_sha256": "0",
        "prompt_tokens": None,
        "completion_tokens": None,
        "reasoning_tokens": None,
        "latency_seconds": None,
    }


def grade(name, answer, repeat=0, score=None, decided_by="parser"):
    return {
        "item_id": name,
        "suite": "demo",
        "model": "a_model",
        "repeat": repeat,
        "stimulus_id": name,
        "figure": "fick",
        "prompt": "zero_shot",
        "question": "actual",
        "key": "left",
        "answer": answer,
        "outcome": "unparsed" if answer is None else "exact",
        "reason": "",
        "reasoning_given": False,
        "offered": [],
        "is_listed": False,
        "correct": answer is not None and answer == "left",
        "score": score,
        "readings": {},
        "decided_by": decided_by,
        "factors": {},
    }


@pytest.fixture
def show(tmp_path):
    def show(items, responses=(), grades=(), spec=SPEC, shards=None):
        files = []
        for number, rows in enumerate(shards or [items]):
            files.append(tmp_path / f"{number}.parquet")
            write_records(files[-1], rows, ITEM)
        write_records(tmp_path / "responses", responses, RESPONSE)
        write_records(tmp_path / "grades", grades, GRADE)
        answers = {"a_model": tmp_path / "responses"}, {"a_model": tmp_path / "grades"}
        return gallery(spec, files, *answers, threads=2)

    return show


def answer_of(shown, name):
    """Return outcome, reply and reading of an item in words."""
    (row,) = (row for row in shown["items"] if row["id"] == name)
    outcome, reply, reading, *_ = row["answers"][0]
    return OUTCOMES[outcome], shown["texts"][reply], shown["texts"][reading]


def test_every_answer_is_right_wrong_unparsed_or_not_graded(show):
    names = ("right", "wrong", "unparsed", "open")
    shown = show(
        [item(name, answer_type="word_list" if name == "open" else "choice") for name in names],
        [response(name, f"I say {name}") for name in names],
        [
            grade("right", "left"),
            grade("wrong", "right"),
            grade("unparsed", None),
            grade("open", "a text"),
        ],
    )
    assert answer_of(shown, "right") == ("right", "I say right", "The left one.")
    assert answer_of(shown, "wrong") == ("wrong", "I say wrong", "The right one.")
    assert answer_of(shown, "unparsed") == ("unparsed", "I say unparsed", "")
    assert answer_of(shown, "open") == ("not_graded", "I say open", "a text")


def test_an_open_answer_is_neither_right_nor_wrong(show):
    shown = show(
        [item("a", answer_type="description")],
        [response("a", "A long text.")],
        [grade("a", "2", decided_by="judge", score=1.4)],
    )
    assert answer_of(shown, "a") == ("scored", "A long text.", "2 (1.4 points)")


def test_an_item_that_a_model_did_not_answer_has_none(show):
    shown = show([item("a"), item("b")], [response("a", "left")], [grade("a", "left")])
    assert [row["answers"][0] is None for row in shown["items"]] == [False, True]


def test_of_repeated_answers_the_first_is_shown(show):
    shown = show(
        [item("a")],
        [response("a", "second", 1), response("a", "first", 0)],
        [grade("a", "right", repeat=1), grade("a", "left", repeat=0)],
    )
    assert answer_of(shown, "a") == ("right", "first", "The left one.")


def test_replies_are_kept_letter_by_letter(show):
    shown = show([item("a")], [response("a", SCRIPT)], [grade("a", None)])
    assert answer_of(shown, "a")[1] == SCRIPT


def test_reasoning_stands_apart_from_the_answer(show):
    thought = {**response("a", f"<think>{SCRIPT}</think>left"), "reasoning": SCRIPT}
    shown = show([item("a")], [{**thought, "answer_text": "left"}], [grade("a", "left")])
    assert answer_of(shown, "a") == ("right", "left", "The left one.")
    assert shown["texts"][shown["items"][0]["answers"][0][3]] == SCRIPT


def test_an_answer_that_was_cut_off_while_thinking_is_empty(show):
    cut = {**response("a", "<think>it is"), "reasoning": "it is", "answer_text": None}
    shown = show([item("a")], [cut], [grade("a", None)])
    assert answer_of(shown, "a") == ("unparsed", "", "")
    assert len(shown["items"][0]["answers"][0]) == 4


def test_points_stand_with_the_reading(show):
    shown = show([item("a")], [response("a", "x")], [grade("a", "words", score=1.5)])
    assert answer_of(shown, "a")[2] == "words (1.5 points)"


def test_a_picture_that_many_items_show_is_held_once(show):
    shown = show([item("a", colours=("red", "blue")), item("b", colours=("blue",))])
    assert len(shown["images"]) == 2
    assert [row["image"] for row in shown["items"]] == [[0, 1], [1]]


def test_an_item_in_two_shards_is_shown_once(show):
    shown = show([], shards=[[item("a"), item("b")], [item("b"), item("c")]])
    assert [row["id"] for row in shown["items"]] == ["a", "b", "c"]
    assert shown["total_items"] == 3


def test_probes_are_not_items_of_the_suite(show):
    shown = show([item("a"), item("a~blank", probe="blank")])
    assert [row["id"] for row in shown["items"]] == ["a"]


def test_factors_with_one_value_are_no_choice(show):
    shown = show([item("a", variant="A", inducer="x"), item("b", variant="B", inducer="x")])
    assert shown["factors"] == [{"name": "variant", "values": ["A", "B"]}]
    assert [row["factors"] for row in shown["items"]] == [[0], [1]]


def test_a_limit_leaves_out_evenly_and_says_so(show):
    items = [item(f"a{n}") for n in range(20)] + [item(f"b{n}", figure="sander") for n in range(4)]
    shown = show(items, spec={**SPEC, "gallery_items": 6})
    names = [row["id"] for row in shown["items"]]
    assert [name[0] for name in names] == list("aaabbb")
    assert shown["left_out"].startswith("6 of 24 items")
    assert show(items)["left_out"] == ""


def test_the_choice_does_not_depend_on_the_order_of_items():
    rows = [item(f"a{number}") for number in range(30)]
    assert set(choose(rows, 7)) == set(choose(rows[::-1], 7))
    assert len(choose(rows, 7)) == 7


def test_solved_examples_are_words_of_the_question_and_no_pictures_of_the_item(show):
    row = item("a", colours=("red", "blue"))
    row["messages"] = [
        {"role": "user", "parts": [picture(0), text("An example?")]},
        {"role": "assistant", "parts": [text("left")]},
        {"role": "user", "parts": [picture(1), text("And this?")]},
    ]
    shown = show([row])
    assert len(shown["images"]) == 1
    question = shown["texts"][shown["items"][0]["question"]]
    assert question == "user: An example?\n\nassistant: left\n\nuser: And this?"


def test_another_items_answer_in_a_question_is_named():
    part = {"type": "answer", "text": "a/first", "image": None}
    row = {"messages": [{"role": "user", "parts": [part, text("So?")]}]}
    assert question_text(row) == "[its answer to a/first]\nSo?"


def test_a_thumbnail_fits_and_tells_the_stimulus_size():
    made = thumbnail(png("green", (300, 150)), 60)
    assert (made["width"], made["height"]) == (300, 150)
    assert made["thumbnail"].startswith("data:image/webp;base64,")


def test_flat_figures_keep_their_colours():
    made = thumbnail(png((12, 200, 99), (40, 40)), 64)
    with Image.open(io.BytesIO(base64.b64decode(made["thumbnail"].partition(",")[2]))) as small:
        assert small.size == (40, 40)
        assert small.convert("RGB").getcolors() == [(1600, (12, 200, 99))]


@pytest.mark.parametrize(
    ("question", "options", "expected"),
    [
        (
            "Are they parallel?",
            ["The two red lines are parallel.", "The two red lines are not parallel."],
            ["A: … parallel.", "B: … not parallel."],
        ),
        ("Which?\n0: dull\u30001: shiny", ["dull", "shiny"], ["0: dull", "1: shiny"]),
        ("Which?\nB. The left one.\nA. The right one.", ["The left one.", "The right one."],
         ["B: The left one.", "A: The right one."]),
        ("Is there a cone?", ["Yes", "No"], [None, None]),
        ("Same?", ["It is a b", "It is a"], ["A: … a b", "B: … a"]),
    ],
)  # fmt: skip
def test_a_card_shows_an_options_letter_and_where_it_differs(question, options, expected):
    briefs = brief_options(question, options)
    assert [briefs.get(option) for option in options] == expected


def exact(address: str) -> Image.Image:
    return Image.open(io.BytesIO(base64.b64decode(address.partition(",")[2]))).convert("RGB")


def test_the_pixels_that_a_model_saw_are_kept_where_they_fit():
    rng = np.random.default_rng(1)
    noise = Image.fromarray(rng.integers(0, 255, (120, 90, 3), dtype=np.uint8))
    stored = io.BytesIO()
    noise.save(stored, "PNG")
    made = thumbnail(stored.getvalue(), 60, max_exact=100_000)
    assert base64.b64decode(made["full"].partition(",")[2]) == stored.getvalue()
    assert max(exact(made["thumbnail"]).size) == 60
    # Of a flat drawing one picture serves both.
    flat = thumbnail(png("green", (300, 150)), 60, max_exact=100_000)
    assert flat["full"] is None
    assert base64.b64decode(flat["thumbnail"].partition(",")[2]) == png("green", (300, 150))
    assert "full" not in thumbnail(stored.getvalue(), 60, max_exact=1000)


def test_the_largest_pictures_are_left_out_where_a_page_would_be_too_large():
    pictures = {name: {"full": "x" * size} for name, size in (("a", 50), ("b", 10), ("c", 30))}
    pictures["d"] = {"full": None}
    keep_within(60, pictures)
    assert [name for name, picture in pictures.items() if "full" in picture] == ["b", "c", "d"]
