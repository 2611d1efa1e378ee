"""Circled letters set glyph by glyph with Pillow, in a face that the package does not draw with."""

from pathlib import Path

import matplotlib
import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from afterimage.errors import AfterimageError
from afterimage.seeing import letters
from afterimage.seeing.letters import Glyph
from afterimage.suites.blindtest.faces import FACES
from afterimage.suites.blindtest.seeing import WORDS, measure_letter

DEJAVU = Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"
OVERSAMPLING = 4
SIDE = 512


def find_circled(image):
    return letters.find_circled(image, WORDS, FACES.values())


def circled(word, index, padding=100, stroke=5.7, spacing=0.0, colour=(255, 0, 0), oval=True):
    """The text fills the width but for the padding; the oval spans 1.4 times the letter's box."""
    large = SIDE * OVERSAMPLING
    advances = np.array([ImageFont.truetype(DEJAVU, 96).getlength(letter) for letter in word])
    advances += spacing * 96
    scale = large / (advances.sum() + 2 * padding)
    font = ImageFont.truetype(DEJAVU, 96 * scale)
    image = Image.new("RGB", (large, large), "white")
    draw = ImageDraw.Draw(image)
    boxes = []
    x = padding * scale
    for letter, advance in zip(word, advances * scale, strict=True):
        draw.text((x, large / 2), letter, font=font, fill="black", anchor="ls")
        boxes.append(draw.textbbox((x, large / 2), letter, font=font, anchor="ls"))
        x += advance
    if oval:
        left, top, right, bottom = boxes[index]
        half_width, half_height = 0.7 * advances[index] * scale, 0.7 * (bottom - top)
        rim = stroke * OVERSAMPLING / 2
        middle_x, middle_y = (left + right) / 2, (top + bottom) / 2
        box = [middle_x - half_width - rim, middle_y - half_height - rim]
        box += [middle_x + half_width + rim, middle_y + half_height + rim]
        draw.ellipse(box, outline=colour, width=round(2 * rim))
    return np.asarray(image.resize((SIDE, SIDE), Image.Resampling.LANCZOS))


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize(("padding", "stroke"), [(25, 5.7), (200, 3.7), (200, 5.7)])
def test_every_letter_is_found_at_its_own_place_though_the_oval_covers_its_neighbours(
    word, padding, stroke
):
    places = range(0, len(word), 3) if stroke == 5.7 and padding == 25 else range(1, len(word), 4)
    for index in (*places, len(word) - 1):
        found = find_circled(circled(word, index, padding, stroke))
        assert (found.word, found.index) == (word, index)


def test_spaced_letters_are_found_too():
    for index in (0, 7, 14):
        found = find_circled(circled(WORDS[0], index, spacing=0.15))
        assert (found.word, found.index) == (WORDS[0], index)


def test_the_letter_is_reported_in_lower_case():
    assert measure_letter(circled(WORDS[2], 12)) == WORDS[2][12].lower() == "e"


def test_the_line_may_stand_anywhere_on_the_canvas():
    image = circled(WORDS[1], 8, padding=200)
    moved = np.roll(image, (150, 40), axis=(0, 1))
    assert find_circled(moved).index == find_circled(image).index == 8


def test_text_without_a_red_oval_is_an_error():
    with pytest.raises(AfterimageError, match="looked for a red oval and found none"):
        find_circled(circled(WORDS[0], 3, oval=False))


def test_a_green_oval_is_not_red():
    with pytest.raises(AfterimageError, match="looked for a red oval and found none"):
        find_circled(circled(WORDS[0], 3, colour=(0, 160, 0)))


def test_text_that_is_none_of_the_words_is_an_error():
    with pytest.raises(AfterimageError, match="fits none of them"):
        find_circled(circled("xxxxxxxxxxxxxxx", 7))


def test_words_and_faces_are_those_that_it_is_given():
    boxes = {
        "o": (612, 55, 557, -14, 560),
        "i": (278, 94, 184, 0, 760),
        "l": (278, 94, 184, 0, 760),
    }
    face = {letter: Glyph(*box) for letter, box in boxes.items()}
    found = letters.find_circled(circled("oilioloi", 2), ("liooiloi", "oilioloi"), (face,))
    assert (found.word, found.index, found.letter) == ("oilioloi", 2, "l")
