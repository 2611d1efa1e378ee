"""The table of a suite that names none: how often each model is right, per figure and prompt.

``correct_k`` of ``n`` answers are right, ``unparsed_k`` could not be read and count as wrong; ``accuracy`` is in
percent with bounds, ``images`` their clusters.
"""

from collections.abc import Iterator

import pandas as pd

from afterimage.showing.columns import Share, Text
from afterimage.showing.declaration import By, Settings, Table
from afterimage.showing.interval_notes import interval_note
from afterimage.showing.outcomes import UNPARSED
from afterimage.showing.references import most_frequent
from afterimage.showing.rounding import percent
from afterimage.showing.values import accuracy


def _constant(grades: pd.DataFrame, settings: Settings) -> Iterator[dict[str, str]]:
    """Yield what the one answer scores that is right most often: whoever looks at nothing can do as well."""
    for (figure, prompt), asked in grades.groupby(["figure", "prompt"], sort=False):
        keys = asked.drop_duplicates("item_id")["key"]
        (key, k), n = most_frequent(keys), len(keys)
        yield {
            "Figure": figure,
            "Prompt": prompt,
            "Model": f"always {key}",
            "Accuracy": f"{percent(k, n)} ({k}/{n})",
        }


def accuracy_table(name: str, title: str) -> Table:
    """Declare a table of accuracies per figure, prompt and model.

    Args:
        name: Of its files.
        title: What it shows; it may have slots for the table's settings.
    """
    return Table(
        name,
        title,
        rows=(By(("figure", "prompt", "model")),),
        csv=(
            *("model", "prompt", "figure"),
            *accuracy(),
        ),
        columns=(
            Text("Figure", "figure"),
            Text("Prompt", "prompt"),
            Text("Model", "model"),
            Share("Accuracy", "correct_k", low="low", high="high"),
            *UNPARSED,
        ),
        notes=(
            "Percent (right / answers); an answer that could not be read is unparsed and counts as wrong.",
            interval_note("images"),
            "Always: the one answer that is right most often, whatever the image shows.",
        ),
        references=_constant,
    )


#: Of a suite that names no table; planning tells the suite's title.
TABLE = accuracy_table("accuracy", "{title}: accuracy")
