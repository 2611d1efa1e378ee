"""The table of a suite that names none: how often each model is right, per figure and prompt.

``correct_k`` of ``n`` answers are right, ``unparsed_k`` could not be read and count as wrong; ``accuracy`` is in
percent with bounds, ``images`` their clusters.
"""

from afterimage.showing.baselines import (
    BASELINE_NOTE,
    accuracy_beside_baselines,
    answerer,
    beaten_by_position,
)
from afterimage.showing.columns import Share, Text
from afterimage.showing.declaration import By, Table
from afterimage.showing.interval_notes import interval_note
from afterimage.showing.outcomes import UNPARSED
from afterimage.showing.references import BASELINES


def accuracy_table(name: str, title: str) -> Table:
    """Declare a table of accuracies per figure, prompt and model.

    Args:
        name: Of its files.
        title: What it shows; it may have slots for the table's settings.
    """
    return Table(
        name,
        title,
        rows=(By("model", references=BASELINES), By(("figure", "prompt"))),
        csv=(
            *("kind", "model", "prompt", "figure"),
            *accuracy_beside_baselines(),
            "answer",
        ),
        columns=(
            Text("Figure", "figure"),
            Text("Prompt", "prompt"),
            answerer(),
            Share("Accuracy", "correct_k", low="low", high="high", value="accuracy"),
            *UNPARSED,
        ),
        notes=(
            "Percent (right / answers); an answer that could not be read is unparsed and counts as wrong.",
            interval_note("images"),
            BASELINE_NOTE,
        ),
        findings=(beaten_by_position(same=("figure", "prompt")),),
    )


#: Of a suite that names no table; planning tells the suite's title.
TABLE = accuracy_table("accuracy", "{title}: accuracy")
