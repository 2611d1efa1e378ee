"""An object above two others on white: each a grey square with a small coloured shape across each of its sides."""

from collections.abc import Sequence
from typing import Any

from afterimage.contract.drawing import Drawing
from afterimage.drawing.canvas import Canvas
from afterimage.drawing.colour import WHITE
from afterimage.suites.tunnel_vision.figures.shapes import paint

#: Middles of the object above and of those below on the left and on the right, px.
_MIDDLES = ((336, 180), (176, 492), (496, 492))
_BODY_PX, _PART_PX = 160, 36


def draw(objects: Sequence[Sequence[Sequence[Any]]]) -> Drawing:
    """Draw three objects, 672 x 672.

    Args:
        objects: Of each its parts on the upper, right, lower and left side: colour, form, and how far to the right or
            down from the middle of the side, px.
    """
    canvas = Canvas(WHITE)
    half = _BODY_PX // 2
    for (x, y), parts in zip(_MIDDLES, objects, strict=True):
        paint(canvas, "grey", "square", (x, y), _BODY_PX)
        for place, (colour, form, along) in enumerate(parts):
            off = -half if place in (0, 3) else half
            across = place % 2 == 0
            centre = (x + along, y + off) if across else (x + off, y + along)
            paint(canvas, colour, form, centre, _PART_PX)
    return Drawing(canvas.pixels())
