"""How the cells of these tables look: a number with four decimals, below it interval and counts."""

from fractions import Fraction
from functools import partial
from numbers import Real
from typing import NamedTuple

from afterimage.showing.cells import Cell
from afterimage.showing.columns import Printed, Row, bounds_text
from afterimage.showing.missing import is_missing
from afterimage.showing.rounding import NOT_AVAILABLE, rounded
from afterimage.suites.illusionbench.tables.exact import DECIMALS

_BOUND_DECIMALS = 2


class _Scale(NamedTuple):
    """How a share is printed: what all are, and decimals of a number and of its bounds."""

    whole: int
    decimals: int
    bounds: int


_PERCENT, _SHARE = _Scale(100, 2, 1), _Scale(1, DECIMALS, _BOUND_DECIMALS)


def accuracy_cell(header: str, column: str) -> Printed:
    """Print accuracy in percent, its interval, right answers out of all: ``76.53``, ``[72.1, 80.6]``, ``263/344``."""
    return Printed(header, partial(_accuracy, column, _PERCENT))


def share_cell(header: str, column: str) -> Printed:
    """Print accuracy from 0 to 1, as the paper does."""
    return Printed(header, partial(_accuracy, column, _SHARE))


def mean_cell(header: str, column: str, deviation: bool = False) -> Printed:
    """Print a mean score, with its standard deviation if wanted, its interval, and how many scores it is of."""
    return Printed(header, partial(_mean, column, deviation))


def fp_cell(header: str, column: str) -> Printed:
    """Print the FP ratio, its interval, and both kinds of error out of the questions in which they can be made.

    Of a guess, which errs in no number of questions, the ratio alone.
    """
    return Printed(header, partial(_fp, column))


def changed_cell(header: str, name: str) -> Printed:
    """Print a bin's step-by-step mean, and below its change in percent, in the paper's colours, with its interval."""
    return Printed(header, partial(_changed, name))


def change_cell(header: str, name: str) -> Printed:
    """Print a bin's change in percent alone, in the paper's colours."""
    return Printed(header, partial(_change, name), numeric=False)


def counted_cell(header: str, column: str, n: str) -> Printed:
    """Print a number with four decimals, and below it how many answers it is of."""
    return Printed(header, partial(_counted, column, n))


def _accuracy(column: str, scale: _Scale, row: Row) -> str:
    # People's accuracy is a mean and a guess's an expectation; both stand with the number of answers alone.
    if is_missing(row[f"{column}_n"]):
        return rounded(scale.whole * _value(row, column), scale.decimals)
    n, k = int(row[f"{column}_n"]), row[f"{column}_k"]
    if not n:
        return NOT_AVAILABLE
    exact = row[column] if is_missing(k) else Fraction(int(k), n)
    counts = f"n={n}" if is_missing(k) else f"{int(k)}/{n}"
    answer = row[f"{column}_answer"]
    counts += "" if is_missing(answer) else f" ({answer})"
    bounds = {name: scale.whole * _value(row, name) for name in (f"{column}_low", f"{column}_high")}
    interval = bounds_text(bounds, *bounds, scale.bounds, optional=True)
    return f"{rounded(scale.whole * exact, scale.decimals)}{interval}\n{counts}"


def _mean(column: str, deviation: bool, row: Row) -> str:
    n = row[f"{column}_n"]
    if is_missing(row[column]) or n == 0:
        return NOT_AVAILABLE
    printed = rounded(row[column], DECIMALS)
    if deviation:
        printed += f" \u00b1 {rounded(row[f'{column}_sd'], DECIMALS)}"
    if is_missing(n):
        return printed
    return f"{printed}{_interval(row, column)}\nn={int(n)}"


def _fp(column: str, row: Row) -> str:
    asked = (row[f"{column}_negatives_n"], row[f"{column}_positives_n"])
    if asked == (0, 0):
        return NOT_AVAILABLE
    if is_missing(row[f"{column}_fp_k"]):
        return rounded(_value(row, column), DECIMALS)
    fp, fn = int(row[f"{column}_fp_k"]), int(row[f"{column}_fn_k"])
    ratio = rounded(Fraction(fp, fp + fn), DECIMALS) if fp + fn else NOT_AVAILABLE
    interval = _interval(row, column) if fp + fn else ""
    return f"{ratio}{interval}\nFP {_out_of(fp, asked[0])}\nFN {_out_of(fn, asked[1])}"


def _changed(name: str, row: Row) -> str:
    value, change = row[f"{name}_step_by_step"], row[f"{name}_change"]
    if is_missing(value):
        return NOT_AVAILABLE
    if is_missing(change):
        return rounded(value, DECIMALS)
    interval = bounds_text(row, f"{name}_change_low", f"{name}_change_high", 1, optional=True)
    text = f"{rounded(value, DECIMALS)}\n{printed_change(change)}{interval}"
    return Cell(text, {1: "rise" if change >= 0 else "fall"})


def _change(name: str, row: Row) -> str:
    change = row[f"{name}_change"]
    if is_missing(change):
        return ""
    return Cell(printed_change(change), {0: "rise" if change >= 0 else "fall"})


def _counted(column: str, n: str, row: Row) -> str:
    if is_missing(row[column]):
        return NOT_AVAILABLE
    printed = rounded(row[column], DECIMALS)
    return printed if is_missing(row[n]) else f"{printed}\nn={int(row[n])}"


def printed_change(percent: Real) -> str:
    """Print a relative change as the paper does: ``(↑2.7%)``, ``(↓8.0%)``."""
    # Changes come with four decimals, so that halves of a tenth are halves.
    exact = percent if isinstance(percent, Fraction) else Fraction(rounded(percent, DECIMALS))
    return f"({'↑' if exact >= 0 else '↓'}{rounded(abs(exact), 1)}%)"


def _value(row: Row, column: str) -> float:
    return float("nan") if is_missing(row[column]) else row[column]


def _out_of(k: int, n: int | None) -> str:
    """Print a count out of all, or alone where a paper prints no more."""
    return str(k) if is_missing(n) else f"{k}/{int(n)}"


def _interval(row: Row, column: str) -> str:
    return bounds_text(row, f"{column}_low", f"{column}_high", _BOUND_DECIMALS, optional=True)
