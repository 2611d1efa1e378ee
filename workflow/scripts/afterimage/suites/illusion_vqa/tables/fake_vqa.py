"""Fake illusions: the paper's tables 3 and 6."""

from afterimage.suites.illusion_vqa.tables.four_cell_table import (
    four_cell_table,
    models_side_by_side,
    textbook_note,
)

TABLE = four_cell_table(
    "fake_vqa",
    "Fake illusions: the inducer is there, and the difference that it feigns is there as well",
    ("fake",),
    ("all", "conditional", "human_16"),
    "Compare a model's first row with the paper's tables 3 and 6: their printed shares "
    "are over all 28 fakes.",
    "Genuine twin both correct: only fakes whose genuine twin the same model answered "
    "right on both questions (the paper's section 4.2); n/a where there is none.",
    textbook_note,
    paper=models_side_by_side(
        "Fake illusions: right answers to both questions, one or none (tables 3 and 6 of Shinozaki et al.).",
        "fake",
    ),
)
