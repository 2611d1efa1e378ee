"""How the cells of these tables look: a number with four decimals, below it interval and counts."""

from dataclasses import dataclass
from fractions import Fraction
from numbers import Real

from afterimage.showing.cells import Cell
from afterimage.showing.columns import Row, bounds_text
from afterimage.showing.missing import is_missing
from afterimage.showing.rounding import NOT_AVAILABLE, rounded
from afterimage.suites.illusionbench.tables.exact import DECIMALS

_BOUND_DECIMALS = 2


@dataclass(frozen=True)
class AccuracyCell:
    """Accuracy, its interval, and right answers out of all: ``0.7653``, ``[0.72, 0.81]``, ``263/344``."""

    header: str
    column: str
    numeric: bool = True

    def cell(self, row: Row) -> str:
        """Print one row's accuracy; people's, which is a mean, with the number of answers alone."""
        n, k = int(row[f"{self.column}_n"]), row[f"{self.column}_k"]
        if not n:
            return NOT_AVAILABLE
        exact = row[self.column] if is_missing(k) else Fraction(int(k), n)
        counts = f"n={n}" if is_missing(k) else f"{int(k)}/{n}"
        return f"{rounded(exact, DECIMALS)}{_interval(row, self.column)}\n{counts}"


@dataclass(frozen=True)
class MeanCell:
    """A mean score, with its standard deviation if wanted, its interval, and how many scores it is of."""

    header: str
    column: str
    deviation: bool = False
    numeric: bool = True

    def cell(self, row: Row) -> str:
        """Print one row's mean."""
        n = int(row[f"{self.column}_n"])
        if not n:
            return NOT_AVAILABLE
        printed = rounded(row[self.column], DECIMALS)
        if self.deviation:
            printed += f" \u00b1 {rounded(row[f'{self.column}_sd'], DECIMALS)}"
        return f"{printed}{_interval(row, self.column)}\nn={n}"


@dataclass(frozen=True)
class FpCell:
    """FP ratio, its interval, and both kinds of error out of the questions in which they can be made."""

    header: str
    column: str
    numeric: bool = True

    def cell(self, row: Row) -> str:
        """Print one row's ratio."""
        column = self.column
        negatives, positives = int(row[f"{column}_negatives_n"]), int(row[f"{column}_positives_n"])
        if not negatives + positives:
            return NOT_AVAILABLE
        fp, fn = int(row[f"{column}_fp_k"]), int(row[f"{column}_fn_k"])
        ratio = rounded(Fraction(fp, fp + fn), DECIMALS) if fp + fn else NOT_AVAILABLE
        interval = _interval(row, column) if fp + fn else ""
        return f"{ratio}{interval}\nFP {fp}/{negatives}\nFN {fn}/{positives}"


@dataclass(frozen=True)
class ChangedCell:
    """The step-by-step mean of a bin, and below it its change in percent, in the paper's colours, with its interval."""

    header: str
    bin: str
    numeric: bool = True

    def cell(self, row: Row) -> str:
        """Print one row's mean and change."""
        value, change = row[f"{self.bin}_step_by_step"], row[f"{self.bin}_change"]
        if is_missing(value):
            return NOT_AVAILABLE
        if is_missing(change):
            return rounded(value, DECIMALS)
        ends = (f"{self.bin}_change_low", f"{self.bin}_change_high")
        interval = bounds_text(row, *ends, 1, optional=True)
        text = f"{rounded(value, DECIMALS)}\n{printed_change(change)}{interval}"
        return Cell(text, {1: "rise" if change >= 0 else "fall"})


@dataclass(frozen=True)
class CountedCell:
    """A number with four decimals, and below it how many answers it is of."""

    header: str
    column: str
    n: str
    numeric: bool = True

    def cell(self, row: Row) -> str:
        """Print one row's number."""
        if is_missing(row[self.column]):
            return NOT_AVAILABLE
        return f"{rounded(row[self.column], DECIMALS)}\nn={int(row[self.n])}"


def printed_change(percent: Real) -> str:
    """Print a relative change as the paper does: ``(↑2.7%)``, ``(↓8.0%)``."""
    # Changes come with four decimals, so that halves of a tenth are halves.
    exact = percent if isinstance(percent, Fraction) else Fraction(rounded(percent, DECIMALS))
    return f"({'↑' if exact >= 0 else '↓'}{rounded(abs(exact), 1)}%)"


def _interval(row: Row, column: str) -> str:
    return bounds_text(row, f"{column}_low", f"{column}_high", _BOUND_DECIMALS, optional=True)
