"""What all figures share: the ground, the greys of the plain twins, stars."""

import numpy as np

from afterimage.drawing.canvas import Canvas
from afterimage.drawing.colour import Colour, from_hexadecimal
from afterimage.drawing.geometry import cosine, sine
from afterimage.drawing.regions import Region
from afterimage.suites.counting_bias.names import SHIFTS

SIDE_PX = 672
#: Not white, so that white stripes at the border of a flag stay visible.
GROUND = from_hexadecimal("#DDE3E8")
#: The greys of plain twins.
DARK, LIGHT = from_hexadecimal("#5A5A5A"), from_hexadecimal("#C8C8C8")

#: Inner radius of a five-pointed star, fraction of the outer one.
_INNER = 0.382


def new_canvas() -> Canvas:
    """Return an empty ground."""
    return Canvas(GROUND, SIDE_PX, SIDE_PX)


def centred(width: int, height: int, shift: str) -> tuple[int, int]:
    """Return left and top, px, of something in the middle of the canvas, moved by the shift."""
    return (SIDE_PX - width) // 2 + SHIFTS[shift], (SIDE_PX - height) // 2 + SHIFTS[shift]


def paint_stars(
    canvas: Canvas, centres: list[tuple[float, float]], radius: float, colour: Colour
) -> None:
    """Paint upright five-pointed stars about their centres, px, which are rounded: all stars of a size are alike."""
    angles = 36.0 * np.arange(10) - 90
    reach = np.where(np.arange(10) % 2, _INNER * radius, radius)
    star = np.stack([reach * cosine(angles), reach * sine(angles)], axis=-1)
    canvas.paint(Region([star + np.round(centre) for centre in centres]), colour)
