"""A request's hash stands for its content, whatever surrounds it."""

from afterimage.models.interface import Image, Message, Request


def request(text="Which?", pixels="1" * 64, png=b"x", number=0, metadata=None):
    message = Message("user", (Image(png, pixels), text))
    return Request(number, (message,), metadata)


def test_the_same_words_and_pixels_have_the_same_hash():
    assert (
        request().sha256 == request(number=7, png=b"compressed otherwise", metadata={"a": 1}).sha256
    )


def test_another_word_or_pixel_has_another_hash():
    assert (
        len({request().sha256, request(text="What?").sha256, request(pixels="2" * 64).sha256}) == 3
    )


def test_a_text_cannot_pose_as_an_image():
    image = Request(0, (Message("user", (Image(b"", "1" * 64),)),))
    text = Request(0, (Message("user", ("1" * 64,)),))
    assert image.sha256 != text.sha256
