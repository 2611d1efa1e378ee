"""What each image must measure: the digit, and between its dots and the others the difference that was to be drawn."""

from collections.abc import Mapping

import numpy as np
from skimage.color import deltaE_ciede2000

from afterimage.contract.drawing import Measured
from afterimage.seeing.dots import find_dots
from afterimage.suites.hidden_digits.names import CELLS, SHARP, squares
from afterimage.suites.hidden_digits.sight import hidden, separation

#: Of a difference, as a share of it and in CIEDE2000. Dots across the edge of a square count as those of their centre.
_TOLERANCE, _LEAST_TOLERANCE = 0.04, 0.15
#: Separations that a difference has at least, and that places and lightness of dots alone have at most.
_SEEN_FROM, _NOTHING_TO = 6.0, 4.0


def measure(pixels: np.ndarray, factors: Mapping[str, str]) -> Measured:
    """Measure an image and compare what it shows with what was drawn.

    Args:
        pixels: uint8 RGB, shape (height, width, 3), as drawn or as a model's processor leaves it.
        factors: ``named`` (two digits), ``digit``, ``difference`` (CIEDE2000) and ``blur``.

    Returns:
        Columns: ``digit`` (of the two, that which the dots form; empty without a difference), ``separation`` (of its
        squares from the others), ``shown`` and ``measured`` (difference of the mean colours of both kinds of dots,
        CIEDE2000, as drawn and from the pixels; empty of blurred images, which have no single dots), ``size_px``,
        ``limit``, ``holds`` and ``remark``.
    """
    shown, named = float(factors["difference"]), factors["named"].split()
    there = hidden(pixels, named)
    apart = separation(pixels, there)
    measured = _difference(pixels, factors["digit"])
    reach = _LEAST_TOLERANCE + _TOLERANCE * shown
    if shown:
        limit, found = factors["digit"], there if apart >= _SEEN_FROM else ""
    else:
        limit, found = "", there if apart > _NOTHING_TO else ""
    holds = found == limit and (measured is None) == (factors["blur"] != SHARP)
    if measured is not None:
        holds = holds and abs(measured - shown) <= reach
    said = "no single dots" if measured is None else f"{measured:.3g}"
    remark = "" if holds else f"found {found or 'no digit'} (separation {apart:.3g}) and {said}"
    limit = f"{limit or 'no digit'}, {factors['blur']}, {shown:g} +/- {reach:.2g} CIEDE2000"
    columns = {
        "digit": found,
        "separation": round(apart, 3),
        "shown": shown,
        "measured": "" if measured is None else round(measured, 3),
        "size_px": pixels.shape[1],
        "limit": limit,
        "holds": holds,
        "remark": remark,
    }
    return Measured(found, limit, holds, remark, columns)


def _difference(pixels: np.ndarray, digit: str) -> float | None:
    """Return the CIEDE2000 of the mean colours of dots within and outside a digit's squares; None without dots."""
    dots = find_dots(pixels)
    if dots is None:
        return None
    height, width = pixels.shape[:2]
    column, row = (dots.centres * CELLS / (width, height)).astype(int).T
    own = np.array(squares(digit))[row * CELLS + column]
    means = [dots.lab[kind].mean(axis=0) for kind in (own, ~own)]
    return float(deltaE_ciede2000(*means))
