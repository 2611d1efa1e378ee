"""Plain shape: one red outline on white, as wide as high but for the triangle, whose sides are equal."""

from typing import Any

import numpy as np

from afterimage.contract.stimulus import Drawing, Json
from afterimage.drawing.canvas import Canvas
from afterimage.drawing.colour import WHITE
from afterimage.drawing.geometry import cosine, sine
from afterimage.drawing.polygons import Outline
from afterimage.drawing.shapes import Rings
from afterimage.suites.blindtest.figures.circled_letter import BORDER_PX, RED, SIDE_PX
from afterimage.suites.blindtest.seeding import seeded

#: Of polygons: corners, and where the first one lies, degrees from the top.
_CORNERS = {"square": (4, 45.0), "triangle": (3, 0.0)}


@seeded
def geometry(levels: Json, generator: np.random.Generator, copy: int) -> dict[str, Any]:
    """Return the centre, px: that of the canvas or, in further copies, any place that holds the shape."""
    if not copy:
        return {"centre_px": [SIDE_PX / 2, SIDE_PX / 2]}
    # A square's corners lie farthest from its middle.
    reach = levels["size"] * SIDE_PX / np.sqrt(2) + BORDER_PX
    return {"centre_px": np.round(generator.uniform(reach, SIDE_PX - reach, 2), 3).tolist()}


def truth(parameters: Json) -> str:
    """Return the shape's name."""
    return str(parameters["shape"])


def draw(**parameters: Any) -> Drawing:
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
