"""Strokes of one colour: position, length and curvature, and where wires and routes lead."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import ndimage

from afterimage.errors import AfterimageError
from afterimage.seeing.colours import Target, chromatic_colours, nearest_colours
from afterimage.seeing.image import Floats, Image, Mask, window_of

# A target's own end caps and the neighbouring side's stroke lie in the outer tenth of a side.
_FITTED_PART_OF_SIDE = 0.9
# Outward normals of sides by eighths of a turn from the right; clockwise, because y points down.
_COMPASS = (
    *("right", "lower_right", "lower", "lower_left", "left", "upper_left"),
    *("upper", "upper_right"),
)


@dataclass(frozen=True)
class Stroke:
    """A straight stroke as a rectangle with the target's centroid and second moments.

    Attributes:
        centre: Centroid (x, y) in px, shape (2,).
        along: Unit vector of the principal axis, shape (2,); points right, or down when vertical.
        length: Extent along the axis in px. A uniform stroke of length L has the variance L^2/12
            along its axis, and so the length needs no threshold at the ends.
    """

    centre: Floats
    along: Floats
    length: float

    @property
    def tilt_deg(self) -> float:
        """Angle from the horizontal in degrees, clockwise."""
        return float(np.degrees(np.arctan2(self.along[1], self.along[0])))


def fit_stroke(target: Target) -> Stroke:
    """Fit a stroke to a target by total least squares."""
    centre = np.array(target.centre)
    offsets = np.stack([target.x, target.y]) - centre[:, None]
    # A pixel is an area, not a point: each adds the variance of the unit square, 1/12.
    spread = (offsets * target.coverage) @ offsets.T / target.area + np.eye(2) / 12.0
    variances, axes = np.linalg.eigh(spread)
    along = axes[:, -1]
    along = along * np.sign(along[1] if abs(along[0]) < 1e-6 else along[0])
    return Stroke(centre, along, float(np.sqrt(12.0 * variances[-1])))


def sides(first: Floats, second: Floats) -> tuple[str, str, bool]:
    """Name two positions, and tell whether the first name belongs to the first position."""
    across, down = second - first
    if abs(across) > abs(down):
        return "left", "right", bool(across > 0)
    return "upper", "lower", bool(down > 0)


def angle_deg(first: Stroke, second: Stroke) -> float:
    """Return the angle between two strokes in degrees, 0 to 90."""
    turn = first.along[0] * second.along[1] - first.along[1] * second.along[0]
    return float(np.degrees(np.arctan2(abs(turn), abs(first.along @ second.along))))


def end_gaps(first: Stroke, second: Stroke) -> tuple[float, float]:
    """Return how far apart two nearly parallel strokes are where the later begins and the earlier ends, px."""
    along = first.along + second.along * np.sign(first.along @ second.along)
    along = along / np.linalg.norm(along)
    normal = np.array([-along[1], along[0]])
    middles = [along @ stroke.centre for stroke in (first, second)]
    reach = [stroke.length / 2 for stroke in (first, second)]
    left = max(float(middle - half) for middle, half in zip(middles, reach, strict=True))
    right = min(float(middle + half) for middle, half in zip(middles, reach, strict=True))

    def gap(position: float) -> float:
        heights = [
            normal @ stroke.centre
            + (position - along @ stroke.centre) * (normal @ stroke.along) / (along @ stroke.along)
            for stroke in (first, second)
        ]
        return float(abs(heights[0] - heights[1]))

    return gap(left), gap(right)


def sagitta_px(target: Target, stroke: Stroke, other: Stroke) -> float:
    """Return how far a bent stroke bows at its middle, px; away from another stroke is positive.

    Args:
        target: The stroke's pixels.
        stroke: The straight stroke fitted to them.
        other: The other stroke.
    """
    outward = np.array([-stroke.along[1], stroke.along[0]])
    outward = outward * np.sign(outward @ (stroke.centre - other.centre))
    offsets = np.stack([target.x, target.y]) - stroke.centre[:, None]
    bend = _parabola(stroke.along @ offsets, outward @ offsets, target.coverage)[2]
    return float(-bend * (stroke.length / 2) ** 2)


def side_sagittas_px(outline: Target, looked_for: str) -> dict[str, float]:
    """Return how far each side of a square outline bows, px; inward is positive.

    Args:
        outline: The outline's pixels; it may be turned.
        looked_for: What it is, for the error.

    Returns:
        Four sides by the point of the compass that they face, e.g. ``upper`` or ``lower_left``.

    Raises:
        AfterimageError: A side is missing.
    """
    middle = np.array([(axis.min() + axis.max()) / 2 for axis in (outline.x, outline.y)])
    offsets = np.stack([outline.x, outline.y]) - middle[:, None]
    corner = _corner_direction(offsets, outline.coverage)
    normals = corner + np.pi / 4 + np.arange(4) * np.pi / 2
    # Far enough from the corners that no pixel of the neighbouring side's stroke is met.
    inked = offsets[:, outline.coverage > 0.5]
    facing = np.array([np.cos(normals[0]), np.sin(normals[0])])
    reach = _FITTED_PART_OF_SIDE * float((facing @ inked).max())
    fits = {}
    for angle in normals:
        outward = np.array([np.cos(angle), np.sin(angle)])
        v, u = outward @ offsets, outward[0] * offsets[1] - outward[1] * offsets[0]
        side = (v > np.abs(u)) & (np.abs(u) <= reach)
        if outline.coverage[side].sum() < 0.1 * outline.area:
            raise AfterimageError(
                f"looked for {looked_for} and found an outline with less than a tenth of its "
                "stroke on one side."
            )
        name = _COMPASS[round(np.degrees(angle) / 45) % 8]
        fits[name] = _parabola(u[side], v[side], outline.coverage[side])
    half = _half_side(list(fits.values()))
    return {name: fit[2] * half**2 for name, fit in fits.items()}


def _parabola(u: Floats, v: Floats, coverage: Floats) -> Floats:
    """Fit v = c0 + c1 u + c2 u^2 to a stroke's covered pixels; returns (c0, c1, c2)."""
    # Ringing makes coverage slightly negative in places, which no weight can be.
    weight = np.sqrt(np.clip(coverage, 0.0, None))
    scale = np.abs(u).max()
    powers = np.stack([np.ones_like(u), u / scale, (u / scale) ** 2], axis=1)
    solution = np.linalg.lstsq(powers * weight[:, None], v * weight, rcond=None)[0]
    fitted: Floats = solution / np.array([1.0, scale, scale**2])
    return fitted


def _corner_direction(offsets: Floats, coverage: Floats) -> float:
    """Return the angle of one corner of an outline: the fourth harmonic of its far pixels."""
    radius = np.hypot(*offsets)
    harmonic = np.exp(4j * np.arctan2(offsets[1], offsets[0]))
    # The high power leaves little but the corners, whether the sides are straight or bent.
    return float(np.angle(np.sum(coverage * (radius / radius.max()) ** 8 * harmonic)) / 4)


def _half_side(fits: list[Floats]) -> float:
    """Return half the side of the square whose corners the fitted sides meet in."""
    half = float(np.mean([fit[0] for fit in fits]))
    for _ in range(20):
        # At a corner the side is as far out as it is long: v(half) = half.
        half = float(np.mean([fit[0] + fit[2] * half**2 for fit in fits]))
    return half


# ---- Wires on a grid of directions ----
# Where they meet they cross at right angles and both go straight on; one turns only where no other is.

#: Right, down, left, up, as steps of x and y.
RIGHT, DOWN, LEFT, UP = HEADINGS = ((1, 0), (0, 1), (-1, 0), (0, -1))


class Traced(NamedTuple):
    """A wire from its start.

    Attributes:
        x: Where it ends, px.
        y: The same down.
        crossings: How often others cross it.
    """

    x: int
    y: int
    crossings: int


def trace(ink: Mask, start: tuple[int, int], width: float, heading: tuple[int, int]) -> Traced:
    """Follow the middle of a wire until it ends.

    Args:
        ink: Which pixels the wires cover, shape (height, width).
        start: x and y of a pixel in the middle of the wire, px.
        width: Of the wires, px.
        heading: One of HEADINGS.
    """
    (x, y), crossings, was_crossing = start, 0, False
    beyond = round(width / 2) + 1
    # No wire is longer than all ink.
    for _ in range(int(ink.sum())):
        sides = [side for side in HEADINGS if side[0] * heading[0] + side[1] * heading[1] == 0]
        covered = [_covered(ink, x, y, side, beyond) for side in sides]
        if _covered(ink, x, y, heading, beyond):
            # A crossing wire is on both sides for as many steps as it is wide.
            crossings += all(covered) and not was_crossing
            was_crossing = all(covered)
        elif any(covered):
            heading, was_crossing = sides[covered.index(True)], False
        else:
            break
        x, y = x + heading[0], y + heading[1]
    return Traced(x, y, crossings)


def _covered(ink: Mask, x: int, y: int, step: tuple[int, int], distance: int) -> bool:
    column, row = x + step[0] * distance, y + step[1] * distance
    return 0 <= row < ink.shape[0] and 0 <= column < ink.shape[1] and bool(ink[row, column])


# ---- Coloured paths across a network: at which of its sides each ends ----

_NO_COLOUR = "looked for coloured paths and found no colour."
# A mixture at crossings has far fewer pixels than the shortest path, compared with the longest.
_MIN_SHARE = 0.03
# The ports of a station are in one line, and nothing else comes that near to it: share of the
# network's side.
_PORT_SHARE = 0.02
# Crossing paths are traced at this side at most; strokes keep more than a pixel.
_TRACED_PX = 512


def trace_paths(image: Image, stations: Sequence[str]) -> list[str]:
    """Return the two stations that each single-coloured path joins, e.g. ``["AC", "BD"]``.

    A path is all ink of one colour; other paths may cross over it.

    Args:
        image: uint8 RGB, shape (height, width, 3).
        stations: The labels at the top, right, bottom and left of the network.

    Raises:
        AfterimageError: There are no coloured paths, or a colour is not one path with two ends.
    """
    found = chromatic_colours(image, _MIN_SHARE)
    if not found:
        raise AfterimageError(_NO_COLOUR)
    owners = nearest_colours(image, np.stack([colour.lacking for colour in found]))
    owners = owners[window_of(owners >= 0, _NO_COLOUR)]
    return [_ends(owners == index, found[index].lacking, stations) for index in range(len(found))]


def _ends(path: Mask, lacking: Floats, stations: Sequence[str]) -> str:
    """Return the stations at which a path ends, once it is known to be one path."""
    margin = max(round(_PORT_SHARE * max(path.shape)), 1)
    profiles = (
        path[:margin].any(axis=0),
        path[:, -margin:].any(axis=1),
        path[-margin:].any(axis=0),
        path[:, :margin].any(axis=1),
    )
    ends: list[str] = []
    widths: list[int] = []
    for station, profile in zip(stations, profiles, strict=True):
        labels, count = ndimage.label(profile)
        ends += [station] * count
        widths += list(np.bincount(labels)[1:])
    name = "rgb({}, {}, {})".format(*(255 - np.rint(lacking).astype(int)))
    if len(ends) != 2 or ends[0] == ends[1]:
        where = " and ".join(ends) or "none"
        raise AfterimageError(
            f"looked for a path between two stations in each colour and found {name} with ends at "
            f"stations: {where}."
        )
    if not _is_one_piece(path, max(widths)):
        raise AfterimageError(
            f"looked for one path in each colour and found {name} in pieces that no crossing explains."
        )
    return "".join(ends)


def _is_one_piece(path: Mask, line_width: int) -> bool:
    """Tell whether a path hangs together across the paths that cross over it."""
    step = -(-max(path.shape) // _TRACED_PX)
    coarse = path[::step, ::step].astype(np.uint8)
    # Grown by a line width on either side, the ends of a path under a crossing one meet.
    grown = ndimage.maximum_filter(coarse, 2 * -(-line_width // step) + 1)
    labels, count = ndimage.label(grown)
    if count == 1:
        return True
    # Where two other paths cross, their mixture can be of this path's hue: specks, not pieces.
    areas = np.bincount(labels.ravel(), coarse.ravel())[1:] * step**2
    return int(np.count_nonzero(areas >= line_width**2)) == 1
