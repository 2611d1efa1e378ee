"""The responder ``pixels`` where there is nothing to measure: it says so, and no run fails of it."""

import numpy as np
import pytest

from afterimage.contract.model import ModelEntry
from afterimage.files.png import decode_png, encode_png, pixels_sha256
from afterimage.grading.readers.choice import parse
from afterimage.models import pixels
from afterimage.models.interface import Image, Message, Request
from afterimage.suites.illusions import observer

OPTIONS = (("left", "The left one."), ("right", "The right one."))


def replied(*parts):
    answer = pixels.load(ModelEntry("pixels", "pixels", "pixels"), observer.answer)
    (reply,) = answer([Request(0, (Message("user", parts),))])
    return reply.text


@pytest.mark.parametrize("shade", [255, 0, 130])
def test_an_empty_image_is_said_to_be_empty(shade):
    canvas = np.full((48, 48, 3), shade, dtype=np.uint8)
    image = Image(encode_png(canvas), pixels_sha256(canvas))
    assert replied(image, "Which line is longer?") == pixels.NOTHING_DRAWN


def test_no_image_is_said_to_be_missing():
    assert replied("Which line is longer?") == pixels.NOTHING_SHOWN


@pytest.mark.parametrize("said", [pixels.NOTHING_SHOWN, pixels.NOTHING_DRAWN])
def test_neither_sentence_is_read_as_an_option(said):
    assert parse(said, OPTIONS).outcome == "unparsed"


def test_an_image_is_decoded_once_for_all_questions_about_it(monkeypatch):
    decoded = []

    def counted(png):
        decoded.append(png)
        return decode_png(png)

    monkeypatch.setattr("afterimage.files.png.decode_png", counted)
    pixels._drawn.cache_clear()
    images = []
    for shade in (10, 20):
        canvas = np.full((48, 48, 3), shade, dtype=np.uint8)
        images.append(Image(encode_png(canvas), pixels_sha256(canvas)))
    for image in images:
        for question in ("Which line is longer?", "Which line is shorter?"):
            assert replied(image, question) == pixels.NOTHING_DRAWN
    assert decoded == [image.png for image in images]


def test_one_pixel_of_another_color_is_something_drawn():
    canvas = np.full((48, 48, 3), 255, dtype=np.uint8)
    canvas[-1, -1, 2] = 254
    assert pixels._drawn(encode_png(canvas)) is not None
