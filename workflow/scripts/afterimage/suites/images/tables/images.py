"""Accuracy on a user's images, for every set, prompt and level of every factor."""

from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd

from afterimage.showing.table_layout import Layout, Number, Share, Text
from afterimage.statistics.bootstrap import cluster_bootstrap
from afterimage.statistics.intervals import wilson_interval
from afterimage.suites.images.names import ANSWER_TYPE, GUESSING, SET

OVERALL = "overall"
#: A column with more different values than this describes single questions and gives no rows.
MOST_LEVELS = 50
COLUMNS = (
    *("model", "set", "prompt", "factor", "level", "n", "correct_k", "unparsed_k"),
    *("accuracy", "low", "high", "images", "cluster_low", "cluster_high", "guessing"),
)


def table(grades: pd.DataFrame, settings: Mapping) -> pd.DataFrame:
    """Count right answers per model, set and prompt: over all, per type of answer, per level of each factor.

    Args:
        grades: Graded answers of all models, factors as columns.
        settings: ``confidence``, ``resamples``, ``seed``; ``factors``, set to the names of its factors.

    Returns:
        The columns of :data:`COLUMNS`: ``n`` answers, ``correct_k`` right, ``unparsed_k`` not read (they count as
        wrong), accuracy in percent with Wilson's bounds and, over ``images``, bounds by resampling images;
        ``guessing``: percent that a guess earns. Items without a level of a factor are in none of its rows; a factor
        of more than :data:`MOST_LEVELS` levels has no rows.
    """
    return pd.DataFrame(_rows(grades, settings), columns=list(COLUMNS))


def layout(grades: pd.DataFrame, settings: Mapping) -> Layout:
    """Describe the reader's table."""
    confidence = f"{100 * settings['confidence']:g}"
    many = dict.fromkeys(
        factor
        for name, asked in grades.groupby(SET, sort=False)
        for factor in settings["factors"][name]
        if factor in asked and asked[factor].nunique() > MOST_LEVELS
    )
    left_out = f"Without rows, for more than {MOST_LEVELS} different values: {', '.join(many)}."
    return Layout(
        title="Own images: accuracy",
        columns=(
            Text("Set", "set"),
            Text("Prompt", "prompt"),
            Text("Factor", "factor", words={ANSWER_TYPE: "type of answer"}),
            Text("Level", "level"),
            Text("Model", "model"),
            Share("Accuracy", "correct_k", low="low", high="high"),
            Text("Unparsed", "unparsed_k", numeric=True),
            Number("Guessing", "guessing"),
        ),
        notes=(
            "Percent (right / answers); an answer that could not be read is unparsed and counts as wrong.",
            f"Brackets: Wilson interval, {confidence} %. The CSV adds the interval by resampling images, for sets that "
            "ask several questions about an image.",
            "Guessing: percent that a guess earns, among the options; of free answers among yes and no, among 0 to 9 "
            "and the right number, or among right answers to other questions and declining.",
            *([left_out] if many else []),
        ),
        split_by="Set",
    )


def _rows(grades: pd.DataFrame, settings: Mapping) -> Iterator[tuple]:
    for (name, prompt), asked in grades.groupby([SET, "prompt"], sort=False):
        for factor, level, chosen in _parts(asked, settings["factors"][name]):
            for model, group in chosen.groupby("model", sort=False):
                yield (model, name, prompt, factor, level, *_measured(group, settings))


def _parts(asked: pd.DataFrame, factors: list[str]) -> Iterator[tuple[str, str, pd.DataFrame]]:
    yield OVERALL, "", asked
    if asked[ANSWER_TYPE].nunique() > 1:
        factors = [ANSWER_TYPE, *factors]
    for factor in factors:
        # A column that is empty in every row is not there.
        if factor not in asked or asked[factor].nunique() > MOST_LEVELS:
            continue
        for level, chosen in asked.groupby(factor, sort=False):
            yield factor, str(level), chosen


def _measured(group: pd.DataFrame, settings: Mapping) -> tuple:
    n, k = len(group), int(group["correct"].sum())
    wilson = wilson_interval(k, n, settings["confidence"])
    clustered = cluster_bootstrap(
        group["correct"].astype(float).to_numpy(),
        group["stimulus_id"].tolist(),
        np.random.default_rng(settings["seed"]),
        resamples=settings["resamples"],
        confidence=settings["confidence"],
    )
    return (
        *(n, k, int((group["outcome"] == "unparsed").sum())),
        *(100 * k / n, 100 * wilson.low, 100 * wilson.high),
        *(clustered.clusters, 100 * clustered.low, 100 * clustered.high),
        100 * float(group[GUESSING].astype(float).mean()),
    )
