"""Every two models on the same questions: what both, one or neither got right, and whether they differ."""

from collections.abc import Iterator, Mapping
from itertools import combinations

import numpy as np
import pandas as pd

from afterimage.showing.table_layout import Difference, Layout, PValue, Text
from afterimage.statistics.bootstrap import cluster_bootstrap
from afterimage.statistics.paired import mcnemar_exact
from afterimage.suites.images.names import SET

COLUMNS = (
    *("set", "prompt", "first", "second", "n", "both", "only_first", "only_second", "neither"),
    *("difference", "low", "high", "images", "p"),
)


def table(grades: pd.DataFrame, settings: Mapping) -> pd.DataFrame:
    """Compare every two models on the questions that they share, per set and prompt.

    Args:
        grades: Graded answers of all models, factors as columns; of repeated answers the first one counts.
        settings: ``confidence``, ``resamples``, ``seed``.

    Returns:
        The columns of :data:`COLUMNS`: counts of items; ``difference`` of accuracies in percentage points, first
        minus second, with bounds by resampling ``images`` with all of their questions; ``p`` of McNemar's exact
        test, which takes items for independent.
    """
    return pd.DataFrame(_rows(grades[grades["repeat"] == 0], settings), columns=list(COLUMNS))


def layout(grades: pd.DataFrame, settings: Mapping) -> Layout:
    """Describe the reader's table."""
    confidence = f"{100 * settings['confidence']:g}"
    is_alone = grades["model"].nunique() < 2
    return Layout(
        title="Own images: models compared on the same questions",
        columns=(
            Text("Set", "set"),
            Text("Prompt", "prompt"),
            Text("First", "first"),
            Text("Second", "second"),
            Text("Both\nright", "both", numeric=True),
            Text("Only\nfirst", "only_first", numeric=True),
            Text("Only\nsecond", "only_second", numeric=True),
            Text("Neither", "neither", numeric=True),
            Difference("Difference", "only_first", "only_second", low="low", high="high"),
            PValue("p", "p"),
        ),
        notes=(
            *(["The study has one model; nothing to compare it with."] if is_alone else []),
            "Numbers of questions; difference: accuracy of the first minus that of the second, percentage points.",
            f"Brackets: {confidence} % interval by resampling images, each with all of its questions.",
            "p: McNemar's exact test, two-sided, not corrected for the number of comparisons. It takes questions for "
            "independent; where images have several, rely on the interval.",
            "Of repeated answers the first one counts. An answer that could not be read is not right.",
        ),
        # Without rows there is no set to split by.
        split_by=None if is_alone else "Set",
    )


def _rows(grades: pd.DataFrame, settings: Mapping) -> Iterator[tuple]:
    for (name, prompt), asked in grades.groupby([SET, "prompt"], sort=False):
        correct = asked.pivot(index=["stimulus_id", "item_id"], columns="model", values="correct")
        for first, second in combinations(asked["model"].unique(), 2):
            shared = correct[[first, second]].dropna().astype(bool)
            yield (name, prompt, first, second, *_compared(shared, settings))


def _compared(shared: pd.DataFrame, settings: Mapping) -> tuple:
    first, second = (shared.iloc[:, place].to_numpy() for place in (0, 1))
    only_first, only_second = int((first & ~second).sum()), int((~first & second).sum())
    clustered = cluster_bootstrap(
        first.astype(float) - second,
        shared.index.get_level_values("stimulus_id").tolist(),
        np.random.default_rng(settings["seed"]),
        resamples=settings["resamples"],
        confidence=settings["confidence"],
    )
    return (
        *(len(shared), int((first & second).sum()), only_first, only_second),
        int((~first & ~second).sum()),
        *(100 * clustered.estimate, 100 * clustered.low, 100 * clustered.high),
        *(clustered.clusters, mcnemar_exact(only_first, only_second)),
    )
