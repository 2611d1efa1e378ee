"""Fake illusions beside their controls: the paper's table 5."""

from dataclasses import replace

from afterimage.suites.illusion_vqa.tables.four_cell_table import (
    beside_controls,
    four_cell_table,
)

TABLE = replace(
    four_cell_table(
        "fake_beside_control",
        "Fake illusions beside the same figures without the inducer",
        ("fake", "control_fake"),
        ("all",),
        "Compare with the paper's table 5, which prints GPT-4o alone, over 28 images each.",
        paper=beside_controls(
            "Fake illusions beside their controls: right answers to both questions, one or none (table 5 of "
            "Shinozaki et al.).",
            {"fake": "Fake illusion", "control_fake": "Control"},
        ),
    ),
    # An illusion and its control are read side by side, on printed pages too.
    split_by=None,
)
