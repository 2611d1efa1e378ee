"""Grids: rows and columns of black lines, blank or with a word in each cell.

Paper, task 6. Each size is drawn as such and not reduced from the largest, so that every line
has the same width. Words are drawn from a list by the base figure's generator; they and the shape are
all that the renderings of a base figure share.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from afterimage.contract.drawing import Drawing
from afterimage.drawing.canvas import Canvas
from afterimage.drawing.colour import BLACK, WHITE
from afterimage.drawing.regions import Region
from afterimage.drawing.strokes import Strokes
from afterimage.drawing.text import TextLine
from afterimage.drawing.typefaces import typeface
from afterimage.suites.blindtest.seeding import seeded
from afterimage.suites.blindtest.words import WORDS

FONT = "LiberationSans"
#: Size of the text, fraction of the smaller side of a cell; its shift, fraction of the cell's width.
TEXT_SIZE, TEXT_SHIFT = 0.2, 0.04
#: In further copies the grid keeps up to this fraction of the side from each border.
MAX_INSET = 0.08

_NOMINAL_SIDE_PX = 2000
#: From the middle of a cell down to the baseline, fraction of the text's size: letters of middle
#: height, with and without ascenders and descenders, then lie about the middle.
_BASELINE = 0.27


@seeded
def geometry(levels: Mapping, generator: np.random.Generator, copy: int) -> dict:
    """Return ``words`` row by row (none in a blank grid) and ``inset``, fractions of the side.

    The paper's grids fill the canvas; further copies have margins: left, top, right, bottom.
    """
    count = levels["rows"] * levels["columns"] if levels["kind"] == "text" else 0
    words = [WORDS[index] for index in generator.integers(len(WORDS), size=count)]
    inset = np.round(generator.uniform(0, MAX_INSET, size=4), 4).tolist() if copy else [0.0] * 4
    return {"words": words, "inset": inset}


def truth(parameters: Mapping) -> str:
    """Return rows by columns of the grid that is drawn."""
    return f"{parameters['rows']}x{parameters['columns']}"


def draw(**parameters: Any) -> Drawing:
    """Draw all lines, the frame included, and the words."""
    side = parameters["side_px"]
    width = parameters["line_width_at_2000_px"] * side / _NOMINAL_SIDE_PX
    xs, ys = line_positions(parameters, width)
    half = width / 2
    starts = [(xs[0] - half, y) for y in ys] + [(x, ys[0] - half) for x in xs]
    ends = [(xs[-1] + half, y) for y in ys] + [(x, ys[-1] + half) for x in xs]
    canvas = Canvas(WHITE, side, side)
    canvas.paint(Strokes(np.array(starts), np.array(ends), width), BLACK)
    realised: dict = {"line_width_px": width}
    if parameters["words"]:
        lines = text_lines(parameters, xs, ys)
        canvas.paint(Region([polygon for line in lines for polygon in line.polygons()]), BLACK)
        realised["font_size_px"] = round(lines[0].size_px, 4)
    return Drawing(canvas.pixels(), realised)


def line_positions(parameters: Mapping, width: float) -> tuple[list[float], list[float]]:
    """Return x of the upright and y of the level lines' middles, px."""
    side, (left, top, right, bottom) = parameters["side_px"], parameters["inset"]
    return (
        _spaced(left * side, (1 - right) * side, parameters["columns"], width),
        _spaced(top * side, (1 - bottom) * side, parameters["rows"], width),
    )


def text_lines(parameters: Mapping, xs: list[float], ys: list[float]) -> list[TextLine]:
    """Return the words as they are set, row by row."""
    cell_width, cell_height = xs[1] - xs[0], ys[1] - ys[0]
    size = TEXT_SIZE * min(cell_width, cell_height)
    font = typeface(FONT)
    lines = []
    for number, word in enumerate(parameters["words"]):
        row, column = divmod(number, parameters["columns"])
        left, _, right, _ = TextLine(word, font, size, (0.0, 0.0)).ink_box()
        x = xs[column] + cell_width * (0.5 + TEXT_SHIFT) - (left + right) / 2
        y = ys[row] + cell_height / 2 + _BASELINE * size
        lines.append(TextLine(word, font, size, (x, y)))
    return lines


def _spaced(low: float, high: float, cells: int, width: float) -> list[float]:
    return [low + width / 2 + index * (high - low - width) / cells for index in range(cells + 1)]
