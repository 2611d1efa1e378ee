"""How models are told apart in charts: colour, marker and stroke, so that any one of them suffices."""

from collections.abc import Sequence
from typing import NamedTuple
from weakref import WeakKeyDictionary

from matplotlib.artist import Artist
from matplotlib.figure import Figure
from matplotlib.legend import Legend

from afterimage.showing.figure_style import COLOUR_BLIND
from afterimage.showing.looks import COLOURS, looks_of

# Without the palette's yellow, which is faint on white; neighbours differ in lightness too.
_COLOURS = tuple(COLOUR_BLIND[index] for index in (0, 1, 2, 4, 3, 9, 7))
_MARKERS = ("o", "s", "^", "D", "v", "p", "<", ">")
_STROKES = ("-", "--", "-.", ":")


# matplotlib keeps what a legend shows, not what it was made of.
_HANDLES: WeakKeyDictionary[Legend, list[Artist]] = WeakKeyDictionary()


class ModelStyle(NamedTuple):
    """The look of one model.

    Attributes:
        colour: As ``#rrggbb``.
        marker: matplotlib's sign for it.
        stroke: matplotlib's line style.
        hollow: Whether its marks are outlines alone.
    """

    colour: str
    marker: str
    stroke: str
    hollow: bool = False

    @property
    def mark(self) -> dict[str, str]:
        """What fills and outlines a mark, as matplotlib's properties of lines."""
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
    """Return a style for each of some questions or conditions, by its place; the first 56 differ from each other."""
    return {
        name: ModelStyle(
            _COLOURS[place % len(_COLOURS)],
            _MARKERS[place % len(_MARKERS)],
            _STROKES[place % len(_STROKES)],
        )
        for place, name in enumerate(names)
    }


def legend_below(figure: Figure, entries: Sequence[tuple[Artist, str]], columns: int) -> Legend:
    """Put one legend below all panels of a figure with constrained layout; its words are literal.

    Args:
        figure: Gets higher where a legend no wider than it needs more lines; two columns may be wider.
        entries: Handles and their words.
        columns: The most that there may be.
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
    """Return the handles of a legend and their words, as they were given where :func:`legend_below` made it."""
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
