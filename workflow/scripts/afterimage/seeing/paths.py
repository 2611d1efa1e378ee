"""Paths of one colour each: wires on a grid of directions, and routes across a network.

Where wires meet they cross at right angles and both go straight on; a wire turns only where no other is.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy import ndimage

from afterimage.errors import AfterimageError
from afterimage.seeing.colours import chromatic_colours, nearest_colours
from afterimage.seeing.image import Floats, Image, Mask, window_of

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


# ---- Coloured paths across a network: at which of its sides each ends ----

_NO_COLOUR = "looked for coloured paths and found no colour."
# A mixture at crossings has far fewer pixels than the shortest path beside the longest.
_LEAST_SHARE = 0.03
# The ports of a station stand in one line, and nothing else comes that near to it: share of the
# network's side.
_PORT_SHARE = 0.02
# Crossing paths are traced at this side at most; strokes keep more than a pixel.
_TRACED_PX = 512


def trace_paths(image: Image, stations: Sequence[str]) -> list[str]:
    """Return the two stations that each single-coloured path joins, e.g. ``["AC", "BD"]``.

    A path is all ink of one colour; other paths may cross over it.

    Args:
        image: uint8 RGB, shape (height, width, 3).
        stations: What stands at the top, right, bottom and left of the network.

    Raises:
        AfterimageError: There are no coloured paths, or a colour is not one path with two ends.
    """
    found = chromatic_colours(image, _LEAST_SHARE)
    if not found:
        raise AfterimageError(_NO_COLOUR)
    owners = nearest_colours(image, np.stack([colour.lacking for colour in found]))
    owners = owners[window_of(owners >= 0, _NO_COLOUR)]
    return [_ends(owners == index, found[index].lacking, stations) for index in range(len(found))]


def _ends(path: Mask, lacking: Floats, stations: Sequence[str]) -> str:
    """Return the stations at which a path ends, once it is known to be one path."""
    margin = max(round(_PORT_SHARE * max(path.shape)), 1)
    profiles = (
        path[:margin].any(axis=0),
        path[:, -margin:].any(axis=1),
        path[-margin:].any(axis=0),
        path[:, :margin].any(axis=1),
    )
    ends: list[str] = []
    widths: list[int] = []
    for station, profile in zip(stations, profiles, strict=True):
        labels, count = ndimage.label(profile)
        ends += [station] * count
        widths += list(np.bincount(labels)[1:])
    name = "rgb({}, {}, {})".format(*(255 - np.rint(lacking).astype(int)))
    if len(ends) != 2 or ends[0] == ends[1]:
        where = " and ".join(ends) or "none"
        raise AfterimageError(
            f"looked for a path between two stations in each colour and found {name} with ends at "
            f"stations: {where}."
        )
    if not _is_one_piece(path, max(widths)):
        raise AfterimageError(
            f"looked for one path in each colour and found {name} in pieces that no crossing explains."
        )
    return "".join(ends)


def _is_one_piece(path: Mask, line_width: int) -> bool:
    """Tell whether a path hangs together across the paths that cross over it."""
    step = -(-max(path.shape) // _TRACED_PX)
    coarse = path[::step, ::step].astype(np.uint8)
    # Grown by a line width on either side, the ends of a path under a crossing one meet.
    grown = ndimage.maximum_filter(coarse, 2 * -(-line_width // step) + 1)
    labels, count = ndimage.label(grown)
    if count == 1:
        return True
    # Where two other paths cross, their mixture can be of this path's hue: specks, not pieces.
    areas = np.bincount(labels.ravel(), coarse.ravel())[1:] * step**2
    return int(np.count_nonzero(areas >= line_width**2)) == 1
