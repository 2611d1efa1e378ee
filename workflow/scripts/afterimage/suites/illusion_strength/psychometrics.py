"""Psychometric curves of one model, question and illusion: points of subjective equality and illusion magnitude.

B(s) = mu(0) - mu(s) is positive where the inducer makes the first target gain. The four replicates (variant and
shift) are the clusters of all intervals.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from afterimage.errors import AfterimageError
from afterimage.showing.tables.bounds import (
    UNDEFINED,
    Interval,
    few_clusters_weights,
    jackknife_bounds,
    weighted_bounds,
    with_width,
)
from afterimage.showing.tables.values import OUTCOMES, with_outcomes
from afterimage.showing.tables.weighted import weights_of
from afterimage.statistics.ordinal import (
    FIRST,
    FLAT_SLOPE,
    SECOND,
    OrdinalFit,
    bounded_slope,
    fit_ordinal,
    probabilities,
    slope_of,
)
from afterimage.suites.illusion_strength.questions import YES_NO

#: What an answer can say, in the order of the tables' columns.
GIVEN = ("first", "neutral", "second", "unparsed")
READ = GIVEN[:3]
#: Reasons for unread answers that tables count.
INSTEAD = OUTCOMES[1:]

#: A model's answers to one question about one illusion are analysed together.
GROUP = ["model", "prompt", "question", "illusion"]

#: The rows that pool the illusions.
ALL = "all"
#: Names of the kinds of cells for readers (:func:`cell_kind`).
KINDS_IN_WORDS = {
    "control": "no inducer",
    "equal": "inducer,\nno difference",
    "congruent": "inducer,\nagreeing difference",
    "conflict": "inducer,\nopposed difference",
}

_FACTORS = ("strength", "difference", "realised", "replicate", "first", "second", "neutral")
_NUMBERS = ("strength", "difference", "realised")


def given_answers(grades: pd.DataFrame) -> pd.DataFrame:
    """Return what each answer says about the targets.

    Args:
        grades: Graded answers of all models, factors as columns; those to yes-or-no questions are left out.

    Returns:
        One row per answer: GROUP; ``strength`` and ``difference`` (nominal), ``realised`` (the drawn difference as a
        fraction of the fake's); ``replicate``; ``given``, one of GIVEN; ``forced``, whether no neutral option was
        offered; ``cut_off`` and ``refused``, whether an unread answer is; ``weight``, what it counts.

    Raises:
        AfterimageError: A factor is missing or not a number, or an answer is none of the item's options.
    """
    grades = grades[~grades["prompt"].isin(YES_NO)]
    missing = [name for name in _FACTORS if name not in grades]
    if missing:
        raise AfterimageError(
            f"grades of suite 'illusion_strength': no factor '{missing[0]}'; expected the factors "
            f"{', '.join(_FACTORS)}."
        )
    answers = grades.rename(columns={"figure": "illusion"}).reset_index(drop=True)
    for name in _NUMBERS:
        answers[name] = _numbers(answers, name)
    answers = with_outcomes(answers).assign(given=_given(answers))
    answers["forced"] = answers["neutral"] == ""
    answers["weight"] = weights_of(answers)
    return answers[[*GROUP, *_NUMBERS, "replicate", "given", "forced", *INSTEAD, "weight"]]


def cell_counts(answers: pd.DataFrame) -> pd.DataFrame:
    """Count the answers per cell.

    Args:
        answers: From :func:`given_answers`.

    Returns:
        One row per GROUP, strength and difference, in the order of first appearance of the groups: ``realised``
        (mean over the cell), ``kind`` (see :func:`cell_kind`), ``replicates``, one count for each of GIVEN and
        INSTEAD, ``n``.
    """
    cell = [*GROUP, "strength", "difference"]
    flags = {name: answers["given"] == name for name in GIVEN}
    rows = (
        answers.assign(**flags)
        .groupby(cell, sort=False)
        .agg(
            realised=("realised", "mean"),
            replicates=("replicate", "nunique"),
            **{name: (name, "sum") for name in (*GIVEN, *INSTEAD)},
            n=("given", "size"),
        )
        .reset_index()
    )
    rows.insert(
        len(cell) + 1,
        "kind",
        [cell_kind(s, d) for s, d in zip(rows["strength"], rows["difference"], strict=True)],
    )
    return rows


def cell_kind(strength: float, difference: float) -> str:
    """Return ``control`` (no inducer), ``equal`` (no difference), ``congruent`` or ``conflict``.

    Congruent: the difference has the direction in which the inducer makes it appear, as in a fake illusion.
    """
    if strength == 0:
        return "control"
    if difference == 0:
        return "equal"
    return "congruent" if (strength > 0) == (difference > 0) else "conflict"


def spelled(illusion: str) -> str:
    return "all illusions" if illusion == ALL else illusion.replace("_", " ")


def _numbers(answers: pd.DataFrame, name: str) -> pd.Series:
    values = pd.to_numeric(answers[name], errors="coerce")
    wrong = ~np.isfinite(values)
    if wrong.any():
        row = answers[wrong].iloc[0]
        raise AfterimageError(
            f"grade of item {row['item_id']} by model '{row['model']}': factor '{name}' is {row[name]!r}; expected a "
            f"number."
        )
    # Adding nothing turns a minus zero into zero.
    return values + 0.0


def _given(answers: pd.DataFrame) -> np.ndarray:
    unread = answers["answer"].isna()
    matches = [(answers["answer"] == answers[name]) & ~unread for name in READ]
    known = np.logical_or.reduce([unread, *matches])
    if not known.all():
        row = answers[~known].iloc[0]
        options = ", ".join(f"'{row[name]}'" for name in READ if row[name])
        raise AfterimageError(
            f"grade of item {row['item_id']} by model '{row['model']}': the answer '{row['answer']}' is no option of "
            f"the item; expected one of {options}."
        )
    return np.select([*matches, unread], list(GIVEN), default="")


# ---- Curves ----

#: Why a curve has no point of subjective equality.
NO_ANSWERS = "no answers"
FLAT = "flat"
INVERTED = "inverted"
NOT_CROSSED = "not crossed"

# Distance from one half that a curve must reach on both sides inside the grid.
_CLEARLY = 0.05

_STATISTICS = ("slope", "pse", "magnitude")


class _Counts(NamedTuple):
    """Answers as counts.

    Attributes:
        strengths: Ascending, shape (strengths,).
        place: Number of each cell's strength, shape (cells,).
        differences: Realised difference of each cell, shape (cells,).
        counts: Shape (replicates, cells, 3).
        forced: Whether there was no neutral option.
    """

    strengths: np.ndarray
    strength_index: np.ndarray
    differences: np.ndarray
    counts: np.ndarray
    forced: bool

    @property
    def grid(self) -> tuple[float, float]:
        return float(self.differences.min()), float(self.differences.max())


def strength_rows(answers: pd.DataFrame, settings: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Fit the curves of one group and return a row for each strength, ascending.

    Args:
        answers: From ``psychometrics.given_answers``, of one model, prompt, question and illusion.
        settings: "confidence"; "resamples" and "seed" of the bootstrap where replicates are too many to count out.

    Returns:
        Per strength: strength, n, unparsed, cut_off, refused, slope, location, criterion, c, lapse, pse, magnitude; for
        slope, pse and magnitude ``_low`` and ``_high`` (jackknife) and ``_bootstrap_low`` and ``_bootstrap_high``;
        no_pse, the reason where pse is NaN, else an empty text; replicates.
    """
    data = _counted(answers)
    fit = fit_ordinal(data.strength_index, data.differences, data.counts.sum(axis=0), data.forced)
    values = _statistics(fit, data)
    bootstrap, jackknife = _intervals(data, fit, settings)
    read = np.bincount(
        data.strength_index, data.counts.sum(axis=(0, 2)), minlength=len(data.strengths)
    )
    read = np.rint(read).astype(int)
    crosses = _crosses(fit, data)
    reasons = [
        _reason(
            n,
            fit.slope[number],
            (bootstrap[0][number], jackknife[0][number]),
            bool(crosses[number]),
        )
        for number, n in enumerate(read)
    ]
    has = np.array([not reason for reason in reasons])
    at_zero = np.flatnonzero(data.strengths == 0)
    has_magnitude = has & (data.strengths != 0) & (at_zero.size > 0 and bool(has[at_zero].all()))
    shown = {"slope": read > 0, "pse": has, "magnitude": has_magnitude}
    rows = []
    for number, strength in enumerate(data.strengths):
        row = {
            "strength": float(strength),
            **_unread(answers[answers["strength"] == strength]),
            "replicates": len(data.counts),
            "location": float(fit.location[number]),
            "criterion": float(fit.criterion[number]),
            "c": float(fit.neutral_criterion[number])
            if reasons[number] in ("", NOT_CROSSED)
            else np.nan,
            "lapse": fit.lapse,
            "no_pse": reasons[number],
        }
        for index, name in enumerate(_STATISTICS):
            valid = bool(shown[name][number])
            limits = data.grid if name == "pse" else (-np.inf, np.inf)
            for label, intervals in (("", jackknife), ("_bootstrap", bootstrap)):
                low, high = np.clip(intervals[index][number], *limits)
                bounds = with_width(low, high) if valid else UNDEFINED
                row[f"{name}{label}_low"], row[f"{name}{label}_high"] = bounds
            row[name] = float(values[index, number]) if valid else np.nan
        rows.append(row)
    return rows


def _unread(answers: pd.DataFrame) -> dict[str, int]:
    """Return the numbers of answers, of unread ones, and of the reasons for these."""
    unread = int((~answers["given"].isin(READ)).sum())
    instead = {name: int(answers[name].sum()) for name in INSTEAD}
    return {"n": len(answers), "unparsed": unread, **instead}


def _counted(answers: pd.DataFrame) -> _Counts:
    strengths, cells = np.unique(answers["strength"]), answers[["strength", "realised"]]
    distinct, cell = np.unique(cells.to_numpy(), axis=0, return_inverse=True)
    names, replicate = np.unique(answers["replicate"], return_inverse=True)
    counts = np.zeros((len(names), len(distinct), len(READ)))
    weight = weights_of(answers)
    for number, name in enumerate(READ):
        is_given = (answers["given"] == name).to_numpy()
        np.add.at(counts, (replicate[is_given], cell[is_given], number), weight[is_given])
    strength_index = np.searchsorted(strengths, distinct[:, 0])
    return _Counts(strengths, strength_index, distinct[:, 1], counts, bool(answers["forced"].all()))


def _statistics(fit: OrdinalFit, data: _Counts) -> np.ndarray:
    """Return slope, point of subjective equality and magnitude, shape (3, strengths)."""
    # Points of equality of nearly flat resamples could be anywhere; beyond the grid nothing was shown.
    equality = np.clip(fit.equality, 2 * data.grid[0], 2 * data.grid[1])
    at_zero = np.flatnonzero(data.strengths == 0)
    neutral = equality[at_zero[0]] if at_zero.size else np.nan
    return np.stack([fit.slope, equality, neutral - equality])


def _intervals(
    data: _Counts, fit: OrdinalFit, settings: Mapping[str, Any]
) -> tuple[list[list[Interval]], list[list[Interval]]]:
    """Return the intervals of the bootstrap and of the jackknife, by statistic and strength."""
    clusters = len(data.counts)
    weights, chances = few_clusters_weights(clusters, settings)
    # Scaled to the number of answers, so that the penalty weighs as much as in the whole fit.
    left_out = (1 - np.eye(clusters)) * clusters / max(clusters - 1, 1)
    refitted = _refitted(np.concatenate([weights, left_out]), data, fit)
    resampled, without = refitted[: len(weights)], refitted[len(weights) :]
    values = _statistics(fit, data)
    bootstrap, jackknife = [], []
    for statistic in range(len(_STATISTICS)):
        indices = range(len(data.strengths))
        bootstrap.append(
            [
                UNDEFINED
                if clusters < 2
                else weighted_bounds(resampled[:, statistic, index], chances, settings)
                for index in indices
            ]
        )
        to, back = (
            (bounded_slope, slope_of) if _STATISTICS[statistic] == "slope" else (_same, _same)
        )
        jackknife.append(
            [
                Interval(
                    *back(
                        np.array(
                            jackknife_bounds(
                                float(to(values[statistic, index])),
                                to(without[:, statistic, index]),
                                settings,
                            )
                        )
                    )
                )
                for index in indices
            ]
        )
    return bootstrap, jackknife


def _same(value: np.ndarray) -> np.ndarray:
    return value


def _refitted(weights: np.ndarray, data: _Counts, fit: OrdinalFit) -> np.ndarray:
    """Return the statistics of each weighting of the replicates, shape (weightings, 3, strengths).

    Equal counts are fitted once: a model that answers all replicates alike has only one resample.
    """
    counts = np.einsum("rg,gca->rca", weights, data.counts).round(9)
    distinct, member = np.unique(counts.reshape(len(weights), -1), axis=0, return_inverse=True)
    values = [
        _statistics(
            fit_ordinal(
                data.strength_index,
                data.differences,
                row.reshape(-1, len(READ)),
                data.forced,
                start=fit,
            ),
            data,
        )
        for row in distinct
    ]
    return np.stack(values)[member]


def _reason(read: int, slope: float, intervals: tuple[Interval, ...], crosses: bool) -> str:
    """Return why there is no point of subjective equality; an empty text where there is one.

    Both intervals of the slope must exclude a flat curve: with four clusters the bootstrap's alone lets one curve
    in ten of a guesser pass.
    """
    if not read:
        return NO_ANSWERS
    if slope < -FLAT_SLOPE and all(interval.high < -FLAT_SLOPE for interval in intervals):
        return INVERTED
    # An undefined bound does not exclude a flat curve.
    if not (slope > FLAT_SLOPE and all(interval.low > FLAT_SLOPE for interval in intervals)):
        return FLAT
    return "" if crosses else NOT_CROSSED


def _crosses(fit: OrdinalFit, data: _Counts) -> np.ndarray:
    """Tell for each strength whether P(first) + P(neutral)/2 goes from clearly below one half to clearly above.

    A curve that rises from a plateau of neutral answers at one half does not: where it would fall is not shown.
    """
    indices = np.arange(len(data.strengths))
    low, high = (
        probabilities(fit, indices, np.full(len(indices), difference)) for difference in data.grid
    )
    # The share of first less that of second is twice the distance from one half.
    below, above = (shares[:, FIRST] - shares[:, SECOND] for shares in (low, high))
    crosses: np.ndarray = (below < -2 * _CLEARLY) & (above > 2 * _CLEARLY)
    return crosses
