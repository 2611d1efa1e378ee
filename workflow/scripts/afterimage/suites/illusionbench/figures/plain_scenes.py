"""Plain scenes without any illusion: coloured things side by side on a floor, different in size."""

from collections.abc import Sequence

import numpy as np

from afterimage.contract.drawing import Drawing
from afterimage.contract.stimulus import Json
from afterimage.drawing.canvas import Canvas
from afterimage.drawing.circles import Discs
from afterimage.drawing.colour import Colour, grey
from afterimage.drawing.polygons import Region

SIDE_PX = 512

_WALL, _FLOOR, _FLOOR_Y = grey(244), grey(196), 380
_MOST_GAP_PX = 30


def draw(things: Sequence[Json]) -> Drawing:
    """Draw the things of a scene, from left to right, as far apart as there is room for.

    Args:
        things: Of each ``shape`` (``circle``, ``square`` or ``triangle``), ``colour`` (sRGB levels) and ``size_px``.
    """
    canvas = Canvas(_WALL, SIDE_PX, SIDE_PX)
    canvas.fill(0, _FLOOR_Y, SIDE_PX, SIDE_PX, _FLOOR)
    gap = (SIDE_PX - sum(thing["size_px"] for thing in things)) / (len(things) + 1)
    gap = min(gap, _MOST_GAP_PX)
    left = (SIDE_PX - sum(thing["size_px"] for thing in things) - gap * (len(things) - 1)) / 2
    for thing in things:
        _paint(canvas, thing, round(left))
        left += thing["size_px"] + gap
    return Drawing(canvas.pixels())


def _paint(canvas: Canvas, thing: Json, left: int) -> None:
    size, colour = thing["size_px"], Colour(*thing["colour"])
    top = _FLOOR_Y - size
    if thing["shape"] == "circle":
        canvas.paint(Discs(np.array([[left + size / 2, top + size / 2]]), size), colour)
    elif thing["shape"] == "square":
        canvas.fill(left, top, left + size, top + size, colour)
    else:
        corners = [(left, _FLOOR_Y), (left + size, _FLOOR_Y), (left + size / 2, top)]
        canvas.paint(Region([np.array(corners, dtype=float)]), colour)
