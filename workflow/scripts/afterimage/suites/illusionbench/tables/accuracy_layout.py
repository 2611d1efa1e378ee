"""How tables II and III look."""

from collections.abc import Mapping

import pandas as pd

from afterimage.showing.table_layout import Layout, Text
from afterimage.suites.illusionbench.tables.cells import AccuracyCell
from afterimage.suites.illusionbench.tables.columns import COLUMNS, HEADERS, spans
from afterimage.suites.illusionbench.tables.grouping import competes
from afterimage.suites.illusionbench.tables.notes import accuracy_notes


def accuracy_layout(title: str, grades: pd.DataFrame, question: str, settings: Mapping) -> Layout:
    """Describe a reader's table of accuracy: the paper's columns, the best model of each in bold."""
    with_people = settings["illusionbench"].get("human_vqa") is not None
    return Layout(
        title=title,
        columns=(
            Text("VLMs", "model"),
            *(AccuracyCell(HEADERS[column], column) for column in COLUMNS),
        ),
        notes=accuracy_notes(grades, question, settings, with_people),
        group_by="group",
        spans=spans(names=1),
        contested={HEADERS[column]: column for column in COLUMNS},
        contest=competes,
    )
