"""The table of a suite that names none: how often each model is right, per figure and prompt."""

from afterimage.showing.columns import Share, Text
from afterimage.showing.declaration import By, Table
from afterimage.showing.outcomes import UNPARSED
from afterimage.showing.values import Bounds, Percent, answers, outcomes, right

#: ``accuracy`` is in percent with Wilson's bounds; the job puts the suite's name before the title.
TABLE = Table(
    "accuracy",
    "accuracy",
    rows=(By(("figure", "prompt", "model")),),
    csv=(
        *("model", "prompt", "figure", answers(), right(), *outcomes()),
        *(Percent("accuracy", "correct_k"), Bounds("low", "high", "correct_k")),
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
        "Brackets: Wilson interval, {coverage}.",
    ),
)
