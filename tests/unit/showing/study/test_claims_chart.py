"""The chart of who claims to see what was not shown."""

import pandas as pd

from afterimage.showing.study.charts import draw_claims
from afterimage.showing.study.without_image import ALL


def row(model, probe, claims, denies, **others):
    stances = {"claims_k": claims, "hedges_k": 0, "denies_k": denies, "unread_k": 0}
    shares = {"claims_low": 0.0, "claims_high": 50.0, "accuracy": 10.0, "accuracy_image": 90.0}
    where = {"suite": "illusion_vqa", "answer_type": ALL, "model": model, "probe": probe}
    return {**where, "n": claims + denies, **stances, **shares, **others}


def widths(axes):
    return [round(bar.get_width()) for bar in axes.patches if bar.get_width()]


def test_each_way_of_asking_has_a_panel_and_each_model_bars_of_a_hundred_percent():
    figure = draw_claims(
        {
            "claims": pd.DataFrame(
                [
                    row("one", "blank", 1, 3),
                    row("one", "silent", 4, 0),
                    row("two", "silent", 1, 1),
                    # Types of answers are left to the table.
                    row("one", "silent", 9, 0, answer_type="choice"),
                ]
            )
        }
    )
    silent, blank = figure.axes
    assert [axes.get_title(loc="left") or axes.get_title() for axes in figure.axes] == [
        "no image, nothing said",
        "a white image",
    ]
    assert widths(silent) == [100, 50, 50]
    # Who was not asked has no bar.
    assert widths(blank) == [25, 75]
    assert [label.get_text() for label in silent.get_yticklabels()] == ["one", "two"]


def test_over_several_suites_the_rows_of_all_are_shown():
    rows = [row("one", "silent", 1, 1), row("one", "silent", 1, 3, suite=ALL)]
    (axes,) = draw_claims({"claims": pd.DataFrame(rows)}).axes
    assert widths(axes) == [25, 75]


def test_without_rows_it_says_that_there_are_none():
    empty = pd.DataFrame([row("one", "silent", 1, 1)]).iloc[:0]
    (axes,) = draw_claims({"claims": empty}).axes
    assert axes.texts
