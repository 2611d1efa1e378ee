"""Plain string: a string as in :mod:`circled_letter`, without the oval."""

from typing import Any

import numpy as np

from afterimage.contract.stimulus import Drawing, Json
from afterimage.drawing.canvas import Canvas
from afterimage.drawing.colour import BLACK, WHITE
from afterimage.drawing.polygons import Region
from afterimage.suites.blindtest.figures.circled_letter import BORDER_PX, SIDE_PX, text_line
from afterimage.suites.blindtest.seeding import seeded


@seeded
def geometry(levels: Json, generator: np.random.Generator, copy: int) -> dict[str, Any]:
    """Return where the line stands: in the middle or, in further copies, ``shift_px`` away from it."""
    if not copy:
        return {"shift_px": [0.0, 0.0]}
    left, top, right, bottom = text_line({**levels, "shift_px": (0.0, 0.0)}).ink_box()
    low = np.array([BORDER_PX - left, BORDER_PX - top])
    high = np.array([SIDE_PX - BORDER_PX - right, SIDE_PX - BORDER_PX - bottom])
    chosen = generator.uniform(np.minimum(low, 0), np.maximum(high, 0))
    return {"shift_px": (np.round(chosen * 8) / 8).tolist()}


def truth(parameters: Json) -> str:
    """Return the string."""
    return str(parameters["word"])


def draw(**parameters: Any) -> Drawing:
    """Draw the text."""
    line = text_line(parameters)
    canvas = Canvas(WHITE, SIDE_PX, SIDE_PX)
    canvas.paint(Region(line.polygons()), BLACK)
    return Drawing(canvas.pixels(), {"font_size_px": round(line.size_px, 4)})
