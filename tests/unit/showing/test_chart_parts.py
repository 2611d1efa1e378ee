"""What charts are made of: marks of models with their intervals, groups of them, baselines, each in its place."""

import math

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from afterimage.showing.charts.chart_parts import (
    GUESSING,
    Marks,
    draw_baseline,
    draw_groups,
    draw_model_marks,
    label_groups,
    say_empty,
)

ROWS = pd.DataFrame(
    [
        {"model": "a", "task": "x", "score": 50.0, "low": 40.0, "wide_low": 30.0, "high": 60.0},
        {"model": "a", "task": "y", "score": 20.0, "low": 10.0, "wide_low": None, "high": 25.0},
        {"model": "b", "task": "y", "score": 90.0, "low": 80.0, "wide_low": None, "high": 95.0},
    ]
)
ENDS = (("low", "high"), ("wide_low", "high"), ("not_there", "neither"))


@pytest.fixture
def axes():
    return Figure().subplots()


def bars(handle):
    """Return the lower and upper end of each interval that is drawn."""
    (lines,) = handle.lines[2]
    return [(round(low, 6), round(high, 6)) for (_, low), (_, high) in lines.get_segments()]


def test_marks_stand_side_by_side_around_their_group(axes):
    handles = draw_model_marks(axes, 2, ["a", "b"], lambda model: Marks([10, 20]), filled=0.6)
    positions = [handle.lines[0].get_xdata() for handle, _ in handles]
    assert np.allclose(positions, [[-0.15, 0.85], [0.15, 1.15]])
    assert [name for _, name in handles] == ["a", "b"]


def test_bars_reach_as_far_as_the_interval(axes):
    marks = Marks([50.0, 80.0], [40.0, 70.0], [65.0, 85.0])
    ((handle, _),) = draw_model_marks(axes, 2, ["a"], lambda model: marks)
    (bars,) = handle.lines[2]
    assert [segment[:, 1].tolist() for segment in bars.get_segments()] == [[40, 65], [70, 85]]


def test_a_value_a_hair_outside_of_its_interval_is_drawn(axes):
    marks = Marks([50.0], [50.0 + 1e-12], [60.0])
    draw_model_marks(axes, 1, ["a"], lambda model: marks)


def test_a_group_without_a_value_has_no_mark(axes):
    ((handle, _),) = draw_model_marks(axes, 2, ["a"], lambda model: Marks([np.nan, 3.0]))
    assert np.isnan(handle.lines[0].get_ydata()[0])


def test_bars_reach_as_far_as_the_wider_interval_that_is_there(axes):
    (a, _), (b, label) = draw_groups(axes, ROWS, "task", ["x", "y"], "score", ENDS)
    assert bars(a) == [(30.0, 60.0), (10.0, 25.0)]
    # What a model was not asked has no mark, and the other one stays in its place.
    assert label == "b"
    heights = b.lines[0].get_ydata()
    assert math.isnan(heights[0])
    assert heights[1] == 90.0
    assert 0.5 < b.lines[0].get_xdata()[1] < 1.5


def test_groups_may_be_told_apart_by_several_columns(axes):
    rows = ROWS.assign(prompt="p")
    ((handle, _), _) = draw_groups(axes, rows, ["task", "prompt"], [("y", "p")], "score", ENDS)
    assert list(handle.lines[0].get_ydata()) == [20.0]


def test_a_baseline_crosses_its_group_at_its_own_value(axes):
    _, label = draw_baseline(axes, [25.0, 50.0], "guessing", GUESSING)
    first, second = axes.get_lines()
    assert label == "guessing"
    assert list(second.get_ydata()) == [50.0, 50.0]
    left, right = first.get_xdata()
    assert -0.5 < left < 0 < right < 0.5


@pytest.mark.parametrize(("banded", "bands"), [(True, 2), (False, 0)])
def test_names_are_literal_and_every_other_group_stands_on_a_band(axes, banded, bands):
    label_groups(axes, ["$x$", "y", "z"], "accuracy, %", banded=banded)
    ticks = axes.get_xticklabels()
    assert [tick.get_text() for tick in ticks] == ["$x$", "y", "z"]
    assert not any(tick.get_parse_math() for tick in ticks)
    assert len(axes.patches) == bands


def test_a_panel_without_groups_says_so(axes):
    say_empty(axes)
    assert axes.texts[0].get_text() == "nothing was asked"
