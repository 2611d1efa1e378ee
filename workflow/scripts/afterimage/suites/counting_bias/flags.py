"""Flags with a star or a band more or less than usual.

Altered numbers of stars on a circle or an arc are spread evenly again; all are upright. The twin has the same stars at
the same positions, black on the background, and nothing else.

The lowest band is added or removed; the twin has the same bands in two greys. A canton or triangle at the hoist ends
before the last fifth of the flag's width, so that every band is visible there.

Colours and proportions are near the official ones.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from afterimage.contract.stimulus import Drawing, Json
from afterimage.drawing.canvas import Canvas
from afterimage.drawing.colour import BLACK, WHITE, Colour, from_hexadecimal
from afterimage.drawing.geometry import cosine, sine
from afterimage.drawing.polygons import Region
from afterimage.suites.counting_bias.drawing import (
    DARK,
    LIGHT,
    centred,
    in_edition,
    new_canvas,
    paint_stars,
)
from afterimage.suites.counting_bias.tasks import FAMILIAR, STARS, STRIPES

WIDTH_PX = 576
#: The fifty stars are at multiples of 1/12 and 1/10 of the canton, in rows of 6 and 5.
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


def draw_stripes(
    subject: str, context: str, alteration: int, shift: str, look: Json | None = None
) -> Drawing:
    flag = FLAGS[subject]
    heights = _heights(flag, STRIPES[subject] + alteration)
    canvas = new_canvas()
    left, top = centred(WIDTH_PX, sum(heights), shift)
    paint_bands(canvas, left, top, heights, flag.colours if context == FAMILIAR else (DARK, LIGHT))
    if context == FAMILIAR:
        _paint_hoist(canvas, subject, left, top, sum(heights))
    return Drawing(
        in_edition(canvas.pixels(), look), {"band_px": flag.unit_px, "height_px": sum(heights)}
    )


def paint_bands(
    canvas: Canvas,
    left: int,
    top: int,
    heights: Sequence[int],
    colours: Sequence[Colour],
) -> None:
    """Paint bands below each other, heights in px, their colours in turn."""
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
    """Return the centres of the usual stars, rows of 6 and 5, as fractions of the canton."""
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


# ---- stars ----

#: Stars of one size: centres, px from the flag's upper left corner, and their outer radius, px.
Stars = tuple[list[tuple[float, float]], float]

#: Heights of bands, px, and their colours; the colour of the stars.
_FIELDS = {
    "europe": ([384], ["#003399"], "#FFCC00"),
    "cape_verde": (
        [168, 28, 28, 28, 84],
        ["#003893", "#FFFFFF", "#CF2027", "#FFFFFF", "#003893"],
        "#F7D116",
    ),
    "china": ([384], ["#EE1C25"], "#FFFF00"),
    "honduras": ([112] * 3, ["#0073CF", "#FFFFFF", "#0073CF"], "#0073CF"),
    "micronesia": ([320], ["#75B2DD"], "#FFFFFF"),
    "united_states": ([FLAGS["united_states"].unit_px] * 13, ["#B22234", "#FFFFFF"], "#FFFFFF"),
}
#: Rows of 49 and of 51 stars.
_ROWS = {49: [7] * 7, 51: [9, 8, 9, 8, 9, 8]}
#: China's large star, and the arc of the small ones around it: radius, angle between two of them and their middle, deg.
_LARGE, _LARGE_RADIUS = (110, 130), 60
_ARC_PX, _ARC_STEP, _ARC_MIDDLE = 110, 25.0, 2.5


def draw_stars(
    subject: str, context: str, alteration: int, shift: str, look: Json | None = None
) -> Drawing:
    heights, codes, star_code = _FIELDS[subject]
    canvas = new_canvas()
    left, top = centred(WIDTH_PX, sum(heights), shift)
    if context == FAMILIAR:
        paint_bands(canvas, left, top, heights, [from_hexadecimal(code) for code in codes])
        if subject == "united_states":
            paint_canton(canvas, left, top, _fractions(STARS[subject] + alteration))
            return Drawing(in_edition(canvas.pixels(), look))
    colour = from_hexadecimal(star_code) if context == FAMILIAR else BLACK
    for centres, radius in stars_of(subject, STARS[subject] + alteration):
        paint_stars(canvas, [(left + x, top + y) for x, y in centres], radius, colour)
    return Drawing(in_edition(canvas.pixels(), look))


def stars_of(subject: str, number: int) -> list[Stars]:
    return _ARRANGEMENTS[subject](number)


def _circle(
    middle: tuple[float, float], reach: float, radius: float
) -> Callable[[int], list[Stars]]:
    """Return a function that spreads stars evenly on a circle, the first at the top."""

    def arrange(count: int) -> list[Stars]:
        return [
            (_on_circle(middle, reach, [360 * step / count - 90 for step in range(count)]), radius)
        ]

    return arrange


def _on_circle(
    middle: tuple[float, float], reach: float, angles: list[float]
) -> list[tuple[float, float]]:
    return [
        (middle[0] + reach * float(cosine(angle)), middle[1] + reach * float(sine(angle)))
        for angle in angles
    ]


def _china(number: int) -> list[Stars]:
    small = number - 1
    angles = [_ARC_MIDDLE + _ARC_STEP * (step - (small - 1) / 2) for step in range(small)]
    return [([_LARGE], _LARGE_RADIUS), (_on_circle(_LARGE, _ARC_PX, angles), 20)]


def _honduras(number: int) -> list[Stars]:
    middles: Sequence[float] = {4: [], 5: [0], 6: [-24, 24]}[number]
    offsets = [(-80, -32), (80, -32), (-80, 32), (80, 32), *((x, 0) for x in middles)]
    return [([(WIDTH_PX / 2 + x, 168 + y) for x, y in offsets], 16)]


def _united_states(number: int) -> list[Stars]:
    width, height = CANTON_PX
    return [([(width * x, height * y) for x, y in _fractions(number)], STAR_RADIUS_PX)]


def _fractions(number: int) -> list[tuple[float, float]]:
    """Return the centres of the stars of the United States, as fractions of the canton."""
    if number not in _ROWS:
        return fifty_stars()
    rows = _ROWS[number]
    return [
        ((2 * column + 1 + max(rows) - length) / (2 * max(rows)), (index + 0.5) / len(rows))
        for index, length in enumerate(rows)
        for column in range(length)
    ]


_ARRANGEMENTS: dict[str, Callable[[int], list[Stars]]] = {
    "europe": _circle((WIDTH_PX / 2, 192), 110, 22),
    "cape_verde": _circle((216, 210), 84, 16),
    "china": _china,
    "honduras": _honduras,
    "micronesia": _circle((WIDTH_PX / 2, 160), 100, 24),
    "united_states": _united_states,
}
