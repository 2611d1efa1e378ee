"""Charts of scores in groups: each model and each baseline in its place."""

import math

import pandas as pd
import pytest

from afterimage.showing.group_chart import (
    GUESSING,
    Baseline,
    Groups,
    draw_groups,
    group_figure,
    looked_up,
)

ROWS = pd.DataFrame(
    [
        {"model": "a", "task": "x", "score": 50.0, "low": 40.0, "wide_low": 30.0, "high": 60.0},
        {"model": "a", "task": "y", "score": 20.0, "low": 10.0, "wide_low": None, "high": 25.0},
        {"model": "b", "task": "y", "score": 90.0, "low": 80.0, "wide_low": None, "high": 95.0},
    ]
)
MARKS = looked_up(ROWS, "task", ["x", "y"], "score", ["low", "wide_low"], ["high"])


def panel(names=("x", "y"), values=(25.0, math.nan)):
    return Groups(names, ["a", "b"], MARKS, [Baseline("guessing", values, GUESSING)])


def test_marks_are_looked_up_by_group_with_the_wider_interval():
    a, b = MARKS("a"), MARKS("b")
    assert list(a.values) == [50.0, 20.0]
    assert list(a.low) == [30.0, 10.0]
    assert list(a.high) == [60.0, 25.0]
    # What a model was not asked has no mark, and the others stay in their places.
    assert math.isnan(b.values.iloc[0])
    assert b.values.iloc[1] == 90.0


def test_groups_may_be_told_apart_by_several_columns():
    rows = ROWS.assign(prompt="p")
    marks = looked_up(rows, ["task", "prompt"], [("y", "p")], "score", ["low"], ["high"])
    assert list(marks("a").values) == [20.0]


def test_a_baseline_crosses_its_group_at_its_own_value():
    figure = group_figure(panel())
    (axes,) = figure.axes
    across = [line for line in axes.get_lines() if line.get_linestyle() == "--"]
    assert [list(line.get_ydata()) for line in across[:1]] == [[25.0, 25.0]]
    left, right = across[0].get_xdata()
    assert -0.5 < left < 0 < right < 0.5
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["x", "y"]


def test_the_legend_names_models_and_baselines_once_whatever_the_panels():
    (legend,) = group_figure(panel(), panel()).legends
    assert [text.get_text() for text in legend.get_texts()] == ["a", "b", "guessing"]


@pytest.mark.parametrize("names", [("x", "y"), ("x",)])
def test_a_single_group_has_no_darker_ground(names):
    axes = group_figure(panel()).axes[0]
    axes.clear()
    marks = looked_up(ROWS, "task", list(names), "score", ["low"], ["high"])
    draw_groups(axes, Groups(names, ["a"], marks))
    assert len(axes.patches) == len(names) - 1


def test_a_panel_without_groups_says_so_and_has_no_legend():
    figure = group_figure(Groups((), [], MARKS))
    assert figure.axes[0].texts[0].get_text() == "nothing was asked"
    assert not figure.legends
