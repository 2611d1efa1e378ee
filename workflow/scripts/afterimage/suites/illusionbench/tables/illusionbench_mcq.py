"""Multiple choice: the paper's table III."""

from collections.abc import Mapping

import pandas as pd

from afterimage.showing.table_layout import Layout
from afterimage.suites.illusionbench.names import MULTIPLE_CHOICE
from afterimage.suites.illusionbench.tables.accuracy import accuracy_table
from afterimage.suites.illusionbench.tables.accuracy_layout import accuracy_layout


def table(grades: pd.DataFrame, settings: Mapping) -> pd.DataFrame:
    """Count right answers; see :func:`accuracy.accuracy_table`."""
    return accuracy_table(grades, MULTIPLE_CHOICE, settings)


def layout(grades: pd.DataFrame, settings: Mapping) -> Layout:
    """Describe the reader's table."""
    title = "IllusionBench+: accuracy on multiple-choice questions (the paper's table III)"
    return accuracy_layout(title, grades, MULTIPLE_CHOICE, settings)
