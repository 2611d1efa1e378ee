"""What every parametric figure takes and gives: strength and true difference in, pixels out.

The two signed fractions (docs/illusion_figures.md, section 3): ``strength`` of the genuine figure's
inducer, ``difference`` of the fake's true difference. A positive difference agrees with a positive
strength.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from afterimage.contract.drawing import Drawing
from afterimage.drawing.colour import BLUE, RED, Colour
from afterimage.errors import AfterimageError

#: Position jitter (docs/illusion_figures.md, section 3), px: margins are laid out for it.
MAX_SHIFT_PX = 6
#: Decimals of a realised difference: finer than any raster.
_DECIMALS = 6


@dataclass(frozen=True)
class Nuisance:
    """Features that have nothing to do with the effect.

    Attributes:
        variant: ``"A"`` (red targets, the card's layout) or ``"B"`` (blue, mirrored or turned).
        shift: Whole pixels to the right and down, at most 6 either way.
    """

    variant: str
    shift: tuple[int, int] = (0, 0)

    def __post_init__(self) -> None:
        """Refuse what no figure is laid out for."""
        if self.variant not in ("A", "B"):
            raise AfterimageError(f"unknown variant '{self.variant}': expected A or B.")
        if not all(isinstance(step, int) and abs(step) <= MAX_SHIFT_PX for step in self.shift):
            raise AfterimageError(
                f"shift {list(self.shift)}: expected two whole numbers of px within "
                f"-{MAX_SHIFT_PX}..{MAX_SHIFT_PX}."
            )

    @property
    def is_b(self) -> bool:
        """Tell whether this is variant B."""
        return self.variant == "B"

    @property
    def colour(self) -> Colour:
        """Return the colour of the targets, for figures whose targets share one."""
        return BLUE if self.is_b else RED


def check(
    figure: str,
    strength: float,
    difference: float,
    variant: str,
    shift: Sequence[int],
    weakest: float = -1.0,
) -> tuple[float, float, Nuisance]:
    """Return both fractions as floats and the rest as a nuisance, or say what is wrong with them.

    Raises:
        AfterimageError: If the strength lies outside ``weakest``..1 or the difference outside -1..1, or no figure is
        laid out for the variant or the shift.
    """
    for name, value, low in (("strength", strength, weakest), ("difference", difference, -1.0)):
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise AfterimageError(f"{figure}: {name} is {value!r}, expected a number.")
        if not low <= value <= 1:
            raise AfterimageError(f"{figure}: {name} is {value:g}, expected {low:g} to 1.")
    right, down = shift
    return float(strength), float(difference), Nuisance(variant, (right, down))


def drawn(
    figure: str, pixels: np.ndarray, difference: float, realised: Mapping[str, float | str]
) -> Drawing:
    """Return the finished figure; its factor ``realised`` is the true difference as drawn.

    Args:
        figure: Name of the illusion.
        pixels: The image.
        difference: The nominal fraction of the fake's difference.
        realised: Sizes as drawn, for :func:`realised_fraction`.
    """
    fraction = realised_fraction(figure, difference, realised)
    return Drawing(pixels, realised, {"realised": f"{fraction:g}"})


def realised_fraction(figure: str, difference: float, realised: Mapping) -> float:
    """Return the true difference as drawn, as a fraction of the fake's.

    Args:
        figure: Name of the illusion.
        difference: The nominal fraction.
        realised: What the drawing says of itself: one value named ``..._nominal_...`` (or ``..._nominal``), and beside
            it the same quantity after rounding, named ``realised`` instead.

    Raises:
        AfterimageError: The drawing does not say it, or differs although nothing should.
    """
    named = [name for name in realised if "nominal" in name]
    if len(named) != 1 or named[0].replace("nominal", "realised") not in realised:
        raise AfterimageError(
            f"{figure}: the drawing names {len(named)} nominal differences with a realised one; expected one."
        )
    nominal, found = realised[named[0]], realised[named[0].replace("nominal", "realised")]
    if difference == 0 or nominal == 0:
        if found:
            raise AfterimageError(f"{figure}: differs by {found:g} at difference 0; expected 0.")
        return 0.0
    return round(difference * found / nominal, _DECIMALS) + 0.0


def even_lengths_px(mean_px: int, half_step_px: float) -> tuple[int, int]:
    """Return the longer and the shorter bar, ``mean +/- half_step``, rounded to even lengths.

    Even lengths about a whole-pixel centre have whole-pixel ends, so that no bar is blurred.
    """
    step = 2 * round(half_step_px / 2)
    return mean_px + step, mean_px - step


def relative_difference_percent(first: float, second: float) -> float:
    """Return ``2 (first - second) / (first + second)`` in percent."""
    return round(200 * (first - second) / (first + second), 6)
