"""Points and directions that are the same numbers on every machine."""

import numpy as np
from numpy.typing import ArrayLike

#: Vertices lie on a grid of 1/1024 px: the last bit of a sine differs between mathematical
#: libraries and must not reach a pixel.
GRID_PER_PX = 1024

#: Decimals kept of a sine or cosine, for the same reason.
_DIRECTION_DECIMALS = 12


def snap(points: ArrayLike) -> np.ndarray:
    """Round coordinates (px) to the vertex grid of 1/1024 px."""
    return np.round(np.asarray(points, dtype=np.float64) * GRID_PER_PX) / GRID_PER_PX


def cosine(angle_deg: np.ndarray | float) -> np.ndarray:
    """Return the cosine of angles in degrees, cut to twelve decimals."""
    return np.round(np.cos(np.radians(angle_deg)), _DIRECTION_DECIMALS)


def sine(angle_deg: np.ndarray | float) -> np.ndarray:
    """Return the sine of angles in degrees, cut to twelve decimals."""
    return np.round(np.sin(np.radians(angle_deg)), _DIRECTION_DECIMALS)


def turned(points: np.ndarray, angle_deg: float, centre: tuple[float, float]) -> np.ndarray:
    """Turn points (..., 2) clockwise on the screen (y points down) about ``centre``."""
    offsets = np.asarray(points, dtype=np.float64) - centre
    x, y = offsets[..., 0], offsets[..., 1]
    c, s = cosine(angle_deg), sine(angle_deg)
    return np.stack([x * c - y * s, x * s + y * c], axis=-1) + centre


def signed_angle_deg(first: np.ndarray, second: np.ndarray) -> float:
    """Return the turn from the first to the second directed segment, deg, clockwise on the screen.

    Each segment is two end points; the result is rounded to six decimals.
    """
    (ax, ay), (bx, by) = np.subtract(first[1], first[0]), np.subtract(second[1], second[0])
    return round(float(np.degrees(np.arctan2(ax * by - ay * bx, ax * bx + ay * by))), 6)


def length(first: ArrayLike, second: ArrayLike) -> float:
    """Return the distance of two points, px."""
    dx, dy = np.subtract(second, first)
    return float(np.sqrt(dx * dx + dy * dy))
