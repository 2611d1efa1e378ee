"""The same answers graded by two sets of labels: scores before and after, their change, and models' ranks.

One set of resampled images serves both labels, all strategies and all models, so that changes and ranks are paired.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from afterimage.showing.bounds import resampled_totals
from afterimage.suites.pope.metrics import COUNTS, SCORES, count, scores
from afterimage.suites.pope.readers.relabelling import FLIPPED, REMOVED
from afterimage.suites.pope.tables.answers import MEAN, reading

_F1 = SCORES.index("f1")
_OTHER = {"yes": "no", "no": "yes"}
#: Values by the resamples: name to value, ``_low`` and ``_high``.
Bounded = dict[str, float]


class Both(NamedTuple):
    """Some answers by both sets of labels.

    Attributes:
        old: Counts by the old labels, one row per answer, shape (answers, 6), see :func:`metrics.count`.
        new: The same by the new ones; a row of noughts for a question that is removed.
        kept: Whether each answer's question is not removed.
    """

    old: np.ndarray
    new: np.ndarray
    kept: np.ndarray


def both(answers: pd.DataFrame, readings: Sequence[str]) -> Both:
    """Grade answers by both sets of labels.

    Args:
        answers: With ``key``, the old label, and ``relabelled``, what becomes of the question.
        readings: What each answer says.
    """
    keys, fates = list(answers["key"]), list(answers["relabelled"])
    kept = np.array([fate != REMOVED for fate in fates], dtype=bool)
    new_keys = [
        _OTHER[key] if fate == FLIPPED else key for key, fate in zip(keys, fates, strict=True)
    ]
    old = count(keys, readings)
    return Both(old, count(new_keys, readings) * kept[:, None], kept)


def changes_and_ranks(
    answers: pd.DataFrame, strategies: Sequence[str], rule: str, settings: Mapping
) -> dict[tuple[str, str], dict[str, Any]]:
    """Return what resampled images tell of every model and strategy of one prompt.

    Args:
        answers: Of all models, with ``model``, ``strategy``, ``image_id`` and what :func:`both` needs.
        strategies: In order; of several, their mean is one more, :data:`MEAN`.
        rule: By which answers are read.
        settings: "confidence", "resamples", "seed".

    Returns:
        Model and strategy to ``f1``, ``f1_relabelled``, ``f1_change`` (percent and points), ``rank``,
        ``rank_relabelled`` (1 is the highest F1; equal ones share the better rank) and ``rank_change`` (places gained),
        each with ``_low`` and ``_high``; NaN where undefined or where there are too few images.
    """
    models = list(dict.fromkeys(answers["model"]))
    sums = _sums(answers, models, strategies, rule)
    whole = _f1(sums.sum(axis=0)[None], len(models), len(strategies))
    drawn = _f1(resampled_totals(sums, settings), len(models), len(strategies))
    names = [*strategies, MEAN] if len(strategies) > 1 else list(strategies)
    found = {}
    for place, strategy in enumerate(names):
        f1, resamples = 100 * whole[:, :, place], 100 * drawn[:, :, place]
        ranks, rank_resamples = _ranks(f1), _ranks(resamples)
        for number, model in enumerate(models):
            values: dict[str, Any] = {}
            for end, labels in (("", 0), ("_relabelled", 1)):
                own = (slice(None), number, labels)
                values |= _bounded(f"f1{end}", f1[own], resamples[own], settings)
                values |= _rank(f"rank{end}", ranks[own], rank_resamples[own], settings)
            gained = (part[:, number, 1] - part[:, number, 0] for part in (f1, resamples))
            values |= _bounded("f1_change", *gained, settings)
            places = (part[:, number, 0] - part[:, number, 1] for part in (ranks, rank_resamples))
            values |= _rank("rank_change", *places, settings)
            found[model, strategy] = values
    return found


def _sums(
    answers: pd.DataFrame, models: Sequence[str], strategies: Sequence[str], rule: str
) -> np.ndarray:
    """Return what each image counts, shape (images, models x strategies x 2 x 6)."""
    images, image = np.unique(list(answers["image_id"]), return_inverse=True)
    graded = both(answers, reading(answers, rule))
    sums = np.zeros((len(images), len(models), len(strategies), 2, len(COUNTS)))
    model = [models.index(name) for name in answers["model"]]
    strategy = [list(strategies).index(name) for name in answers["strategy"]]
    for labels, counts in enumerate((graded.old, graded.new)):
        np.add.at(sums, (image, model, strategy, labels), counts)
    return sums.reshape(len(images), -1)


def _f1(summed: np.ndarray, models: int, strategies: int) -> np.ndarray:
    """Return F1, 0 to 1, shape (resamples, models, strategies and their mean, 2)."""
    counts = summed.reshape(len(summed), models, strategies, 2, len(COUNTS))
    f1 = scores(counts)[..., _F1]
    return np.concatenate([f1, f1.mean(axis=2, keepdims=True)], axis=2)


def _ranks(f1: np.ndarray) -> np.ndarray:
    """Return each model's rank, shape (resamples, models, 2), NaN where F1 is undefined."""
    above = (f1[:, None] > f1[:, :, None] + 1e-9).sum(axis=2)
    return np.where(np.isnan(f1), np.nan, 1 + above)


def _bounded(name: str, value: np.ndarray, drawn: np.ndarray, settings: Mapping) -> Bounded:
    """Return a value with percentile bounds, as :func:`statistics.clustered.cluster_intervals` gives them."""
    low, high = _quantiles(drawn, settings, "linear")
    said = high > low
    ends = (low, high) if said else (np.nan, np.nan)
    return dict(zip((name, f"{name}_low", f"{name}_high"), (float(value[0]), *ends), strict=True))


def _rank(name: str, value: np.ndarray, drawn: np.ndarray, settings: Mapping) -> Bounded:
    """Return a rank with bounds that are ranks, too; here equal bounds do say something."""
    ends = _quantiles(drawn, settings, "inverted_cdf")
    return dict(zip((name, f"{name}_low", f"{name}_high"), (float(value[0]), *ends), strict=True))


def _quantiles(drawn: np.ndarray, settings: Mapping, method: Any) -> tuple[float, float]:
    tail = (1 - settings["confidence"]) / 2
    defined = drawn[np.isfinite(drawn)]
    if not len(defined) or len(defined) <= (1 - tail) * len(drawn):
        return np.nan, np.nan
    low, high = np.quantile(defined, [tail, 1 - tail], method=method)
    return float(low), float(high)
