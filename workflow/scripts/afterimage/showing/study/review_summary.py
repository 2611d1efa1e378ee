"""What a review changed: accuracy before and after, per model."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from afterimage.contract.readings import READING, is_queued, is_reviewable
from afterimage.showing.bounds import interval_note, share_bounds
from afterimage.showing.columns import Share, Text, whole
from afterimage.showing.declaration import Table
from afterimage.showing.judgement_columns import with_judgements

_COLUMNS = (
    "model", "n", "before_k", "before_low", "before_high", "after_k", "after_low", "after_high", "queued", "reviewed",
    "flipped_to_right", "flipped_to_wrong", "right_reviewed", "corrected_accuracy", "ignored", "images",
)  # fmt: skip


def review_summary(
    before: pd.DataFrame,
    after: pd.DataFrame,
    ignored: Mapping[str, int],
    right_share: float,
    settings: Mapping[str, Any],
) -> pd.DataFrame:
    """Compare the automatic grades with those after people's review.

    Args:
        before: Automatic grades of all models, rows of schema GRADE.
        after: The same answers after the review, in the same order.
        ignored: Model to the number of decisions that were not applied.
        right_share: The share of right answers that people look at as well.
        settings: "confidence".

    Returns:
        One row per model that people look at: ``n`` answers that are right or wrong, ``before_k`` and ``after_k`` of
        them right, with bounds in percent; ``queued`` answers to be looked at, ``reviewed`` ones, how many were
        flipped either way; ``right_reviewed`` of the automatically right ones. ``corrected_accuracy`` (percent)
        carries the share of these that were overturned over to the right answers that nobody looked at; NaN
        where no right answer was looked at, because then a review can only raise scores.
    """
    judged = with_judgements(before)
    final = with_judgements(after)
    rows = []
    for model, own in judged[judged["aggregation"].isin(("majority", READING))].groupby(
        "model", sort=False
    ):
        rows.append(
            {"model": model, "ignored": ignored.get(model, 0)}
            | _compared(own, final.loc[own.index], right_share, settings)
        )
    return pd.DataFrame(rows, columns=list(_COLUMNS))


# Its rows are made by review_summary(): they compare grades before and after a review.
REVIEW = Table(
    "review",
    "Accuracy before and after people's review",
    rows=(),
    csv=_COLUMNS,
    columns=(
        Text("Model", "model"),
        Share("Before", "before_k", "n", "before_low", "before_high"),
        Share("After", "after_k", "n", "after_low", "after_high"),
        whole("To be\nreviewed", "queued"),
        whole("Reviewed", "reviewed"),
        whole("Flipped\nto right", "flipped_to_right"),
        whole("Flipped\nto wrong", "flipped_to_wrong"),
        whole("Decisions\nnot applied", "ignored"),
    ),
    notes=(
        "Percent of the answers that are right or wrong; of a suite whose own reader reads, of those that it left "
        "unread. Before: the judge's verdict, or the parser's where no judge saw the answer.",
        interval_note("images"),
        "A review of wrong answers alone can only raise scores.",
    ),
)


def _compared(
    before: pd.DataFrame, after: pd.DataFrame, right_share: float, settings: Mapping[str, Any]
) -> dict[str, Any]:
    was, now = before["correct"].to_numpy(bool), after["correct"].to_numpy(bool)
    reviewed = (after["decided_by"] == "review").to_numpy(bool)
    queued = [
        is_reviewable(row) and is_queued(row, right_share)
        for row in before.to_dict(orient="records")
    ]
    row: dict[str, object] = {
        "n": len(before),
        "before_k": int(was.sum()),
        "after_k": int(now.sum()),
        "queued": sum(queued),
        "reviewed": int(reviewed.sum()),
        "flipped_to_right": int((~was & now).sum()),
        "flipped_to_wrong": int((was & ~now).sum()),
        "right_reviewed": int((was & reviewed).sum()),
        "corrected_accuracy": _corrected(was, now, reviewed),
    }
    for name, correct in (("before", was), ("after", now)):
        low, high = share_bounds(correct, before["stimulus_id"], settings)
        row |= {f"{name}_low": low, f"{name}_high": high}
    return row | {"images": int(before["stimulus_id"].nunique())}


def _corrected(was: np.ndarray, now: np.ndarray, reviewed: np.ndarray) -> float:
    looked_at = int((was & reviewed).sum())
    if not looked_at:
        return float("nan")
    kept = int((was & now & reviewed).sum()) / looked_at
    return 100 * (kept * int(was.sum()) + int((~was & now).sum())) / len(was)
