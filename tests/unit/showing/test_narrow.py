"""Charts for a phone: one panel below the other, every one with its words, and no wider than a screen."""

from itertools import pairwise

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from PIL import Image

from afterimage.showing.charts import figure_style
from afterimage.showing.charts.figure_style import legend_below
from afterimage.showing.charts.finished_figure import NARROW_INCHES, make_narrow, save_figure
from afterimage.stages.charts import draw_chart


def drawn(rows, columns, names=("a", "b"), **options):
    figure_style.apply()
    figure = Figure(figsize=(3 * columns, 2 * rows), layout="constrained")
    panels = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False, **options)
    for number, axes in enumerate(panels.flat):
        axes.plot([0, 1], [0, number])
        axes.set_title(f"panel {number}")
    for axes in panels[:, 0]:
        axes.set_ylabel("accuracy, %")
    for axes in panels[-1]:
        axes.set_xlabel("gap, in diameters")
    legend_below(figure, [(Line2D([], [], marker="s"), name) for name in names], columns=6)
    return figure


def boxes(figure):
    return [axes.get_window_extent() for axes in figure.axes]


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (1, 3), (2, 4)])
def test_panels_stand_below_each_other_with_their_words(rows, columns):
    figure = drawn(rows, columns)
    make_narrow(figure)
    figure.draw_without_rendering()
    shown = boxes(figure)
    assert all(upper.y0 > lower.y1 for upper, lower in pairwise(shown))
    assert [axes.get_ylabel() for axes in figure.axes] == ["accuracy, %"] * rows * columns
    # What is the same below all of them stands once.
    assert [axes.get_xlabel() for axes in figure.axes if axes.get_xlabel()] == ["gap, in diameters"]
    assert figure.axes[-1].get_xlabel()
    assert [axes.get_title() or axes.get_title(loc="left") for axes in figure.axes] == [
        f"panel {number}" for number in range(rows * columns)
    ]


def test_a_chart_is_as_wide_as_a_screen_whatever_its_legend_says(tmp_path):
    names = [f"provider-model-{number}b-instruct-2026" for number in range(9)]
    figure = drawn(1, 2, names)
    make_narrow(figure)
    save_figure(figure, [tmp_path / "narrow.png"])
    with Image.open(tmp_path / "narrow.png") as picture:
        assert picture.width <= (NARROW_INCHES + 0.3) * 200
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == names
    assert all(handle.get_marker() == "s" for handle in legend.legend_handles)


def test_a_title_over_a_column_stands_above_each_of_its_panels():
    figure = drawn(2, 2)
    for axes in figure.axes[2:]:
        axes.set_title("")
        axes.set_title("", loc="left")
    make_narrow(figure)
    titles = [axes.get_title(loc="left") or axes.get_title() for axes in figure.axes]
    assert titles == ["panel 0", "panel 1"] * 2


def test_panels_without_anything_are_left_out_and_colour_bars_stay():
    figure = drawn(2, 2)
    figure.axes[-1].set_axis_off()
    image = figure.axes[0].imshow(np.eye(3))
    bar = figure.colorbar(image, ax=figure.axes[:3])
    bar.set_label("share, %")
    make_narrow(figure)
    figure.draw_without_rendering()
    assert len(figure.axes) == 4
    assert figure.axes[-1].get_xlabel() == "share, %"


def test_a_chart_without_panels_stays_what_it_is():
    figure = Figure(figsize=(4, 1))
    figure.text(0.5, 0.5, "nothing was asked")
    make_narrow(figure)
    assert figure.texts[0].get_text() == "nothing was asked"


def draw_one(tables):
    return drawn(1, 2)


def test_a_chart_is_written_for_every_screen(tmp_path):
    (tmp_path / "t.csv").write_text("model,accuracy\na,1\n", encoding="utf-8")
    forms = ("png", "pdf", "dark", "narrow", "narrow_dark")
    files = {form: tmp_path / f"c.{form}{'' if form == 'pdf' else '.png'}" for form in forms}
    spec = {"part": f"{__name__}:draw_one", "kinds": [["a", "model"]]}
    draw_chart(spec, {"tables": [tmp_path / "t.csv"]}, files, {})
    pictures = {}
    for form in ("png", "dark", "narrow", "narrow_dark"):
        with Image.open(files[form]) as picture:
            pictures[form] = np.asarray(picture.convert("RGB"))
    assert pictures["dark"].shape == pictures["png"].shape
    assert pictures["narrow_dark"].shape == pictures["narrow"].shape
    assert pictures["narrow"].shape[1] < pictures["png"].shape[1]
    assert pictures["png"][0, 0].min() > 250 and pictures["dark"][0, 0].max() < 40
    assert pictures["narrow_dark"][0, 0].max() < 40
