"""The style of all charts: print size, readable for the colour-blind and in grey.

Models differ in colour, marker and stroke, so that any one of them suffices."""

from collections.abc import Sequence
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import matplotlib as mpl
from cycler import cycler
from matplotlib.artist import Artist
from matplotlib.figure import Figure
from matplotlib.legend import Legend

from afterimage.showing.looks import COLOURS, looks_of

#: Ten colours that the colour-blind can distinguish: seaborn's palette "colorblind" (Waskom 2021).
COLOUR_BLIND = (
    "#0173b2",
    "#de8f05",
    "#029e73",
    "#d55e00",
    "#cc78bc",
    "#ca9161",
    "#fbafe4",
    "#949494",
    "#ece133",
    "#56b4e9",
)

#: Four of them in an order whose neighbours differ in lightness too.
PALETTE = tuple(COLOUR_BLIND[index] for index in (0, 1, 2, 7))

# Seaborn's palette "deep", the default colours.
_DEEP = (
    "#4c72b0",
    "#dd8452",
    "#55a868",
    "#c44e52",
    "#8172b3",
    "#937860",
    "#da8bc3",
    "#8c8c8c",
    "#ccb974",
    "#64b5cd",
)

# Print is four fifths of the size for screens.
_PRINT = 0.8
_DARK, _LIGHT = ".15", ".8"

# A white background with a light grid, as in seaborn's style "whitegrid" and context "paper"; written out, because
# importing seaborn takes longer than drawing a chart.
_STYLE: Any = {
    "axes.axisbelow": True,
    "axes.edgecolor": _LIGHT,
    "axes.grid": True,
    "axes.labelcolor": _DARK,
    "axes.labelsize": 12 * _PRINT,
    "axes.prop_cycle": cycler(color=_DEEP),
    "axes.linewidth": 1.25 * _PRINT,
    "axes.titlelocation": "left",
    "axes.titlesize": "medium",
    "figure.dpi": 100,
    "font.family": ["DejaVu Sans"],
    "font.size": 12 * _PRINT,
    "grid.color": _LIGHT,
    "grid.linewidth": _PRINT,
    "legend.fontsize": 11 * _PRINT,
    "legend.title_fontsize": 12 * _PRINT,
    "lines.linewidth": 1.5 * _PRINT,
    "lines.markersize": 6 * _PRINT,
    "lines.solid_capstyle": "round",
    "patch.edgecolor": "w",
    "patch.force_edgecolor": True,
    "patch.linewidth": _PRINT,
    "pdf.fonttype": 42,
    "savefig.bbox": "tight",
    "savefig.dpi": 200,
    "text.color": _DARK,
    **{
        f"{axis}tick.{name}": value
        for axis in "xy"
        for name, value in {
            "color": _DARK,
            "labelsize": 11 * _PRINT,
            "major.size": 6 * _PRINT,
            "major.width": 1.25 * _PRINT,
            "minor.size": 4 * _PRINT,
            "minor.width": _PRINT,
        }.items()
    },
    "xtick.bottom": False,
    "ytick.left": False,
}


def apply() -> None:
    """Set matplotlib's parameters; call before any figure is made."""
    mpl.use("Agg")
    mpl.rcParams.update(_STYLE)


# ---- models and series ----

# Without the palette's yellow, which is faint on white; neighbours differ in lightness too.
_SERIES_COLOURS = tuple(COLOUR_BLIND[index] for index in (0, 1, 2, 4, 3, 9, 7))
_SERIES_MARKERS = ("o", "s", "^", "D", "v", "p", "<", ">")
_SERIES_STROKES = ("-", "--", "-.", ":")
# matplotlib keeps a legend's own artists, not the handles from which it made them.
_HANDLES: WeakKeyDictionary[Legend, list[Artist]] = WeakKeyDictionary()


class ModelStyle(NamedTuple):
    """The look of one model.

    Attributes:
        colour: As ``#rrggbb``.
        marker: matplotlib's code.
    """

    colour: str
    marker: str
    stroke: str
    hollow: bool = False

    @property
    def mark(self) -> dict[str, Any]:
        """Fill and outline of a mark, as matplotlib's properties of lines."""
        if self.hollow:
            return {"markerfacecolor": "white", "markeredgecolor": self.colour}
        return {"markerfacecolor": self.colour, "markeredgecolor": "white"}


def model_styles(models: Sequence[str]) -> dict[str, ModelStyle]:
    """Return each model's style, which is the same in all charts and pages; see :mod:`showing.looks`."""
    return {
        name: ModelStyle(COLOURS[look.colour][0], look.marker, look.stroke, look.hollow)
        for name, look in looks_of(models).items()
    }


def series_styles(names: Sequence[str]) -> dict[str, ModelStyle]:
    """Return a style for each of some questions or conditions, by its index; the first 56 are all different."""
    return {
        name: ModelStyle(
            _SERIES_COLOURS[index % len(_SERIES_COLOURS)],
            _SERIES_MARKERS[index % len(_SERIES_MARKERS)],
            _SERIES_STROKES[index % len(_SERIES_STROKES)],
        )
        for index, name in enumerate(names)
    }


def legend_below(figure: Figure, entries: Sequence[tuple[Artist, str]], columns: int) -> Legend:
    """Put one legend below all panels of a figure with constrained layout; its words are literal.

    Args:
        figure: Made higher where a legend of its width needs more lines; two columns may be wider.
        entries: Handles and their labels.
        columns: Limit of columns.
    """
    columns = max(1, min(columns, len(entries)))
    legend = _legend(figure, entries, columns)
    height = legend.get_window_extent().height
    while columns > 2 and legend.get_window_extent().width > figure.bbox.width:
        legend.remove()
        columns -= 1
        legend = _legend(figure, entries, columns)
    more = legend.get_window_extent().height - height
    figure.set_figheight(figure.get_figheight() + more / figure.dpi)
    return legend


def entries_of(legend: Legend) -> list[tuple[Artist, str]]:
    """Return the handles of a legend and their labels, the original ones for a legend of :func:`legend_below`."""
    words = [text.get_text() for text in legend.get_texts()]
    given = _HANDLES.get(legend, legend.legend_handles)
    return [(handle, word) for handle, word in zip(given, words, strict=True) if handle is not None]


def _legend(figure: Figure, entries: Sequence[tuple[Artist, str]], columns: int) -> Legend:
    legend = figure.legend(
        [handle for handle, _ in entries],
        [label for _, label in entries],
        loc="outside lower center",
        ncols=columns,
        frameon=False,
    )
    for text in legend.get_texts():
        text.set_parse_math(False)
    _HANDLES[legend] = [handle for handle, _ in entries]
    return legend
