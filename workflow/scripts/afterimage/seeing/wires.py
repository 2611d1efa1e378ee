"""Wires of one colour on a grid of directions: where one leads, and how often others cross it.

Where wires meet they cross at right angles and both go straight on; a wire turns only where no other is.
"""

from typing import NamedTuple

from afterimage.seeing.image import Mask

#: Right, down, left, up, as steps of x and y.
RIGHT, DOWN, LEFT, UP = HEADINGS = ((1, 0), (0, 1), (-1, 0), (0, -1))


class Traced(NamedTuple):
    """A wire from its start.

    Attributes:
        x: Where it ends, px.
        y: The same down.
        crossings: How often others cross it.
    """

    x: int
    y: int
    crossings: int


def trace(ink: Mask, start: tuple[int, int], width: float, heading: tuple[int, int]) -> Traced:
    """Follow the middle of a wire until it ends.

    Args:
        ink: Which pixels the wires cover, shape (height, width).
        start: x and y of a pixel in the middle of the wire, px.
        width: Of the wires, px.
        heading: One of HEADINGS.
    """
    (x, y), crossings, beside = start, 0, False
    beyond = round(width / 2) + 1
    # No wire is longer than all ink.
    for _ in range(int(ink.sum())):
        sides = [side for side in HEADINGS if side[0] * heading[0] + side[1] * heading[1] == 0]
        covered = [_covered(ink, x, y, side, beyond) for side in sides]
        if _covered(ink, x, y, heading, beyond):
            # A crossing wire is on both sides for as many steps as it is wide.
            crossings += all(covered) and not beside
            beside = all(covered)
        elif any(covered):
            heading, beside = sides[covered.index(True)], False
        else:
            break
        x, y = x + heading[0], y + heading[1]
    return Traced(x, y, crossings)


def _covered(ink: Mask, x: int, y: int, step: tuple[int, int], distance: int) -> bool:
    column, row = x + step[0] * distance, y + step[1] * distance
    return 0 <= row < ink.shape[0] and 0 <= column < ink.shape[1] and bool(ink[row, column])
