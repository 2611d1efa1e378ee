"""Overlapping shapes: five to nine circles or pentagons in two rows, like the Olympic logo.

Paper, task 4. Two departures: shapes in one row stand 0.1 diameters or 0.2 sides apart, twice
as far as in the original, so that their strokes keep apart on the smallest canvas; and all pentagons
are opaque.
"""

from typing import Any

import numpy as np

from afterimage.contract.stimulus import Drawing, Json
from afterimage.drawing.canvas import Canvas
from afterimage.drawing.colour import BLACK, WHITE, Colour, from_hexadecimal
from afterimage.drawing.geometry import cosine, sine
from afterimage.drawing.polygons import Outline
from afterimage.drawing.shapes import Rings
from afterimage.suites.blindtest.seeding import seeded

#: The ten-colour categorical map of the originals.
PALETTE = tuple(
    from_hexadecimal(code)
    for code in (
        "#1F77B4",
        "#FF7F0E",
        "#2CA02C",
        "#D62728",
        "#9467BD",
        "#8C564B",
        "#E377C2",
        "#7F7F7F",
        "#BCBD22",
        "#17BECF",
    )
)
#: Distance of neighbours in a row: outlines' middles, in diameters and in sides.
CIRCLE_GAP, PENTAGON_GAP = 0.1, 0.2
#: Free border round the shapes in further copies, fraction of the side.
BORDER = 0.03

_UPPER_ROW = 0.4
_POINTS_PER_SIDE = 277.2


@seeded
def geometry(levels: Json, generator: np.random.Generator, copy: int) -> dict[str, Any]:
    """Return the centres of the shapes, shape (n, 2), as fractions of the side, y down.

    The shapes are centred on the canvas sideways; further copies move them as a whole.
    """
    centres = _centres(levels["shape"], levels["size"], levels["count"], levels["layout"])
    if copy:
        reach = circumradius(levels["shape"], levels["size"])
        low = BORDER + reach - centres.min(axis=0)
        high = 1 - BORDER - reach - centres.max(axis=0)
        centres = centres + generator.uniform(low, high)
    return {"centres": np.round(centres, 6).tolist()}


def truth(parameters: Json) -> str:
    """Return the number of shapes that are drawn."""
    return str(len(parameters["centres"]))


def draw(**parameters: Any) -> Drawing:
    """Draw the upper row, then the lower one, each from left to right."""
    side, size, shape = parameters["side_px"], parameters["size"], parameters["shape"]
    width = parameters["line_width_pt"] * side / _POINTS_PER_SIDE
    canvas = Canvas(WHITE, *parameters["canvas_px"])
    for number, centre in enumerate(np.array(parameters["centres"]) * side):
        colour = _colour(parameters["colours"], number, parameters["count"])
        if shape == "circles":
            canvas.paint(Rings(centre[None], np.array([size * side / 2]), width), colour)
        else:
            # The rim lies inside its polygon, the stroke on both sides of the pentagon's edges.
            radius = circumradius(shape, size) * side + width / 2 / float(cosine(36))
            canvas.paint(Outline(pentagon(centre, radius), width), colour)
    return Drawing(canvas.pixels(), {"line_width_px": round(width, 4)})


def pentagon(centre: np.ndarray, circumradius: float) -> np.ndarray:
    """Return the corners of a regular pentagon, point up, shape (5, 2)."""
    angles = np.arange(5) * 72.0
    return centre + circumradius * np.stack([sine(angles), -cosine(angles)], axis=-1)


def _colour(scheme: str, number: int, count: int) -> Colour:
    if scheme == "black":
        return BLACK
    if scheme == "first":
        return PALETTE[number]
    return PALETTE[min(number * len(PALETTE) // (count - 1), len(PALETTE) - 1)]


def _centres(shape: str, size: float, count: int, layout: str) -> np.ndarray:
    if shape == "circles":
        pitch, drop = size * (1 + CIRCLE_GAP), size / 2
    else:
        radius = circumradius(shape, size)
        pitch = 2 * radius * float(cosine(18)) + PENTAGON_GAP * size
        # The side corners of the lower row lie on the base line of the upper one.
        drop = radius * float(cosine(36) + sine(18))
    upper, shift = rows(count, layout)
    xs = [index * pitch for index in range(upper)]
    xs += [(index + shift) * pitch for index in range(count - upper)]
    ys = [_UPPER_ROW] * upper + [_UPPER_ROW + drop] * (count - upper)
    middle = (min(xs) + max(xs)) / 2
    return np.stack([np.array(xs) - middle + 0.5, ys], axis=-1)


def rows(count: int, layout: str) -> tuple[int, float]:
    """Return the number of shapes in the upper row and the lower row's shift in pitches."""
    return {
        "top_longer": ((count + 1) // 2, 0.5),
        "bottom_longer": (count // 2, -0.5),
        "bottom_shifted_right": (count // 2, 0.5),
        "bottom_shifted_left": (count // 2, -0.5),
    }[layout]


def circumradius(shape: str, size: float) -> float:
    """Return the radius of the circle round a shape of a diameter or side."""
    return size / 2 if shape == "circles" else size / (2 * float(sine(36)))
