import numpy as np
import pytest

from afterimage.drawing.colour import (
    Colour,
    from_hexadecimal,
    grey,
    grey_pixels,
    levels_from_linear,
    linear_from_levels,
    mix,
)


def test_hexadecimal_codes_survive_a_round_trip():
    assert from_hexadecimal("#D62728") == (214, 39, 40)
    assert from_hexadecimal("#D62728").hexadecimal() == "#D62728"


def test_mixing_rounds_halves_upward():
    assert mix(grey(0), grey(255), 0.5) == grey(128)
    assert mix(Colour(10, 20, 30), Colour(50, 60, 70), 0) == (10, 20, 30)
    assert mix(Colour(10, 20, 30), Colour(50, 60, 70), 1) == (50, 60, 70)


def test_every_level_survives_linear_light():
    levels = np.arange(256)
    assert np.array_equal(levels_from_linear(linear_from_levels(levels)), levels)


@pytest.mark.parametrize(
    ("level", "light"), [(0, 0.0), (10, 0.003035), (120, 0.187821), (255, 1.0)]
)
def test_decoding_follows_the_srgb_curve(level, light):
    assert linear_from_levels(np.array([level]))[0] == pytest.approx(light, abs=1e-6)


def test_grey_levels_become_neutral_pixels():
    pixels = grey_pixels(np.array([[1, 2], [3, 4]], dtype=np.uint8))
    assert pixels.shape == (2, 2, 3)
    assert (pixels[1, 0] == 3).all()
