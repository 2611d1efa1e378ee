"""Where the targets of a finished figure are, as its aid has to know (docs/illusion_strength.md)."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from afterimage.seeing.hues import Target, coverages, targets
from afterimage.seeing.image import black_coverage
from afterimage.seeing.patches import two_squares_on_grounds

#: Coverage from which a pixel is a target's.
_LEAST_COVERAGE = 0.02


class Seen(NamedTuple):
    """The targets of a figure.

    Attributes:
        found: The targets, the first one first.
        covered: The pixels that no aid may come near, bool, shape (height, width).
    """

    found: list[Target]
    covered: np.ndarray


def _hue(variant: str) -> str:
    return "blue" if variant == "B" else "red"


def _ordered(found: Sequence[Target], variant: str) -> list[Target]:
    """Sort from left to right, or from top to bottom where the targets are farther apart that way; B the other way."""
    centres = np.array([target.centre for target in found])
    axis = int(np.ptp(centres[:, 0]) <= np.ptp(centres[:, 1]))
    return sorted(found, key=lambda target: target.centre[axis], reverse=variant == "B")


def coloured(count: int, pixels: np.ndarray, variant: str) -> Seen:
    """Find targets that share the variant's colour."""
    covered = coverages(pixels, (_hue(variant),), "target")[_hue(variant)]
    found = targets(covered, count, f"{count} targets")
    return Seen(_ordered(found, variant), covered > _LEAST_COVERAGE)


def red_and_blue(pixels: np.ndarray, variant: str) -> Seen:
    """Find a red target and a blue one."""
    covered = coverages(pixels, ("red", "blue"), "target")
    found = [targets(one, 1, "one target")[0] for one in covered.values()]
    return Seen(_ordered(found, variant), np.maximum(*covered.values()) > _LEAST_COVERAGE)


def cords(pixels: np.ndarray, variant: str) -> Seen:
    """Find two cords on a blue ground."""
    covered = 1.0 - coverages(pixels, ("blue",), "ground")["blue"]
    return Seen(targets(covered, 2, "two cords"), covered > _LEAST_COVERAGE)


def squares(pixels: np.ndarray, variant: str) -> Seen:
    """Find two squares on darker or lighter grounds."""
    found = two_squares_on_grounds(pixels)
    covered = np.zeros(pixels.shape[:2], dtype=bool)
    for square in found:
        inside = square.coverage > _LEAST_COVERAGE
        covered[square.y[inside].astype(int), square.x[inside].astype(int)] = True
    return Seen(_ordered(found, variant), covered)


def dot_in_outline(pixels: np.ndarray, variant: str) -> Seen:
    """Find a dot; what is black about it counts as covered, too."""
    seen = coloured(1, pixels, variant)
    return Seen(seen.found, seen.covered | (black_coverage(pixels) > _LEAST_COVERAGE))
