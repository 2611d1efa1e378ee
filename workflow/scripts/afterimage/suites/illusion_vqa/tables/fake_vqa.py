"""Fake illusions: the paper's tables 3 and 6."""

from collections.abc import Mapping

import pandas as pd

from afterimage.showing.table_layout import Layout
from afterimage.suites.illusion_vqa.tables.four_cell_layout import four_cell_layout
from afterimage.suites.illusion_vqa.tables.four_cells import four_cell_table

CAPTION = "Fake illusions: the inducer is there, and the difference that it feigns is there as well"
_CONDITIONS = ("fake",)
_SUBSETS = ("all", "conditional", "human_16")


def table(grades: pd.DataFrame, settings: Mapping) -> pd.DataFrame:
    """Count the four classes on fake images; see :func:`four_cells.four_cell_table`.

    Args:
        grades: Graded answers of all models, factors as columns; genuine images included.
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
        [
            "Compare the rows of all images with the paper's tables 3 and 6: their printed shares "
            "are over all 28 fakes.",
            "Genuine twin both correct: only fakes whose genuine twin the same model answered "
            "right on both questions (the paper's section 4.2); n/a where there is none.",
        ],
    )
