"""Two circles: a blue and a magenta disc of one size, apart, touching or overlapping.

Paper, task 2. All lengths are fractions of the canvas' side; the two smaller canvases lack a
column, as the originals do.
"""

from math import sqrt
from typing import Any

import numpy as np

from afterimage.contract.stimulus import Drawing, Json
from afterimage.drawing.canvas import Canvas
from afterimage.drawing.colour import WHITE, Colour
from afterimage.drawing.geometry import length, snap
from afterimage.drawing.shapes import Discs
from afterimage.suites.blindtest.seeding import seeded

BLUE, MAGENTA = Colour(0, 117, 255), Colour(234, 0, 255)

#: Further copies move the pair by at most this fraction of the side: the widest still fits.
MAX_SHIFT = 0.12

#: From the blue to the magenta disc, y down.
_DIRECTIONS = {
    "horizontal": (1.0, 0.0),
    "vertical": (0.0, -1.0),
    "diagonal_1": (1 / sqrt(2), 1 / sqrt(2)),
    "diagonal_2": (1 / sqrt(2), -1 / sqrt(2)),
}


@seeded
def geometry(levels: Json, generator: np.random.Generator, copy: int) -> dict[str, Any]:
    """Return where the pair stands: in the middle or, in further copies, ``shift`` away from it."""
    if not copy:
        return {"shift": [0.0, 0.0]}
    return {"shift": np.round(generator.uniform(-MAX_SHIFT, MAX_SHIFT, size=2), 4).tolist()}


def truth(parameters: Json) -> str:
    """Return whether the discs overlap (gap < 0) and touch (gap <= 0)."""
    gap = parameters["gap_percent"]
    return f"overlap={_word(gap < 0)};touch={_word(gap <= 0)}"


def draw(**parameters: Any) -> Drawing:
    """Draw both discs, the magenta one on top."""
    side = parameters["side_px"]
    diameter = side / parameters["diameter_divisor"]
    apart = diameter * (1 + parameters["gap_percent"] / 100)
    middle = snap(side / 2 + np.array(parameters["shift"]) * side)
    # Rounded as the radius is, so that discs with gap 0 side by side meet in exactly one point.
    half_way = snap(np.array(_DIRECTIONS[parameters["orientation"]]) * (apart / 2))
    blue, magenta = middle - half_way, middle + half_way
    canvas = Canvas(WHITE, *parameters["canvas_px"])
    for centre, colour in ((blue, BLUE), (magenta, MAGENTA)):
        canvas.paint(Discs(centre[None], diameter), colour)
    drawn_diameter = 2 * float(snap(diameter / 2))
    return Drawing(
        canvas.pixels(),
        {
            "blue_centre_px": blue.tolist(),
            "magenta_centre_px": magenta.tolist(),
            "diameter_px": drawn_diameter,
            "gap_px": round(length(blue, magenta) - drawn_diameter, 6),
        },
    )


def _word(holds: bool) -> str:
    return "Yes" if holds else "No"
