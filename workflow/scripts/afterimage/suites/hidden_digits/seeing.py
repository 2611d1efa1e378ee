"""What the pixels show: the hidden digit, as proof of a stimulus and as the ideal observer's answer."""

from collections.abc import Mapping, Sequence

import numpy as np
from skimage.color import deltaE_ciede2000

from afterimage.contract.stimulus import Measured
from afterimage.errors import AfterimageError
from afterimage.items.wording import headed_options
from afterimage.seeing.image import Floats, Image, once
from afterimage.seeing.marks import find_dots
from afterimage.suites.hidden_digits.design import CELLS, DIGITS, SHARP, squares


@once
def inks(image: Image) -> Floats:
    """Return what each square of the image lacks to white in the mean, as logarithms, shape (49, 3).

    How much of the paper is covered then adds the same to all three channels; what the ink is, to each its own. Both
    hold for blurred and for resized images, which keep means.
    """
    lacking = 255.0 - image
    for axis in (0, 1):
        edges = np.round(np.linspace(0, image.shape[axis], CELLS + 1)).astype(int)
        sizes = np.diff(edges).reshape([-1 if own == axis else 1 for own in range(3)])
        lacking = np.add.reduceat(lacking, edges[:-1], axis=axis) / sizes
    logarithms: Floats = np.log(np.maximum(lacking, 1e-3)).reshape(-1, 3)
    return logarithms


def separation(image: Image, digit: str) -> float:
    """Return how far the squares of a digit lie from the others, in units of the scatter within both.

    The squared distance of Mahalanobis between their means: it weighs the direction that tells inks apart, and not
    the one along which squares differ in how much of them is covered.
    """
    found, own = inks(image), np.array(squares(digit))
    groups = [found[own], found[~own]]
    within = np.concatenate([group - group.mean(axis=0) for group in groups])
    # Greys lack the same in all channels: the small number keeps their scatter invertible.
    scatter = within.T @ within / len(within) + 1e-9 * np.eye(3)
    apart = groups[0].mean(axis=0) - groups[1].mean(axis=0)
    return float(apart @ np.linalg.solve(scatter, apart))


def hidden(image: Image, digits: Sequence[str]) -> str:
    """Return which of these digits the image shows rather than the others."""
    return max(digits, key=lambda digit: separation(image, digit))


# ---- measuring ----

#: Of a difference, as a share of it and in CIEDE2000. Dots across the edge of a square count as those of their centre.
_TOLERANCE, _MIN_TOLERANCE = 0.04, 0.15
#: Separations that a difference has at least, and that places and lightness of dots alone have at most.
_SEEN_FROM, _NOTHING_TO = 6.0, 4.0


def measure(pixels: np.ndarray, factors: Mapping[str, str]) -> Measured:
    """Compare what an image shows with what was drawn.

    Args:
        pixels: As drawn or as a model's processor leaves them.
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
    reach = _MIN_TOLERANCE + _TOLERANCE * shown
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


# ---- observer ----


def answer(image: Image, text: str) -> str:
    """Answer with one of the digits that stand in the text, one per line; where nothing is hidden, by chance.

    Raises:
        AfterimageError: An option is no digit that the suite hides.
    """
    _, options = headed_options(text)
    for option in options:
        if option not in DIGITS:
            raise AfterimageError(f"the option '{option}' is none of: {', '.join(DIGITS)}.")
    return hidden(image, options)
