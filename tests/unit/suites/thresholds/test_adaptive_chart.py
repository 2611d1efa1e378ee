"""The chart of what was asked adaptively."""

from io import StringIO

import numpy as np
import pandas as pd
import pytest

from afterimage.files.csv_rows import read_frame
from afterimage.suites.thresholds.charts import draw_adaptive as draw

KNOWN = {"estimate": 2.0, "estimate_low": 1.0, "estimate_high": 4.0, "no_estimate": np.nan}
NONE = {**dict.fromkeys(("estimate", "estimate_low", "estimate_high")), "no_estimate": "flat"}


def rows(model, prompt="where"):
    curves = {"8": KNOWN, "32": NONE, "all": NONE}
    return [
        {"model": model, "prompt": prompt, "curve": one, **found} for one, found in curves.items()
    ]


def as_read(frame):
    """Return a table as its chart gets it: from the CSV."""
    return read_frame(StringIO(frame.to_csv(index=False)))


def drawn(*own):
    frame = as_read(pd.DataFrame([row for part in own for row in part]))
    return draw({"adaptive_contrast": frame}, "adaptive_contrast")


def test_each_curve_has_its_interval_or_the_reason_why_there_is_none():
    figure = drawn(rows("a"), rows("b"))
    assert [axes.get_title(loc="left") or axes.get_title() for axes in figure.axes] == ["a", "b"]
    for axes in figure.axes:
        assert [text.get_text() for text in axes.get_yticklabels()][:2] in (["8", "32"], [])
        (bars,) = axes.collections
        assert bars.get_segments()[0].tolist() == [[1, 0], [4, 0]]
        assert [text.get_text() for text in axes.texts if text.get_text()] == ["flat"]
        assert axes.get_xlabel() == "threshold, %"


@pytest.mark.parametrize(
    "suite, sought",
    [
        ("contrast", "threshold, %"),
        ("hidden_digits", "threshold, CIEDE2000"),
        ("illusion_strength", "point of equality"),
        ("search", "d' per doubling of the items"),
    ],
)
def test_the_axis_says_what_each_suite_seeks(suite, sought):
    frame = as_read(pd.DataFrame(rows("a")))
    assert draw({f"adaptive_{suite}": frame}, f"adaptive_{suite}").axes[0].get_xlabel() == sought


def test_curves_of_several_prompts_are_told_apart():
    (axes,) = drawn([*rows("a"), *rows("a", "three")]).axes
    labels = [text.get_text() for text in axes.get_yticklabels()]
    assert labels == ["8 (where)", "32 (where)", "8 (three)", "32 (three)"]


def test_without_any_model_the_chart_says_so():
    frame = pd.DataFrame(columns=["model", "prompt", "curve", *KNOWN])
    figure = draw({"adaptive_search": frame}, "adaptive_search")
    assert [text.get_text() for text in figure.axes[0].texts] == ["nothing was asked"]


def test_people_who_answered_are_a_band_across_their_curves():
    frame = pd.DataFrame(rows("a"))
    found = {"threshold": 4.0, "threshold_low": 3.0, "threshold_high": 8.0}
    people = pd.DataFrame(
        [
            {"condition": condition, "track": "", "person": person, "people": 7, **found}
            for condition in ("8", "16")
            for person in ("ann", "all")
        ]
    )
    figure = draw(
        {"adaptive_contrast": frame, "contrast_people": as_read(people)}, "adaptive_contrast"
    )
    (band,) = [
        collection
        for collection in figure.axes[0].collections
        if collection.get_alpha() is not None
    ]
    across, along = band.get_paths()[0].vertices.T
    assert (across.min(), across.max()) == (3, 8) and abs(along).max() == 0.35
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["people (n = 7): median, quartiles"]


def test_people_were_asked_how_an_illusion_looks():
    curves = ("fick actual 1", "fick apparent 1", "fick apparent 0")
    frame = pd.DataFrame(
        [{"model": "a", "prompt": "zero_shot", "curve": curve, **KNOWN} for curve in curves]
    )
    found = {"pse": -0.3, "pse_low": -0.4, "pse_high": -0.2}
    people = pd.DataFrame(
        [
            {"condition": "fick", "track": track, "person": "all", "people": 7, **found}
            for track in ("1", "magnitude")
        ]
    )
    tables = {
        "adaptive_illusion_strength": as_read(frame),
        "illusion_strength_people": as_read(people),
    }
    (axes,) = draw(tables, "adaptive_illusion_strength").axes
    (band,) = [collection for collection in axes.collections if collection.get_alpha() is not None]
    assert band.get_paths()[0].vertices[:, 1].mean().round() == 1
