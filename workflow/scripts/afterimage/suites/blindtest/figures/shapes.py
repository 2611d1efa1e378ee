"""Figures of shapes: circles, pentagons and squares."""

from math import sqrt
from typing import Any

import numpy as np

from afterimage.contract.stimulus import Drawing, Json
from afterimage.drawing.canvas import Canvas
from afterimage.drawing.colour import BLACK, WHITE, Colour, from_hexadecimal
from afterimage.drawing.geometry import cosine, length, sine, snap
from afterimage.drawing.polygons import Outline
from afterimage.drawing.shapes import Discs, Rings
from afterimage.suites.blindtest.figures import Drawn
from afterimage.suites.blindtest.figures.texts import BORDER_PX, RED, SIDE_PX

# ---- Two circles ----
#
# A blue and a magenta disc of one size, apart, touching or overlapping.
# Paper, task 2. All lengths are fractions of the canvas' side; the two smaller canvases lack a column, as the originals
# do.

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


def _circles_geometry(levels: Json, generator: np.random.Generator, copy: int) -> dict[str, Any]:
    """Return the position of the pair: in the middle or, in further copies, ``shift`` away from it."""
    if not copy:
        return {"shift": [0.0, 0.0]}
    return {"shift": np.round(generator.uniform(-MAX_SHIFT, MAX_SHIFT, size=2), 4).tolist()}


def _circles_truth(parameters: Json) -> str:
    """Return whether the discs overlap (gap < 0) and touch (gap <= 0)."""
    gap = parameters["gap_percent"]
    return f"overlap={_yes_or_no(gap < 0)};touch={_yes_or_no(gap <= 0)}"


def _draw_circles(**parameters: Any) -> Drawing:
    """Draw both discs, the magenta one on top."""
    side = parameters["side_px"]
    diameter = side / parameters["diameter_divisor"]
    distance = diameter * (1 + parameters["gap_percent"] / 100)
    middle = snap(side / 2 + np.array(parameters["shift"]) * side)
    # Rounded as the radius is, so that discs with gap 0 side by side meet in exactly one point.
    half_way = snap(np.array(_DIRECTIONS[parameters["orientation"]]) * (distance / 2))
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


def _yes_or_no(holds: bool) -> str:
    return "Yes" if holds else "No"


TWO_CIRCLES = Drawn(geometry=_circles_geometry, truth=_circles_truth, draw=_draw_circles)


# ---- Overlapping shapes ----
#
# Five to nine circles or pentagons in two rows, like the Olympic logo.
# Paper, task 4. Two departures: shapes in one row stand 0.1 diameters or 0.2 sides apart, twice as far as in the
# original, so that their strokes keep apart on the smallest canvas; and all pentagons are opaque.

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


def _shapes_geometry(levels: Json, generator: np.random.Generator, copy: int) -> dict[str, Any]:
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


def _shapes_truth(parameters: Json) -> str:
    return str(len(parameters["centres"]))


def _draw_shapes(**parameters: Any) -> Drawing:
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


OLYMPIC_SHAPES = Drawn(geometry=_shapes_geometry, truth=_shapes_truth, draw=_draw_shapes)


# ---- Shapes apart ----
#
# The overlapping shapes, with half a shape's size between any two of them.

#: Between the outlines of neighbours in a row and of the two rows, in diameters of the circle round a shape.
GAP = 0.5


def _apart_geometry(levels: Json, generator: np.random.Generator, copy: int) -> dict[str, Any]:
    """Return the centres of the shapes as :func:`_shapes_geometry` does."""
    radius = circumradius(levels["shape"], levels["size"])
    pitch = 2 * radius * (1 + GAP)
    upper, shift = rows(levels["count"], levels["layout"])
    lower = levels["count"] - upper
    xs = np.concatenate([np.arange(upper), np.arange(lower) + shift]) * pitch
    ys = np.repeat([-pitch / 2, pitch / 2], [upper, lower])
    centres = np.stack([xs - (xs.min() + xs.max()) / 2, ys], axis=-1) + 0.5
    if copy:
        reach = BORDER + radius
        low, high = reach - centres.min(axis=0), 1 - reach - centres.max(axis=0)
        centres = centres + generator.uniform(low, high)
    return {"centres": np.round(centres, 6).tolist()}


SHAPES_APART = Drawn(geometry=_apart_geometry, truth=_shapes_truth, draw=_draw_shapes)


# ---- Nested squares ----
#
# Two to five squares, each strictly inside the one before.
# Paper, task 5. The side of the outermost square is drawn from a range of its own, whatever the number of squares, and
# large enough for the fifth to show its inside.

NESTED_SIDE_PX = 1000
#: Range of the outermost side, units; with less than 9.25 a fifth square would be a blot (the
#: original's range begins at 8).
OUTERMOST = (9.25, 18.0)

_PX_PER_UNIT = 770 / 30
_PX_PER_PT = 100 / 72
_MAX_OFFSET = 5.0
#: A square's side is this share of the one round it, less a constant in units.
_SHARE, _LESS = 0.75, 0.75


def _nested_geometry(levels: Json, generator: np.random.Generator, copy: int) -> dict[str, Any]:
    """Return ``squares``: left, top and side of each, outermost first, px to the strokes' middles.

    Args:
        levels: ``depth``, the number of squares.
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


def _nested_truth(parameters: Json) -> str:
    return str(len(parameters["squares"]))


def _draw_nested(**parameters: Any) -> Drawing:
    width = parameters["line_width_pt"] * _PX_PER_PT
    canvas = Canvas(WHITE, NESTED_SIDE_PX, NESTED_SIDE_PX)
    for left, top, side in parameters["squares"]:
        x0, y0, x1, y1 = left, top, left + side, top + side
        corners = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
        # The rim lies inside its polygon, the stroke on both sides of the square's edges.
        outer = corners + np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (width / 2)
        canvas.paint(Outline(outer, width), BLACK)
    return Drawing(canvas.pixels(), {"line_width_px": round(width, 4)})


def _px(corner: np.ndarray) -> list[float]:
    x, y = (np.round((NESTED_SIDE_PX / 2 + corner * _PX_PER_UNIT) * 8) / 8).tolist()
    return [x, y]


def _px_length(side: float) -> float:
    return round(side * _PX_PER_UNIT * 8) / 8


NESTED_SQUARES = Drawn(geometry=_nested_geometry, truth=_nested_truth, draw=_draw_nested)


# ---- Plain shape ----
#
# One red outline on white, as wide as high but for the triangle, whose sides are equal.

#: Polygons: number of corners, and direction of the first one, degrees from the top.
_CORNERS = {"square": (4, 45.0), "triangle": (3, 0.0)}


def _outline_geometry(levels: Json, generator: np.random.Generator, copy: int) -> dict[str, Any]:
    """Return the centre, px: that of the canvas or, in further copies, any point around which the shape fits."""
    if not copy:
        return {"centre_px": [SIDE_PX / 2, SIDE_PX / 2]}
    # A square's corners lie farthest from its middle.
    reach = levels["size"] * SIDE_PX / np.sqrt(2) + BORDER_PX
    return {"centre_px": np.round(generator.uniform(reach, SIDE_PX - reach, 2), 3).tolist()}


def _outline_truth(parameters: Json) -> str:
    return str(parameters["shape"])


def _draw_outline(**parameters: Any) -> Drawing:
    """Draw the outline; ``size`` is the outer width as a fraction of the canvas."""
    centre = np.array(parameters["centre_px"])
    outer, width = parameters["size"] * SIDE_PX, parameters["line_width_px"]
    canvas = Canvas(WHITE, SIDE_PX, SIDE_PX)
    if parameters["shape"] == "circle":
        canvas.paint(Rings(centre[None], np.array([(outer - width) / 2]), width), RED)
    else:
        count, first = _CORNERS[parameters["shape"]]
        angles = first + np.arange(count) * 360 / count
        radius = outer / 2 / float(sine(180 / count))
        corners = centre + radius * np.stack([sine(angles), -cosine(angles)], axis=-1)
        canvas.paint(Outline(corners, width), RED)
    return Drawing(canvas.pixels())


PLAIN_SHAPE = Drawn(geometry=_outline_geometry, truth=_outline_truth, draw=_draw_outline)
