"""Perceive or recall: what accuracy loses where targets truly differ, and whether both ways of asking agree.

Intervals of shares: of one illusion every image by itself, over all of them the illusions; of drops the jackknife over
the four replicates, as for points of subjective equality.
"""

from typing import Any

import numpy as np
import pandas as pd

from afterimage.showing.tables.accuracy import unparsed_share
from afterimage.showing.tables.baselines import GUESSING, YES_OR_NO_NOTE, without_bounds
from afterimage.showing.tables.columns import Number, Printed, Row, Share, Text, is_missing, rounded
from afterimage.showing.tables.declaration import Settings, Table
from afterimage.showing.tables.values import OUTCOMES
from afterimage.suites.illusion_strength.perceiving import (
    DROPS,
    GUESSED,
    INDUCERS,
    PARTS,
    SHARES,
    UNSEEING,
    accuracies,
    as_guessed,
    bounds_of,
    chosen,
    drops,
    pair_shares,
    paired,
    unread,
    unseeing,
    yes_no_answers,
)
from afterimage.suites.illusion_strength.psychometrics import ALL, KINDS_IN_WORDS
from afterimage.suites.illusion_strength.questions import DIFFERENT, FORWARD, GUIDE

#: The prefix of pairs without an inducer.
CONTROL = "control_"

_BOUNDS = ("", "_low", "_high")
_PAIRED = (
    *("pairs", f"{CONTROL}pairs"),
    *(f"{prefix}{name}_k" for prefix in ("", CONTROL) for name in SHARES),
)
_WHOLE = (*(name for part in PARTS for name in (f"n_{part}", f"{part}_k")), *_PAIRED, *OUTCOMES)
COLUMNS = (
    *("model", "prompt", "reversed_prompt", GUIDE, "illusion", "inducer", "n", *OUTCOMES),
    *(
        name
        for part in PARTS
        for name in (f"n_{part}", f"{part}_k", *(f"{part}{end}" for end in _BOUNDS))
    ),
    *(f"{name}{end}" for name in DROPS for end in _BOUNDS),
    *("multiplier", "no_multiplier"),
    *(
        name
        for prefix in ("", CONTROL)
        for name in (
            f"{prefix}pairs",
            *(f"{prefix}{share}{end}" for share in SHARES for end in ("_k", *_BOUNDS)),
        )
    ),
)


# A function: rows of one illusion and of all have other clusters, and pairs join answers to two prompts.
def perceive_recall_rows(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Score the yes-or-no answers of all models.

    Returns:
        The columns :data:`COLUMNS`: one row per model, prompt, guide, illusion (and ``all``) and kind of inducer; the
        last models are unseeing responders (:data:`perceiving.UNSEEING`), without intervals.

    Raises:
        AfterimageError: As in :func:`perceiving.yes_no_answers`.
    """
    answers = yes_no_answers(grades)
    answers = pd.concat([answers, *unseeing(answers)])
    rows: list[dict[str, Any]] = []
    for model, of_model in answers.groupby("model", sort=False):
        pairs = paired(of_model)
        for (prompt, guide), group in of_model.groupby(["prompt", GUIDE], sort=False):
            pairs_of_prompt = pairs[(pairs["prompt"] == prompt) & (pairs[GUIDE] == guide)]
            reverse = DIFFERENT * bool(len(pairs_of_prompt))
            key = {"model": model, "prompt": prompt, "reversed_prompt": reverse, GUIDE: guide}
            for illusion in (*dict.fromkeys(group["illusion"]), ALL):
                of_illusion = [
                    part if illusion == ALL else part[part["illusion"] == illusion]
                    for part in (group, pairs_of_prompt)
                ]
                for inducer in INDUCERS:
                    answered, paired_here = (chosen(part, inducer) for part in of_illusion)
                    row = _row(answered, paired_here, illusion, settings)
                    row = _unbounded(row, model) if model in UNSEEING else row
                    rows.append({**key, "illusion": illusion, "inducer": inducer, **row})
    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    frame[list(_WHOLE)] = frame[list(_WHOLE)].astype("Int64")
    return frame


def _row(
    answers: pd.DataFrame, pairs: pd.DataFrame, illusion: str, settings: Settings
) -> dict[str, Any]:
    clusters = "illusion" if illusion == ALL else "stimulus_id"
    row = {"n": len(answers), **unread(answers), **accuracies(answers, clusters, settings)}
    row |= drops(answers, settings)
    if len(pairs):
        control = pairs["part"].str.startswith(CONTROL)
        row |= pair_shares(pairs[~control], clusters, settings)
        row |= pair_shares(pairs[control], clusters, settings, CONTROL)
    return row


def _unbounded(row: dict[str, Any], model: str) -> dict[str, Any]:
    """Return the row of an unseeing responder, exact and therefore without intervals."""
    row |= dict.fromkeys((name for name in row if name.endswith(("_low", "_high"))), np.nan)
    row |= dict.fromkeys(OUTCOMES, None)
    return as_guessed(row) if model == GUESSING else row


def _readers(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows over all illusions that are asked both ways, or all where none is."""
    rows = frame[(frame["illusion"] == ALL) & (frame["inducer"] == INDUCERS[0])]
    forward = rows[rows["prompt"].isin(FORWARD)]
    return (forward if len(forward) else rows).reset_index(drop=True)


def _multiplier(row: Row) -> str:
    value = row["multiplier"]
    return f"-\n({row['no_multiplier']})" if is_missing(value) else rounded(value, 2)


def _share(header: str, name: str) -> Printed:
    """Return a column of pairs; a dash where the prompt has none."""
    column = without_bounds(
        Share(header, f"{name}_k", "pairs", f"{name}_low", f"{name}_high"), name
    )
    return Printed(header, lambda row: "" if is_missing(row["pairs"]) else column.cell(row))


def _excess_drop(row: Row) -> str:
    bounds = () if row["model"] in UNSEEING else ("excess_drop_low", "excess_drop_high")
    return Number("", "excess_drop", *bounds).cell(row)


def _accuracy(header: str, part: str) -> Printed:
    column = Share(header, f"{part}_k", f"n_{part}", f"{part}_low", f"{part}_high")
    return without_bounds(column, part)


PERCEIVE_RECALL = Table(
    "perceive_recall",
    "Perceive or recall: yes-or-no answers where targets are equal and where they truly differ",
    rows=perceive_recall_rows,
    csv=COLUMNS,
    columns=(
        Text("Model", "model"),
        Text("Prompt", "prompt", if_several=True),
        Text("Aid", GUIDE, if_several=True),
        _accuracy("Equal", "original"),
        _accuracy("Different", "perturbed"),
        _accuracy("Equal,\nno inducer", "control_original"),
        _accuracy("Different,\nno inducer", "control_perturbed"),
        Printed("Excess drop", _excess_drop),
        Printed("R", _multiplier),
        _share("Consistent,\nright", "pfa"),
        _share("Consistent,\nwrong", "cbw"),
        _share("Same word\nto both", "tfi"),
        *unparsed_share(end=""),
    ),
    notes=(
        "Accuracy of answers to one yes-or-no question, with the inducer and without, where the targets are equal and "
        "where they truly differ (VI-Probe's original, perturbed and control images). Over all illusions, strengths "
        "and differences; the CSV has each illusion, and differences that agree with the inducer and that oppose it.",
        "Drop: accuracy at equal less accuracy at different targets, in points; excess drop: with the inducer less "
        "without. R: the one divided by the other (plus 0.1 points), only where the control's drop is known not to be "
        "0.",
        "Both ways of asking one image, are they the same? and do they differ?: consistent and "
        "right, consistent and wrong, or the same word to both, which contradicts itself. What is "
        "missing to 100 %: a pair with an unread answer.",
        YES_OR_NO_NOTE,
        "{coverage} intervals of shares with illusions as clusters (docs/statistics.md), of drops by the jackknife "
        "over the replicates of a figure; too few to say: replicates that all agree.",
    ),
    readers=_readers,
)


# ---- How accuracy rises with the difference: agreeing with the inducer, opposing it, without one ----

_CELL = ["model", "prompt", GUIDE, "illusion", "strength", "kind", "difference"]


# A function: rows of one illusion and of all have other clusters.
def dose_rows(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Count right answers by strength, size of the difference and whether it agrees with the inducer.

    Returns:
        One row per cell of each illusion and of all: ``strength``, ``kind``, ``difference`` (its size), ``n``,
        ``right_k``, ``accuracy`` in percent with ``low`` and ``high``, and what was not read, which is wrong.

    Raises:
        AfterimageError: As in :func:`perceiving.yes_no_answers`.
    """
    answers = yes_no_answers(grades)
    answers = pd.concat([answers, *unseeing(answers)]).rename(columns={"distance": "difference"})
    cells = [name for name in _CELL if name != "illusion"]
    frames = []
    for illusion in (*dict.fromkeys(answers["illusion"]), ALL):
        of_illusion = answers[answers["illusion"] == illusion] if illusion != ALL else answers
        grouped = of_illusion.groupby(cells)
        counts = grouped.agg(
            n=("right", "size"),
            right_k=("right", "sum"),
            **{name: (name, "sum") for name in OUTCOMES},
        )
        clusters = "illusion" if illusion == ALL else "stimulus_id"
        bounds = [bounds_of(group["right"], group[clusters], settings) for _, group in grouped]
        counts["accuracy"] = 100 * counts["right_k"] / counts["n"]
        counts["low"], counts["high"] = zip(*bounds, strict=True) if bounds else ((), ())
        frames.append(counts.reset_index().assign(illusion=illusion))
    frame = pd.concat(frames, ignore_index=True)[list(PERCEIVE_RECALL_DOSE.csv)]
    order = {model: index for index, model in enumerate(dict.fromkeys(answers["model"]))}
    by_model = frame["model"].map(order)
    return _exact(frame.iloc[by_model.argsort(kind="stable")].reset_index(drop=True))


def _exact(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows with unseeing responders' intervals removed and guessing's counts replaced by expected values."""
    counts = ["right_k", *OUTCOMES]
    frame = frame.astype(dict.fromkeys(counts, "Int64"))
    frame.loc[frame["model"].isin(UNSEEING), ["low", "high"]] = np.nan
    frame.loc[frame["model"].isin(UNSEEING), list(OUTCOMES)] = pd.NA
    frame.loc[frame["model"] == GUESSING, "right_k"] = pd.NA
    frame.loc[frame["model"] == GUESSING, "accuracy"] = GUESSED
    return frame


def _dose_readers(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows over all illusions and strengths, by kind and size of the difference."""
    rows = frame[frame["illusion"] == ALL]
    counted = ["n", "right_k", *OUTCOMES]
    cells = ["model", "prompt", GUIDE, "kind", "difference"]
    grouped = rows.groupby(cells, sort=False)
    summed = grouped[counted].sum(min_count=1)
    # Strengths have different numbers of answers where some are missing. Guessing has no count.
    pooled = (100 * summed["right_k"] / summed["n"]).astype("Float64").astype(float)
    return summed.assign(accuracy=pooled.fillna(grouped["accuracy"].mean())).reset_index()


PERCEIVE_RECALL_DOSE = Table(
    "perceive_recall_dose",
    "Accuracy by the true difference, with the inducer and without",
    rows=dose_rows,
    csv=(*_CELL, "n", "right_k", *OUTCOMES, "accuracy", "low", "high"),
    columns=(
        Text("Prompt", "prompt"),
        Text("Aid", GUIDE, if_several=True),
        Text("Image", "kind", KINDS_IN_WORDS),
        Text("Difference", "difference", numeric=True),
        Share("Right", "right_k", "n", value="accuracy"),
        *unparsed_share(end=""),
    ),
    notes=(
        "Of yes-or-no questions, over all illusions and strengths of the inducer; 1 is the fake figure's difference. A "
        "curve without inducer that rises late is weak sight; one that stays low only with the inducer is not.",
        YES_OR_NO_NOTE,
        "The CSV has every illusion and strength, with {coverage} intervals.",
    ),
    readers=_dose_readers,
    group_by="model",
)
