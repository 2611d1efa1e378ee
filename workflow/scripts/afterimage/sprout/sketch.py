"""A picture in the making: the shapes of ``drawing/`` on a plain ground, in coordinates that no resolution changes."""

import math
from collections.abc import Sequence

import numpy as np

from afterimage.drawing.canvas import Canvas, Shape, flipped
from afterimage.drawing.circles import Arch, Discs
from afterimage.drawing.colour import Colour
from afterimage.drawing.polygons import Outline, Region
from afterimage.drawing.strokes import Polyline, Strokes
from afterimage.sprout.picture import SIDE

#: Pieces of a bowed line: its bends stay below a tenth of a pixel at 112 px.
_PIECES = 14


class Sketch:
    """Draws on a square of ``side`` px; lengths and places are given as if it had 224.

    Angles in radians, clockwise from rightward, as y runs down.
    """

    def __init__(self, side: int, ground: Colour) -> None:
        """Start with an empty ground."""
        self._canvas, self._scale = Canvas(ground, side, side), side / SIDE

    def disc(self, x: float, y: float, diameter: float, colour: Colour) -> None:
        """Fill a circle."""
        self._paint(Discs(self._px([(x, y)]), diameter * self._scale), colour)

    def square(self, x: float, y: float, width: float, colour: Colour) -> None:
        """Fill an upright square centred on (x, y)."""
        self.bar(x, y, width, width, 0.0, colour)

    def bar(
        self, x: float, y: float, length: float, width: float, angle: float, colour: Colour
    ) -> None:
        """Draw a straight line centred on (x, y)."""
        half = np.array([math.cos(angle), math.sin(angle)]) * length / 2
        ends = np.array([(x, y)])
        strokes = Strokes(self._px(ends - half), self._px(ends + half), width * self._scale)
        self._paint(strokes, colour)

    def stripes(
        self, x: float, y: float, diameter: float, half_period: float, colour: Colour
    ) -> None:
        """Draw level stripes, cut to a circle."""
        count = int(diameter / (4 * half_period))
        rows = (np.arange(-count, count + 1) * 2) * half_period
        reach = np.sqrt(np.maximum(diameter * diameter / 4 - rows * rows, 0.25))
        starts = np.stack([x - reach, y + rows], axis=-1)
        ends = np.stack([x + reach, y + rows], axis=-1)
        width = half_period * self._scale
        self._paint(Strokes(self._px(starts), self._px(ends), width), colour)

    def path(self, points: np.ndarray, width: float, colour: Colour, closed: bool = False) -> None:
        """Draw a line through points, shape (n, 2)."""
        self._paint(Polyline(self._px(points), width * self._scale, closed), colour)

    def frame(
        self, x: float, y: float, half: tuple[float, float], width: float, colour: Colour
    ) -> None:
        """Draw the outline of a rectangle centred on (x, y), from half its width and height."""
        (dx, dy), corners = half, np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
        vertices = np.array([(x, y)]) + corners * np.array([(dx, dy)])
        self._paint(Outline(self._px(vertices), width * self._scale), colour)

    def region(self, polygons: Sequence[np.ndarray], colour: Colour) -> None:
        """Fill what closed polygons wind round, each of shape (n, 2): a glyph."""
        self._paint(Region([self._px(polygon) for polygon in polygons]), colour)

    def arch(
        self, centre: tuple[float, float], radii: tuple[float, float], half: float, colour: Colour
    ) -> None:
        """Fill a sector of an annulus, symmetric about the vertical; ``half``: half its opening, radians."""
        x, y = self._px([centre])[0]
        inner, outer = (radius * self._scale for radius in radii)
        self._paint(Arch((x, y), inner, outer, math.degrees(half)), colour)

    def pixels(self, upside_down: bool = False) -> np.ndarray:
        """Return the picture, shape (side, side, 3), uint8."""
        pixels = self._canvas.pixels()
        return flipped(pixels) if upside_down else pixels

    def _px(self, points: object) -> np.ndarray:
        return np.asarray(points, dtype=np.float64) * self._scale

    def _paint(self, shape: Shape, colour: Colour) -> None:
        self._canvas.paint(shape, colour)


def bowed(middle: tuple[float, float], length: float, angle: float, sagitta: float) -> np.ndarray:
    """Return points of a parabola with fixed ends, shape (n, 2); positive sagittae rise where the line runs right."""
    at = np.linspace(-1, 1, _PIECES + 1)
    along, across = at * length / 2, -sagitta * (1 - at * at)
    x = middle[0] + along * math.cos(angle) - across * math.sin(angle)
    y = middle[1] + along * math.sin(angle) + across * math.cos(angle)
    return np.stack([x, y], axis=-1)
