"""Charts of fourteen models: legends no wider than the chart, names that do not lie on each other."""

from itertools import pairwise

import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from report_samples import MANY

from afterimage.showing.charts.figure_style import legend_below
from afterimage.suites.illusion_vqa.charts import CLASSES, CONDITIONS, draw


def drawn(figure):
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return canvas.get_renderer()


def test_a_legend_is_no_wider_than_its_figure_and_takes_nothing_from_the_axes():
    heights = []
    for names in (tuple("abcdefghijklmn"), MANY):
        figure = Figure(figsize=(7, 3), layout="constrained")
        axes = figure.subplots()
        legend = legend_below(figure, [(Line2D([], []), name) for name in names], columns=6)
        renderer = drawn(figure)
        assert legend.get_window_extent(renderer).width <= figure.bbox.width
        assert [text.get_text() for text in legend.get_texts()] == list(names)
        assert len(figure.legends) == 1
        heights.append(axes.get_window_extent(renderer).height)
    short, long = heights
    assert long == pytest.approx(short, rel=0.05)


@pytest.mark.parametrize("count", [3, 14])
def test_names_of_models_do_not_lie_on_each_other(count):
    rows = [
        {"model": model, "prompt": "p", "subset": "all", "kind": "measured", "n": 28}
        | {"condition": condition}
        | {f"{name}{part}": 25.0 for name in CLASSES for part in ("", "_low", "_high")}
        for model in MANY[:count]
        for condition in CONDITIONS
    ]
    figure = draw({"genuine_vqa": pd.DataFrame(rows)})
    renderer = drawn(figure)
    labels = [text for text in figure.axes[-1].get_xticklabels() if text.get_visible()]
    assert len(labels) == count
    boxes = [text.get_window_extent(renderer) for text in labels]
    assert all(left.x1 <= right.x0 for left, right in pairwise(boxes))
    # At most a page wide.
    assert figure.get_figwidth() <= 8.5
