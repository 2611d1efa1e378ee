"""The axis of thresholds: differences in doublings, signed by the right side. Standard library only."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

#: Standard deviations from the middle of a curve at which three of four choices between two sides are right.
_THREE_QUARTERS = 0.6744897501960817


@dataclass(frozen=True)
class Steps:
    """Differences that double from step to step; step k on the first side is t = k / count, on the second -k / count.

    Attributes:
        least: The smallest difference.
        count: How many there are.
        unit: Their unit, for readers.
    """

    least: float
    count: int
    unit: str

    def at(self, t: float) -> float:
        """Return the difference at an unsigned t."""
        return float(self.least * 2.0 ** (self.count * t - 1))

    def signed(self, factors: Mapping[str, str], sides: Sequence[str]) -> float:
        """Return the t of an image by its factors ``level`` and ``side``, of which the first is positive."""
        level = int(factors["level"])
        return (level if factors["side"] == sides[0] else -level) / self.count

    def threshold(self, slope: float) -> float:
        """Return the difference at which three of four sides are named rightly, lapses excluded, from a slope."""
        return self.at(_THREE_QUARTERS / slope) if slope > 0 else float("nan")

    @property
    def below(self) -> str:
        """Why there is no threshold: it is below what was shown."""
        return f"below {self.least:g} {self.unit}"

    @property
    def above(self) -> str:
        """Why there is no threshold: it is above what was shown."""
        return f"above {self.at(1):g} {self.unit}"
