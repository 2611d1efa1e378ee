"""Thresholds: exact patterns of the reference responders, simulated observers, and what blur changes."""

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from table_forms import FORMS

from afterimage.showing.tables.compute import frame_of
from afterimage.suites.hidden_digits import charts
from afterimage.suites.hidden_digits.design import AXES, DESIGN, SIDES, STEPS
from afterimage.suites.hidden_digits.tables import HIDDEN_DIGITS

SETTINGS = {"confidence": 0.95, "resamples": 200, "seed": 1}
#: The difference at which three of four are right with a standard deviation of 0.4 in t.
C75 = 3.07


def ideal(t: float, blur: str, generator: np.random.Generator) -> str:
    return SIDES[t < 0 or (t == 0 and generator.random() < 0.5)]


def noisy(t: float, blur: str, generator: np.random.Generator) -> str:
    return SIDES[t + generator.normal(0, 0.4) < 0]


def sees_the_blurred_alone(t: float, blur: str, generator: np.random.Generator) -> str:
    return ideal(t if blur == "blurred" else 0, blur, generator)


def guesser(t: float, blur: str, generator: np.random.Generator) -> str:
    return SIDES[generator.random() < 0.5]


def always_first(t: float, blur: str, generator: np.random.Generator) -> str:
    return "first"


def silent(t: float, blur: str, generator: np.random.Generator) -> None:
    return None


def answers_of(observer: Callable, repeats: int = 1) -> pd.DataFrame:
    """Return graded answers about every image."""
    generator = np.random.default_rng(3)
    rows = []
    for repeat in range(repeats):
        for axis in AXES:
            for spec in DESIGN.specs(axis, {"seed": 1, "blur": True}):
                own = spec.factors
                t = {"first": 1, "second": -1}[own["side"]] * int(own["level"]) / STEPS.count
                said = observer(t, own["blur"], generator)
                rows.append(
                    {
                        "item_id": f"{spec.stimulus_id}/which",
                        "stimulus_id": spec.stimulus_id,
                        "suite": "hidden_digits",
                        "model": observer.__name__,
                        "repeat": repeat,
                        "figure": axis,
                        "prompt": "which",
                        "question": "",
                        "key": own["side"],
                        "offered": list(SIDES),
                        "is_listed": True,
                        "answer": said,
                        "outcome": "unparsed" if said is None else "exact",
                        "reason": "refused: no" if said is None else "",
                        "correct": said == own["side"],
                        "score": None,
                        **own,
                    }
                )
    return pd.DataFrame(rows).astype({"answer": object})


@pytest.fixture(scope="module")
def grades():
    observers = (ideal, guesser, always_first, sees_the_blurred_alone, silent)
    return pd.concat([answers_of(own) for own in observers], ignore_index=True)


@pytest.fixture(scope="module")
def frame(grades):
    return frame_of(HIDDEN_DIGITS, grades, SETTINGS)


def rows(frame, observer):
    return frame[frame["model"] == observer.__name__]


def test_who_sees_is_right_about_all_and_the_thresholds_are_below_what_was_shown(frame):
    own = rows(frame, ideal)
    assert list(zip(own["axis"], own["blur"], strict=True)) == [
        (axis, blur) for axis in AXES for blur in ("sharp", "blurred")
    ]
    assert own["right_k"].sum() == own["n"].sum() == 384
    assert set(own["no_threshold"]) == {"below 2 CIEDE2000"}
    assert own["threshold"].isna().all()


def test_images_without_a_difference_tell_the_rate_of_guessing(frame):
    assert set(frame["guess_n"].dropna()) == {16}
    assert set(rows(frame, always_first)["guess_k"]) == {8}
    assert 16 <= rows(frame, ideal)["guess_k"].sum() <= 48


def test_who_never_looks_is_flat_at_half_with_the_bias_at_the_border(frame):
    own = rows(frame, always_first)
    assert set(own["accuracy"]) == {50}
    assert set(own["no_threshold"]) == {"flat"}
    assert set(own["side_bias"]) == {-1}


def test_a_guesser_is_flat_everywhere_and_gains_nothing_by_blur(frame):
    own = rows(frame, guesser)
    assert set(own["no_threshold"]) == {"flat"}
    gained = own[own["blur"] == "blurred"]
    assert (gained["blur_gain_low"] < 0).all()
    assert (gained["blur_gain_high"] > 0).all()


def test_who_loses_the_digit_to_the_texture_gains_by_blur(frame):
    own = rows(frame, sees_the_blurred_alone).set_index(["axis", "blur"])
    for axis in AXES:
        assert own.loc[(axis, "sharp"), "no_threshold"] == "flat"
        assert np.isnan(own.loc[(axis, "sharp"), "blur_gain"])
        gained = own.loc[(axis, "blurred")]
        assert gained["no_threshold"] == "below 2 CIEDE2000"
        assert gained["blur_gain"] == 100 - own.loc[(axis, "sharp"), "accuracy"]
        assert 25 < gained["blur_gain_low"] < gained["blur_gain_high"]


def test_what_could_not_be_read_is_wrong_and_in_no_fit(frame):
    own = rows(frame, silent)
    assert set(own["unparsed_k"]) == {96}
    assert set(own["no_threshold"]) == {"no answers"}
    assert own["slope"].isna().all()


def test_an_observer_with_a_noise_of_0_4_has_its_threshold_at_3_07_within_the_interval():
    assert STEPS.threshold(1 / 0.4) == pytest.approx(C75, abs=0.01)
    own = frame_of(HIDDEN_DIGITS, answers_of(noisy, repeats=8), SETTINGS)
    own = own[own["kind"] == "measured"]
    assert (own["no_threshold"] == "").all()
    assert own["threshold"].to_numpy(float) == pytest.approx(C75, rel=0.15)
    assert ((own["threshold_low"] <= C75) & (own["threshold_high"] >= C75)).sum() >= 3
    assert np.abs(own["side_bias"]).max() < 0.06
    assert own["lapse"].nunique() == 1


def test_thresholds_stand_in_what_a_processor_leaves_of_single_dots(tmp_path):
    file = tmp_path / "seen_by_noisy.csv"
    lines = ["stimulus_id,shown,measured", "red_green_sharp_k4_a,16,12", "light_sharp_k3_a,8,4"]
    # Too small a difference to be told from rounding, and without single dots.
    lines += ["light_sharp_k1_a,2,0.1", "light_blurred_k4_a,16,"]
    file.write_text("\n".join(lines))
    settings = {**SETTINGS, "read": {"noisy": str(file)}}
    own = rows(frame_of(HIDDEN_DIGITS, answers_of(noisy), settings), noisy).set_index(
        ["axis", "blur"]
    )
    assert own["difference_left"].dropna().to_dict() == {
        ("red_green", "sharp"): 0.75,
        ("light", "sharp"): 0.5,
    }
    light = own.loc[("light", "sharp")]
    assert light["threshold_left"] == pytest.approx(light["threshold"] / 2)


def test_who_does_not_look_stands_below_the_models(frame):
    below = frame[frame["kind"] == "reference"]
    assert set(below["model"]) == {"uniform guessing", "best position"}
    assert set(below["accuracy"]) == {50}


def test_every_form_can_be_read_and_the_columns_are_those_that_are_promised(grades, frame):
    assert tuple(frame.columns) == HIDDEN_DIGITS.csv_names
    for form in FORMS:
        assert "below 2 CIEDE2000" in form(frame, HIDDEN_DIGITS, grades, SETTINGS)


def test_the_chart_has_a_panel_per_axis_and_says_where_there_is_no_threshold(frame):
    figure = charts.draw({"hidden_digits": frame})
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["red and green", "light"]
    for axes in figure.axes:
        open_marks = [line for line in axes.lines if line.get_linestyle() == "None"]
        assert sum(len(line.get_xdata()) for line in open_marks) == 2 * 5
    nothing = charts.draw({"hidden_digits": frame[frame["kind"] == "reference"]})
    assert nothing.axes[0].texts[0].get_text() == "nothing was asked"
