"""Figures of lines: crossing ones, and subway maps."""

import heapq
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from afterimage.contract.stimulus import Drawing, Json
from afterimage.drawing.canvas import Canvas
from afterimage.drawing.colour import BLACK, WHITE, Colour
from afterimage.drawing.geometry import length
from afterimage.drawing.polygons import Region
from afterimage.drawing.shapes import Polyline
from afterimage.drawing.text import TextLine, typeface
from afterimage.suites.blindtest.designs import MATCHINGS, PAIRS
from afterimage.suites.blindtest.figures import Drawn, shapes

# ---- Line intersections ----
#
# A red and a blue line of three vertices each that cross 0, 1 or 2 times.
# Paper, task 1. Unlike the original figures, of which six of 150 were mislabelled for lines that end a line's width
# apart, every figure here keeps its distance from doubt (``CLEARANCE_WIDTHS`` and the constants beside it, as fractions
# of what they are measured on).

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


def _lines_geometry(levels: Json, generator: np.random.Generator, copy: int) -> dict[str, Any]:
    """Draw vertices, shape (3, 2) each, until they are clear of any doubt.

    Args:
        levels: ``crossings``, the number wanted, and ``canvas_px``.

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


def _lines_truth(parameters: Json) -> str:
    return str(len(crossings(np.array(parameters["red"]), np.array(parameters["blue"]))))


def _draw_lines(**parameters: Any) -> Drawing:
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
    crossing_points = crossings(np.array(parameters["red"]), np.array(parameters["blue"]))
    return Drawing(
        canvas.pixels(),
        {"line_width_px": round(line_width, 4), "crossings": np.round(crossing_points, 4).tolist()},
    )


def crossings(red: np.ndarray, blue: np.ndarray) -> list[tuple[float, float]]:
    """Return the points in which two lines with vertices at the same x cross."""
    gap = red[:, 1] - blue[:, 1]
    points = []
    for index in range(len(gap) - 1):
        if gap[index] * gap[index + 1] < 0:
            share = gap[index] / (gap[index] - gap[index + 1])
            x, y = (red[index] + share * (red[index + 1] - red[index])).tolist()
            points.append((x, y))
    return points


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
    for index in np.flatnonzero(gap[:-1] * gap[1:] < 0):
        (ax, ay), (bx, by) = red[index + 1] - red[index], blue[index + 1] - blue[index]
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
    """Draw levels; None if the original's rules exclude them."""
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


LINE_INTERSECTION = Drawn(geometry=_lines_geometry, truth=_lines_truth, draw=_draw_lines)


# ---- Subway maps ----
#
# Coloured paths on a lattice between four stations.
# Paper, task 7. Paths never share an edge. Beyond the original's rule, a path meets itself nowhere, and two paths meet
# only to cross at right angles, both going straight on, so that each can be followed by eye; which stations they join
# is fixed by the design.

#: Colours of the originals, as many as the maximum number of paths.
PALETTE = shapes.PALETTE[:6]
#: Canvas, units; the lattice is ``LOW`` to ``HIGH`` in both directions, y upwards.
UNITS = 18
LOW, HIGH = 3, 15
#: Ports of each station, and the step from a port into the lattice.
PORTS = {
    "A": (((8, 16), (9, 16), (10, 16)), (0, -1)),
    "B": (((16, 8), (16, 9), (16, 10)), (-1, 0)),
    "C": (((8, 2), (9, 2), (10, 2)), (0, 1)),
    "D": (((2, 8), (2, 9), (2, 10)), (1, 0)),
}
#: Left end of each label's baseline, units.
LABELS = {"A": (8.45, 16.5), "B": (16.5, 8.6), "C": (8.45, 0.6), "D": (0.4, 8.6)}
FONT = "LiberationSans-Bold"

_POINTS_PER_SIDE = 1296
_FONT_SIZE_PT = 100
_STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))

Point = tuple[int, int]


def _map_geometry(levels: Json, generator: np.random.Generator, copy: int) -> dict[str, Any]:
    """Return ``paths``: stations and lattice points of each path, from port to port.

    Args:
        levels: ``joined``, how often each of the three ways to pair off the stations occurs.
    """
    pairs = [
        pair
        for count, matching in zip(levels["joined"], MATCHINGS, strict=True)
        for pair in matching * count
    ]
    while True:
        order = [pairs[index] for index in generator.permutation(len(pairs))]
        routes = _route_all(order, generator)
        if routes is not None:
            return {
                "paths": [
                    {"stations": pair, "points": [list(point) for point in route]}
                    for pair, route in zip(order, routes, strict=True)
                ]
            }


def _map_truth(parameters: Json) -> str:
    """Return for each pair of stations the number of paths that are drawn between them."""
    ends = [_stations_of(path["points"]) for path in parameters["paths"]]
    return ";".join(f"{pair}={ends.count(pair)}" for pair in PAIRS)


def _draw_map(**parameters: Any) -> Drawing:
    side = parameters["side_px"]
    unit = side / UNITS
    width = parameters["line_width_pt"] * side / _POINTS_PER_SIDE
    canvas = Canvas(WHITE, side, side)
    for path, colour in zip(parameters["paths"], PALETTE, strict=False):
        points = np.array(path["points"], dtype=np.float64)
        canvas.paint(Polyline(_on_canvas(_corners(points), unit), width), colour)
    font, size = typeface(FONT), _FONT_SIZE_PT * side / _POINTS_PER_SIDE
    for station, anchor in LABELS.items():
        origin = tuple(_on_canvas(np.array([anchor]), unit)[0].tolist())
        canvas.paint(Region(TextLine(station, font, size, origin).polygons()), BLACK)
    return Drawing(canvas.pixels(), {"line_width_px": round(width, 4)})


def _stations_of(points: Sequence[Sequence[int]]) -> str:
    ends = {tuple(points[0]), tuple(points[-1])}
    return "".join(station for station, (ports, _) in PORTS.items() if ends & set(ports))


def _on_canvas(points: np.ndarray, unit: float) -> np.ndarray:
    return np.stack([points[:, 0] * unit, (UNITS - points[:, 1]) * unit], axis=-1)


def _corners(points: np.ndarray) -> np.ndarray:
    """Drop the points at which a path goes straight on."""
    steps = np.diff(points, axis=0)
    turns = (steps[1:] != steps[:-1]).any(axis=1)
    corners: np.ndarray = points[np.concatenate([[True], turns, [True]])]
    return corners


def _route_all(order: Sequence[str], generator: np.random.Generator) -> list[list[Point]] | None:
    """Route all paths, or return None if one is shut in."""
    free = {
        station: [ports[index] for index in generator.permutation(len(ports))]
        for station, (ports, _) in PORTS.items()
    }
    ways: dict[Point, Point | None] = {}
    routes = []
    for pair in order:
        start, end = free[pair[0]].pop(), free[pair[1]].pop()
        route = _route(pair, start, end, ways, generator)
        if route is None:
            return None
        _occupy(ways, route)
        routes.append(route)
    return routes


def _occupy(ways: dict[Point, Point | None], route: Sequence[Point]) -> None:
    """Record how a path passes each of its points: its direction, or None if it may not be met."""
    for before, point, after in zip(route, route[1:], route[2:], strict=False):
        step_in, step_out = _step_between(before, point), _step_between(point, after)
        crossable = step_in == step_out and point not in ways
        ways[point] = step_in if crossable else None


def _route(
    pair: str,
    start: Point,
    end: Point,
    ways: Mapping[Point, Point | None],
    generator: np.random.Generator,
) -> list[Point] | None:
    """Return the lightest path between two ports on a lattice with random weights."""
    first_step, last_step = PORTS[pair[0]][1], tuple(-part for part in PORTS[pair[1]][1])
    uniform = generator.uniform(size=(2, UNITS, UNITS))
    # Cubed, so that light edges abound and detours along them are common.
    weights = (uniform * uniform * uniform).tolist()
    entry, goal = (
        (_moved(start, first_step), first_step),
        (_moved(end, PORTS[pair[1]][1]), last_step),
    )
    best: dict[tuple[Point, Point], float] = {entry: 0.0}
    came_from: dict[tuple[Point, Point], tuple[Point, Point]] = {}
    waiting = [(0.0, entry)]
    while waiting:
        cost, state = heapq.heappop(waiting)
        if cost > best[state]:
            continue
        point, direction = state
        for step in _onward(point, direction, ways):
            if (point, step) == goal:
                return [start, *_traced(state, came_from), end]
            target = _moved(point, step)
            if not (LOW <= target[0] <= HIGH and LOW <= target[1] <= HIGH):
                continue
            x, y = map(min, point, target)
            heavier = cost + weights[step[0] == 0][x][y]
            following = (target, step)
            if heavier < best.get(following, np.inf):
                best[following] = heavier
                came_from[following] = state
                heapq.heappush(waiting, (heavier, following))
    return None


def _onward(point: Point, direction: Point, ways: Mapping[Point, Point | None]) -> Sequence[Point]:
    """Return the steps that a path may leave a point by, having come in ``direction``."""
    if point not in ways:
        back = (-direction[0], -direction[1])
        return [step for step in _STEPS if step != back]
    crossed = ways[point]
    at_right_angles = (
        crossed is not None and crossed[0] * direction[0] + crossed[1] * direction[1] == 0
    )
    return [direction] if at_right_angles else []


def _traced(
    state: tuple[Point, Point], came_from: Mapping[tuple[Point, Point], tuple[Point, Point]]
) -> list[Point]:
    points = [state[0]]
    while state in came_from:
        state = came_from[state]
        points.append(state[0])
    return points[::-1]


def _moved(point: Point, step: Point) -> Point:
    return (point[0] + step[0], point[1] + step[1])


def _step_between(start: Point, end: Point) -> Point:
    return (end[0] - start[0], end[1] - start[1])


SUBWAY = Drawn(geometry=_map_geometry, truth=_map_truth, draw=_draw_map)
