"""Flags of bands, and their twins of the same bands in two greys. The lowest band is added or taken away.

Colours are near the official ones. What stands at the hoist (a canton, a triangle) ends before the last fifth of the
flag's width, so that every band shows there.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from afterimage.contract.drawing import Drawing
from afterimage.drawing.canvas import Canvas
from afterimage.drawing.colour import WHITE, Colour, from_hexadecimal
from afterimage.drawing.regions import Region
from afterimage.suites.counting_bias.figures.paper import (
    DARK,
    LIGHT,
    centred,
    new_canvas,
    paint_stars,
)
from afterimage.suites.counting_bias.names import FAMILIAR, STRIPES

WIDTH_PX = 576
#: The fifty stars stand at multiples of these fractions of the canton, rows of 6 and 5.
_STARS_ACROSS, _STARS_DOWN = 12, 10
#: The canton of the United States, seven bands high, and the radius of its stars.
CANTON_PX, STAR_RADIUS_PX = (230, 168), 7
#: Height of Cuba's triangle, fraction of its side.
_TRIANGLE = 0.866


class Flag(NamedTuple):
    """Bands of a flag: the unit of their height, px; their colours in turn; heights in units, 1 where none is given."""

    unit_px: int
    colours: tuple[Colour, ...]
    heights: tuple[int, ...] = ()


def _colours(*codes: str) -> tuple[Colour, ...]:
    return tuple(WHITE if code == "white" else from_hexadecimal(code) for code in codes)


FLAGS = {
    "united_states": Flag(24, _colours("#B22234", "white")),
    "liberia": Flag(28, _colours("#BF0A30", "white")),
    "greece": Flag(36, _colours("#0D5EAF", "white")),
    "togo": Flag(64, _colours("#006A4E", "#FFCE00")),
    "cuba": Flag(64, _colours("#002A8F", "white")),
    # A further band goes on with the two outer colours.
    "thailand": Flag(
        52, _colours("#A51931", "#F4F5F8", "#2D2A4A", "#F4F5F8", "#A51931", "#F4F5F8"), (1, 1, 2)
    ),
    "costa_rica": Flag(
        52, _colours("#002B7F", "white", "#CE1126", "white", "#002B7F", "white"), (1, 1, 2)
    ),
}


def draw(subject: str, context: str, alteration: int, shift: str) -> Drawing:
    """Draw a flag with one band more or less than usual, or as it is (alteration 0)."""
    flag = FLAGS[subject]
    heights = _heights(flag, STRIPES[subject] + alteration)
    canvas = new_canvas()
    left, top = centred(WIDTH_PX, sum(heights), shift)
    paint_bands(canvas, left, top, heights, flag.colours if context == FAMILIAR else (DARK, LIGHT))
    if context == FAMILIAR:
        _paint_hoist(canvas, subject, left, top, sum(heights))
    return Drawing(canvas.pixels(), {"band_px": flag.unit_px, "height_px": sum(heights)})


def paint_bands(
    canvas: Canvas,
    left: int,
    top: int,
    heights: Sequence[int],
    colours: Sequence[Colour],
) -> None:
    """Paint bands below each other, px, their colours in turn."""
    for number, height in enumerate(heights):
        canvas.fill(left, top, left + WIDTH_PX, top + height, colours[number % len(colours)])
        top += height


def paint_canton(canvas: Canvas, left: int, top: int, stars: list[tuple[float, float]]) -> None:
    """Paint the canton of the United States with stars at fractions of its width and height."""
    width, height = CANTON_PX
    canvas.fill(left, top, left + width, top + height, from_hexadecimal("#3C3B6E"))
    paint_stars(
        canvas, [(left + width * x, top + height * y) for x, y in stars], STAR_RADIUS_PX, WHITE
    )


def fifty_stars() -> list[tuple[float, float]]:
    """Return the places of the usual stars, rows of 6 and 5, fractions of the canton."""
    return [
        (x / _STARS_ACROSS, y / _STARS_DOWN)
        for y in range(1, _STARS_DOWN)
        for x in range(2 - y % 2, _STARS_ACROSS, 2)
    ]


def _heights(flag: Flag, bands: int) -> list[int]:
    units = [*flag.heights, *[1] * bands][:bands]
    return [flag.unit_px * height for height in units]


def _paint_hoist(canvas: Canvas, subject: str, left: int, top: int, height: int) -> None:
    unit = FLAGS[subject].unit_px
    if subject == "united_states":
        paint_canton(canvas, left, top, fifty_stars())
    elif subject == "liberia":
        _canton(canvas, left, top, 5 * unit, "#002868", star_px=42)
    elif subject == "togo":
        _canton(canvas, left, top, 3 * unit, "#D21034", star_px=60)
    elif subject == "greece":
        _canton(canvas, left, top, 5 * unit, "#0D5EAF")
        across = (left + 2 * unit, top, left + 3 * unit, top + 5 * unit)
        down = (left, top + 2 * unit, left + 5 * unit, top + 3 * unit)
        canvas.fill(*across, WHITE)
        canvas.fill(*down, WHITE)
    elif subject == "cuba":
        reach = _TRIANGLE * height
        corners = [(left, top), (left + reach, top + height / 2), (left, top + height)]
        canvas.paint(Region([np.array(corners)]), from_hexadecimal("#CF142B"))
        paint_stars(canvas, [(left + reach / 3, top + height / 2)], 56, WHITE)


def _canton(canvas: Canvas, left: int, top: int, side: int, colour: str, star_px: int = 0) -> None:
    canvas.fill(left, top, left + side, top + side, from_hexadecimal(colour))
    if star_px:
        paint_stars(canvas, [(left + side / 2, top + side / 2)], star_px, WHITE)
