"""People's thresholds as a band in the models' charts."""

import pandas as pd
import pytest

from afterimage.suites.blindtest.charts import draw_accuracy as draw_blindtest
from afterimage.suites.contrast.charts import draw as draw_contrast
from afterimage.suites.hidden_digits.charts import draw as draw_digits
from afterimage.suites.illusion_strength import charts
from afterimage.suites.search.charts import draw as draw_search

BOUNDED = {"threshold": 4.0, "threshold_low": 3.0, "threshold_high": 8.0}
MODEL = {"kind": "measured", "model": "a", "prompt": "where", "no_threshold": "", **BOUNDED}


def people(conditions):
    own = [
        {"person": "p1", "condition": condition, "people": None, **BOUNDED}
        for condition in conditions
    ]
    every = [
        {"person": "all", "condition": condition, "people": 12, **BOUNDED}
        for condition in conditions
    ]
    return pd.DataFrame([*own, *every])


@pytest.mark.parametrize(
    ("draw", "name", "rows", "conditions"),
    [
        (draw_contrast, "contrast", [{"frequency_cycles": f} for f in (8, 32)], ["8", "32"]),
        (
            draw_digits,
            "hidden_digits",
            [{"axis": "light", "blur": blur} for blur in ("sharp", "blurred")],
            ["light sharp", "light blurred"],
        ),
    ],
)
def test_the_quartiles_of_people_are_a_band_where_they_have_answered(draw, name, rows, conditions):
    frame = pd.DataFrame([{**MODEL, **row} for row in rows])
    plain = draw({name: frame})
    figure = draw({name: frame, f"{name}_people": people(conditions)})
    assert len(figure.axes[0].collections) == len(plain.axes[0].collections) + 1
    (band,) = figure.axes[0].collections[:1]
    heights = band.get_paths()[0].vertices[:, 1]
    assert heights.min() == pytest.approx(100 / 8) and heights.max() == pytest.approx(100 / 3)
    said = [text.get_text() for legend in figure.legends for text in legend.get_texts()]
    assert "people (n = 12): median, quartiles" in said


def equality(names, **row):
    bounds = {f"{name}{end}": 0.1 for name in names for end in ("", "_low", "_high")}
    return {"model": "a", "prompt": "p", "illusion": "fick", "strength": 1.0, **bounds, **row}


def test_magnitudes_and_points_of_equality_of_people_stand_where_it_was_asked_how_it_looks():
    told = [("0", 0.0, -0.05, 0.05), ("1", -0.3, -0.4, -0.2), ("magnitude", 0.3, 0.2, 0.4)]
    names = ("track", "pse", "pse_low", "pse_high")
    own = pd.DataFrame([dict(zip(names, row, strict=True)) for row in told])
    own = own.assign(condition="fick", person="all", people=7)
    rows = [
        equality(("magnitude", "pse", "knowledge_both"), question=question, no_pse="")
        for question in ("actual", "apparent")
    ]
    fitted = {"slope": 5.0, "location": 0.5, "criterion": 0.0, "lapse": 0.0}
    fits = pd.DataFrame([{**row, **fitted} for row in rows])
    cells = pd.DataFrame(columns=[*fits, "realised", "n", "unparsed", "first", "neutral"])
    tables = {"illusion_strength": fits, "illusion_strength_cells": cells}
    people = {"illusion_strength_people": own}

    def bands(axes):
        return [
            legend
            for legend in (*axes.patches, *axes.collections)
            if legend.get_alpha() is not None
        ]

    plain, shown = charts.draw_summary(tables), charts.draw_summary(tables | people)
    added = [len(bands(axes)) for axes in shown.axes]
    assert [len(bands(axes)) for axes in plain.axes] == [0, 0, 0] and added == [0, 1, 0]
    (band,) = bands(shown.axes[1])
    across = band.get_paths()[0].vertices[:, 0]
    assert (across.min(), across.max()) == pytest.approx((0.2, 0.4))
    curves = charts.draw_illusion(tables | people, "illusion_strength_fick")
    assert [len(bands(axes)) for axes in curves.axes] == [0, 2]
    for figure in (shown, curves):
        said = [text.get_text() for legend in figure.legends for text in legend.get_texts()]
        assert "people (n = 7): median, quartiles" in said


def test_what_people_tell_at_a_glance_is_a_band_over_the_items():
    names = ("d_prime", "d_prime_low", "d_prime_high")
    common = {"condition": "colour", "people": 5, "person": "all"}
    sizes = ("4", "32")
    own = [
        {**common, "track": size, **dict(zip(names, (2.0, 1.5, 2.5), strict=True))}
        for size in sizes
    ]
    models = [
        {"kind": "measured", "model": name, "prompt": "present", "condition": "colour"}
        | {"set_size": size, "d_prime": 3.0, "d_prime_low": 2.9, "d_prime_high": 3.1}
        for name in ("a", "b")
        for size in sizes
    ]
    figure = draw_search({"search": pd.DataFrame(models), "search_people": pd.DataFrame(own)})
    for axes in figure.axes[:2]:
        (band,) = [one for one in axes.collections if one.get_alpha() is not None]
        across, heights = band.get_paths()[0].vertices.T
        assert (heights.min(), heights.max()) == (1.5, 2.5)
        assert (across.min(), across.max()) == (4, 32)
    said = [text.get_text() for one in figure.legends for text in one.get_texts()]
    assert said == ["colour", "people (n = 5): median, quartiles"]
    (legend,) = draw_search({"search": pd.DataFrame(models)}).legends
    assert [text.get_text() for text in legend.get_texts()] == ["colour"]


def test_right_answers_of_people_are_a_band_across_their_task():
    rows = ["grid", "subway"]
    measured = [{"kind": "measured", "model": "a", "row": row} for row in rows]
    frame = pd.DataFrame(measured).assign(accuracy=50.0, low=40.0, high=60.0)
    names = {"accuracy": 90.0, "accuracy_low": 85.0, "accuracy_high": 95.0}
    own = pd.DataFrame([{"condition": "subway", "person": "all", "people": 3, **names}])
    figure = draw_blindtest({"blindtest": frame, "blindtest_people": own})
    (axes,) = figure.axes
    (band,) = [one for one in axes.collections if one.get_alpha() is not None]
    across, heights = band.get_paths()[0].vertices.T
    assert (heights.min(), heights.max()) == (85, 95) and across.min() > 0.5
    said = [text.get_text() for one in figure.legends for text in one.get_texts()]
    assert "people (n = 3): median, quartiles" in said
