"""Numbers as papers print them, without counts and intervals (:class:`declaration.PaperForm`)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from afterimage.showing.baselines import REFERENCE
from afterimage.showing.columns import Column, Printed, Row, is_missing, percent, rounded, value_of

if TYPE_CHECKING:
    import pandas as pd


def percent_alone(header: str, value: str, k: str, n: str = "n", decimals: int = 1) -> Printed:
    """Return a column of percentages, exact where there are counts.

    Args:
        header: What stands above it.
        value: The frame's column with the percentage.
        k: The column with the count, in rows that have one.
        n: The column with the number of which it is.
        decimals: Digits after the point.
    """
    return Printed(header, partial(_percent, value, k, n, decimals))


def _percent(value: str, k: str, n: str, decimals: int, row: Row) -> str:
    if is_missing(value_of(row, k)):
        return rounded(float("nan") if is_missing(row[value]) else row[value], decimals)
    return percent(row[k], row[n], decimals)


def first_line(column: Column) -> Printed:
    """Return a column of the first lines of another's cells, below which interval and counts stand."""
    return Printed(column.header, lambda row: column.cell(row).partition("\n")[0], column.numeric)


def models_alone(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of a frame without those of who does not look."""
    return frame[frame["kind"] != REFERENCE]
