"""Controls, the same figures without inducer: the paper's tables 4 and 5."""

from collections.abc import Mapping

import pandas as pd

from afterimage.showing.table_layout import Layout
from afterimage.suites.illusion_vqa.tables.four_cell_layout import four_cell_layout
from afterimage.suites.illusion_vqa.tables.four_cells import four_cell_table

CAPTION = "Controls: genuine and fake figures with the inducer removed"
_CONDITIONS = ("control_genuine", "control_fake")
_SUBSETS = ("all", "conditional", "human_16")


def table(grades: pd.DataFrame, settings: Mapping) -> pd.DataFrame:
    """Count the four classes on control images; see :func:`four_cells.four_cell_table`.

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
            "Compare the rows of all images with the paper's tables 4 (control of genuine) and 5 "
            "(control of fake); the caption of table 5 calls its columns genuine, but its numbers "
            "are those of fakes.",
            "Genuine twin both correct: only controls whose genuine twin the same model answered "
            "right on both questions; n/a where there is none.",
        ],
    )
