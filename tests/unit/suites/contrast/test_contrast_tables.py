"""What is told of contrast alone: blanks, the criterion, yes or no (the rest: thresholds/test_models_thresholds.py)."""

import numpy as np
import pandas as pd
import pytest
from table_forms import layout_of
from threshold_answers import always_first, guesser, ideal, noisy, of_gratings

from afterimage.showing.tables.compute import frame_of
from afterimage.statistics.ordinal import fit_ordinal
from afterimage.suites.contrast import charts
from afterimage.suites.contrast.design import SEEN, THREE, WHERE
from afterimage.suites.contrast.tables import CONTRAST, STEPS

SETTINGS = {"confidence": 0.95, "resamples": 200, "seed": 1}
#: t at which three of four are right with a standard deviation of 0.4, and the contrast there in percent.
T75, C75 = 0.270, 1.12


@pytest.fixture(scope="module")
def grades():
    parts = [
        of_gratings(own, name, prompt)
        for prompt in (WHERE, THREE, SEEN)
        for name, own in (
            ("pixels", ideal()),
            ("textbook", always_first),
            ("guesser", guesser(4)),
        )
    ]
    return pd.concat(parts, ignore_index=True)


@pytest.fixture(scope="module")
def frame(grades):
    return frame_of(CONTRAST, grades, SETTINGS)


def rows(frame, model, prompt=WHERE):
    return frame[(frame["model"] == model) & (frame["prompt"] == prompt)]


def simulated(observer, prompt=WHERE):
    """The rows of who answers twelve times about every image."""
    table = frame_of(CONTRAST, of_gratings(observer, "m", prompt, repeats=12), SETTINGS)
    return rows(table, "m", prompt)


def test_where_nothing_may_be_said_to_be_there_patterns_are_judged_alike(frame):
    own = rows(frame, "pixels", THREE)
    assert own["right_k"].sum() == own["n"].sum() == 320
    assert set(own["no_threshold"]) == {"below 0.5 %"}
    assert own[["threshold", "sensitivity"]].isna().all(axis=None)
    own = rows(frame, "guesser", THREE)
    assert set(own["no_threshold"]) == {"flat"}
    assert own[["side_bias", "criterion"]].isna().all(axis=None)


@pytest.mark.parametrize(
    ("model", "prompt", "false_alarms"),
    [("pixels", THREE, 0), ("textbook", THREE, 4), ("pixels", SEEN, 0)],
)
def test_answers_about_blanks_are_false_alarms_where_a_pattern_is_named(
    frame, model, prompt, false_alarms
):
    own = rows(frame, model, prompt)
    assert (set(own["blank_n"]), set(own["false_alarm_k"])) == ({4}, {false_alarms})


def test_a_guesser_rarely_has_a_threshold():
    found = [
        frame_of(CONTRAST, of_gratings(guesser(100 + seed), "g"), SETTINGS)["no_threshold"].iloc[:5]
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


def test_a_side_that_is_named_readily_moves_the_bias_and_not_the_threshold():
    own = simulated(noisy(bias=-0.25, seed=6))
    assert own["side_bias"].to_numpy(float) == pytest.approx(-0.25, abs=0.1)
    assert own["threshold"].to_numpy(float) == pytest.approx(C75, rel=0.25)
    assert own["sensitivity"].to_numpy(float) == pytest.approx(100 / own["threshold"])


def test_the_criterion_is_the_contrast_up_to_which_nothing_is_said_to_be_there():
    own = simulated(noisy(criterion=0.5, seed=7), THREE)
    # Half a unit of t is four doublings: 0.5 * 2^(4 - 1) percent.
    assert own["criterion"].to_numpy(float) == pytest.approx(4, rel=0.2)
    assert set(own["blank_n"]) == {48}


def test_who_answers_the_other_way_round_is_inverted(grades):
    own = grades[(grades["model"] == "pixels") & (grades["prompt"] == WHERE)]
    turned = own.assign(answer=own["answer"].map({"left": "right", "right": "left"}), correct=False)
    assert set(rows(frame_of(CONTRAST, turned, SETTINGS), "pixels")["no_threshold"]) == {"inverted"}


def test_yes_and_no_are_counted_and_not_fitted(frame):
    own = rows(frame, "pixels", SEEN)
    assert set(own["no_threshold"]) == {"yes or no"}
    assert set(own["right_k"]) == {64}


def test_cycles_per_degree_are_those_of_a_screen_at_arms_length(frame):
    own = rows(frame, "pixels")
    assert own["cycles_per_degree"].round(1).tolist() == [0.5, 1.0, 2.0, 4.0, 8.1]


def test_readers_are_told_what_a_threshold_is(grades):
    assert any("three of four" in note for note in layout_of(CONTRAST, grades, SETTINGS).notes)


def test_the_chart_has_a_panel_per_prompt_that_asks_for_a_side(frame):
    titles = [axes.get_title(loc="left") for axes in charts.draw({"contrast": frame}).axes]
    assert titles == ["prompt where", "prompt three"]


def test_an_estimate_beyond_what_was_shown_still_has_the_bounds_that_reach_within():
    """Sharp eyes in three replicates; the fourth misses the weakest patterns."""

    answers = of_gratings(ideal(), "sharp")
    missed = (answers["replicate"] == "v90") & answers["level"].isin(["1", "2", "3"])
    turned = answers["answer"].map({"left": "right", "right": "left"})
    answers["answer"] = answers["answer"].where(~(missed & (answers["side"] == "left")), turned)
    own = rows(frame_of(CONTRAST, answers, SETTINGS), "sharp")
    assert set(own["no_threshold"]) <= {"", "below 0.5 %"}
    beyond = own[own["no_threshold"] != ""]
    assert beyond["threshold"].isna().all()
    assert (own["threshold_low"] == 0.5).all()
    assert (own["threshold_high"] > 0.5).all()
