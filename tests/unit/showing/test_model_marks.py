"""Marks with intervals: one per model and group, side by side, as far as the interval."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from afterimage.showing.chart_parts import Marks, draw_model_marks


@pytest.fixture
def axes():
    return Figure().subplots()


def test_marks_stand_side_by_side_around_their_group(axes):
    handles = draw_model_marks(axes, 2, ["a", "b"], lambda model: Marks([10, 20]), filled=0.6)
    places = [handle.lines[0].get_xdata() for handle, _ in handles]
    assert np.allclose(places, [[-0.15, 0.85], [0.15, 1.15]])
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
