"""Finds the hidden digit in the pixels, to verify a stimulus and as the ideal observer's answer."""

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
    """Return the logarithm of each square's mean difference from white, shape (49, 3).

    The covered share of the paper then adds the same amount to all three channels, the ink a different amount to each.
    This holds for blurred and resized images, too, which keep means.
    """
    lacking = 255.0 - image
    for axis in (0, 1):
        edges = np.round(np.linspace(0, image.shape[axis], CELLS + 1)).astype(int)
        sizes = np.diff(edges).reshape([-1 if dimension == axis else 1 for dimension in range(3)])
        lacking = np.add.reduceat(lacking, edges[:-1], axis=axis) / sizes
    logarithms: Floats = np.log(np.maximum(lacking, 1e-3)).reshape(-1, 3)
    return logarithms


def separation(image: Image, digit: str) -> float:
    """Return the distance between the squares of a digit and the others, in units of the scatter within both.

    The squared Mahalanobis distance between their means: it weighs the direction in which inks differ, not the one in
    which the covered share of squares differs.
    """
    square_inks, in_digit = inks(image), np.array(squares(digit))
    groups = [square_inks[in_digit], square_inks[~in_digit]]
    within = np.concatenate([group - group.mean(axis=0) for group in groups])
    # Greys differ from white by the same in all channels: the small number keeps their scatter invertible.
    scatter = within.T @ within / len(within) + 1e-9 * np.eye(3)
    difference = groups[0].mean(axis=0) - groups[1].mean(axis=0)
    return float(difference @ np.linalg.solve(scatter, difference))


def hidden(image: Image, digits: Sequence[str]) -> str:
    """Return the digit with the largest separation."""
    return max(digits, key=lambda digit: separation(image, digit))


# ---- measuring ----

#: Tolerance of a difference, as a share of it and in CIEDE2000. A dot belongs to the square of its centre.
_TOLERANCE, _MIN_TOLERANCE = 0.04, 0.15
#: The smallest separation of images with a difference, and the largest of those without one.
_SEEN_FROM, _NOTHING_TO = 6.0, 4.0


def measure(pixels: np.ndarray, factors: Mapping[str, str]) -> Measured:
    """Compare what an image shows with what was drawn.

    Args:
        pixels: As drawn or as a model's processor leaves them.
        factors: ``named`` (two digits), ``digit``, ``difference`` (CIEDE2000) and ``blur``.

    Returns:
        Columns: ``digit`` (the one that the dots form; empty without a difference), ``separation`` (of its squares from
        the others), ``shown`` and ``measured`` (difference between the mean colours of both kinds of dots, CIEDE2000,
        as drawn and from the pixels; empty for blurred images, which have no single dots), ``size_px``, ``limit``,
        ``holds`` and ``remark``.
    """
    shown, named = float(factors["difference"]), factors["named"].split()
    digit = hidden(pixels, named)
    distance = separation(pixels, digit)
    measured = _difference(pixels, factors["digit"])
    reach = _MIN_TOLERANCE + _TOLERANCE * shown
    if shown:
        limit, found = factors["digit"], digit if distance >= _SEEN_FROM else ""
    else:
        limit, found = "", digit if distance > _NOTHING_TO else ""
    holds = found == limit and (measured is None) == (factors["blur"] != SHARP)
    if measured is not None:
        holds = holds and abs(measured - shown) <= reach
    shown_difference = "no single dots" if measured is None else f"{measured:.3g}"
    remark = (
        ""
        if holds
        else f"found {found or 'no digit'} (separation {distance:.3g}) and {shown_difference}"
    )
    limit = f"{limit or 'no digit'}, {factors['blur']}, {shown:g} +/- {reach:.2g} CIEDE2000"
    columns = {
        "digit": found,
        "separation": round(distance, 3),
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
    in_digit = np.array(squares(digit))[row * CELLS + column]
    means = [dots.lab[kind].mean(axis=0) for kind in (in_digit, ~in_digit)]
    return float(deltaE_ciede2000(*means))


# ---- observer ----


def answer(image: Image, text: str) -> str:
    """Answer with one of the digits in the text, one per line; where nothing is hidden, by chance.

    Raises:
        AfterimageError: An option is no digit that the suite hides.
    """
    _, options = headed_options(text)
    for option in options:
        if option not in DIGITS:
            raise AfterimageError(f"the option '{option}' is none of: {', '.join(DIGITS)}.")
    return hidden(image, options)
