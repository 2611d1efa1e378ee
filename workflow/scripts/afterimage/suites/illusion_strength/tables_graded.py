"""Points of subjective equality and magnitudes on probabilities, beside those on readings of the same answers."""

from typing import Any

import pandas as pd

from afterimage.showing.tables.columns import (
    Number,
    Text,
    whole,
)
from afterimage.showing.tables.declaration import Settings, Table
from afterimage.showing.tables.weighted import by_probability, counts_of_graded, of_scored
from afterimage.suites.illusion_strength.psychometrics import (
    GROUP,
    given_answers,
    spelled,
    strength_rows,
)
from afterimage.suites.illusion_strength.questions import YES_NO
from afterimage.suites.thresholds.tables import COUNTS, GRADED, NOTES, READ, SHOWN_COLUMN

_SUFFIXES = ("", "_low", "_high")
_STATISTICS = ("pse", "magnitude")
_FIT = ("no_pse", *(f"{name}{end}" for name in ("slope", *_STATISTICS) for end in _SUFFIXES))


# A function: a curve is fitted to all strengths at once, on readings and on probabilities.
def graded_rows(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Fit the curves of each scored model twice.

    Returns:
        One row per model, prompt, question, illusion, strength and what was shown, columns of the two fits ending
        with ``_read`` and ``_graded``; see :mod:`~afterimage.suites.illusion_strength.tables`.
    """
    scored = of_scored(grades)
    scored = scored[~scored["prompt"].isin(YES_NO)]
    rows = []
    for shown, answers in scored.groupby("shown", sort=False):
        fits = {
            way: _fits(read, settings)
            for way, read in ((READ, answers), (GRADED, by_probability(answers)))
        }
        cells = answers.assign(
            illusion=answers["figure"], inducer=answers["strength"].astype(float) + 0.0
        )
        for (*names, strength), part in cells.groupby([*GROUP, "inducer"], sort=False):
            row = {**dict(zip(GROUP, names, strict=True)), "strength": strength, "shown": shown}
            row |= counts_of_graded(part)
            for way, fit in fits.items():
                values = fit.get((*names, strength), {})
                row |= {f"{name}_{way}": value for name, value in values.items()}
            rows.append(row)
    return pd.DataFrame(rows, columns=[*GROUP, "strength", "shown", *COUNTS, *_names()])


def _fits(answers: pd.DataFrame, settings: Settings) -> dict[tuple[Any, ...], dict[str, Any]]:
    return {
        (*names, row["strength"]): {name: row[name] for name in _FIT}
        for names, part in given_answers(answers).groupby(GROUP, sort=False)
        for row in strength_rows(part, settings)
    }


def _names() -> list[str]:
    return [f"{name}_{way}" for way in (READ, GRADED) for name in _FIT]


def _greatest(frame: pd.DataFrame) -> pd.DataFrame:
    return frame[frame["strength"] == frame["strength"].max()]


def _number(words: str, statistic: str, way: str) -> Number:
    column, low, high = (f"{statistic}{end}_{way}" for end in _SUFFIXES)
    return Number(words, column, low, high, decimals=2)


ILLUSION_STRENGTH_GRADED = Table(
    "illusion_strength_graded",
    "Illusion magnitude on probabilities, at the full strength of the inducer",
    rows=graded_rows,
    csv=(*GROUP, "strength", "shown", *COUNTS, *_names()),
    columns=(
        Text("Illusion", "illusion", spelled),
        *(Text("Question", "question"), Text("Prompt", "prompt", if_several=True)),
        SHOWN_COLUMN,
        _number("PSE,\nread", "pse", READ),
        _number("PSE, on\nprobabilities", "pse", GRADED),
        _number("Magnitude,\nread", "magnitude", READ),
        _number("Magnitude, on\nprobabilities", "magnitude", GRADED),
        Text("No PSE,\nread", "no_pse_read", optional=True),
        Text("No PSE, on\nprobabilities", "no_pse_graded", optional=True),
        *(whole("No\nprobabilities", "no_scores_k"), whole("Too little\nmass", "no_mass_k")),
        whole("n", "n"),
    ),
    notes=(
        *NOTES,
        "PSE: the difference, in units of the fake's, at which both targets are named equally often; "
        "magnitude: that without the inducer minus that with it. {coverage} intervals: jackknife "
        "over the replicates of a figure.",
    ),
    empty=("no answer about directions has probabilities",),
    readers=_greatest,
    group_by="model",
)
