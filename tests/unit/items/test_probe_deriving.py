"""Probes of items: what they are called, what they change, and what they leave alone."""

import numpy as np
import pytest

from afterimage.contract.probes import is_probe, probed_id, without_probes
from afterimage.errors import AfterimageError
from afterimage.files.parquet import write_records
from afterimage.files.png import decode_png, encode_png, pixels_sha256
from afterimage.files.records import ITEM
from afterimage.items.deriving import with_probes

BOTH = {"option_orders": 0, "text_only": True, "blank": True, "words": {}}


def text(words):
    return {"type": "text", "text": words, "image": None}


def image(place=0):
    return {"type": "image", "text": None, "image": place}


def turn(role, *parts):
    return {"role": role, "parts": list(parts)}


def picture(height=6, width=9, shade=40):
    pixels = np.full((height, width, 3), shade, dtype=np.uint8)
    return {"pixels_sha256": pixels_sha256(pixels), "png": encode_png(pixels)}


def item(name="one", messages=None, images=None, figure="fick"):
    return {
        "item_id": name,
        "suite": "some_suite",
        "stimulus_id": "stimulus",
        "figure": figure,
        "prompt": "zero_shot",
        "question": "which",
        "messages": messages or [turn("user", image(), text("Which is longer?"))],
        "images": [picture()] if images is None else images,
        "answer_type": "choice",
        "options": [{"option_id": "a", "text": "This."}, {"option_id": "b", "text": "That."}],
        "key": "a",
        "factors": {"variant": "A"},
    }


def probes_of(*items, **changes):
    return list(with_probes(items, {**BOTH, **changes}))


def test_each_item_is_followed_by_its_probes_and_is_itself_unchanged():
    items = [item("one"), item("two")]
    made = probes_of(*items)
    assert [row["item_id"] for row in made] == [
        name for own in ("one", "two") for name in (own, f"{own}~text_only", f"{own}~blank")
    ]
    assert list(without_probes(made)) == items == [item("one"), item("two")]
    assert [row["factors"].get("probe") for row in made[:3]] == [None, "text_only", "blank"]
    assert [is_probe(row) for row in made[:3]] == [False, True, True]
    assert probed_id(made[1]["item_id"], "text_only") == "one"


def test_a_probe_has_its_items_key_options_and_factors(tmp_path):
    own, text_only, blank = probes_of(item())
    kept = ("suite", "stimulus_id", "figure", "prompt", "question", "answer_type", "options", "key")
    for derived in (text_only, blank):
        assert {name: derived[name] for name in kept} == {name: own[name] for name in kept}
        assert derived["factors"] == {"variant": "A", "probe": derived["factors"]["probe"]}
    assert write_records(tmp_path / "items", [own, text_only, blank], ITEM) == 3


def test_only_the_kinds_that_are_asked_for_are_made():
    assert [row["item_id"] for row in probes_of(item(), blank=False)] == ["one", "one~text_only"]
    assert [row["item_id"] for row in probes_of(item(), text_only=False)] == ["one", "one~blank"]


def test_text_only_shows_no_image_at_all_not_even_of_solved_examples():
    conversation = [
        turn("user", image(0), text("Example?")),
        turn("assistant", text("This.")),
        turn("user", image(1), text("Which?")),
    ]
    _, text_only, _ = probes_of(item(messages=conversation, images=[picture(), picture(shade=9)]))
    assert text_only["images"] == []
    assert text_only["messages"] == [
        turn("user", text("Example?")),
        turn("assistant", text("This.")),
        turn("user", text("Which?")),
    ]


def test_words_stand_before_the_last_question_of_their_figure_only():
    named = {"words": {"fick": "About the vertical-horizontal illusion."}}
    _, text_only, blank = probes_of(item(), **named)
    assert text_only["messages"][-1]["parts"] == [
        text("About the vertical-horizontal illusion.\n\nWhich is longer?")
    ]
    assert blank["messages"] == item()["messages"]
    _, other, _ = probes_of(item(figure="hering"), **named)
    assert other["messages"][-1]["parts"] == [text("Which is longer?")]


def test_blank_is_white_and_has_the_size_of_each_image():
    _, _, blank = probes_of(item(images=[picture(6, 9), picture(4, 5)]))
    assert [decode_png(shown["png"]).shape for shown in blank["images"]] == [(6, 9, 3), (4, 5, 3)]
    for shown in blank["images"]:
        pixels = decode_png(shown["png"])
        assert (pixels == 255).all()
        assert shown["pixels_sha256"] == pixels_sha256(pixels)


def test_an_item_without_image_has_no_such_probe():
    asked = item(messages=[turn("user", text("Who?"))], images=[])
    assert probes_of(asked) == [asked]


def test_a_message_that_is_an_image_alone_cannot_be_asked_in_words():
    alone = item(messages=[turn("user", image())])
    assert [row["item_id"] for row in probes_of(alone)] == ["one", "one~blank"]


def test_a_probe_never_holds_an_answer_that_was_given_to_the_image():
    first = item("first")
    second = item(
        "second",
        messages=[
            turn("user", image(), text("What?")),
            turn("assistant", {"type": "answer", "text": "first", "image": None}),
            turn("user", text("Sure?")),
        ],
    )
    made = {row["item_id"]: row for row in probes_of(first, second)}
    held = {
        name: row["messages"][1]["parts"][0]["text"] for name, row in made.items() if "sec" in name
    }
    assert held == {
        "second": "first",
        "second~text_only": "first~text_only",
        "second~blank": "first~blank",
    }


def test_an_answer_to_an_item_without_probe_stays_where_it_is():
    first = item("first", messages=[turn("user", text("Who?"))], images=[])
    answer = {"type": "answer", "text": "first", "image": None}
    second = item("second", messages=[turn("user", image(), text("And now? "), answer)])
    made = probes_of(first, second)
    assert made[2]["messages"][0]["parts"][-1] == answer


@pytest.mark.parametrize("answer_type", ["description", "word_list"])
def test_open_answers_are_not_asked_for_without_image_and_never_leak_into_a_probe(answer_type):
    described = {**item("described"), "answer_type": answer_type}
    answer = {"type": "answer", "text": "described", "image": None}
    then = item("then", messages=[turn("user", image(), text("You said: "), answer)])
    alone = item("alone")
    names = [row["item_id"] for row in probes_of(described, then, alone)]
    assert names == ["described", "then", "alone", "alone~text_only", "alone~blank"]


def test_an_answer_to_what_comes_later_is_one_sentence():
    answer = {"type": "answer", "text": "later", "image": None}
    with pytest.raises(
        AfterimageError, match="'early' holds the answer to 'later', which does not"
    ):
        probes_of(item("early", messages=[turn("user", image(), text("?"), answer)]))


SENTENCES = {"silent": True, "guess": "Guess.", "say_missing": "Say so."}


def test_nothing_or_one_sentence_is_said_of_the_missing_image():
    made = probes_of(item(), text_only=False, blank=False, **SENTENCES)
    assert [row["item_id"] for row in made[1:]] == ["one~silent", "one~guess", "one~say_missing"]
    asked = [row["messages"][-1]["parts"] for row in made[1:]]
    assert asked == [
        [text("Which is longer?")],
        [text("Guess.\n\nWhich is longer?")],
        [text("Say so.\n\nWhich is longer?")],
    ]
    assert not any(row["images"] for row in made[1:])


def test_silent_is_the_same_request_as_text_only_where_that_adds_no_words():
    _, text_only, silent = probes_of(item(), blank=False, silent=True)
    assert silent["messages"] == text_only["messages"]
    _, text_only, silent = probes_of(item(), blank=False, silent=True, words={"fick": "Fick's."})
    assert silent["messages"] != text_only["messages"]


def test_new_probes_leave_the_others_as_they_were():
    before, after = probes_of(item()), probes_of(item(), **SENTENCES)
    assert after[: len(before)] == before
