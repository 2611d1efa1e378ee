"""The table of a suite that names none: how often each model is right, per figure and prompt."""

from collections.abc import Iterator, Mapping

import pandas as pd

from afterimage.showing.table_layout import Layout, Share, Text
from afterimage.statistics.intervals import wilson_interval

COLUMNS = (
    *("model", "prompt", "figure", "n", "correct_k", "unparsed_k"),
    *("accuracy", "low", "high"),
)


def table(grades: pd.DataFrame, settings: Mapping) -> pd.DataFrame:
    """Count right answers.

    Args:
        grades: Graded answers of all models, factors as columns.
        settings: ``confidence``.

    Returns:
        The columns of :data:`COLUMNS`; ``accuracy`` in percent with Wilson's bounds.
    """
    return pd.DataFrame(_rows(grades, settings["confidence"]), columns=list(COLUMNS))


def layout(grades: pd.DataFrame, settings: Mapping) -> Layout:
    """Describe the reader's table; ``settings["title"]`` is the suite's."""
    confidence = f"{100 * settings['confidence']:g}"
    return Layout(
        title=f"{settings['title']}: accuracy",
        columns=(
            Text("Figure", "figure"),
            Text("Prompt", "prompt"),
            Text("Model", "model"),
            Share("Accuracy", "correct_k", low="low", high="high"),
            Text("Unparsed", "unparsed_k", numeric=True),
        ),
        notes=(
            "Percent (right / answers); an answer that could not be read is unparsed and counts as wrong.",
            f"Brackets: Wilson interval, {confidence} %.",
        ),
    )


def _rows(grades: pd.DataFrame, confidence: float) -> Iterator[tuple]:
    keys = ["figure", "prompt", "model"]
    for (figure, prompt, model), group in grades.groupby(keys, sort=False):
        n, k = len(group), int(group["correct"].sum())
        bounds = wilson_interval(k, n, confidence)
        unparsed = int((group["outcome"] == "unparsed").sum())
        shares = (100 * k / n, 100 * bounds.low, 100 * bounds.high)
        yield (model, prompt, figure, n, k, unparsed, *shares)
