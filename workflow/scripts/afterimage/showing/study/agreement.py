"""Parser and judge side by side: how often they agree, where they do not, and how sure the judge is of itself."""

from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd

from afterimage.grading.judge.columns import with_judgements
from afterimage.grading.judge.judgements import VOTES
from afterimage.showing.columns import Number, Share, Text, whole
from afterimage.showing.declaration import Table
from afterimage.showing.values import statistic_bounds

#: In the column ``question_type``: all together.
ALL = "all"

#: Columns of the list of disagreements.
DISAGREEMENT_COLUMNS = (
    "model", "item_id", "repeat", "question_type", "key", "read_as", "outcome", "correct_grader", "correct_judge",
    "undecided", "votes", "injection_suspect", "answer",
)  # fmt: skip

_CELLS = ("both_right", "only_parser", "only_judge", "both_wrong")
_AGREEMENT_COLUMNS = (
    "model", "judge", "judge_prompt_set", "question_type", "n", *_CELLS, "agree_k",
    "agree_low", "agree_high", "kappa", "kappa_low", "kappa_high", "unparsed", "undecided", "parsed_n",
    "parsed_agree_k", "images", "resamples",
)  # fmt: skip
_ROUNDS_COLUMNS = (
    "model", "judge", "judge_prompt_set", "question_type", "aggregation", "n", "rounds", "unanimous_k", "unanimous_n",
    "undecided", "missing", "abstained_rounds", "injection_suspects", "right_k", "score", "score_majority",
    "score_majority_n",
)  # fmt: skip


def agreement(grades: pd.DataFrame, settings: Mapping) -> pd.DataFrame:
    """Compare parser and judge on answers that are right or wrong.

    Args:
        grades: Graded answers of all models, rows of schema GRADE; reviews play no part.
        settings: "confidence", "resamples" and "seed" of the bootstrap.

    Returns:
        One row per model and question type (the judge's prompt), and one for all of them where there are several: ``n``
        answers that both judged and how they did (an unparsed answer is wrong for the parser, an undecided one for
        the judge); ``agree_k`` of them alike; Cohen's kappa, NaN where both always say the same thing; bounds (of
        the agreement in percent) from resampling images, whose answers are not independent; ``unparsed``,
        ``undecided``; and agreement on the ``parsed_n`` answers that the parser could read.
    """
    judged = _judged(grades, "majority")
    rows = [names | _compared(part, settings) for names, part in _parts(judged, with_all=True)]
    return pd.DataFrame(rows, columns=list(_AGREEMENT_COLUMNS))


def rounds(grades: pd.DataFrame) -> pd.DataFrame:
    """Say how far the judge agrees with itself, and what it gave.

    Args:
        grades: Graded answers of all models, rows of schema GRADE.

    Returns:
        One row per model and question type: ``n`` answers judged in ``rounds`` rounds each; ``unanimous_k`` out of the
        ``unanimous_n`` with enough rounds that count; ``undecided`` (no majority) or ``missing`` (too few rounds for a
        mean); ``abstained_rounds`` of all; ``injection_suspects``; ``right_k`` for prompts that decide, else the mean
        ``score`` and the mean of ``score_majority``, the rating on which most rounds agree, over those that have one.
    """
    rows = [
        {**names, **_consistency(part)}
        for aggregation in ("majority", "mean")
        for names, part in _parts(_judged(grades, aggregation), with_all=False)
    ]
    # A count, also where other rows have none.
    return pd.DataFrame(rows, columns=list(_ROUNDS_COLUMNS)).astype({"right_k": "Int64"})


def disagreements(grades: pd.DataFrame) -> pd.DataFrame:
    """List the answers on which parser and judge differ: the columns DISAGREEMENT_COLUMNS but the answers themselves.

    Args:
        grades: Graded answers, rows of schema GRADE.
    """
    judged = _judged(grades, "majority")
    differ = judged[judged["correct_grader"] != judged["correct_judge"]]
    listed = differ.assign(
        question_type=differ["judge_prompt"],
        read_as=differ["answer"],
        votes=[said[VOTES] for said in differ["readings"]],
    )
    return listed[[name for name in DISAGREEMENT_COLUMNS if name != "answer"]]


AGREEMENT = Table(
    "judge_agreement",
    "Parser and judge side by side",
    rows=(),
    columns=(
        Text("Model", "model"),
        Text("Judge", "judge"),
        Text("Question", "question_type"),
        Share("Agreement", "agree_k", "n", "agree_low", "agree_high"),
        Number("Kappa", "kappa", "kappa_low", "kappa_high", decimals=3),
        whole("Both\nright", "both_right"),
        whole("Parser\nalone", "only_parser"),
        whole("Judge\nalone", "only_judge"),
        whole("Both\nwrong", "both_wrong"),
        whole("Unparsed", "unparsed"),
        whole("Undecided", "undecided"),
        Share("Agreement\nwhere parsed", "parsed_agree_k", "parsed_n"),
    ),
    notes=(
        "Answers that the parser cannot read count as wrong for it, answers without a majority of rounds as "
        "wrong for the judge. Reviews by people play no part.",
        "Intervals: {confidence:.0%}, percentile bootstrap over images "
        "({resamples} resamples, seed {seed}). Kappa is Cohen's; n/a where both "
        "always say the same.",
    ),
    csv_formats={"kappa": "%.6f", "kappa_low": "%.6f", "kappa_high": "%.6f"},
)


ROUNDS = Table(
    "judge_rounds",
    "How far the judge agrees with itself",
    rows=(),
    columns=(
        Text("Model", "model"),
        Text("Judge", "judge"),
        Text("Prompts", "judge_prompt_set"),
        Text("Question", "question_type"),
        whole("Answers", "n"),
        whole("Rounds", "rounds"),
        Share("Unanimous", "unanimous_k", "unanimous_n"),
        whole("Undecided", "undecided"),
        whole("Missing", "missing"),
        whole("Abstained\nrounds", "abstained_rounds"),
        whole("Injection\nsuspects", "injection_suspects"),
        Number("Mean\nscore", "score", decimals=4),
        Number("Mean score\nby majority", "score_majority", decimals=4),
    ),
    notes=(
        "Unanimous: all rounds that count say the same, out of the answers with more than half of the rounds "
        "counting. Undecided: no majority. Missing: too few rounds gave a rating.",
        "At temperature 0 the rounds repeat one reply, and unanimity says nothing.",
    ),
)


def _judged(grades: pd.DataFrame, aggregation: str) -> pd.DataFrame:
    judged = with_judgements(grades)
    return judged[(judged["aggregation"] == aggregation) & judged["judge"].notna()]


def _parts(judged: pd.DataFrame, with_all: bool) -> Iterator[tuple[dict, pd.DataFrame]]:
    for model, own in judged.groupby("model", sort=False):
        parts = list(own.groupby("judge_prompt", sort=False))
        if with_all and len(parts) > 1:
            parts.append((ALL, own))
        for prompt, part in parts:
            first = part.iloc[0]
            names = {name: first[name] for name in ("judge", "judge_prompt_set")}
            yield {"model": model, **names, "question_type": prompt}, part


def _compared(part: pd.DataFrame, settings: Mapping) -> dict:
    parser = part["correct_grader"].to_numpy(bool)
    judge = part["correct_judge"].to_numpy(bool)
    cells = np.column_stack(
        [parser & judge, parser & ~judge, ~parser & judge, ~parser & ~judge]
    ).astype(int)
    counts = cells.sum(axis=0)
    bounds = statistic_bounds(cells, part["stimulus_id"].to_numpy(), _agreement_and_kappa, settings)
    parsed = (part["outcome"] != "unparsed").to_numpy(bool)
    row = dict(zip(_CELLS, map(int, counts), strict=True))
    for place, (name, scale) in enumerate((("agree", 100), ("kappa", 1))):
        row |= {
            f"{name}_low": scale * bounds.low[place],
            f"{name}_high": scale * bounds.high[place],
        }
    return row | {
        "n": len(part),
        "agree_k": int(counts[0] + counts[3]),
        "kappa": _kappa(counts),
        "unparsed": int((~parsed).sum()),
        "undecided": int(part["undecided"].sum()),
        "parsed_n": int(parsed.sum()),
        "parsed_agree_k": int((parsed & (parser == judge)).sum()),
        "images": bounds.clusters,
        "resamples": settings["resamples"],
    }


def _kappa(counts: np.ndarray) -> float:
    if counts.sum() in (counts[0], counts[3]):
        return float("nan")
    # Here, because statsmodels takes a second to import and a study without a judge needs none of it.
    from statsmodels.stats.inter_rater import cohens_kappa

    return float(cohens_kappa(counts.reshape(2, 2), return_results=False))


def _agreement_and_kappa(counts: np.ndarray) -> np.ndarray:
    """Return agreement and kappa of summed counts, shape (resamples, 2)."""
    shares = counts / counts.sum(axis=1, keepdims=True)
    observed = shares[:, 0] + shares[:, 3]
    parser, judge = shares[:, 0] + shares[:, 1], shares[:, 0] + shares[:, 2]
    expected = parser * judge + (1 - parser) * (1 - judge)
    with np.errstate(divide="ignore", invalid="ignore"):
        kappa = np.where(expected < 1, (observed - expected) / (1 - expected), np.nan)
    return np.column_stack([observed, kappa])


def _consistency(part: pd.DataFrame) -> dict:
    aggregation = part["aggregation"].iloc[0]
    rated = aggregation == "mean"
    known = part["unanimous"].notna()
    return {
        "aggregation": aggregation,
        "n": len(part),
        "rounds": int(part["rounds"].max()),
        "unanimous_k": int(part["unanimous"].sum()),
        "unanimous_n": int(known.sum()),
        "undecided": int(part["undecided"].sum()),
        "missing": int(part["score"].isna().sum()) if rated else 0,
        "abstained_rounds": int(part["abstained"].sum()),
        "injection_suspects": int(part["injection_suspect"].sum()),
        "right_k": None if rated else int(part["correct_judge"].sum()),
        "score": part["score"].mean() if rated else float("nan"),
        "score_majority": part["score_majority"].mean() if rated else float("nan"),
        "score_majority_n": int(part["score_majority"].notna().sum()) if rated else 0,
    }
