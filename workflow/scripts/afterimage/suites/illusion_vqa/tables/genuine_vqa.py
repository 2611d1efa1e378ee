"""Genuine illusions: the paper's table 2."""

from collections.abc import Mapping

import pandas as pd

from afterimage.showing.table_layout import Layout
from afterimage.suites.illusion_vqa.tables.four_cell_layout import four_cell_layout
from afterimage.suites.illusion_vqa.tables.four_cells import four_cell_table

CAPTION = "Genuine illusions: how often a model answers the actual and the apparent question right"
_CONDITIONS = ("genuine",)
_SUBSETS = ("all", "human_16")


def table(grades: pd.DataFrame, settings: Mapping) -> pd.DataFrame:
    """Count the four classes on genuine images; see :func:`four_cells.four_cell_table`.

    Args:
        grades: Graded answers of all models, factors as columns.
        settings: "confidence".
    """
    return four_cell_table(grades, _CONDITIONS, _SUBSETS, settings["confidence"])


def layout(grades: pd.DataFrame, settings: Mapping) -> Layout:
    """Describe the reader's table; see :func:`four_cell_layout.four_cell_layout`."""
    return four_cell_layout(
        grades,
        settings,
        CAPTION,
        _CONDITIONS,
        _SUBSETS,
        ["Compare with the paper's table 2 (models over 28 images, people over 16)."],
    )
