"""The circled letter: the paper's task 3."""

from collections.abc import Mapping

import pandas as pd

from afterimage.showing.table_layout import Layout
from afterimage.suites.blindtest.tables.accuracy import task_table
from afterimage.suites.blindtest.tables.accuracy_layout import task_layout
from afterimage.suites.blindtest.tables.paper_rows import LETTERS

_NOTES = ("Compare with the paper's table of task 3: 720, 816 and 960 answers.",)


def table(grades: pd.DataFrame, settings: Mapping) -> pd.DataFrame:
    """Count right answers per model and row; see :func:`accuracy.task_table`.

    Args:
        grades: Graded answers of all models and tasks, factors as columns.
        settings: "confidence", "resamples" and "seed".
    """
    return task_table(grades, LETTERS, settings)


def layout(grades: pd.DataFrame, settings: Mapping) -> Layout:
    """Describe the reader's table; see :func:`accuracy_layout.task_layout`."""
    return task_layout(LETTERS, grades, settings, _NOTES)
