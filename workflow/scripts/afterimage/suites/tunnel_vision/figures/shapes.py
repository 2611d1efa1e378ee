"""Filled shapes of one size; what has level and upright edges alone lies on whole pixels."""

import numpy as np

from afterimage.drawing.canvas import Canvas
from afterimage.drawing.circles import Discs
from afterimage.drawing.colour import from_hexadecimal
from afterimage.drawing.regions import Region
from afterimage.suites.tunnel_vision.names import COLOURS


def paint(canvas: Canvas, colour: str, form: str, centre: tuple[int, int], side: int) -> None:
    """Paint a shape of so many px a side.

    Args:
        canvas: What is painted on.
        colour: One of COLOURS.
        form: One of SHAPES.
        centre: Of the shape's square, px.
        side: Of that square, px; even, and of a cross a multiple of 3.
    """
    x, y = centre
    half, third, ink = side // 2, side // 6, from_hexadecimal(COLOURS[colour])
    if form == "circle":
        canvas.paint(Discs(np.array([centre], dtype=float), side), ink)
    elif form == "triangle":
        corners = [(x, y - half), (x + half, y + half), (x - half, y + half)]
        canvas.paint(Region([np.array(corners, dtype=float)]), ink)
    elif form == "cross":
        canvas.fill(x - half, y - third, x + half, y + third, ink)
        canvas.fill(x - third, y - half, x + third, y + half, ink)
    else:
        canvas.fill(x - half, y - half, x + half, y + half, ink)
