"""Thresholds: exact patterns of the reference responders, simulated observers, and what a processor leaves."""

import numpy as np
import pandas as pd
import pytest
from contrast_answers import Noisy, always_left, answers_of, guesser, ideal, silent
from table_forms import FORMS, layout_of

from afterimage.showing.tables.compute import frame_of
from afterimage.statistics.ordinal import fit_ordinal
from afterimage.suites.contrast import charts
from afterimage.suites.contrast.design import FREQUENCIES, SEEN, THREE, WHERE
from afterimage.suites.contrast.tables import CONTRAST, STEPS

SETTINGS = {"confidence": 0.95, "resamples": 200, "seed": 1}
#: t at which three of four are right with a standard deviation of 0.4, and the contrast there in percent.
T75, C75 = 0.270, 1.12


@pytest.fixture(scope="module")
def grades():
    parts = [
        answers_of(own, name, prompt)
        for prompt in (WHERE, THREE)
        for name, own in (
            ("pixels", ideal),
            ("textbook", always_left),
            ("guesser", guesser(4)),
            ("noisy", Noisy(seed=2)),
            ("silent", silent),
        )
    ]
    return pd.concat([*parts, answers_of(ideal, "pixels", SEEN)], ignore_index=True)


@pytest.fixture(scope="module")
def frame(grades):
    return frame_of(CONTRAST, grades, SETTINGS)


def rows(frame, model, prompt=WHERE):
    return frame[(frame["model"] == model) & (frame["prompt"] == prompt)]


def test_pixels_is_right_about_all_and_its_thresholds_are_below_what_was_shown(frame):
    for prompt in (WHERE, THREE):
        own = rows(frame, "pixels", prompt)
        assert list(own["frequency_cycles"]) == list(FREQUENCIES)
        assert own["right_k"].sum() == own["n"].sum() == 320
        assert set(own["no_threshold"]) == {"below 0.5 %"}
        assert own[["threshold", "sensitivity"]].isna().all(axis=None)
    assert set(rows(frame, "pixels", THREE)["blank_n"]) == {4}
    assert set(rows(frame, "pixels", THREE)["false_alarm_k"]) == {0}


def test_who_never_looks_is_flat_at_half_with_the_bias_at_the_border(frame):
    own = rows(frame, "textbook")
    assert set(own["accuracy"]) == {50}
    assert set(own["no_threshold"]) == {"flat"}
    assert set(own["side_bias"]) == {-1}
    assert set(rows(frame, "textbook", THREE)["false_alarm_k"]) == {4}


def test_a_guesser_is_flat_at_every_frequency_without_bias_or_criterion(frame):
    for prompt in (WHERE, THREE):
        own = rows(frame, "guesser", prompt)
        assert set(own["no_threshold"]) == {"flat"}
        assert own[["side_bias", "criterion"]].isna().all(axis=None)


def test_a_slope_lies_within_its_interval(frame):
    known = frame[frame["slope_low"].notna()]
    assert (known["slope_low"] < known["slope_high"]).all()
    assert (known["slope_low"] <= known["slope"]).all()
    assert (known["slope"] <= known["slope_high"]).all()


def test_a_guesser_rarely_has_a_threshold():
    found = [
        frame_of(CONTRAST, answers_of(guesser(100 + seed), "g"), SETTINGS)["no_threshold"].iloc[:5]
        for seed in range(8)
    ]
    assert (pd.concat(found) != "flat").mean() <= 0.1


def test_the_threshold_of_an_observer_with_a_noise_of_0_4_is_1_12_percent():
    """Expected counts, so that nothing is left to chance: the fit finds what was put in."""
    from scipy.stats import norm

    steps = np.array([step / 8 for step in range(-8, 9) if step])
    left = norm.cdf(steps / 0.4)
    counts = 1000 * np.stack([left, 0 * left, 1 - left], axis=-1)
    fit = fit_ordinal(np.zeros(16, int), steps, counts, forced=True)
    assert 0.6745 / fit.slope[0] == pytest.approx(T75, abs=0.002)
    assert STEPS.threshold(fit.slope[0]) == pytest.approx(C75, abs=0.01)


def test_simulated_answers_give_the_threshold_with_an_interval_that_holds_it():
    table = frame_of(CONTRAST, answers_of(Noisy(seed=5), "noisy", WHERE, repeats=12), SETTINGS)
    own = rows(table, "noisy")
    assert (own["no_threshold"] == "").all()
    assert own["threshold"].to_numpy(float) == pytest.approx(C75, rel=0.15)
    covered = (own["threshold_low"] <= C75) & (own["threshold_high"] >= C75)
    assert covered.sum() >= 4
    assert own["sensitivity"].to_numpy(float) == pytest.approx(100 / own["threshold"])
    assert np.abs(own["side_bias"]).max() < 0.06
    assert own["lapse"].nunique() == 1


def test_a_side_that_is_named_readily_moves_the_bias_and_not_the_threshold():
    answers = answers_of(Noisy(bias=-0.25, seed=6), "noisy", WHERE, repeats=12)
    own = rows(frame_of(CONTRAST, answers, SETTINGS), "noisy")
    assert own["side_bias"].to_numpy(float) == pytest.approx(-0.25, abs=0.1)
    assert own["threshold"].to_numpy(float) == pytest.approx(C75, rel=0.25)


def test_the_criterion_is_the_contrast_up_to_which_nothing_is_said_to_be_there():
    answers = answers_of(Noisy(criterion=0.5, seed=7), "noisy", THREE, repeats=12)
    own = rows(frame_of(CONTRAST, answers, SETTINGS), "noisy", THREE)
    # Half a unit of t is four doublings: 0.5 * 2^(4 - 1) percent.
    assert own["criterion"].to_numpy(float) == pytest.approx(4, rel=0.2)
    assert set(own["blank_n"]) == {48}


def test_who_answers_the_other_way_round_is_inverted(grades):
    own = grades[(grades["model"] == "pixels") & (grades["prompt"] == WHERE)]
    turned = own.assign(answer=own["answer"].map({"left": "right", "right": "left"}), correct=False)
    assert set(rows(frame_of(CONTRAST, turned, SETTINGS), "pixels")["no_threshold"]) == {"inverted"}


def test_what_could_not_be_read_is_wrong_and_in_no_fit(frame):
    own = rows(frame, "silent")
    assert set(own["unparsed_k"]) == {64}
    assert set(own["no_threshold"]) == {"no answers"}
    assert own["slope"].isna().all()


def test_yes_and_no_are_counted_and_not_fitted(frame):
    own = rows(frame, "pixels", SEEN)
    assert set(own["no_threshold"]) == {"yes or no"}
    assert set(own["right_k"]) == {64}
    assert (set(own["blank_n"]), set(own["false_alarm_k"])) == ({4}, {0})


def test_thresholds_stand_in_what_a_processor_leaves_too(grades, tmp_path):
    file = tmp_path / "seen_by_noisy.csv"
    lines = ["stimulus_id,frequency,shown,measured"]
    lines += [f"a,{one},32,{32 * 8 / one}" for one in FREQUENCIES]
    # Too weak to be told from rounding, not measured, and without a pattern.
    lines += ["b,8,0.5,0.1", "c,8,64,", "d,,0,0.01"]
    file.write_text("\n".join(lines))
    settings = {**SETTINGS, "read": {"noisy": str(file)}}
    table = frame_of(CONTRAST, grades[grades["prompt"] == WHERE], settings)
    own = rows(table, "noisy")
    assert list(own["contrast_left"]) == [1, 0.5, 0.25, 0.125, 0.0625]
    expected = own["threshold"] * own["contrast_left"]
    assert own["threshold_left"].to_numpy(float) == pytest.approx(expected, nan_ok=True)
    assert rows(table, "guesser")["contrast_left"].isna().all()


def test_who_does_not_look_stands_below_the_models(frame):
    below = frame[(frame["kind"] == "reference") & (frame["prompt"] == WHERE)]
    assert set(below["model"]) == {"uniform guessing", "best position"}
    assert set(below["accuracy"]) == {50}


def test_cycles_per_degree_are_those_of_a_screen_at_arms_length(frame):
    own = rows(frame, "pixels")
    assert own["cycles_per_degree"].round(1).tolist() == [0.5, 1.0, 2.0, 4.0, 8.1]


def test_every_form_can_be_read_and_the_columns_are_those_that_are_promised(grades, frame):
    assert tuple(frame.columns) == CONTRAST.csv_names
    assert any("three of four" in note for note in layout_of(CONTRAST, grades, SETTINGS).notes)
    for form in FORMS:
        assert "below 0.5 %" in form(frame, CONTRAST, grades, SETTINGS).replace("\\%", "%")


def test_the_chart_has_a_line_per_model_and_says_where_there_is_no_threshold(frame):
    figure = charts.draw({"contrast": frame})
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert titles == ["prompt where", "prompt three"]
    for axes in figure.axes:
        open_marks = [line for line in axes.lines if line.get_linestyle() == "None"]
        assert sum(len(line.get_xdata()) for line in open_marks) >= 5 * 4
    nothing = charts.draw({"contrast": frame[frame["kind"] == "reference"]})
    assert nothing.axes[0].texts[0].get_text() == "nothing was asked"


def test_an_estimate_beyond_what_was_shown_still_has_the_bounds_that_reach_within():
    """Sharp eyes in three replicates; the fourth misses the weakest patterns."""

    answers = answers_of(ideal, "sharp")
    missed = (answers["replicate"] == "v90") & answers["level"].isin(["1", "2", "3"])
    turned = answers["answer"].map({"left": "right", "right": "left"})
    answers["answer"] = answers["answer"].where(~(missed & (answers["side"] == "left")), turned)
    own = rows(frame_of(CONTRAST, answers, SETTINGS), "sharp")
    assert set(own["no_threshold"]) <= {"", "below 0.5 %"}
    beyond = own[own["no_threshold"] != ""]
    assert beyond["threshold"].isna().all()
    assert (own["threshold_low"] == 0.5).all()
    assert (own["threshold_high"] > 0.5).all()
