"""Sectors of annuli."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from afterimage.drawing.coverage import Coverage, Frame, from_distance
from afterimage.drawing.geometry import snap


@dataclass(frozen=True)
class Arch:
    """A sector of an annulus, symmetric about the vertical through its centre.

    Attributes:
        centre: Centre of the two circles, px.
        inner_radius, outer_radius: Radii, px.
        half_angle_deg: Half of the opening angle, 0..90 deg, measured from straight up.
    """

    centre: tuple[float, float]
    inner_radius: float
    outer_radius: float
    half_angle_deg: float

    def coverage(self, frame: Frame) -> Iterator[Coverage]:
        """Yield the covered pixels inside ``frame``."""
        cx, cy = snap(self.centre)
        inner, outer = snap(self.inner_radius), snap(self.outer_radius)
        side_x, side_y = _unit_up(self.half_angle_deg)
        corner_x, lowest = outer * side_x, inner * side_y
        x0, x1 = int(np.floor(cx - corner_x - 1)), int(np.ceil(cx + corner_x + 1))
        y0, y1 = int(np.floor(cy - outer - 1)), int(np.ceil(cy - lowest + 1))
        box = frame.cut(x0, y0, x1, y1)
        columns = np.abs(np.arange(box.x0, box.x1) + 0.5 - cx)
        x = np.broadcast_to(columns, (box.y1 - box.y0, columns.size))
        y = (cy - (np.arange(box.y0, box.y1) + 0.5))[:, None]
        radius = np.sqrt(columns * columns + y * y)
        across = x * side_y - y * side_x
        along = x * side_x + y * side_y
        past_side = along - np.minimum(np.maximum(along, inner), outer)
        to_side = np.sqrt(past_side * past_side + across * across)
        outside_circles = np.maximum(radius - outer, inner - radius)
        within_angle = np.where(
            outside_circles > 0,
            np.minimum(outside_circles, to_side),
            -np.minimum(-outside_circles, to_side),
        )
        distance = np.where(across <= 0, within_angle, to_side)
        rows = np.arange(box.y0, box.y1)[:, None] * frame.stride
        position = rows + np.arange(box.x0, box.x1)
        yield from_distance(position.ravel(), distance.ravel())


def _unit_up(angle_deg: float) -> tuple[float, float]:
    """Return the (sideways, upward) unit vector of an angle from straight up."""
    x, y = snap([np.sin(np.radians(angle_deg)) * 1024, np.cos(np.radians(angle_deg)) * 1024])
    length = np.sqrt(x * x + y * y)
    return x / length, y / length
