"""Subway maps: coloured paths on a lattice between four stations.

Paper, task 7. Paths never share an edge. Beyond the original's rule, a path meets itself
nowhere, and two paths meet only to cross at right angles, both going straight on, so that each can be
followed by eye; which stations they join is fixed by the design.
"""

import heapq
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from afterimage.contract.stimulus import Drawing, Json
from afterimage.drawing.canvas import Canvas
from afterimage.drawing.colour import BLACK, WHITE, from_hexadecimal
from afterimage.drawing.polygons import Region
from afterimage.drawing.shapes import Polyline
from afterimage.drawing.text import TextLine, typeface
from afterimage.suites.blindtest.designs import subway as design
from afterimage.suites.blindtest.seeding import seeded

#: Of the ten-colour categorical map of the originals, in order.
PALETTE = tuple(
    from_hexadecimal(code)
    for code in ("#1F77B4", "#FF7F0E", "#2CA02C", "#D62728", "#9467BD", "#8C564B")
)
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


@seeded
def geometry(levels: Json, generator: np.random.Generator, copy: int) -> dict[str, Any]:
    """Return ``paths``: stations and lattice points of each path, from port to port.

    Args:
        levels: ``joined``, how often each of the three ways to pair off the stations occurs.
        generator: The base figure's own.
        copy: Not used; every base figure is random.
    """
    pairs = [
        pair
        for count, matching in zip(levels["joined"], design.MATCHINGS, strict=True)
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


def truth(parameters: Json) -> str:
    """Return for each pair of stations the number of paths that are drawn between them."""
    ends = [_stations_of(path["points"]) for path in parameters["paths"]]
    return ";".join(f"{pair}={ends.count(pair)}" for pair in design.PAIRS)


def draw(**parameters: Any) -> Drawing:
    """Draw the paths, one colour each, and the stations' letters."""
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
    """Route all paths, or return None where one is shut in."""
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
    """Record how a path passes each of its points: its direction, or None where it may not be met."""
    for before, point, after in zip(route, route[1:], route[2:], strict=False):
        step_in, step_out = _step(before, point), _step(point, after)
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


def _step(start: Point, end: Point) -> Point:
    return (end[0] - start[0], end[1] - start[1])
