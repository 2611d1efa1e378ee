"""What is told of hidden digits alone: guessing and blur (the rest: thresholds/test_models_thresholds.py)."""

import numpy as np
import pandas as pd
import pytest
from threshold_answers import always_first, guesser, ideal, of_digits

from afterimage.showing.tables.compute import frame_of
from afterimage.suites.hidden_digits import charts
from afterimage.suites.hidden_digits.design import AXES
from afterimage.suites.hidden_digits.tables import HIDDEN_DIGITS


@pytest.fixture(scope="module")
def frame():
    own = {"pixels": ideal(), "guesser": guesser(4), "textbook": always_first}
    parts = [of_digits(observer, name) for name, observer in own.items()]
    # Sees blurred digits alone.
    parts.append(of_digits(ideal(), "blurred", sharp=guesser(5)))
    settings = {"confidence": 0.95, "resamples": 200, "seed": 1}
    return frame_of(HIDDEN_DIGITS, pd.concat(parts, ignore_index=True), settings)


def rows(frame, model):
    return frame[frame["model"] == model]


def test_images_without_a_difference_tell_the_rate_of_guessing(frame):
    assert set(frame["guess_n"].dropna()) == {16}
    assert set(rows(frame, "textbook")["guess_k"]) == {8}
    assert 16 <= rows(frame, "pixels")["guess_k"].sum() <= 48


def test_a_guesser_gains_nothing_by_blur(frame):
    gained = rows(frame, "guesser")
    gained = gained[gained["blur"] == "blurred"]
    assert (gained["blur_gain_low"] < 0).all()
    assert (gained["blur_gain_high"] > 0).all()


def test_who_loses_the_digit_to_the_texture_gains_by_blur(frame):
    own = rows(frame, "blurred").set_index(["axis", "blur"])
    for axis in AXES:
        assert own.loc[(axis, "sharp"), "no_threshold"] == "flat"
        assert np.isnan(own.loc[(axis, "sharp"), "blur_gain"])
        gained = own.loc[(axis, "blurred")]
        assert gained["no_threshold"] == "below 2 CIEDE2000"
        assert gained["blur_gain"] == pytest.approx(100 - own.loc[(axis, "sharp"), "accuracy"])
        assert 25 < gained["blur_gain_low"] < gained["blur_gain_high"]


def test_the_chart_has_a_panel_per_axis(frame):
    titles = [axes.get_title(loc="left") for axes in charts.draw({"hidden_digits": frame}).axes]
    assert titles == ["red and green", "light"]
