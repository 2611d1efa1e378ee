"""True or false: the paper's table II."""

from collections.abc import Mapping

import pandas as pd

from afterimage.showing.table_layout import Layout
from afterimage.suites.illusionbench.names import TRUE_FALSE
from afterimage.suites.illusionbench.tables.accuracy import accuracy_table
from afterimage.suites.illusionbench.tables.accuracy_layout import accuracy_layout


def table(grades: pd.DataFrame, settings: Mapping) -> pd.DataFrame:
    """Count right answers; see :func:`accuracy.accuracy_table`."""
    return accuracy_table(grades, TRUE_FALSE, settings)


def layout(grades: pd.DataFrame, settings: Mapping) -> Layout:
    """Describe the reader's table."""
    title = "IllusionBench+: accuracy on true-or-false questions (the paper's table II)"
    return accuracy_layout(title, grades, TRUE_FALSE, settings)
