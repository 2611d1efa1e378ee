"""How accuracy rises with the true difference, where it agrees with the inducer, opposes it, and without one."""

import numpy as np
import pandas as pd

from afterimage.showing.accuracy import unparsed_share
from afterimage.showing.baselines import GUESSING, YES_OR_NO_NOTE
from afterimage.showing.columns import Share, Text
from afterimage.showing.declaration import Settings, Table
from afterimage.showing.values import OUTCOMES
from afterimage.suites.illusion_strength.perceiving import (
    GUESSED,
    UNSEEING,
    bounds_of,
    unseeing,
    yes_no_answers,
)
from afterimage.suites.illusion_strength.questions import GUIDE
from afterimage.suites.illusion_strength.tables.perceive_recall import ALL

_KINDS = {
    "control": "no inducer",
    "equal": "inducer,\nno difference",
    "congruent": "inducer,\nagreeing difference",
    "conflict": "inducer,\nopposed difference",
}
_CELL = ["model", "prompt", GUIDE, "illusion", "strength", "kind", "difference"]


# A function: rows of one illusion and of all have other clusters.
def rows_of(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Count right answers by strength, size of the difference and whether it agrees with the inducer.

    Args:
        grades: Graded answers of all models, factors as columns.
        settings: "confidence".

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
        asked = answers[answers["illusion"] == illusion] if illusion != ALL else answers
        grouped = asked.groupby(cells)
        found = grouped.agg(
            n=("right", "size"),
            right_k=("right", "sum"),
            **{name: (name, "sum") for name in OUTCOMES},
        )
        clusters = "illusion" if illusion == ALL else "stimulus_id"
        bounds = [bounds_of(own["right"], own[clusters], settings) for _, own in grouped]
        found["accuracy"] = 100 * found["right_k"] / found["n"]
        found["low"], found["high"] = zip(*bounds, strict=True) if bounds else ((), ())
        frames.append(found.reset_index().assign(illusion=illusion))
    frame = pd.concat(frames, ignore_index=True)[list(TABLE.csv)]
    order = {model: place for place, model in enumerate(dict.fromkeys(answers["model"]))}
    by_model = frame["model"].map(order)
    return _exact(frame.iloc[by_model.argsort(kind="stable")].reset_index(drop=True))


def _exact(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of who does not look without intervals, and of who guesses what is to be expected."""
    counts = ["right_k", *OUTCOMES]
    frame = frame.astype(dict.fromkeys(counts, "Int64"))
    frame.loc[frame["model"].isin(UNSEEING), ["low", "high"]] = np.nan
    frame.loc[frame["model"].isin(UNSEEING), list(OUTCOMES)] = pd.NA
    frame.loc[frame["model"] == GUESSING, "right_k"] = pd.NA
    frame.loc[frame["model"] == GUESSING, "accuracy"] = GUESSED
    return frame


def _readers(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows over all illusions and strengths, by kind and size of the difference."""
    rows = frame[frame["illusion"] == ALL]
    counted = ["n", "right_k", *OUTCOMES]
    cells = ["model", "prompt", GUIDE, "kind", "difference"]
    grouped = rows.groupby(cells, sort=False)
    summed = grouped[counted].sum(min_count=1)
    return summed.assign(accuracy=grouped["accuracy"].mean()).reset_index()


TABLE = Table(
    "perceive_recall_dose",
    "Accuracy by the true difference, with the inducer and without",
    rows=rows_of,
    csv=(*_CELL, "n", "right_k", *OUTCOMES, "accuracy", "low", "high"),
    columns=(
        Text("Prompt", "prompt"),
        Text("Aid", GUIDE, if_several=True),
        Text("Image", "kind", _KINDS),
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
    readers=_readers,
    group_by="model",
)
