"""Colour plates after Ishihara's: a digit of dots among dots that differ in hue alone.

Both kinds of dots have the same distribution of luminance and of size, so that nothing but the hue tells them apart.
The plates make no claim about anybody's colour vision.
"""

import numpy as np

from afterimage.contract.drawing import Drawing
from afterimage.drawing.canvas import Canvas
from afterimage.drawing.circles import Discs
from afterimage.drawing.colour import BLACK, WHITE, Colour, levels_from_linear
from afterimage.drawing.geometry import cosine, sine
from afterimage.drawing.packing import packed
from afterimage.drawing.polygons import Region
from afterimage.drawing.text import TextLine, typeface

SIDE_PX = 512

_PLATE_RADIUS_PX = 240
_DIGIT_HEIGHT_PX = 350
_RADII_PX = (10.0, 8.5, 7.0, 5.5, 4.5)
_TRIES = 15_000
_GAP_PX = 1.5
_LUMINANCE = (0.26, 0.42)
#: Directions in linear sRGB along which luminance stays (Rec. 709: 0.2126, 0.7152, 0.0722).
_AXES = {"red_green": (0.7152, -0.2126, 0.0), "yellow_blue": (0.0722, 0.0722, -0.9278)}


def draw(digit: str, axis: str, reach: float, sign: int, dot_seed: int) -> Drawing:
    """Pack dots into a disc, none across the digit's outline, and colour those inside the digit.

    Args:
        digit: What the plate shows.
        axis: ``red_green`` or ``yellow_blue``.
        reach: How far from grey both kinds of dots lie along it, in linear light.
        sign: To which side those of the digit lie, 1 or -1.
        dot_seed: Chooses the dots.
    """
    source = np.random.default_rng(dot_seed)
    mask = _digit_mask(digit)
    centres, radii = _packed(source, mask)
    inside = _covered(mask, centres)
    luminance = source.uniform(*_LUMINANCE, size=len(centres))
    steps = reach * np.where(inside, 1.0, -1.0) * sign
    light = luminance[:, None] + steps[:, None] * np.array(_AXES[axis])
    canvas = Canvas(WHITE, SIDE_PX, SIDE_PX)
    for centre, radius, levels in zip(centres, radii, levels_from_linear(light), strict=True):
        canvas.paint(Discs(centre[None], 2 * radius), Colour(*levels.tolist()))
    return Drawing(canvas.pixels(), {"dots": len(centres), "dots_of_digit": int(inside.sum())})


def _packed(source: np.random.Generator, mask: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return centres and radii of dots that keep clear of each other and of the outline."""

    def tried(radius: float) -> np.ndarray:
        reach = _PLATE_RADIUS_PX - radius
        places = source.uniform(-reach, reach, size=(_TRIES // len(_RADII_PX), 2))
        places = np.round(places[(places * places).sum(axis=1) <= reach * reach], 2) + SIDE_PX / 2
        return places[_is_clear(mask, places, radius)]

    return packed(tried, _RADII_PX, _GAP_PX)


def _is_clear(mask: np.ndarray, centres: np.ndarray, radius: float) -> np.ndarray:
    """Tell which dots have their whole rim on one side of the digit's outline."""
    angles = np.arange(8) * 45
    steps = np.stack([cosine(angles), sine(angles)], axis=-1) * radius
    rim = _covered(mask, centres[:, None] + steps)
    return (rim == _covered(mask, centres)[:, None]).all(axis=1)


def _covered(mask: np.ndarray, points: np.ndarray) -> np.ndarray:
    return mask[points[..., 1].astype(int), points[..., 0].astype(int)]


def _digit_mask(digit: str) -> np.ndarray:
    """Return the pixels that a large bold digit in the middle covers, shape (512, 512), bool."""
    face = typeface("LiberationSans-Bold")
    left, top, right, bottom = face.ink_box(digit)
    size = _DIGIT_HEIGHT_PX / (bottom - top)
    middle = SIDE_PX / 2
    origin = (middle - size * (left + right) / 2, middle - size * (top + bottom) / 2)
    canvas = Canvas(WHITE, SIDE_PX, SIDE_PX)
    canvas.paint(Region(TextLine(digit, face, size, origin).polygons()), BLACK)
    return canvas.pixels()[..., 0] < 128
