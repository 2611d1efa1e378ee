"""Thresholds of gratings and of hidden digits: exact patterns of reference responders, and simulated observers."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest
from table_forms import FORMS
from threshold_answers import always_first, guesser, ideal, noisy, of_digits, of_gratings, silent

from afterimage.showing.tables.compute import frame_of
from afterimage.showing.tables.declaration import Table
from afterimage.suites.contrast import charts as contrast_charts
from afterimage.suites.contrast.design import FREQUENCIES
from afterimage.suites.contrast.design import STEPS as CONTRASTS
from afterimage.suites.contrast.tables import CONTRAST
from afterimage.suites.hidden_digits import charts as digit_charts
from afterimage.suites.hidden_digits.design import AXES, BLURS
from afterimage.suites.hidden_digits.design import STEPS as DIFFERENCES
from afterimage.suites.hidden_digits.tables import HIDDEN_DIGITS
from afterimage.suites.thresholds.steps import Steps

SETTINGS = {"confidence": 0.95, "resamples": 200, "seed": 1}
OBSERVERS = {
    "pixels": ideal(),
    "textbook": always_first,
    "guesser": guesser(4),
    "noisy": noisy(seed=2),
    "silent": silent,
}


class Told(NamedTuple):
    """What is known of a suite's table.

    Attributes:
        table: The table.
        answers: Makes answers of an observer.
        draw: Its chart.
        names: Columns that name a row of a model.
        rows: What they are.
        n: Answers of a model in a row.
        steps: What was shown.
        c75: Where three of four are right with a standard deviation of 0.4 in t.
        seen: What a processor leaves: lines of its file.
        left: The column of shares, and those of the rows that have one.
    """

    table: Table
    answers: Callable[..., pd.DataFrame]
    draw: Callable
    names: tuple[str, ...]
    rows: list[tuple]
    n: int
    steps: Steps
    c75: float
    seen: tuple[str, ...]
    left: tuple[str, Mapping]


SUITES = {
    "contrast": Told(
        *(CONTRAST, of_gratings, contrast_charts.draw),
        ("frequency_cycles",),
        [(cycles,) for cycles in FREQUENCIES],
        *(64, CONTRASTS, 1.12),
        (
            "stimulus_id,frequency,shown,measured",
            *(f"a,{cycles},32,{32 * 8 / cycles}" for cycles in FREQUENCIES),
            # Too weak to be told from rounding, not measured, and without a pattern.
            *("b,8,0.5,0.1", "c,8,64,", "d,,0,0.01"),
        ),
        ("contrast_left", {(cycles,): 8 / cycles for cycles in FREQUENCIES}),
    ),
    "hidden_digits": Told(
        *(HIDDEN_DIGITS, of_digits, digit_charts.draw),
        ("axis", "blur"),
        [(axis, blur) for axis in AXES for blur in BLURS],
        *(96, DIFFERENCES, 3.07),
        (
            "stimulus_id,shown,measured",
            *("red_green_sharp_k4_a,16,12", "light_sharp_k3_a,8,4"),
            # Too small a difference to be told from rounding, and without single dots.
            *("light_sharp_k1_a,2,0.1", "light_blurred_k4_a,16,"),
        ),
        ("difference_left", {("red_green", "sharp"): 0.75, ("light", "sharp"): 0.5}),
    ),
}


@pytest.fixture(scope="module", params=SUITES)
def made(request):
    """What is known of a suite, the answers of all observers, and the table."""
    own = SUITES[request.param]
    grades = pd.concat([own.answers(who, name) for name, who in OBSERVERS.items()])
    return own, grades, frame_of(own.table, grades, SETTINGS)


def rows(frame, model):
    return frame[frame["model"] == model]


def test_pixels_is_right_about_all_and_its_thresholds_are_below_what_was_shown(made):
    own, _, frame = made
    found = rows(frame, "pixels")
    assert list(found[list(own.names)].itertuples(index=False, name=None)) == own.rows
    assert set(found["right_k"]) == set(found["n"]) == {own.n}
    assert set(found["no_threshold"]) == {own.steps.below}
    assert found["threshold"].isna().all()


def test_who_never_looks_is_flat_at_half_with_the_bias_at_the_border(made):
    found = rows(made[2], "textbook")
    assert set(found["accuracy"]) == {50}
    assert set(found["no_threshold"]) == {"flat"}
    assert set(found["side_bias"]) == {-1}


def test_a_guesser_is_flat_everywhere_without_bias_or_criterion(made):
    found = rows(made[2], "guesser")
    assert set(found["no_threshold"]) == {"flat"}
    assert found[["side_bias", "criterion"]].isna().all(axis=None)


def test_a_slope_lies_within_its_interval(made):
    _, _, frame = made
    known = frame[frame["slope_low"].notna()]
    assert (known["slope_low"] < known["slope_high"]).all()
    assert known["slope"].between(known["slope_low"], known["slope_high"]).all()


def test_what_could_not_be_read_is_wrong_and_in_no_fit(made):
    own, _, frame = made
    found = rows(frame, "silent")
    assert set(found["unparsed_k"]) == {own.n}
    assert set(found["no_threshold"]) == {"no answers"}
    assert found["slope"].isna().all()


def test_who_does_not_look_stands_below_the_models(made):
    below = made[2][made[2]["kind"] == "reference"]
    assert set(below["model"]) == {"uniform guessing", "best position"}
    assert set(below["accuracy"]) == {50}


@pytest.mark.parametrize("suite", SUITES)
def test_simulated_answers_give_the_threshold_with_an_interval_that_holds_it(suite):
    own = SUITES[suite]
    assert own.steps.threshold(1 / 0.4) == pytest.approx(own.c75, abs=0.01)
    answers = own.answers(noisy(seed=5), "noisy", repeats=12)
    found = rows(frame_of(own.table, answers, SETTINGS), "noisy")
    assert (found["no_threshold"] == "").all()
    assert found["threshold"].to_numpy(float) == pytest.approx(own.c75, rel=0.15)
    covered = (found["threshold_low"] <= own.c75) & (found["threshold_high"] >= own.c75)
    assert covered.sum() >= len(own.rows) - 1
    assert np.abs(found["side_bias"]).max() < 0.06
    assert found["lapse"].nunique() == 1


def test_thresholds_stand_in_what_a_processor_leaves_too(made, tmp_path):
    own, grades, _ = made
    file = tmp_path / "seen_by_noisy.csv"
    file.write_text("\n".join(own.seen))
    table = frame_of(own.table, grades, {**SETTINGS, "read": {"noisy": str(file)}})
    found, (column, left) = rows(table, "noisy").set_index(list(own.names)), own.left
    shares = zip(map(tuple, found.index.to_frame().to_numpy()), found[column], strict=True)
    assert {at: share for at, share in shares if share == share} == left
    expected = found["threshold"] * found[column]
    assert found["threshold_left"].to_numpy(float) == pytest.approx(expected, nan_ok=True)
    assert rows(table, "guesser")[column].isna().all()


def test_every_form_says_why_there_is_no_threshold(made):
    own, grades, frame = made
    for form in FORMS:
        assert own.steps.below in form(frame, own.table, grades, SETTINGS).replace("\\%", "%")


def test_the_chart_marks_where_there_is_no_threshold(made):
    own, _, frame = made
    figure = own.draw({own.table.name: frame})
    open_marks = [
        sum(len(line.get_xdata()) for line in axes.lines if line.get_linestyle() == "None")
        for axes in figure.axes
    ]
    # All but those of the noisy one.
    assert sum(open_marks) == (frame.loc[frame["kind"] == "measured", "no_threshold"] != "").sum()
    assert sum(open_marks) >= len(own.rows) * (len(OBSERVERS) - 1)
