"""What a server says is looked through in bounded time, whatever it says and however often."""

import time

import pytest

from afterimage.models.openai_compatible.faults import scrubber
from afterimage.models.openai_compatible.forms import form_of_text
from afterimage.models.scrubbing import COVER, Scrubber

KEY = "sk-proj-Canary0123456789abcdefXYZ"
PIECES = [
    *(" ", "\n", "\t", "*", ".", "x", "a", "-", "_", "#", "\N{HORIZONTAL ELLIPSIS}", "0", "\u200b"),
    *("* ", ". ", " *", "x ", "... ", "ab", ": ", ":\n", " \n", "S*", "4a", "<", "< ", "{}\n"),
    *(KEY[:8], KEY[8:16], KEY[-8:], f"{KEY[:8]}...", f"{KEY[:10]}... ", f" ...{KEY[-4:]}"),
]
#: Ten times what a text of this length takes on a slow machine; a pattern that tries again and again takes hours.
LENGTH, MOST_SECONDS = 200_000, 4
READERS = {"answers": Scrubber(KEY), "errors": scrubber(KEY)}


@pytest.mark.parametrize("piece", PIECES, ids=ascii)
@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_a_key_is_looked_for_in_bounded_time(piece, read):
    text = (piece * LENGTH)[:LENGTH]
    started = time.process_time()
    read(text)
    assert time.process_time() - started < MOST_SECONDS


BODIES = [
    *(b": ", b":\n", b" :", b"::", b": data", b"id ", b" ", b"\n", b"{}\n", b"[\n", b"<", b"< "),
    *(b"<title ", b"<title>", b"<title> ", b"<title>a ", b"<html><title>\n", b"<!doctype "),
]


@pytest.mark.parametrize("piece", BODIES, ids=ascii)
@pytest.mark.parametrize("before", [b"", b"<html><title>", b": "], ids=ascii)
def test_what_a_body_is_is_known_in_bounded_time(piece, before):
    started = time.process_time()
    form_of_text(before + piece * 5_000)
    assert time.process_time() - started < 1


@pytest.mark.parametrize(
    ("body", "form"),
    [
        (b": a comment\n: another : one\n\ndata: {}", "an event stream"),
        (b"\n\nevent : x", "an event stream"),
        (b"<html><head>< title lang='x'>\n 404 Not Found \n</title>", "titled '404 Not Found'"),
    ],
)
def test_it_is_still_known(body, form):
    assert form in form_of_text(body)


def test_spaces_around_the_dots_of_a_shortened_key_hide_nothing():
    text = f"no such key: {KEY[:8]}   ...\n {KEY[-4:]}, nor {KEY[:5]}***{KEY[-4:]} is one"
    assert Scrubber(KEY)(text) == f"no such key: {COVER}, nor {COVER} is one"
