"""Genuine illusions: the paper's table 2."""

from afterimage.suites.illusion_vqa.tables.four_cell_table import (
    four_cell_table,
    models_side_by_side,
    textbook_note,
)

TABLE = four_cell_table(
    "genuine_vqa",
    "Genuine illusions: how often a model answers the actual and the apparent question right",
    ("genuine",),
    ("all", "human_16"),
    "Compare with the paper's table 2 (models over 28 images, people over 16).",
    textbook_note,
    paper=models_side_by_side(
        "Genuine illusions: right answers to both questions, one or none (table 2 of Shinozaki et al.).",
        "genuine",
    ),
)
