"""From a drawn figure to its files: in the study's language, for a dark background, for a phone.

The same figure always gives the same bytes."""

import os
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.cm import ScalarMappable
from matplotlib.figure import Figure
from matplotlib.gridspec import GridSpec
from matplotlib.legend import Legend
from matplotlib.projections.polar import PolarAxes
from matplotlib.text import Text
from matplotlib.ticker import FixedFormatter, FuncFormatter

from afterimage.files.paths import atomic_path
from afterimage.showing.charts.figure_style import entries_of
from afterimage.showing.charts.typefaces import use_japanese_font
from afterimage.showing.language import words_of


def translate_figure(
    figure: Figure, spec: Mapping[str, Any], *parts: str, marked: str | None = None
) -> None:
    """Translate the texts of a finished figure into the study's language, before it is saved.

    Args:
        figure: Drawn in English.
        spec: "language" is absent for English.
        parts: The parts of the translations to look in.
        marked: Translate only texts with this ``gid``; None for all.
    """
    words = words_of(spec, *parts)
    if "language" not in spec:
        return
    # Japanese, the only other language, has characters that the charts' own typeface lacks.
    use_japanese_font()
    families = mpl.rcParams["font.family"]

    def translate(text: str) -> str:
        whole = words.translate(text)
        return "\n".join(map(words.translate, text.split("\n"))) if whole == text else whole

    for axis in _axes(figure):
        _translate_ticks(axis, translate)
        axis.set_tick_params(which="both", labelfontfamily=families)
    for text in figure.findobj(Text):
        if marked is None or text.get_gid() == marked:
            text.set_text(translate(text.get_text()))
        text.set_fontfamily(families)


def _axes(figure: Figure) -> Iterator[Axis]:
    for axes in figure.axes:
        yield from (axes.xaxis, axes.yaxis)


def _translate_ticks(axis: Axis, translate: Callable[[str], str]) -> None:
    """Translate named tick labels; numeric ones stay."""
    formatter = axis.get_major_formatter()
    if isinstance(formatter, FuncFormatter):
        named = formatter.func

        def named_in_language(value: Any, position: Any = None) -> str:
            return translate(named(value, position))

        formatter.func = named_in_language
    elif isinstance(formatter, FixedFormatter):
        formatter.seq = [translate(text) for text in formatter.seq]


# ---- files ----


def save_figure(figure: Figure, outputs: Iterable[str | os.PathLike[str]]) -> None:
    """Write a figure to some files, each in the format of its suffix, cropped to what is drawn.

    The layout and the size are computed once; matplotlib would draw everything again for each file.
    """
    if layout := figure.get_layout_engine():
        layout.execute(figure)
        figure.set_layout_engine(None)
    drawn = figure.get_tightbbox().padded(mpl.rcParams["savefig.pad_inches"])
    for output in outputs:
        # A date in the file would change its bytes each time.
        undated = {"CreationDate": None} if Path(output).suffix == ".pdf" else {}
        with atomic_path(output) as temporary:
            figure.savefig(temporary, bbox_inches=drawn, metadata=undated)


# ---- for a dark background ----
#
# Every colour keeps its hue and changes its lightness, white to near black and ink to white, in OKLab (Ottosson 2020),
# where equal steps of lightness look equal. A page's style has the same colours (:data:`showing.looks.COLOURS`), so
# that a model looks the same in a chart and on the page.

# Lightness that white and black become.
_GROUND, _INK = 0.2, 0.95
# Below 1, middle tones get lighter, as they have to be on a dark background.
_LIFT = 0.6
_TO_LMS = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)
# Bits of red, green and blue in a colour that is packed into one number.
_SHIFTS = np.array([16, 8, 0], np.uint32)


def on_dark(pixels: np.ndarray) -> np.ndarray:
    """Return an image for a dark background.

    Args:
        pixels: uint8, shape (height, width, 3 or 4); transparency stays.
    """
    shown = np.array(pixels)
    colours = shown[..., :3]
    packed = np.bitwise_or.reduce(colours.astype(np.uint32) << _SHIFTS, axis=2).ravel()
    # A chart has millions of pixels, in runs of some thousand colours.
    starts = np.flatnonzero(np.diff(packed, prepend=~packed[:1]))
    distinct, which = np.unique(packed[starts], return_inverse=True)
    levels = (distinct[:, None] >> _SHIFTS) & 255
    dark = np.rint(255 * _darkened(levels / 255)).astype(np.uint8)
    lengths = np.diff(starts, append=len(packed))
    colours[:] = np.repeat(dark[which], lengths, axis=0).reshape(colours.shape)
    return shown


def _darkened(colours: np.ndarray) -> np.ndarray:
    """Return sRGB colours from 0 to 1 with inverted lightness, shape (..., 3)."""
    linear = np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)
    lab = np.cbrt(linear @ _TO_LMS.T) @ _TO_LAB.T
    lab[..., 0] = _GROUND + (_INK - _GROUND) * np.clip(1 - lab[..., 0], 0, 1) ** _LIFT
    light = (lab @ np.linalg.inv(_TO_LAB).T) ** 3 @ np.linalg.inv(_TO_LMS).T
    light = np.clip(light, 0, 1)
    encoded: np.ndarray = np.where(
        light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055
    )
    return encoded


# ---- for a phone: no wider than its screen, panels in a column ----

#: Width of a chart, so that its words are as large as the page's small print on a screen of 390 px.
NARROW_INCHES = 3.9
# Minimum height of a panel; the height of title and labels; the height of a polar panel.
_MIN_HEIGHT, _AROUND, _POLAR_HEIGHT = 1.5, 0.55, 3.4
_MIN_SQUARES = 0.5
# More panels are put into two columns.
_MAX_IN_A_COLUMN = 12
_LETTERS = 44
_COLOUR_BAR = "<colorbar>"


def make_narrow(figure: Figure) -> None:
    """Lay a finished figure out again for a narrow screen; call after it has been saved as drawn."""
    # Part of a figure is a figure to matplotlib, but not to its types.
    parts: Sequence[Any] = figure.subfigs or [figure]
    bars = [bar for part in parts for bar in _remove_colour_bars(part)]
    heights = [_stack(part) for part in parts]
    figure.set_size_inches(NARROW_INCHES, sum(heights))
    if figure.subfigs:
        parts[0]._subplotspec.get_gridspec().set_height_ratios(heights)
    figure.set_layout_engine("constrained")
    for mappable, label in bars:
        bar = figure.colorbar(mappable, ax=figure.axes, location="bottom", aspect=30)
        bar.set_label("\n".join(textwrap.wrap(label, _LETTERS)))
    _fit_words(figure)
    for legend in _legends(figure):
        _fit_legend(figure, legend)


def _remove_colour_bars(part: Any) -> list[tuple[ScalarMappable, str]]:
    """Remove colour bars, and return what each explains with its label."""
    bars = [axes._colorbar for axes in part.axes if axes.get_label() == _COLOUR_BAR]
    removed = [(bar.mappable, bar.ax.get_xlabel() or bar.ax.get_ylabel()) for bar in bars]
    for bar in bars:
        bar.ax.remove()
    return removed


def _stack(part: Any) -> float:
    """Stack the panels of a figure, and return the figure's new height in inches."""
    placed = [axes for axes in part.axes if axes.get_subplotspec() is not None]
    panels = [axes for axes in placed if axes.axison] or placed[:1]
    for axes in placed:
        if axes not in panels:
            axes.remove()
    if not panels:
        return _MIN_HEIGHT
    columns = 1 if len(panels) <= _MAX_IN_A_COLUMN else 2
    rows = -(-len(panels) // columns)
    heights = [_panel_height(axes, part) for axes in panels]
    _label_panels(panels, columns)
    row_heights = [
        max(heights[first : first + columns]) for first in range(0, len(panels), columns)
    ]
    grid = GridSpec(rows, columns, figure=part, height_ratios=row_heights)
    for index, axes in enumerate(panels):
        axes.set_subplotspec(grid[index])
    return sum(row_heights) + _AROUND * rows


def _panel_height(axes: Axes, part: Any) -> float:
    if isinstance(axes, PolarAxes):
        return _POLAR_HEIGHT
    inches = axes.get_position().height * part.bbox.height / part.figure.dpi
    # Squares stay squares.
    return max(_MIN_HEIGHT if axes.get_aspect() == "auto" else _MIN_SQUARES, float(inches))


def _label_panels(panels: Sequence[Axes], columns: int) -> None:
    """Give each panel the title and axis labels that it shared with its neighbours."""
    specs = {axes: axes.get_subplotspec() for axes in panels}
    x_labels = {axes.get_xlabel() for axes in panels} - {""}
    words = {axes: _panel_words(axes, panels, specs) for axes in panels}
    for index, axes in enumerate(panels):
        title, x_label, left = words[axes]
        if not axes.get_title(loc="left") and not axes.get_title(loc="center"):
            axes.set_title(title, parse_math=False)
        # A label that all panels share is shown once, at the end.
        is_last = index >= len(panels) - columns
        axes.set_xlabel(x_label if len(x_labels) > 1 or is_last else "")
        if isinstance(axes, PolarAxes):
            continue
        is_left = index % columns == 0
        y_label = (axes.get_ylabel() or left.get_ylabel()) if is_left else ""
        axes.set_ylabel(y_label, fontsize=left.yaxis.label.get_fontsize())
        if not len(axes.get_yticks()):
            axes.set_yticks(
                left.get_yticks(), [label.get_text() for label in left.get_yticklabels()]
            )
        axes.tick_params(labelleft=is_left or columns == 1, labelbottom=True)


def _panel_words(axes: Axes, panels: Sequence[Axes], specs: Any) -> tuple[str, str, Axes]:
    """Return a panel's title and x label, and the leftmost panel of its row."""
    spec = specs[axes]
    column = [panel for panel in panels if specs[panel].colspan.start == spec.colspan.start]
    above = [panel for panel in column if specs[panel].rowspan.start <= spec.rowspan.start]
    titles = [panel.get_title(loc="left") or panel.get_title(loc="center") for panel in above]
    row = [panel for panel in panels if specs[panel].rowspan.start == spec.rowspan.start]
    left = min(row, key=lambda panel: specs[panel].colspan.start)
    x_labels = [panel.get_xlabel() for panel in column]
    x_label = axes.get_xlabel() or next(filter(None, reversed(x_labels)), "")
    return next(filter(None, reversed(titles)), ""), x_label, left


def _fit_words(figure: Figure) -> None:
    for axes in figure.axes:
        for loc in ("left", "center"):
            title = axes.get_title(loc=loc)
            if len(title) > _LETTERS:
                axes.set_title(_wrapped(title), loc=loc)
        axes.set_xlabel(_wrapped(axes.get_xlabel()))
    figure.draw_without_rendering()
    for axes in figure.axes:
        if isinstance(axes, PolarAxes):
            continue
        labels = [
            label for label in axes.get_xticklabels() if label.get_text() and label.get_visible()
        ]
        boxes = sorted((label.get_window_extent() for label in labels), key=lambda box: box.x0)
        if any(left.x1 > right.x0 for left, right in pairwise(boxes)):
            axes.tick_params(axis="x", labelrotation=90)


def _wrapped(text: str) -> str:
    return "\n".join(
        line for paragraph in text.split("\n") for line in textwrap.wrap(paragraph, _LETTERS)
    )


def _legends(figure: Figure) -> list[Legend]:
    """Return all legends; a narrow chart has room for them only below."""
    axes_legends = [axes.get_legend() for axes in figure.axes]
    return [*figure.legends, *(legend for legend in axes_legends if legend is not None)]


def _fit_legend(figure: Figure, legend: Legend) -> None:
    """Move a legend below the chart, in as many columns as fit, and make the figure higher to hold it."""
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
