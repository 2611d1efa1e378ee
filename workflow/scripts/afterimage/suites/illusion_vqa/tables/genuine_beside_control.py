"""Genuine illusions beside their controls: the paper's table 4."""

from dataclasses import replace

from afterimage.suites.illusion_vqa.tables.four_cell_table import (
    beside_controls,
    four_cell_table,
)

TABLE = replace(
    four_cell_table(
        "genuine_beside_control",
        "Genuine illusions beside the same figures without the inducer",
        ("genuine", "control_genuine"),
        ("all",),
        "Compare with the paper's table 4, which prints GPT-4o alone, over 28 images each.",
        paper=beside_controls(
            "Genuine illusions beside their controls: right answers to both questions, one or none (table 4 of "
            "Shinozaki et al.).",
            {"genuine": "Genuine illusion", "control_genuine": "Control"},
        ),
    ),
    # An illusion and its control are read side by side, on printed pages too.
    split_by=None,
)
