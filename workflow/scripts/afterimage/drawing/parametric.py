"""What every parametric figure takes and gives: strength and true difference in, pixels out.

The two signed fractions are those of the specification's section 9: ``strength`` of the genuine
figure's inducer, ``difference`` of the fake's true difference. A positive difference agrees with a
positive strength.
"""

from dataclasses import dataclass

from afterimage.drawing.colour import Colour, from_hexadecimal
from afterimage.errors import AfterimageError

#: Target colours of the variants (specification, section 3, rule 9).
RED = from_hexadecimal("#D62728")
BLUE = from_hexadecimal("#1F5FB4")

#: Position jitter of section 9, px: margins are laid out for it.
MAX_SHIFT_PX = 6


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
    figure: str, strength: float, difference: float, weakest: float = -1.0
) -> tuple[float, float]:
    """Return both fractions as floats, or say what is wrong with them.

    Raises:
        AfterimageError: If the strength lies outside ``weakest``..1 or the difference outside
        -1..1.
    """
    for name, value, low in (("strength", strength, weakest), ("difference", difference, -1.0)):
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise AfterimageError(f"{figure}: {name} is {value!r}, expected a number.")
        if not low <= value <= 1:
            raise AfterimageError(f"{figure}: {name} is {value:g}, expected {low:g} to 1.")
    return float(strength), float(difference)


def even_lengths_px(mean_px: int, half_step_px: float) -> tuple[int, int]:
    """Return the longer and the shorter bar, ``mean +/- half_step``, rounded to even lengths.

    Even lengths about a whole-pixel centre have whole-pixel ends, so that no bar is blurred.
    """
    step = 2 * round(half_step_px / 2)
    return mean_px + step, mean_px - step


def relative_difference_percent(first: float, second: float) -> float:
    """Return ``2 (first - second) / (first + second)`` in percent."""
    return round(200 * (first - second) / (first + second), 6)
