"""Judges compared with people: correlation of a judge's scores with people's, and the effect of people's review.

Zhang et al., "IllusionBench+" (arXiv 2501.00848), section on the validity of the evaluation: two people scored the
descriptions of three models for 100 images each, and the correlations with the judge's scores are 0.9055 and 0.9246."""

import logging
import os
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from afterimage.contract.readings import READING, is_queued, is_reviewable
from afterimage.errors import AfterimageError, unknown_name
from afterimage.files.csv_rows import read_peoples_rows
from afterimage.files.row_ids import require_one_spelling
from afterimage.showing.tables.bounds import interval_note, resampled_bounds, share_bounds
from afterimage.showing.tables.columns import Number, Share, Text, whole
from afterimage.showing.tables.declaration import Table
from afterimage.showing.tables.judgement_columns import with_judgements

logger = logging.getLogger(__name__)

#: Columns of a file of people's scores.
HUMAN_COLUMNS = ("image_id", "model_code", "question_type", "evaluator", "score")
#: In the column ``question_type``: all together.
ALL = "all"

_VALUES = {"0": 0, "1": 1, "2": 2}
_UNIT = ["image_id", "model", "question_type"]
_VALIDATION_COLUMNS = (
    "number", "evaluator", "question_type", "rho", "rho_low", "rho_high", "n", "images", "models", "unmatched",
    "resamples",
)  # fmt: skip


def read_human_scores(path: str | os.PathLike[str], models: Mapping[str, str]) -> pd.DataFrame:
    """Read people's scores of descriptions.

    Args:
        path: A CSV file with the columns HUMAN_COLUMNS; scores are 0, 1 or 2.
        models: Code by which people knew a model to the model's name.

    Returns:
        One row per score: image_id, model, question_type, evaluator, score.

    Raises:
        AfterimageError: The file is missing, has other columns, a score is none, a code is unknown, or somebody scored
            one description twice.
    """
    rows, locations = [], []
    for line, row in read_peoples_rows(path, HUMAN_COLUMNS, "people's scores"):
        code, score = row["model_code"], row["score"]
        if score not in _VALUES:
            raise AfterimageError(f"{path}, row {line}: found score '{score}'; expected 0, 1 or 2.")
        if code not in models:
            raise unknown_name("model code", code, models, f"{path}, row {line}")
        rows.append(row)
        locations.append((row["evaluator"], f"{path}, row {line}"))
    require_one_spelling("evaluator", locations)
    frame = pd.DataFrame(rows, columns=list(HUMAN_COLUMNS), dtype=object)
    frame = frame.assign(
        model=frame["model_code"].map(models), score=frame["score"].map(_VALUES)
    ).drop(columns="model_code")
    once = frame.drop_duplicates()
    if len(once) < len(frame):
        logger.warning(
            "%s: %d scores given again, the same, counted once", path, len(frame) - len(once)
        )
    frame = once.reset_index(drop=True)
    twice = frame[frame.duplicated([*_UNIT, "evaluator"])]
    if len(twice):
        row = twice.iloc[0]
        raise AfterimageError(
            f"{path}: '{row['evaluator']}' scored the {row['question_type']} description of image "
            f"'{row['image_id']}' by '{row['model']}' twice and differently; expected one score."
        )
    return frame


def correlations(
    people: pd.DataFrame,
    judge: pd.DataFrame,
    seed: int,
    resamples: int = 10_000,
    confidence: float = 0.95,
) -> pd.DataFrame:
    """Correlate each evaluator's scores with the judge's, over all descriptions and per question type.

    Args:
        people: image_id, model, question_type, evaluator, score.
        judge: image_id, model, question_type, score; descriptions without a score are missing or NaN.
        resamples: Resamples of images, with all of an image's descriptions.
        confidence: Coverage of the percentile interval.

    Returns:
        One row per evaluator (``number``: rank by name, from 1) and question type ("all" first):
        Spearman's rho with average ranks for ties and its bounds, all NaN if one side is constant; ``n``
        descriptions, ``images``, ``models``; ``unmatched``, descriptions that the evaluator scored and the judge did
        not; ``resamples`` in which rho is defined, which are those behind the bounds.

    Raises:
        AfterimageError: The judge scored one description twice.
    """
    scored = judge.dropna(subset=["score"])
    twice = scored[scored.duplicated(_UNIT)]
    if len(twice):
        row = twice.iloc[0]
        raise AfterimageError(
            f"the judge has two scores for the {row['question_type']} description of image '{row['image_id']}' by "
            f"'{row['model']}'; expected one: choose one repeat."
        )
    pairs = people.merge(
        scored[[*_UNIT, "score"]], on=_UNIT, how="left", suffixes=("_people", "_judge")
    )
    rows = []
    for number, (evaluator, scores) in enumerate(pairs.groupby("evaluator", sort=True), start=1):
        parts = [(ALL, scores), *scores.groupby("question_type", sort=True)]
        for question_type, part in parts:
            names = {"number": number, "evaluator": evaluator, "question_type": question_type}
            rows.append(names | _correlation(part, seed, resamples, confidence))
    return pd.DataFrame(rows, columns=list(_VALIDATION_COLUMNS))


def spearman(first: np.ndarray, second: np.ndarray) -> float:
    """Return Spearman's rank correlation with average ranks for ties; NaN if one side is constant."""
    if len(first) < 2 or np.ptp(first) == 0 or np.ptp(second) == 0:
        return float("nan")
    # Here, because scipy.stats takes half a second to import and only validation ranks.
    from scipy.stats import rankdata

    return float(np.corrcoef(rankdata(first), rankdata(second))[0, 1])


# Its rows are made by correlations(): they join two sources, people's scores and a judge's.
VALIDATION = Table(
    "judge_validation",
    "The judge's scores against people's: Spearman correlation",
    rows=(),
    csv=_VALIDATION_COLUMNS,
    columns=(
        Text("Evaluator", "evaluator"),
        Text("Description", "question_type"),
        Number("rho", "rho", "rho_low", "rho_high", decimals=4),
        whole("Descriptions", "n"),
        whole("Images", "images"),
        whole("Models", "models"),
        whole("Without the\njudge's score", "unmatched"),
    ),
    notes=(
        "Average ranks for ties; n/a where one side gives the same score to all.",
        "Intervals: {confidence:.0%}, percentile bootstrap over images "
        "({resamples} resamples, seed {seed}).",
    ),
)


def _correlation(
    pairs: pd.DataFrame, seed: int, resamples: int, confidence: float
) -> dict[str, Any]:
    both = pairs.dropna(subset=["score_judge"]).sort_values(_UNIT)
    people = both["score_people"].to_numpy(float)
    judge = both["score_judge"].to_numpy(float)
    settings = {"seed": seed, "resamples": resamples, "confidence": confidence}
    low, high, defined = resampled_bounds(
        list(both["image_id"]), lambda units: spearman(people[units], judge[units]), settings
    )
    return {
        "rho": spearman(people, judge),
        "rho_low": low,
        "rho_high": high,
        "n": len(both),
        "images": both["image_id"].nunique(),
        "models": both["model"].nunique(),
        "unmatched": len(pairs) - len(both),
        "resamples": defined,
    }


# ---- accuracy before and after people's review, per model ----

_REVIEW_COLUMNS = (
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
    for model, answers in judged[judged["aggregation"].isin(("majority", READING))].groupby(
        "model", sort=False
    ):
        rows.append(
            {"model": model, "ignored": ignored.get(model, 0)}
            | _compared(answers, final.loc[answers.index], right_share, settings)
        )
    return pd.DataFrame(rows, columns=list(_REVIEW_COLUMNS))


# Its rows are made by review_summary(): they compare grades before and after a review.
REVIEW = Table(
    "review",
    "Accuracy before and after people's review",
    rows=(),
    csv=_REVIEW_COLUMNS,
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
