"""Nested squares: two to five squares, each strictly inside the one before.

Paper, task 5. The side of the outermost square is drawn from a range of its own, whatever the
number of squares, and large enough for the fifth to show its inside.
"""

from typing import Any

import numpy as np

from afterimage.contract.stimulus import Drawing, Json
from afterimage.drawing.canvas import Canvas
from afterimage.drawing.colour import BLACK, WHITE
from afterimage.drawing.polygons import Outline
from afterimage.suites.blindtest.seeding import seeded

SIDE_PX = 1000
#: Range of the outermost side, units; with less than 9.25 a fifth square would be a blot (the
#: original's range begins at 8).
OUTERMOST = (9.25, 18.0)

_PX_PER_UNIT = 770 / 30
_PX_PER_PT = 100 / 72
_MAX_OFFSET = 5.0
#: A square's side is this share of the one round it, less a constant in units.
_SHARE, _LESS = 0.75, 0.75


@seeded
def geometry(levels: Json, generator: np.random.Generator, copy: int) -> dict[str, Any]:
    """Return ``squares``: left, top and side of each, outermost first, px to the strokes' middles.

    Args:
        levels: ``depth``, the number of squares.
        generator: The base figure's own.
        copy: Not used; every base figure is random.
    """
    centre = generator.uniform(-_MAX_OFFSET, _MAX_OFFSET, size=2)
    side = generator.uniform(*OUTERMOST)
    squares = []
    for _ in range(levels["depth"]):
        squares.append([*_px(centre - side / 2), _px_length(side)])
        inner = _SHARE * side - _LESS
        room = (side - inner - _LESS) / 2
        centre = centre + generator.uniform(-room, room, size=2)
        side = inner
    return {"squares": squares}


def truth(parameters: Json) -> str:
    """Return the number of squares that are drawn."""
    return str(len(parameters["squares"]))


def draw(**parameters: Any) -> Drawing:
    """Draw the squares as black outlines."""
    width = parameters["line_width_pt"] * _PX_PER_PT
    canvas = Canvas(WHITE, SIDE_PX, SIDE_PX)
    for left, top, side in parameters["squares"]:
        x0, y0, x1, y1 = left, top, left + side, top + side
        corners = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
        # The rim lies inside its polygon, the stroke on both sides of the square's edges.
        outer = corners + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (width / 2)
        canvas.paint(Outline(outer, width), BLACK)
    return Drawing(canvas.pixels(), {"line_width_px": round(width, 4)})


def _px(corner: np.ndarray) -> list[float]:
    x, y = (np.round((SIDE_PX / 2 + corner * _PX_PER_UNIT) * 8) / 8).tolist()
    return [x, y]


def _px_length(side: float) -> float:
    return round(side * _PX_PER_UNIT * 8) / 8
