"""How the cells of these tables look: a number with four decimals, below it interval and counts."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from numbers import Real

import pandas as pd

from afterimage.showing.cells import Cell
from afterimage.showing.rounding import NOT_AVAILABLE, rounded
from afterimage.suites.illusionbench.tables.exact import DECIMALS

_BOUND_DECIMALS = 2


@dataclass(frozen=True)
class AccuracyCell:
    """Accuracy, its interval, and right answers out of all: ``0.7653``, ``[0.72, 0.81]``, ``263/344``."""

    header: str
    column: str
    numeric: bool = True

    def cell(self, row: Mapping) -> str:
        """Print one row's accuracy; people's, which is a mean, with the number of answers alone."""
        n, k = int(row[f"{self.column}_n"]), row[f"{self.column}_k"]
        if not n:
            return NOT_AVAILABLE
        exact = row[self.column] if pd.isna(k) else Fraction(int(k), n)
        counts = f"n={n}" if pd.isna(k) else f"{int(k)}/{n}"
        return "\n".join((rounded(exact, DECIMALS), *_interval(row, self.column), counts))


@dataclass(frozen=True)
class MeanCell:
    """A mean score, with its standard deviation if wanted, its interval, and how many scores it is of."""

    header: str
    column: str
    deviation: bool = False
    numeric: bool = True

    def cell(self, row: Mapping) -> str:
        """Print one row's mean."""
        n = int(row[f"{self.column}_n"])
        if not n:
            return NOT_AVAILABLE
        printed = rounded(row[self.column], DECIMALS)
        if self.deviation:
            printed += f" \u00b1 {_number(row[f'{self.column}_sd'])}"
        return "\n".join((printed, *_interval(row, self.column), f"n={n}"))


@dataclass(frozen=True)
class FpCell:
    """FP ratio, its interval, and both kinds of error out of the questions in which they can be made."""

    header: str
    column: str
    numeric: bool = True

    def cell(self, row: Mapping) -> str:
        """Print one row's ratio."""
        column = self.column
        negatives, positives = int(row[f"{column}_negatives_n"]), int(row[f"{column}_positives_n"])
        if not negatives + positives:
            return NOT_AVAILABLE
        fp, fn = int(row[f"{column}_fp_k"]), int(row[f"{column}_fn_k"])
        ratio = rounded(Fraction(fp, fp + fn), DECIMALS) if fp + fn else NOT_AVAILABLE
        counts = (f"FP {fp}/{negatives}", f"FN {fn}/{positives}")
        return "\n".join((ratio, *(_interval(row, column) if fp + fn else ()), *counts))


@dataclass(frozen=True)
class ChangedCell:
    """The step-by-step mean of a bin, and below it its change in percent, in the paper's colours, with its interval."""

    header: str
    bin: str
    numeric: bool = True

    def cell(self, row: Mapping) -> str:
        """Print one row's mean and change."""
        value, change = row[f"{self.bin}_step_by_step"], row[f"{self.bin}_change"]
        if pd.isna(value):
            return NOT_AVAILABLE
        if pd.isna(change):
            return rounded(value, DECIMALS)
        lines = [rounded(value, DECIMALS), printed_change(change)]
        low, high = row[f"{self.bin}_change_low"], row[f"{self.bin}_change_high"]
        if not (pd.isna(low) or pd.isna(high)):
            lines.append(f"[{rounded(low, 1)}, {rounded(high, 1)}]")
        return Cell("\n".join(lines), {1: "rise" if change >= 0 else "fall"})


@dataclass(frozen=True)
class NumberCell:
    """A number with four decimals alone."""

    header: str
    column: str
    numeric: bool = True

    def cell(self, row: Mapping) -> str:
        """Print one row's number."""
        return _number(row[self.column])


@dataclass(frozen=True)
class CountedCell:
    """A number with four decimals, and below it how many answers it is of."""

    header: str
    column: str
    n: str
    numeric: bool = True

    def cell(self, row: Mapping) -> str:
        """Print one row's number."""
        if pd.isna(row[self.column]):
            return NOT_AVAILABLE
        return f"{_number(row[self.column])}\nn={int(row[self.n])}"


def printed_change(percent: Real) -> str:
    """Print a relative change as the paper does: ``(↑2.7%)``, ``(↓8.0%)``."""
    # Changes come with four decimals, so that halves of a tenth are halves.
    exact = percent if isinstance(percent, Fraction) else Fraction(rounded(percent, DECIMALS))
    return f"({'↑' if exact >= 0 else '↓'}{rounded(abs(exact), 1)}%)"


def _interval(row: Mapping, column: str) -> tuple[str, ...]:
    low, high = row[f"{column}_low"], row[f"{column}_high"]
    if pd.isna(low) or pd.isna(high):
        return ()
    return (f"[{rounded(low, _BOUND_DECIMALS)}, {rounded(high, _BOUND_DECIMALS)}]",)


def _number(value: float) -> str:
    return NOT_AVAILABLE if pd.isna(value) else rounded(value, DECIMALS)
