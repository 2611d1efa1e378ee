import numpy as np
import pytest

from afterimage.drawing.canvas import Canvas, flipped, mirrored, moved, quarter_turned, transposed
from afterimage.drawing.colour import BLACK, WHITE, Colour
from afterimage.drawing.shapes import Discs, Strokes

RED = Colour(200, 0, 0)


def half_covered(x):
    """A bar whose left edge covers half of the pixel column ``x``."""
    return Strokes(np.array([(x + 0.5, 8)]), np.array([(14, 8)]), 4)


def test_the_image_starts_with_the_ground():
    pixels = Canvas(RED, 5, 3).pixels()
    assert pixels.shape == (3, 5, 3)
    assert (pixels == RED).all()


def test_values_are_rounded_once_after_the_last_shape():
    canvas = Canvas(Colour(253, 253, 253), 16, 16)
    for _ in range(2):
        canvas.paint(half_covered(4), BLACK)
    rounded_each_time = 64
    assert canvas.pixels()[8, 4, 0] == np.floor(253 / 4 + 0.5) != rounded_each_time


def test_overlapping_strokes_of_one_family_are_composited_one_after_the_other():
    together, apart = Canvas(WHITE, 16, 16), Canvas(WHITE, 16, 16)
    starts, ends = np.array([(4.5, 8), (4.25, 8)]), np.array([(14, 8), (14, 8)])
    together.paint(Strokes(starts, ends, 4), BLACK)
    for start, end in zip(starts, ends, strict=True):
        apart.paint(Strokes(start[None], end[None], 4), BLACK)
    assert np.array_equal(together.pixels(), apart.pixels())
    assert apart.pixels()[8, 4, 0] == np.floor(255 * 0.5 * 0.25 + 0.5)


def test_halves_are_rounded_upward():
    canvas = Canvas(Colour(1, 1, 1), 16, 16)
    canvas.paint(half_covered(4), BLACK)
    assert canvas.pixels()[8, 4, 0] == 1


def test_an_opaque_shape_erases_the_soft_edge_below():
    canvas = Canvas(WHITE, 16, 16)
    canvas.paint(half_covered(4), BLACK)
    canvas.paint(Discs(np.array([(8, 8)]), 14), RED)
    assert tuple(canvas.pixels()[8, 4]) == RED


def test_a_fill_erases_the_soft_edge_below():
    canvas = Canvas(WHITE, 16, 16)
    canvas.paint(half_covered(4), BLACK)
    canvas.fill(3, 5, 6, 11, RED)
    assert tuple(canvas.pixels()[8, 4]) == RED


def test_a_frame_cuts_shapes_at_whole_pixels():
    canvas = Canvas(WHITE, 16, 16)
    canvas.paint(Discs(np.array([(8, 8)]), 12), BLACK, within=canvas.frame.cut(0, 0, 8, 16))
    pixels = canvas.pixels()
    assert (pixels[8, 4:8] == 0).all()
    assert (pixels[:, 8:] == 255).all()


def test_place_repeats_a_single_row():
    canvas = Canvas(WHITE, 4, 4)
    canvas.paste(1, 0, np.array([[RED, BLACK]], dtype=np.uint8), rows=3)
    assert (canvas.pixels()[:3, 1] == RED).all()
    assert (canvas.pixels()[:3, 2] == BLACK).all()
    assert (canvas.pixels()[3] == WHITE).all()


@pytest.fixture
def noise():
    return np.random.default_rng(1).integers(0, 256, (5, 7, 3), dtype=np.uint8)


def test_flips_and_turns_are_exact(noise):
    assert np.array_equal(mirrored(noise), noise[:, ::-1])
    assert np.array_equal(flipped(noise), noise[::-1])
    assert np.array_equal(transposed(noise), noise.transpose(1, 0, 2))
    assert np.array_equal(quarter_turned(noise), np.rot90(noise))
    assert mirrored(noise).flags.c_contiguous


def test_moving_repeats_the_margin_or_wraps(noise):
    right_down = moved(noise, (2, 1), "edge")
    assert np.array_equal(right_down[1:, 2:], noise[:-1, :-2])
    assert np.array_equal(right_down[0, 2:], noise[0, :-2])
    assert np.array_equal(moved(noise, (-2, 1), "wrap"), np.roll(noise, (1, -2), axis=(0, 1)))
    assert moved(noise, (0, 0), "edge") is noise
