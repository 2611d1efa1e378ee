"""Line intersections: a red and a blue line of three vertices each that cross 0, 1 or 2 times.

Paper, task 1. Unlike the original figures, of which six of 150 were mislabelled for lines
that end a line's width apart, every figure here keeps its distance from doubt (``CLEARANCE`` and the
constants beside it, as fractions of what they are measured on).
"""

from typing import Any

import numpy as np

from afterimage.contract.stimulus import Drawing, Json
from afterimage.drawing.canvas import Canvas
from afterimage.drawing.colour import WHITE, Colour
from afterimage.drawing.geometry import length
from afterimage.drawing.shapes import Polyline
from afterimage.suites.blindtest.seeding import seeded

RED, BLUE = Colour(255, 0, 0), Colour(0, 0, 255)

#: No vertex comes nearer to the other line than this many widths of the thickest rendering.
CLEARANCE_WIDTHS = 4.0
#: No crossing lies nearer to a vertex than this many widths of the thickest rendering.
CROSSING_WIDTHS = 4.0
#: The lines cross at this angle at least, deg.
CROSSING_ANGLE_DEG = 12.0

# Release v1: px on the canvas of 1000 x 500. The highest and the lowest vertex are always 350 px apart.
_V1_X = (160.25, 512.5, 864.75)
_V1_TOP, _V1_BOTTOM = 72.5, 422.5
_V1_PX_PER_PT = 100 / 72

# Release final: fractions of the side, x to the right, y upwards, 13 levels for y.
_FINAL_X = (0.008, 0.5, 0.992)
_FINAL_Y = tuple(
    level / 5 for level in (0.04, 0.4, 0.85, 1.25, 1.65, 2.1, 2.5, 2.9, 3.35, 3.75, 4.15, 4.6, 4.96)
)
_FINAL_POINTS_PER_SIDE = 360

_THICKEST_PT = 4


@seeded
def geometry(levels: Json, generator: np.random.Generator, copy: int) -> dict[str, Any]:
    """Draw vertices, shape (3, 2) each, until they are clear of any doubt.

    Args:
        levels: ``crossings``, the number wanted, and ``canvas_px``.
        generator: The base figure's own.
        copy: Not used; every base figure is random.

    Returns:
        ``red`` and ``blue``: on a canvas of 1000 x 500 in px (y down), on a square canvas as
        fractions of its side (y up).
    """
    is_square = levels["canvas_px"][0] == levels["canvas_px"][1]
    draw_pair = _levels_pair if is_square else _uniform_pair
    thickest = _THICKEST_PT * (1 / _FINAL_POINTS_PER_SIDE if is_square else _V1_PX_PER_PT)
    while True:
        pair = draw_pair(generator)
        if pair is None:
            continue
        red, blue = pair
        if len(crossings(red, blue)) == levels["crossings"] and _is_clear(red, blue, thickest):
            return {"red": red.tolist(), "blue": blue.tolist()}


def truth(parameters: Json) -> str:
    """Return the number of crossings of the lines that are drawn."""
    return str(len(crossings(np.array(parameters["red"]), np.array(parameters["blue"]))))


def draw(**parameters: Any) -> Drawing:
    """Draw both lines; blue lies on top in release v1, red in release final."""
    width, height = parameters["canvas_px"]
    canvas = Canvas(WHITE, width, height)
    if width == height:
        line_width = parameters["line_width_pt"] * width / _FINAL_POINTS_PER_SIDE
        order = (("blue", BLUE), ("red", RED))
    else:
        line_width = parameters["line_width_pt"] * _V1_PX_PER_PT
        order = (("red", RED), ("blue", BLUE))
    for name, colour in order:
        points = np.array(parameters[name])
        if width == height:
            points = np.stack([points[:, 0] * width, (1 - points[:, 1]) * width], axis=-1)
        canvas.paint(Polyline(points, line_width), colour)
    found = crossings(np.array(parameters["red"]), np.array(parameters["blue"]))
    return Drawing(
        canvas.pixels(),
        {"line_width_px": round(line_width, 4), "crossings": np.round(found, 4).tolist()},
    )


def crossings(red: np.ndarray, blue: np.ndarray) -> list[tuple[float, float]]:
    """Return the points in which two lines with vertices at the same x cross."""
    gap = red[:, 1] - blue[:, 1]
    found = []
    for left in range(len(gap) - 1):
        if gap[left] * gap[left + 1] < 0:
            share = gap[left] / (gap[left] - gap[left + 1])
            x, y = (red[left] + share * (red[left + 1] - red[left])).tolist()
            found.append((x, y))
    return found


def vertex_clearance(red: np.ndarray, blue: np.ndarray) -> float:
    """Return the least distance of a vertex of one line from the other line."""
    return min(
        _distance(vertex, other[index], other[index + 1])
        for line, other in ((red, blue), (blue, red))
        for vertex in line
        for index in range(len(other) - 1)
    )


def crossing_angles_deg(red: np.ndarray, blue: np.ndarray) -> list[float]:
    """Return the acute angle between the lines at each crossing, deg."""
    gap = red[:, 1] - blue[:, 1]
    angles = []
    for left in np.flatnonzero(gap[:-1] * gap[1:] < 0):
        (ax, ay), (bx, by) = red[left + 1] - red[left], blue[left + 1] - blue[left]
        angles.append(float(np.degrees(np.arctan2(abs(ax * by - ay * bx), ax * bx + ay * by))))
    return [min(angle, 180 - angle) for angle in angles]


def _is_clear(red: np.ndarray, blue: np.ndarray, thickest: float) -> bool:
    vertices = np.concatenate([red, blue])
    return (
        vertex_clearance(red, blue) >= CLEARANCE_WIDTHS * thickest
        and all(
            length(point, vertex) >= CROSSING_WIDTHS * thickest
            for point in crossings(red, blue)
            for vertex in vertices
        )
        and all(angle >= CROSSING_ANGLE_DEG for angle in crossing_angles_deg(red, blue))
    )


def _uniform_pair(generator: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    heights = generator.uniform(size=(2, 3))
    spread = (heights - heights.min()) / np.ptp(heights)
    # Eighths of a pixel are exact in binary and far finer than any criterion.
    y = np.round((_V1_TOP + spread * (_V1_BOTTOM - _V1_TOP)) * 8) / 8
    red, blue = (np.stack([_V1_X, row], axis=-1) for row in y)
    return red, blue


def _levels_pair(generator: np.random.Generator) -> tuple[np.ndarray, np.ndarray] | None:
    """Draw levels; None where the original's rules exclude them."""
    levels = generator.integers(len(_FINAL_Y), size=(2, 3))
    if (levels[0] == levels[1]).any():
        return None
    for rim in (0, len(_FINAL_Y) - 1):
        at_rim = levels == rim
        if (at_rim[:, :-1] & at_rim[:, 1:]).any():
            return None
    y = np.array(_FINAL_Y)[levels]
    red, blue = (np.stack([_FINAL_X, row], axis=-1) for row in y)
    return red, blue


def _distance(point: np.ndarray, start: np.ndarray, end: np.ndarray) -> float:
    along = end - start
    share = np.clip(np.dot(point - start, along) / np.dot(along, along), 0, 1)
    return length(point, start + share * along)
