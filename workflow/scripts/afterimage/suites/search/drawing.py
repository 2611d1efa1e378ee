"""Draws search fields: small items on white."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from afterimage.contract.stimulus import Drawing
from afterimage.drawing.canvas import Canvas
from afterimage.drawing.colour import BLACK, RED, WHITE, Colour, from_hexadecimal
from afterimage.drawing.shapes import Discs

#: L* 46.9, as the red has 46.8: lightness does not distinguish them.
GREEN = from_hexadecimal("#238023")
DISC_PX, SQUARE_PX = 40, 36
#: Length and width of a letter's two strokes.
STROKE_PX, STROKE_WIDTH_PX = 40, 7


def draw(items: Sequence[Sequence[Any]]) -> Drawing:
    """Draw a search field, 672 x 672.

    Args:
        items: For each its kind (``red disc``, ``red square``, ``green disc``, ``T``, ``L``), x and y of its centre in
            whole px, and the quarter turns of a letter.
    """
    canvas = Canvas(WHITE)
    for kind, colour in (("red disc", RED), ("green disc", GREEN)):
        centres = [(float(x), float(y)) for form, x, y, _ in items if form == kind]
        if centres:
            canvas.paint(Discs(np.array(centres), DISC_PX), colour)
    for kind, x, y, turns in items:
        if kind == "red square":
            _fill(canvas, x, y, ((0, 0, SQUARE_PX, SQUARE_PX),), SQUARE_PX, RED)
        elif kind in _LETTERS:
            boxes = tuple(_rotated(box, turns) for box in _LETTERS[kind])
            _fill(canvas, x, y, boxes, STROKE_PX, BLACK)
    return Drawing(canvas.pixels())


# Whole pixels: the stem of an upright T is half a pixel to the left of the middle.
_STEM = (STROKE_PX - STROKE_WIDTH_PX) // 2
#: Left, top, right and bottom of both strokes in the letter's own square.
_LETTERS = {
    "T": ((0, 0, STROKE_PX, STROKE_WIDTH_PX), (_STEM, 0, _STEM + STROKE_WIDTH_PX, STROKE_PX)),
    "L": (
        (0, 0, STROKE_WIDTH_PX, STROKE_PX),
        (0, STROKE_PX - STROKE_WIDTH_PX, STROKE_PX, STROKE_PX),
    ),
}
_Box = tuple[int, int, int, int]


def _rotated(box: _Box, quarters: int) -> _Box:
    for _ in range(quarters):
        left, top, right, bottom = box
        box = (STROKE_PX - bottom, left, STROKE_PX - top, right)
    return box


def _fill(canvas: Canvas, x: int, y: int, boxes: Sequence[_Box], side: int, colour: Colour) -> None:
    for left, top, right, bottom in boxes:
        corner_x, corner_y = x - side // 2, y - side // 2
        canvas.fill(corner_x + left, corner_y + top, corner_x + right, corner_y + bottom, colour)
