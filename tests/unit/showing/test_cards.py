"""Cards show pictures with their words, or one with all that was asked about it, and cut no question."""

import numpy as np
import pytest
from matplotlib.text import Text

from afterimage.showing.charts.cards import (
    Card,
    CardQuestion,
    PageAnswers,
    Picture,
    Words,
    by_hash,
    compose_cards,
)
from afterimage.showing.charts.example_page import MARKS, NO_ANSWER, OWN_WORDS, Answer
from afterimage.showing.charts.typefaces import ELLIPSIS

IMAGES = {name: np.full((30, 40, 3), 200, np.uint8) for name in "abcdefgh"}
NOBODY = PageAnswers({}, {})
LONG = " ".join(["which of the two red lines in this picture is longer"] * 12) + "?"


def texts(figure):
    return [text.get_text() for text in figure.findobj(Text) if text.get_text()]


def asked(*answers, key="yes", text=LONG, described=False, scores=()):
    card = Card(
        "one", (Picture("a"),), questions=(CardQuestion("a", text, key, "part", described),)
    )
    return compose_cards([card], IMAGES, PageAnswers({"a": answers}, dict(scores)))


def test_a_question_stands_there_whole_with_its_key_and_every_answer():
    lines = texts(asked(Answer("m", "yes", "right"), Answer("n", "no", "wrong")))
    assert LONG in " ".join(lines)
    assert not any(ELLIPSIS in text for text in lines)
    assert {"part", "right answer", "m", "n", "yes", "no"} <= set(lines)
    # Each sign on the card and in the line that says what it means.
    assert [lines.count(MARKS[name][0]) for name in ("right", "wrong", "unparsed")] == [2, 2, 0]


def test_a_model_without_an_answer_has_a_dash_and_words_of_models_are_no_markup():
    two = (CardQuestion("a", "First?", "yes"), CardQuestion("b", "Second?", "no"))
    answers = {"a": [Answer("m", "$x$", "unparsed")], "b": [Answer("n", "no", "right")]}
    figure = compose_cards(
        [Card("", (Picture("a"),), questions=two)], IMAGES, PageAnswers(answers, {})
    )
    assert texts(figure).count(NO_ANSWER) == 2
    (reply,) = [text for text in figure.findobj(Text) if text.get_text() == "$x$"]
    assert not reply.get_parse_math()


def test_descriptions_stand_whole_with_their_scores_and_only_what_never_ends_is_cut():
    golden = "A red line. " * 40
    lines = texts(
        asked(
            *(Answer("m", "Two lines. " * 20, None), Answer("n", "many words " * 300, None)),
            key=golden,
            described=True,
            scores={("a", "m"): 1.8}.items(),
        )
    )
    assert golden.strip() in " ".join(lines)
    assert ("Two lines. " * 20).strip() in " ".join(lines)
    assert "judge: 1.8" in lines
    assert sum(text.endswith(ELLIPSIS) for text in lines) == 1


def test_questions_stand_there_before_anybody_has_answered():
    assert {"First?", "yes"} <= set(texts(asked(text="First?")))


def test_words_stand_below_their_pictures_and_only_the_page_s_own_are_said_in_its_language():
    card = Card(
        "two",
        (Picture("a", "left"), Picture("b", "right")),
        (
            Words("question", ("Which?", "Whose?")),
            Words("figure", ("ebbinghaus",) * 2, translated=True),
        ),
    )
    translated = {
        text.get_text()
        for text in compose_cards([card], IMAGES, NOBODY).findobj(Text)
        if text.get_gid() == OWN_WORDS and text.get_text()
    }
    assert translated == {"two", "left", "right", "question", "figure", "ebbinghaus"}


def test_all_that_is_written_lies_on_the_page():
    pictures = tuple(Picture(name, f"caption {name}") for name in IMAGES)
    models = [Answer(f"model with a long name {number}", "no " * 9, "wrong") for number in range(8)]
    questions = (CardQuestion("a", LONG, "yes"), CardQuestion("a", LONG, LONG, described=True))
    cards = [Card("many", pictures), Card("asked", pictures[:1], questions=questions)]
    figure = compose_cards(cards, IMAGES, PageAnswers({"a": models}, {}), note="A note.")
    figure.canvas.draw()
    boxes = []
    for text in figure.findobj(Text):
        if text.get_text():
            box = text.get_window_extent().transformed(figure.transFigure.inverted())
            assert box.x0 >= 0 and box.y0 >= 0 and box.x1 <= 1 and box.y1 <= 1, text.get_text()
            boxes.append((box, text.get_text()))
    for index, (one, said) in enumerate(boxes):
        for other, other_text in boxes[:index]:
            wide = min(one.x1, other.x1) - max(one.x0, other.x0)
            high = min(one.y1, other.y1) - max(one.y0, other.y0)
            # Letters with long strokes may reach into the line below.
            assert wide <= 0 or high <= 0.4 * min(one.height, other.height), (said, other_text)


def test_the_order_of_names_is_the_same_with_one_more():
    names = [f"scene {number}" for number in range(9)]
    assert [name for name in by_hash(names) if name != "scene 3"] == by_hash(
        name for name in names if name != "scene 3"
    )


def test_a_page_of_nothing_is_refused():
    with pytest.raises(ValueError, match="each card a picture"):
        compose_cards([], IMAGES, NOBODY)
