"""Charts for a phone: no wider than its screen at a size that can be read, one panel below the other."""

import textwrap
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.figure import Figure
from matplotlib.gridspec import GridSpec
from matplotlib.legend import Legend
from matplotlib.projections.polar import PolarAxes

from afterimage.showing.model_styles import entries_of

#: Width of a chart, so that its words are as large as the page's small print on a screen of 390 px.
INCHES = 3.9
# Of a panel: it keeps its height within these; what stands above and below it; and that of a circle.
_LEAST_HEIGHT, _AROUND, _POLAR_HEIGHT = 1.5, 0.55, 3.4
_LEAST_SQUARES = 0.5
# More panels stand in two columns.
_MOST_IN_A_COLUMN = 12
_LETTERS = 44
_COLOUR_BAR = "<colorbar>"


def make_narrow(figure: Figure) -> None:
    """Lay a finished figure out once more for a narrow screen; call after it has been saved as it was drawn."""
    # Part of a figure is a figure to matplotlib, but not to its types.
    parts: Sequence[Any] = figure.subfigs or [figure]
    bars = [bar for part in parts for bar in _without_colour_bars(part)]
    heights = [_stack(part) for part in parts]
    figure.set_size_inches(INCHES, sum(heights))
    if figure.subfigs:
        parts[0]._subplotspec.get_gridspec().set_height_ratios(heights)
    figure.set_layout_engine("constrained")
    for mappable, label in bars:
        bar = figure.colorbar(mappable, ax=figure.axes, location="bottom", aspect=30)
        bar.set_label("\n".join(textwrap.wrap(label, _LETTERS)))
    _fit_words(figure)
    for legend in _legends(figure):
        _fit_legend(figure, legend)


def _without_colour_bars(part: Any) -> list[tuple[ScalarMappable, str]]:
    """Take off what explains colours, and return it with its words."""
    bars = [axes._colorbar for axes in part.axes if axes.get_label() == _COLOUR_BAR]
    told = [(bar.mappable, bar.ax.get_xlabel() or bar.ax.get_ylabel()) for bar in bars]
    for bar in bars:
        bar.ax.remove()
    return told


def _stack(part: Any) -> float:
    """Put the panels of a figure below each other, and return how high it has to be, in inches."""
    placed = [axes for axes in part.axes if axes.get_subplotspec() is not None]
    panels = [axes for axes in placed if axes.axison] or placed[:1]
    for axes in placed:
        if axes not in panels:
            axes.remove()
    if not panels:
        return _LEAST_HEIGHT
    columns = 1 if len(panels) <= _MOST_IN_A_COLUMN else 2
    rows = -(-len(panels) // columns)
    heights = [_height(axes, part) for axes in panels]
    _label(panels, columns)
    of_rows = [max(heights[first : first + columns]) for first in range(0, len(panels), columns)]
    grid = GridSpec(rows, columns, figure=part, height_ratios=of_rows)
    for place, axes in enumerate(panels):
        axes.set_subplotspec(grid[place])
    return sum(of_rows) + _AROUND * rows


def _height(axes: Axes, part: Any) -> float:
    if isinstance(axes, PolarAxes):
        return _POLAR_HEIGHT
    inches = axes.get_position().height * part.bbox.height / part.figure.dpi
    # Squares stay squares.
    return max(_LEAST_HEIGHT if axes.get_aspect() == "auto" else _LEAST_SQUARES, float(inches))


def _label(panels: Sequence[Axes], columns: int) -> None:
    """Give each panel the words that stood beside, above or below its neighbours."""
    places = {axes: axes.get_subplotspec() for axes in panels}
    x_labels = {axes.get_xlabel() for axes in panels} - {""}
    told = {axes: _words_of(axes, panels, places) for axes in panels}
    for place, axes in enumerate(panels):
        title, x_label, left = told[axes]
        if not axes.get_title(loc="left") and not axes.get_title(loc="center"):
            axes.set_title(title, parse_math=False)
        # What all have in common stands once, at the end.
        is_last = place >= len(panels) - columns
        axes.set_xlabel(x_label if len(x_labels) > 1 or is_last else "")
        if isinstance(axes, PolarAxes):
            continue
        is_left = place % columns == 0
        y_label = (axes.get_ylabel() or left.get_ylabel()) if is_left else ""
        axes.set_ylabel(y_label, fontsize=left.yaxis.label.get_fontsize())
        if not len(axes.get_yticks()):
            axes.set_yticks(left.get_yticks(), [one.get_text() for one in left.get_yticklabels()])
        axes.tick_params(labelleft=is_left or columns == 1, labelbottom=True)


def _words_of(axes: Axes, panels: Sequence[Axes], places: Any) -> tuple[str, str, Axes]:
    """Return the title above a panel, the label below it, and the panel at the left end of its row."""
    own = places[axes]
    column = [one for one in panels if places[one].colspan.start == own.colspan.start]
    above = [one for one in column if places[one].rowspan.start <= own.rowspan.start]
    titles = [one.get_title(loc="left") or one.get_title(loc="center") for one in above]
    row = [one for one in panels if places[one].rowspan.start == own.rowspan.start]
    left = min(row, key=lambda one: places[one].colspan.start)
    x_labels = [one.get_xlabel() for one in column]
    x_label = axes.get_xlabel() or next(filter(None, reversed(x_labels)), "")
    return next(filter(None, reversed(titles)), ""), x_label, left


def _fit_words(figure: Figure) -> None:
    for axes in figure.axes:
        for where in ("left", "center"):
            title = axes.get_title(loc=where)
            if len(title) > _LETTERS:
                axes.set_title(_wrapped(title), loc=where)
        axes.set_xlabel(_wrapped(axes.get_xlabel()))
    figure.draw_without_rendering()
    for axes in figure.axes:
        if isinstance(axes, PolarAxes):
            continue
        labels = [one for one in axes.get_xticklabels() if one.get_text() and one.get_visible()]
        boxes = sorted((one.get_window_extent() for one in labels), key=lambda box: box.x0)
        if any(left.x1 > right.x0 for left, right in pairwise(boxes)):
            axes.tick_params(axis="x", labelrotation=90)


def _wrapped(text: str) -> str:
    """Wrap each line of a text."""
    return "\n".join(line for own in text.split("\n") for line in textwrap.wrap(own, _LETTERS))


def _legends(figure: Figure) -> list[Legend]:
    """Return all legends: below a narrow chart there is room, beside it is none."""
    beside = [axes.get_legend() for axes in figure.axes]
    return [*figure.legends, *(legend for legend in beside if legend is not None)]


def _fit_legend(figure: Figure, legend: Legend) -> None:
    """Put a legend below the chart, in as many columns as there is room for, and make the figure higher by it."""
    entries = entries_of(legend)
    title = legend.get_title().get_text()
    if not entries:
        return
    was_below = legend in figure.legends
    height = legend.get_window_extent().height if was_below else 0.0
    legend.remove()
    made = legend
    for columns in range(min(len(entries), 4), 0, -1):
        made = figure.legend(
            [handle for handle, _ in entries],
            [word for _, word in entries],
            loc="outside lower center",
            ncols=columns,
            frameon=False,
            fontsize="small",
            title=title or None,
        )
        for text in made.get_texts():
            text.set_parse_math(False)
        if columns == 1 or made.get_window_extent().width <= figure.bbox.width:
            break
        made.remove()
    more = made.get_window_extent().height - height
    figure.set_figheight(figure.get_figheight() + more / figure.dpi)
