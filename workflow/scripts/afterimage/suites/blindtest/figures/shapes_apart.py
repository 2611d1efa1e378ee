"""Shapes apart: the shapes of :mod:`olympic_shapes`, with half a shape's size between any two of them."""

from typing import Any

import numpy as np

from afterimage.contract.stimulus import Json
from afterimage.suites.blindtest.figures import olympic_shapes
from afterimage.suites.blindtest.figures.olympic_shapes import BORDER, circumradius, rows
from afterimage.suites.blindtest.seeding import seeded

draw, truth = olympic_shapes.draw, olympic_shapes.truth

#: Between the outlines of neighbours in a row and of the two rows, in diameters of the circle round a shape.
GAP = 0.5


@seeded
def geometry(levels: Json, generator: np.random.Generator, copy: int) -> dict[str, Any]:
    """Return the centres of the shapes as :func:`olympic_shapes.geometry` does."""
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
