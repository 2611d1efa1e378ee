"""Accuracy per subset and category, for every prompt (Shahgir et al. 2024, tables of both tasks)."""

from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd

from afterimage.showing.table_layout import Layout, Share, Text
from afterimage.statistics.bootstrap import cluster_bootstrap
from afterimage.statistics.intervals import wilson_interval

TOTAL = "total"
COLUMNS = (
    *("model", "prompt", "subset", "category", "n", "correct_k", "unparsed_k"),
    *("accuracy", "low", "high", "images", "cluster_low", "cluster_high", "guessing"),
)


def table(grades: pd.DataFrame, settings: Mapping) -> pd.DataFrame:
    """Count right answers per model, prompt, subset and category.

    Args:
        grades: Graded answers of all models, factors as columns (``subset``, ``category``, ``options``).
        settings: ``confidence``, ``resamples``, ``seed``.

    Returns:
        The columns of :data:`COLUMNS`: ``n`` answers, ``correct_k`` right, ``unparsed_k`` of them not read (they count
        as wrong), accuracy in percent with Wilson's bounds and, over ``images``, bounds by resampling images;
        ``guessing``: what a guess among the options offered would earn.
    """
    return pd.DataFrame(_rows(grades, settings), columns=list(COLUMNS))


def layout(grades: pd.DataFrame, settings: Mapping) -> Layout:
    """Describe the reader's table."""
    confidence = f"{100 * settings['confidence']:g}"
    return Layout(
        title="IllusionVQA: multiple choice about optical illusions",
        columns=(
            Text("Subset", "subset"),
            Text("Prompt", "prompt"),
            Text("Category", "category"),
            Text("Model", "model"),
            Share("Accuracy", "correct_k", low="low", high="high", decimals=2),
            Text("Unparsed", "unparsed_k", numeric=True),
        ),
        notes=(
            "Percent (right / answers); an answer that names no option, or several, is unparsed and counts as wrong.",
            f"Brackets: Wilson interval, {confidence} %. The CSV adds the interval by resampling images, and what "
            "guessing would earn.",
            "Categories with fewer than six questions are one, misc, as in the paper.",
        ),
        split_by="Subset",
    )


def _rows(grades: pd.DataFrame, settings: Mapping) -> Iterator[tuple]:
    for (subset, prompt), of_prompt in grades.groupby(["subset", "prompt"], sort=False):
        categories = sorted(of_prompt["category"].unique())
        # The second subset is one category that bears its own name.
        shown = [TOTAL] if categories == [subset] else [*categories, TOTAL]
        for category in shown:
            chosen = (
                of_prompt if category == TOTAL else of_prompt[of_prompt["category"] == category]
            )
            for model, group in chosen.groupby("model", sort=False):
                yield (model, prompt, subset, category, *_measured(group, settings))


def _measured(group: pd.DataFrame, settings: Mapping) -> tuple:
    n, k = len(group), int(group["correct"].sum())
    wilson = wilson_interval(k, n, settings["confidence"])
    generator = np.random.default_rng(settings["seed"])
    clustered = cluster_bootstrap(
        group["correct"].astype(float).to_numpy(),
        group["stimulus_id"].tolist(),
        generator,
        resamples=settings["resamples"],
        confidence=settings["confidence"],
    )
    return (
        *(n, k, int((group["outcome"] == "unparsed").sum())),
        *(100 * k / n, 100 * wilson.low, 100 * wilson.high),
        *(clustered.clusters, 100 * clustered.low, 100 * clustered.high),
        100 * float((1 / group["options"].astype(int)).mean()),
    )
