"""Descriptions with and without the first step, by how well the illusion was described: the paper's table V.

One row per model: ``group``, ``model``, ``flagged_memory_k`` (second steps whose first step was left blank or refused),
and for each bin ``_n`` (images with all three scores), ``_semantic`` and ``_step_by_step`` (means over these images),
``_change`` (percent, with ``_change_low`` and ``_change_high``).
"""

import zlib
from fractions import Fraction

import numpy as np
import pandas as pd

from afterimage.grading.description import BLANK, REFUSED
from afterimage.grading.parsed import UNFINISHED
from afterimage.showing.bounds import UNDEFINED, statistic_bounds
from afterimage.showing.columns import Number, Text
from afterimage.showing.compute import as_frame
from afterimage.showing.declaration import PaperForm, Settings, Span, Table
from afterimage.showing.values import Given, Value
from afterimage.suites.illusionbench.names import (
    DESCRIPTIONS,
    ILLUSION,
    SEMANTIC,
    STEP_BY_STEP,
    STEP_ONE,
)
from afterimage.suites.illusionbench.tables.cells import change_cell, changed_cell, counted_cell
from afterimage.suites.illusionbench.tables.exact import DECIMALS, as_float, printed, ratio
from afterimage.suites.illusionbench.tables.in_paper import SCORE_NOTE, models_and_people
from afterimage.suites.illusionbench.tables.notes import about, score_notes, without_scores
from afterimage.suites.illusionbench.tables.scores import scored_models

#: Bins of the score of the illusion description, lower edge included, upper excluded but for the last.
BINS = {"high": (1.33, 2.0), "mid": (0.67, 1.33), "low": (0.0, 0.67)}
_HEADERS = {"high": "[1.33, 2]", "mid": "[0.67, 1.33)", "low": "[0, 0.67)"}
#: Means of fifths never fall on an edge, but they come from sums of floats.
_TOLERANCE = 1e-9
_PARTS = ("n", "semantic", "step_by_step", "change", "change_low", "change_high")
_CSV: tuple[str | Value, ...] = (
    *("group", "model", Given("flagged_memory_k")),
    *(
        Given(f"{name}_{part}", "whole" if part == "n" else "number")
        for name in BINS
        for part in _PARTS
    ),
)


def bin_of(score: float) -> str:
    """Return the bin of a score of an illusion description, 0 to 2."""
    return next(name for name, (low, _) in BINS.items() if score >= low - _TOLERANCE)


def relative_change(semantic: float, step_by_step: float) -> Fraction | None:
    """Return by how many percent the second mean exceeds the first; None where that is 0 or one is missing.

    Of the means as they are printed, as in the paper, so that a reader can work it out again.
    """
    if np.isnan(semantic) or np.isnan(step_by_step) or not printed(semantic):
        return None
    return 100 * (printed(step_by_step) / printed(semantic) - 1)


# A function: what is averaged are an image's three scores side by side, and memories are counted among all answers.
def _rows(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    rows = []
    for names, own in scored_models(grades, settings):
        triples = _triples(own)
        flagged = _flagged_memories(grades[grades["model"] == names["model"]])
        row = {**names, "flagged_memory_k": flagged}
        for name in BINS:
            chosen = triples[triples["bin"] == name]
            row |= _cell(name, chosen, settings, f"step_by_step/{names['model']}/{name}")
        rows.append(row)
    return as_frame(rows, _CSV)


def _triples(scored: pd.DataFrame) -> pd.DataFrame:
    """Return the three scores of each image and repeat that has all of them, with its bin."""
    wide = scored.pivot_table(
        index=["stimulus_id", "repeat"], columns="question", values="score", aggfunc="first"
    )
    wide = wide.reindex(columns=list(DESCRIPTIONS)).dropna()
    return wide.assign(bin=[bin_of(score) for score in wide[ILLUSION]]).reset_index()


def _flagged_memories(answers: pd.DataFrame) -> int:
    """Count second steps whose first step was left blank or refused; it stays in their memory as it is.

    Reasoning that was cut off leaves it blank.
    """
    first = answers[answers["question"] == _first_step(answers)]
    flagged = first[first["reason"].isin((BLANK, REFUSED, UNFINISHED))]
    # Every repeat of the second step remembers the first answer.
    remembered = set(flagged[flagged["repeat"] == 0]["stimulus_id"])
    steps = answers[answers["question"] == STEP_BY_STEP]
    return int(steps["stimulus_id"].isin(remembered).sum())


def _first_step(answers: pd.DataFrame) -> str:
    return STEP_ONE if (answers["question"] == STEP_ONE).any() else ILLUSION


def _cell(name: str, chosen: pd.DataFrame, settings: Settings, identity: str) -> dict[str, object]:
    semantic, step = (
        as_float(ratio(chosen[kind], len(chosen))) for kind in (SEMANTIC, STEP_BY_STEP)
    )
    change = relative_change(semantic, step)
    low, high = UNDEFINED
    if change is not None:
        scores, images = chosen[[SEMANTIC, STEP_BY_STEP]].to_numpy(), chosen["stimulus_id"].tolist()
        seed = [settings["seed"], zlib.crc32(identity.encode())]
        found = statistic_bounds(scores, images, _changes, settings, seed)
        low, high = float(found.low[0]), float(found.high[0])
    return {
        f"{name}_n": len(chosen),
        f"{name}_semantic": semantic,
        f"{name}_step_by_step": step,
        f"{name}_change": as_float(change),
        f"{name}_change_low": low,
        f"{name}_change_high": high,
    }


def _changes(sums: np.ndarray) -> np.ndarray:
    semantic, step = sums[:, :1], sums[:, 1:]
    ratio = np.divide(step, semantic, out=np.full(semantic.shape, np.nan), where=semantic > 0)
    return 100.0 * (ratio - 1.0)


TABLE = Table(
    "illusionbench_step_by_step",
    "IllusionBench+: descriptions with and without the first step (the paper's table V)",
    rows=_rows,
    csv=_CSV,
    columns=(
        Text("VLMs", "model"),
        *(
            cell
            for name in BINS
            for cell in (
                counted_cell(f"Semantic\n{_HEADERS[name]}", f"{name}_semantic", f"{name}_n"),
                changed_cell(f"Step-by-Step\n{_HEADERS[name]}", name),
            )
        ),
    ),
    notes=(
        score_notes,
        "Images are binned by the model's own score for the illusion description; means over the images of a bin that "
        "have all three scores. In parentheses the change from the semantic to the step-by-step mean, below it its "
        "{coverage} interval, percentile bootstrap over images ({resamples} resamples, seed {seed}).",
        "Small bins carry little weight: look at n. Second steps whose first step was blank or refused are counted in "
        "the CSV.",
        about(*DESCRIPTIONS, bounded=False),
    ),
    empty=(without_scores, "no model has scores of all three descriptions of an image"),
    group_by="group",
    spans=(Span("", 1), *(Span("Illusion Preciseness", 2) for _ in BINS)),
    paper=PaperForm(
        "Scores of semantic descriptions without and with the first step, by how well illusions were described "
        "(table V of Zhang et al.).",
        (
            Text("VLMs", "model"),
            *(
                column
                for name in BINS
                for column in (
                    Number(f"Semantic\n{_HEADERS[name]}", f"{name}_semantic", decimals=DECIMALS),
                    Number(
                        f"Step-by-Step\n{_HEADERS[name]}", f"{name}_step_by_step", decimals=DECIMALS
                    ),
                    change_cell("Change", name),
                )
            ),
        ),
        models_and_people,
        f"{SCORE_NOTE} Red: better with the first step, green: worse.",
        group_by="group",
        spans=(Span("", 1), *(Span("Illusion Preciseness", 3) for _ in BINS)),
    ),
)
