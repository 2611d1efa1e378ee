"""Nested squares: the paper's task 5."""

from collections.abc import Mapping

import pandas as pd

from afterimage.showing.table_layout import Layout
from afterimage.suites.blindtest.tables.accuracy import task_table
from afterimage.suites.blindtest.tables.accuracy_layout import task_layout
from afterimage.suites.blindtest.tables.paper_rows import SQUARES

_NOTES = (
    "Compare with the paper's table of task 5: 120 answers to a single prompt, read by a parser that "
    "took the first number word of a fixed list; see docs/blindtest_parsing.md.",
)


def table(grades: pd.DataFrame, settings: Mapping) -> pd.DataFrame:
    """Count right answers per model and row; see :func:`accuracy.task_table`.

    Args:
        grades: Graded answers of all models and tasks, factors as columns.
        settings: "confidence", "resamples" and "seed".
    """
    return task_table(grades, SQUARES, settings)


def layout(grades: pd.DataFrame, settings: Mapping) -> Layout:
    """Describe the reader's table; see :func:`accuracy_layout.task_layout`."""
    return task_layout(SQUARES, grades, settings, _NOTES)
