"""Scores of yes-or-no answers, yes being the positive class (the paper, section 3).

An answer that could not be read, or that is missing, is neither yes nor no: it is wrong, lowers the recall where the
key is yes, and adds nothing to precision. A score without a denominator is undefined, never 0.
"""

from collections.abc import Sequence

import numpy as np

#: What an answer can be: said yes rightly and wrongly, said no rightly and wrongly, not read under either key.
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
    places = [
        (COUNTS.index("tp") if key == "yes" else COUNTS.index("tn"))
        if reading in (key, _BOTH)
        else _WRONG[key, reading]
        for key, reading in zip(keys, readings, strict=True)
    ]
    counted = np.zeros((len(places), len(COUNTS)), dtype=np.int64)
    counted[np.arange(len(places)), places] = 1
    return counted


def scores(counts: np.ndarray) -> np.ndarray:
    """Return :data:`SCORES` of summed counts, 0 to 1, NaN where undefined.

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
    return np.divide(part, whole, out=np.full(np.shape(whole), np.nan), where=whole > 0)


_WRONG = {
    ("yes", "no"): COUNTS.index("fn"),
    ("yes", ""): COUNTS.index("unread_yes"),
    ("no", "yes"): COUNTS.index("fp"),
    ("no", ""): COUNTS.index("unread_no"),
}
