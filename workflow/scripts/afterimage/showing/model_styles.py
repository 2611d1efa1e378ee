"""How models are told apart in charts: colour, marker and stroke, so that any one of them suffices."""

from collections.abc import Sequence
from typing import NamedTuple

from matplotlib.artist import Artist
from matplotlib.figure import Figure
from matplotlib.legend import Legend

from afterimage.showing.figure_style import COLOUR_BLIND

# Without the palette's yellow, which is faint on white; neighbours differ in lightness too.
_COLOURS = tuple(COLOUR_BLIND[index] for index in (0, 1, 2, 4, 3, 9, 7))
_MARKERS = ("o", "s", "^", "D", "v", "p", "<", ">")
_STROKES = ("-", "--", "-.", ":")


class ModelStyle(NamedTuple):
    """The look of one model.

    Attributes:
        colour: As ``#rrggbb``.
        marker: matplotlib's sign for it.
        stroke: matplotlib's line style.
    """

    colour: str
    marker: str
    stroke: str


def model_styles(models: Sequence[str]) -> dict[str, ModelStyle]:
    """Return a style for each model, by its place; the first 56 look different from each other."""
    return {
        model: ModelStyle(
            _COLOURS[place % len(_COLOURS)],
            _MARKERS[place % len(_MARKERS)],
            _STROKES[place % len(_STROKES)],
        )
        for place, model in enumerate(models)
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
    return legend
