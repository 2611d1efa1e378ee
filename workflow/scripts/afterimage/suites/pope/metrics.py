"""Scores of yes-or-no answers with their intervals, yes being the positive class (the paper, section 3).

An answer that could not be read, or that is missing, is neither yes nor no: it is wrong, lowers the recall where the
key is yes, and adds nothing to precision. A score without a denominator is undefined, never 0.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from afterimage.showing.tables.bounds import f1_bounds, share_bounds

#: Outcomes of an answer: yes rightly and wrongly, no rightly and wrongly, and unread under either key.
COUNTS = ("tp", "fp", "tn", "fn", "unread_yes", "unread_no")
SCORES = ("accuracy", "precision", "recall", "f1", "yes_ratio")

_BOTH = "both"


def count(keys: Sequence[str], readings: Sequence[str]) -> np.ndarray:
    """Sort answers into :data:`COUNTS`.

    Args:
        keys: "yes" or "no" of each question.
        readings: "yes", "no", "both" (right whatever the key) or "" (not read) of each answer.

    Returns:
        One row per answer with a single 1, int64, shape (answers, 6).
    """
    columns = [
        (COUNTS.index("tp") if key == "yes" else COUNTS.index("tn"))
        if reading in (key, _BOTH)
        else _WRONG[key, reading]
        for key, reading in zip(keys, readings, strict=True)
    ]
    counted = np.zeros((len(columns), len(COUNTS)), dtype=np.int64)
    counted[np.arange(len(columns)), columns] = 1
    return counted


def is_right(counts: np.ndarray) -> np.ndarray:
    """Tell which answers are right, of counts with one row per answer."""
    right: np.ndarray = np.logical_or(counts[:, COUNTS.index("tp")], counts[:, COUNTS.index("tn")])
    return right


def scores(counts: np.ndarray) -> np.ndarray:
    """Return :data:`SCORES` of summed counts, 0 to 1, NaN if undefined.

    Args:
        counts: Shape (..., 6), in the order of :data:`COUNTS`.

    Returns:
        Shape (..., 5). F1 is undefined where precision or recall is, and 0 where both are 0.
    """
    tp, fp, tn, _, _, _ = np.moveaxis(np.asarray(counts, dtype=float), -1, 0)
    total = np.sum(counts, axis=-1)
    positives = np.asarray(counts, dtype=float)[..., [0, 3, 4]].sum(axis=-1)
    accuracy = _ratio(tp + tn, total)
    precision, recall = _ratio(tp, tp + fp), _ratio(tp, positives)
    f1 = np.where(
        np.isnan(precision) | np.isnan(recall), np.nan, _ratio(2 * tp, tp + fp + positives)
    )
    return np.stack([accuracy, precision, recall, f1, _ratio(tp + fp, total)], axis=-1)


def _ratio(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    whole = np.asarray(whole, dtype=float)
    undefined = np.full(np.shape(whole), np.nan)
    ratio: np.ndarray = np.divide(part, whole, out=undefined, where=whole > 0)
    return ratio


_WRONG = {
    ("yes", "no"): COUNTS.index("fn"),
    ("yes", ""): COUNTS.index("unread_yes"),
    ("no", "yes"): COUNTS.index("fp"),
    ("no", ""): COUNTS.index("unread_no"),
}


def bounds_of_scores(
    counts: np.ndarray, images: Sequence[Hashable], settings: Mapping[str, Any]
) -> dict[str, tuple[float, float]]:
    """Return the bounds of each of :data:`SCORES` in percent, NaN if the score is undefined.

    Args:
        counts: One row per answer, see :func:`count`, shape (answers, 6).
        images: The image of each answer.
        settings: "confidence".
    """
    kinds = dict(zip(COUNTS, counts.T > 0, strict=True))
    hit, said_yes = kinds["tp"], kinds["tp"] | kinds["fp"]
    positive = hit | kinds["fn"] | kinds["unread_yes"]
    everything = np.ones(len(counts), dtype=bool)
    shown = np.asarray(images, dtype=object)

    def share(part: np.ndarray, whole: np.ndarray) -> tuple[float, float]:
        return share_bounds(part[whole], shown[whole], settings)

    bounds_of = {
        "accuracy": share(hit | kinds["tn"], everything),
        "precision": share(hit, said_yes),
        "recall": share(hit, positive),
        "f1": f1_bounds(hit, (said_yes | positive) & ~hit, images, settings),
        "yes_ratio": share(said_yes, everything),
    }
    undefined = dict(zip(SCORES, np.isnan(scores(counts.sum(axis=0))), strict=True))
    return {
        name: (np.nan, np.nan) if undefined[name] else bounds for name, bounds in bounds_of.items()
    }
