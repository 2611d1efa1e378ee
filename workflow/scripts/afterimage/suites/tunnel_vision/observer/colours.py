"""Which colour that is, by the names of the suite."""

import numpy as np

from afterimage.seeing.image import Floats
from afterimage.suites.tunnel_vision.names import COLOURS

#: sRGB-coded, shape (colours, 3).
LEVELS = np.array([list(bytes.fromhex(code[1:])) for code in COLOURS.values()], dtype=float)


def colour_name(colour: Floats) -> str:
    """Return the name of the nearest colour; sRGB-coded, 0 to 255, shape (3,)."""
    return list(COLOURS)[int(((LEVELS - colour) ** 2).sum(axis=1).argmin())]
