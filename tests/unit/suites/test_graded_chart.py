"""Charts of numbers on probabilities beside those on readings."""

import pandas as pd
import pytest

from afterimage.contract.finding import load_suite
from afterimage.contract.parts import resolve

TABLES = {
    "contrast": ("threshold", "no_threshold", {"frequency_cycles": "4"}),
    "hidden_digits": ("threshold", "no_threshold", {"condition": "light sharp"}),
    "search": ("d_prime", None, {"condition": "colour", "set_size": 8}),
    "illusion_strength": (
        *("pse", "no_pse"),
        {"illusion": "ponzo", "strength": 1.0, "question": "actual"},
    ),
}


@pytest.mark.parametrize("suite", TABLES)
def test_both_ways_and_all_that_was_shown_are_drawn_and_a_reason_is_written(suite):
    number, reason, names = TABLES[suite]
    rows = []
    for shown, value in (("image", 2.0), ("blank", float("nan")), ("none", 4.0)):
        row = {"model": "m", "prompt": "p", "shown": shown, **names}
        for way in ("read", "graded"):
            for end in ("", "_low", "_high"):
                row[f"{number}{end}_{way}"] = value + (way == "graded")
            if reason:
                row[f"{reason}_{way}"] = "flat" if shown == "blank" else ""
        rows.append(row)
    (chart,) = load_suite(suite).graded_charts
    draw = resolve(chart.part)
    figure = draw({chart.name: pd.DataFrame(rows)})
    axes = figure.axes[0]
    drawn = {x for line in axes.lines for x in line.get_xdata() if x == x}
    assert drawn == {2, 3, 4, 5}
    assert [text.get_text() for text in axes.texts] == ["flat" if reason else "none"] * 2
    words = [text.get_text() for text in figure.legends[0].get_texts()]
    assert words[-2:] == ["as read", "on probabilities"]
    assert len(words) == 5


def test_thresholds_that_nobody_has_are_told_in_words():
    ends = [f"threshold{end}_{way}" for way in ("read", "graded") for end in ("", "_low", "_high")]
    row = {"model": "m", "prompt": "p", "shown": "image", "frequency_cycles": "4"}
    row |= dict.fromkeys(ends, float("nan"))
    row |= {"no_threshold_read": "flat", "no_threshold_graded": "below 0.5 %"}
    (chart,) = load_suite("contrast").graded_charts
    figure = resolve(chart.part)({chart.name: pd.DataFrame([row])})
    figure.canvas.draw()
    assert [text.get_text() for text in figure.axes[0].texts] == ["flat", "below 0.5 %"]


@pytest.mark.parametrize("suite", TABLES)
def test_a_table_without_rows_is_a_chart_that_says_so(suite):
    number, _, names = TABLES[suite]
    ends = [f"{number}{end}_{way}" for way in ("read", "graded") for end in ("", "_low", "_high")]
    (chart,) = load_suite(suite).graded_charts
    draw = resolve(chart.part)
    columns = ["model", "prompt", "shown", *names, *ends]
    assert draw({chart.name: pd.DataFrame(columns=columns)}).axes[0].texts
