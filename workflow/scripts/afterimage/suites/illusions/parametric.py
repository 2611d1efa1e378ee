"""What every parametric figure takes and gives: strength and true difference in, pixels out.

The two signed fractions (docs/illusion_figures.md, section 3): ``strength`` of the genuine figure's
inducer, ``difference`` of the fake's true difference. A positive difference agrees with a positive
strength.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

import numpy as np

from afterimage.contract.stimulus import Drawing
from afterimage.drawing.colour import BLUE, RED, Colour
from afterimage.errors import AfterimageError
from afterimage.suites.illusions.names import reach_px

#: The level of both targets without a difference, and how far each is from it in the fake.
MIDDLE_LEVEL, FAKE_STEP = 128, 20


def stepped(difference: float) -> tuple[int, int]:
    """Return the levels of the first and the second target.

    A remaining half level goes to the first, so that their distance is exact at every eighth of the fake's.
    """
    step = FAKE_STEP * difference
    return MIDDLE_LEVEL + math.ceil(step), MIDDLE_LEVEL - math.floor(step)


def realised_step(difference: float) -> dict[str, float]:
    """Return the distance of both levels, nominal and as drawn, as a drawing reports it."""
    first, second = stepped(difference)
    return {
        "grey_difference_nominal_levels": 2 * FAKE_STEP * difference,
        "grey_difference_realised_levels": float(first - second),
    }


# ---- What every parametric figure takes and gives: strength and true difference in, pixels out ----


class Look(TypedDict, total=False):
    """Parameters of a drawing besides the two fractions and the variant; see :class:`Nuisance`."""

    shift: Sequence[int]
    size: float
    colours: str
    arrangement: int


#: Decimals of a realised difference: finer than any raster.
_DECIMALS = 6


@dataclass(frozen=True)
class Nuisance:
    """Features that have nothing to do with the effect.

    Attributes:
        variant: ``"A"`` (the card's layout) or ``"B"`` (mirrored or turned).
        shift: Whole pixels to the right and down, at most 6 either way; more for smaller figures.
        size: Of the figure, as a fraction of the card's, at most 1; only some figures have others.
        colours: The variant whose colours the targets have, ``"A"`` (mostly red) or ``"B"`` (mostly blue).
        arrangement: Number of the position or order of the figure's parts, from 0, the card's; only some figures have
            others.
    """

    variant: str
    shift: tuple[int, int] = (0, 0)
    size: float = 1.0
    colours: str = ""
    arrangement: int = 0

    def __post_init__(self) -> None:
        if self.variant not in ("A", "B"):
            raise AfterimageError(f"unknown variant '{self.variant}': expected A or B.")
        limit = reach_px(self.size)
        if not all(isinstance(step, int) and abs(step) <= limit for step in self.shift):
            raise AfterimageError(
                f"shift {list(self.shift)}: expected two whole numbers of px within -{limit}..{limit}."
            )

    @property
    def is_b(self) -> bool:
        return self.variant == "B"

    @property
    def colour(self) -> Colour:
        """Return the colour of the targets, for figures whose targets share one."""
        return BLUE if self.coloured_as == "B" else RED

    @property
    def coloured_as(self) -> str:
        """Return the variant whose colours the targets have; its own unless another is named."""
        return self.colours or self.variant


def check(
    figure: str,
    strength: float,
    difference: float,
    variant: str,
    look: Look,
    weakest: float = -1.0,
    sized: bool = False,
    arrangements: int = 1,
) -> tuple[float, float, Nuisance]:
    """Return both fractions as floats and the rest as a nuisance, or say what is wrong with them.

    Args:
        figure: Name of the illusion.
        strength: Fraction of the genuine figure's inducer.
        difference: Fraction of the fake's true difference.
        variant: ``A`` or ``B``.
        look: Further parameters of the drawing.
        weakest: The minimum strength of the figure.
        sized: Whether it is drawn smaller than the card has it.
        arrangements: How many arrangements it has.

    Raises:
        AfterimageError: The strength lies outside ``weakest``..1, the difference outside -1..1, or the figure is not
            laid out for the variant or the look.
    """
    for name, value, low in (("strength", strength, weakest), ("difference", difference, -1.0)):
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise AfterimageError(f"{figure}: {name} is {value!r}, expected a number.")
        if not low <= value <= 1:
            raise AfterimageError(f"{figure}: {name} is {value:g}, expected {low:g} to 1.")
    size, arrangement = look.get("size", 1.0), look.get("arrangement", 0)
    if not (0.75 <= size <= 1 if sized else size == 1):
        raise AfterimageError(
            f"{figure}: size is {size:g}, expected {'0.75 to 1' if sized else '1'}."
        )
    if arrangement not in range(arrangements):
        raise AfterimageError(
            f"{figure}: arrangement is {arrangement}, expected a whole number below {arrangements}."
        )
    right, down = look.get("shift", (0, 0))
    nuisance = Nuisance(variant, (right, down), size, look.get("colours", ""), arrangement)
    return float(strength), float(difference), nuisance


def drawn(
    figure: str, pixels: np.ndarray, difference: float, realised: Mapping[str, float | str]
) -> Drawing:
    """Return the finished figure; its factor ``realised`` is the true difference as drawn."""
    fraction = realised_fraction(figure, difference, realised)
    return Drawing(pixels, realised, {"realised": f"{fraction:g}"})


def realised_fraction(figure: str, difference: float, realised: Mapping[str, Any]) -> float:
    """Return the true difference as drawn, as a fraction of the fake's.

    Args:
        figure: Name of the illusion.
        difference: The nominal fraction.
        realised: What the drawing reports: one value named ``..._nominal_...`` (or ``..._nominal``), and the same
            quantity after rounding, named ``realised`` instead.

    Raises:
        AfterimageError: The drawing does not report it, or differs although nothing should.
    """
    named = [name for name in realised if "nominal" in name]
    if len(named) != 1 or named[0].replace("nominal", "realised") not in realised:
        raise AfterimageError(
            f"{figure}: the drawing names {len(named)} nominal differences with a realised one; expected one."
        )
    nominal: float = realised[named[0]]
    fraction: float = realised[named[0].replace("nominal", "realised")]
    if difference == 0 or nominal == 0:
        if fraction:
            raise AfterimageError(f"{figure}: differs by {fraction:g} at difference 0; expected 0.")
        return 0.0
    return round(difference * fraction / nominal, _DECIMALS) + 0.0


def even_lengths_px(mean_px: int, half_step_px: float) -> tuple[int, int]:
    """Return the longer and the shorter bar, ``mean +/- half_step``, rounded to even lengths.

    Even lengths about a whole-pixel centre have whole-pixel ends, so that no bar is blurred.
    """
    step = 2 * round(half_step_px / 2)
    return mean_px + step, mean_px - step


def whole_tens_px(figure: str, full_px: int, size: float) -> int:
    """Return a mean length at a size, of which a tenth is even, so that a fake of 20 % has whole-pixel ends as well.

    Raises:
        AfterimageError: It has no such length at this size.
    """
    mean_px = 20 * round(full_px * size / 20)
    if abs(mean_px - full_px * size) > 0.01:
        raise AfterimageError(
            f"{figure}: size is {size:g}, expected one at which {full_px} px become a multiple of 20 px."
        )
    return mean_px


def relative_difference_percent(first: float, second: float) -> float:
    return round(200 * (first - second) / (first + second), 6)
