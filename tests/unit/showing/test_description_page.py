"""Descriptions are shown whole, as far as there is room, and as they are."""

import numpy as np
import pytest
from matplotlib.text import Text

from afterimage.showing.description_page import MOST_LINES, compose_descriptions
from afterimage.showing.example_page import EMPTY, NO_ANSWER, Answer, Example, Panel
from afterimage.showing.lines_of_text import ELLIPSIS

PIXELS = np.zeros((30, 40, 3), np.uint8)


def page(*answers, key="A red line."):
    example = Example(PIXELS, key, [Answer(*one, "unparsed") for one in answers])
    other = Example(PIXELS, key, [Answer("other", "Two lines.", "unparsed")])
    figure = compose_descriptions([Panel("Describe the image.", [example, other])])
    return figure, [text.get_text() for text in figure.findobj(Text) if text.get_text()]


def test_each_image_has_the_right_description_and_every_models_own():
    _, texts = page(("one", "A $line$ that\nbends."))
    assert texts == [
        *("Describe the image.", "right answer", "A red line."),
        *("one", "A $line$ that bends.", "other", NO_ANSWER),
        *("right answer", "A red line.", "one", NO_ANSWER, "other", "Two lines."),
    ]


def test_what_finds_no_room_ends_in_an_ellipsis_and_nothing_is_said_to_be_nothing():
    _, texts = page(("one", "many words " * 300), ("two", " "))
    said = texts[texts.index("one") + 1 : texts.index("two")]
    assert len(said) == MOST_LINES
    assert said[-1].endswith(ELLIPSIS)
    assert not any(line.endswith(ELLIPSIS) for line in said[:-1])
    assert texts[texts.index("two") + 1] == EMPTY


@pytest.mark.slow
def test_all_that_is_written_lies_on_the_page():
    figure, _ = page(*((f"model {number}", "many words " * 300) for number in range(14)))
    figure.canvas.draw()
    for text in figure.findobj(Text):
        if text.get_text():
            box = text.get_window_extent().transformed(figure.transFigure.inverted())
            assert box.x0 >= 0 and box.y0 >= 0 and box.x1 <= 1 and box.y1 <= 1


def test_a_page_of_nothing_is_refused():
    with pytest.raises(ValueError, match="each panel an example"):
        compose_descriptions([])
