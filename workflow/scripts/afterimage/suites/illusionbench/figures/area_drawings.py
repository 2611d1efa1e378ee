"""Figures of areas: Hermann grid, Ebbinghaus, simultaneous contrast."""

import numpy as np

from afterimage.contract.drawing import Drawing
from afterimage.drawing.canvas import Canvas
from afterimage.drawing.circles import Discs
from afterimage.drawing.colour import BLACK, WHITE, Colour, grey
from afterimage.drawing.geometry import cosine, sine

SIDE_PX = 512

_ORANGE = Colour(230, 120, 20)
_DISC_PX, _DISC_X, _DISC_Y = 64, (152, 388), 256
#: Of the left and the right disc: number of grey circles, their diameter, their distance from the disc's centre.
_AROUND = ((6, 84, 96), (8, 24, 58))
_RING_GREY = grey(140)

_STREET = grey(240)
_BLOCK_PX, _STREET_PX, _BLOCKS = 70, 20, 5
_DOT_PX = 22

_GROUNDS = (40, 236)
_PATCH_PX, _PATCH_LEVEL = 96, 120


def ebbinghaus(percent: int) -> Drawing:
    """Draw two orange discs, one among large and one among small grey circles; the latter is ``percent`` larger."""
    diameters = (_DISC_PX, round(_DISC_PX * (1 + percent / 100)))
    canvas = Canvas(WHITE, SIDE_PX, SIDE_PX)
    for x, diameter, (count, around_px, apart) in zip(_DISC_X, diameters, _AROUND, strict=True):
        angles = np.arange(count) * 360 / count
        centres = np.stack([x + apart * cosine(angles), _DISC_Y + apart * sine(angles)], axis=-1)
        canvas.paint(Discs(centres, around_px), _RING_GREY)
        canvas.paint(Discs(np.array([[x, _DISC_Y]], dtype=float), diameter), _ORANGE)
    return Drawing(canvas.pixels(), _sizes("left_px", "right_px", diameters))


def hermann_grid(percent: int) -> Drawing:
    """Draw black squares with light streets between; dots at the crossings make the streets ``percent`` lighter."""
    level = _STREET.red if not percent else round(_STREET.red / (1 + percent / 100))
    canvas = Canvas(_STREET, SIDE_PX, SIDE_PX)
    pitch = _BLOCK_PX + _STREET_PX
    margin = (SIDE_PX - _BLOCKS * pitch + _STREET_PX) // 2
    corners = [margin + place * pitch for place in range(_BLOCKS)]
    for top in corners:
        for left in corners:
            canvas.fill(left, top, left + _BLOCK_PX, top + _BLOCK_PX, BLACK)
    if percent:
        middles = np.array(corners[1:]) - _STREET_PX / 2
        centres = np.stack(np.meshgrid(middles, middles), axis=-1).reshape(-1, 2)
        canvas.paint(Discs(centres, _DOT_PX), grey(level))
    return Drawing(canvas.pixels(), _sizes("crossing_level", "street_level", (level, _STREET.red)))


def simultaneous_contrast(percent: int) -> Drawing:
    """Draw a grey square on dark and one on light ground; the one on dark ground is ``percent`` lighter."""
    levels = (round(_PATCH_LEVEL * (1 + percent / 100)), _PATCH_LEVEL)
    canvas = Canvas(grey(_GROUNDS[0]), SIDE_PX, SIDE_PX)
    half = SIDE_PX // 2
    canvas.fill(half, 0, SIDE_PX, SIDE_PX, grey(_GROUNDS[1]))
    top = half - _PATCH_PX // 2
    for start, level in zip((0, half), levels, strict=True):
        left = start + (half - _PATCH_PX) // 2
        canvas.fill(left, top, left + _PATCH_PX, top + _PATCH_PX, grey(level))
    return Drawing(canvas.pixels(), _sizes("right_level", "left_level", levels[::-1]))


def _sizes(smaller: str, larger: str, sizes: tuple[int, int]) -> dict[str, float]:
    return {
        smaller: sizes[0],
        larger: sizes[1],
        "difference_percent": round(100 * (sizes[1] / sizes[0] - 1), 3),
    }
