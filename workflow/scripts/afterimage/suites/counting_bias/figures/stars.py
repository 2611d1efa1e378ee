"""Flags with stars, and their twins: the same stars at the same places, black on the ground, and nothing else.

Stars on a circle or an arc are spread evenly again when one comes or goes. All stars stand upright; colours and
proportions are near the official ones.
"""

from collections.abc import Callable

from afterimage.contract.drawing import Drawing
from afterimage.drawing.colour import BLACK, from_hexadecimal
from afterimage.drawing.geometry import cosine, sine
from afterimage.suites.counting_bias.figures.paper import centred, new_canvas, paint_stars
from afterimage.suites.counting_bias.figures.stripes import (
    CANTON_PX,
    FLAGS,
    STAR_RADIUS_PX,
    WIDTH_PX,
    fifty_stars,
    paint_bands,
    paint_canton,
)
from afterimage.suites.counting_bias.names import FAMILIAR, STARS

#: Stars of one size: places in the flag, px from its left upper corner, and their outer radius, px.
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
#: Rows of stars where there is one less or more.
_ROWS = {49: [7] * 7, 51: [9, 8, 9, 8, 9, 8]}
#: China's large star, and the arc of the small ones about it: the step between two of them and their middle, deg.
_LARGE, _LARGE_RADIUS = (110, 130), 60
_ARC_PX, _ARC_STEP, _ARC_MIDDLE = 110, 25.0, 2.5


def draw(subject: str, context: str, alteration: int, shift: str) -> Drawing:
    """Draw a flag with one star more or less than usual, or as it is (alteration 0)."""
    heights, codes, star_code = _FIELDS[subject]
    canvas = new_canvas()
    left, top = centred(WIDTH_PX, sum(heights), shift)
    if context == FAMILIAR:
        paint_bands(canvas, left, top, heights, [from_hexadecimal(code) for code in codes])
        if subject == "united_states":
            paint_canton(canvas, left, top, _fractions(STARS[subject] + alteration))
            return Drawing(canvas.pixels())
    colour = from_hexadecimal(star_code) if context == FAMILIAR else BLACK
    for places, radius in stars_of(subject, STARS[subject] + alteration):
        paint_stars(canvas, [(left + x, top + y) for x, y in places], radius, colour)
    return Drawing(canvas.pixels())


def stars_of(subject: str, number: int) -> list[Stars]:
    """Return the stars of a flag that has so many, by size."""
    return _PLACES[subject](number)


def _circle(
    middle: tuple[float, float], reach: float, radius: float
) -> Callable[[int], list[Stars]]:
    """Return what spreads stars evenly on a circle, the first at the top."""

    def places(number: int) -> list[Stars]:
        return [
            (_about(middle, reach, [360 * step / number - 90 for step in range(number)]), radius)
        ]

    return places


def _about(
    middle: tuple[float, float], reach: float, angles: list[float]
) -> list[tuple[float, float]]:
    return [
        (middle[0] + reach * float(cosine(angle)), middle[1] + reach * float(sine(angle)))
        for angle in angles
    ]


def _china(number: int) -> list[Stars]:
    small = number - 1
    angles = [_ARC_MIDDLE + _ARC_STEP * (step - (small - 1) / 2) for step in range(small)]
    return [([_LARGE], _LARGE_RADIUS), (_about(_LARGE, _ARC_PX, angles), 20)]


def _honduras(number: int) -> list[Stars]:
    middles: list[float] = {4: [], 5: [0], 6: [-24, 24]}[number]
    offsets = [(-80, -32), (80, -32), (-80, 32), (80, 32), *((x, 0) for x in middles)]
    return [([(WIDTH_PX / 2 + x, 168 + y) for x, y in offsets], 16)]


def _united_states(number: int) -> list[Stars]:
    width, height = CANTON_PX
    return [([(width * x, height * y) for x, y in _fractions(number)], STAR_RADIUS_PX)]


def _fractions(number: int) -> list[tuple[float, float]]:
    """Return the places of the stars of the United States, fractions of the canton."""
    if number not in _ROWS:
        return fifty_stars()
    rows = _ROWS[number]
    return [
        ((2 * place + 1 + max(rows) - row) / (2 * max(rows)), (level + 0.5) / len(rows))
        for level, row in enumerate(rows)
        for place in range(row)
    ]


_PLACES: dict[str, Callable[[int], list[Stars]]] = {
    "europe": _circle((WIDTH_PX / 2, 192), 110, 22),
    "cape_verde": _circle((216, 210), 84, 16),
    "china": _china,
    "honduras": _honduras,
    "micronesia": _circle((WIDTH_PX / 2, 160), 100, 24),
    "united_states": _united_states,
}
