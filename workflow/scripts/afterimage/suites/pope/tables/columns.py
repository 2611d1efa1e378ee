"""How the suite's tables print their cells."""

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from afterimage.showing.cells import Cell
from afterimage.showing.rounding import rounded

#: What is undefined, a precision without any yes for example.
UNDEFINED = "-"


@dataclass(frozen=True)
class Score:
    """A score in percent; bold where it is the best of its block; its interval below.

    Attributes:
        header: What stands above the column.
        column: The frame's column; bounds are looked for under its name with ``_low`` and ``_high``.
        bounds: Whether the interval is printed.
        decimals: Digits after the point.
    """

    header: str
    column: str
    bounds: bool = False
    decimals: int = 2
    numeric: bool = True

    def cell(self, row: Mapping) -> str:
        """Print the score of one row."""
        value = row[self.column]
        if pd.isna(value):
            return UNDEFINED
        printed = Cell(f"{rounded(value, self.decimals)}{self._interval(row)}")
        is_best = self.column in str(row.get("best", "")).split()
        return printed.styled(0, "best") if is_best else printed

    def _interval(self, row: Mapping) -> str:
        low, high = row.get(f"{self.column}_low"), row.get(f"{self.column}_high")
        if not self.bounds or pd.isna(low) or pd.isna(high):
            return ""
        return f"\n[{rounded(low, 1)}, {rounded(high, 1)}]"


@dataclass(frozen=True)
class Counted:
    """A count out of another; the first alone where they agree or the second is unknown.

    Attributes:
        header: What stands above the column.
        column: The frame's column.
        of: The column of the whole.
    """

    header: str
    column: str
    of: str | None = None
    numeric: bool = True

    def cell(self, row: Mapping) -> str:
        """Print the count of one row."""
        value = row[self.column]
        if pd.isna(value):
            return ""
        whole = None if self.of is None else row[self.of]
        if whole is None or pd.isna(whole) or int(whole) == int(value):
            return str(int(value))
        return f"{int(value)} of {int(whole)}"


@dataclass(frozen=True)
class Words:
    """A text that not every row has; empty where it is missing.

    Attributes:
        header: What stands above the column.
        column: The frame's column.
    """

    header: str
    column: str
    numeric: bool = False

    def cell(self, row: Mapping) -> str:
        """Print the text of one row."""
        value = row[self.column]
        return "" if pd.isna(value) else str(value)


def interval_note(settings: Mapping) -> str:
    """Return what the intervals are."""
    coverage = f"{100 * settings['confidence']:.10g} %"
    return (
        f"Below a score: {coverage} interval, percentile bootstrap over images, each with all questions about it "
        f"({settings['resamples']} resamples, seed {settings['seed']}). A dash: undefined."
    )
