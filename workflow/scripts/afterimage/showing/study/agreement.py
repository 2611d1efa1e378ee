"""Parser and judge side by side: how often they agree, where they do not, and how sure the judge is of itself."""

from collections.abc import Iterator
from functools import partial

import numpy as np
import pandas as pd

from afterimage.contract.readings import JUDGE, VOTES
from afterimage.showing.tables.accuracy import unparsed
from afterimage.showing.tables.bounds import interval_note, statistic_bounds
from afterimage.showing.tables.columns import Number, Share, Text, whole
from afterimage.showing.tables.declaration import By, Settings, Table
from afterimage.showing.tables.judgement_columns import is_by_reference, with_judgements
from afterimage.showing.tables.pairs import both, neither, only_first, only_second
from afterimage.showing.tables.values import (
    OUTCOMES,
    Bounds,
    Count,
    Distinct,
    Group,
    Worked,
    answers,
    with_outcomes,
)

#: In the column ``question_type``: all together.
ALL = "all"

#: Columns of the list of disagreements.
DISAGREEMENT_COLUMNS = {
    "model": "who gave the answer",
    "item_id": "the item",
    "repeat": "its repeat",
    "question_type": "the type of question, which is the judge's prompt",
    "key": "the right answer",
    "read_as": "what the parser read",
    "outcome": "how it was read",
    "correct_grader": "the parser's verdict",
    "correct_judge": "the judge's",
    "undecided": "whether the rounds are divided",
    "votes": "the vote of each round, `-` for an abstention",
    "injection_suspect": "reads like an attempt to instruct the judge",
    "answer": "the answer",
}

#: Cells of the table of parser against judge.
_CELLS = {
    "both_right": both,
    "only_parser": only_first,
    "only_judge": only_second,
    "both_wrong": neither,
}
#: Columns that name a row; the question type is the judge's prompt.
_NAMES = ("model", "judge", "judge_prompt_set", "question_type")


def disagreements(grades: pd.DataFrame) -> pd.DataFrame:
    """List answers on which parser and judge differ, with DISAGREEMENT_COLUMNS but the answers themselves."""
    judged = _judged(grades, "majority")
    differ = judged[judged["correct_grader"] != judged["correct_judge"]]
    listed = differ.assign(
        question_type=differ["judge_prompt"],
        read_as=differ["answer"],
        votes=[readings[VOTES] for readings in differ["readings"]],
    )
    return listed[[name for name in DISAGREEMENT_COLUMNS if name != "answer"]]


def _judged(grades: pd.DataFrame, aggregation: str) -> pd.DataFrame:
    judged = with_judgements(grades)
    return judged[(judged["aggregation"] == aggregation) & judged["judge"].notna()]


def _decided(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Return answers that are right or wrong, with the verdicts of the parser (first) and the judge (second)."""
    judged = _judged(grades, "majority")
    first, second = (judged[f"correct_{by}"].astype(bool) for by in ("grader", "judge"))
    return with_outcomes(judged).assign(first=first, second=second)


def _questions(
    answers: pd.DataFrame, settings: Settings
) -> Iterator[tuple[dict[str, str], pd.DataFrame]]:
    """Split one model's answers by the judge's prompt."""
    for prompt, part in answers.groupby("judge_prompt", sort=False):
        yield _names(part, prompt), part


def _questions_and_all(
    answers: pd.DataFrame, settings: Settings
) -> Iterator[tuple[dict[str, str], pd.DataFrame]]:
    yield from _questions(answers, settings)
    if answers["judge_prompt"].nunique() > 1:
        yield _names(answers, ALL), answers


def _names(part: pd.DataFrame, question_type: str) -> dict[str, str]:
    first = part.iloc[0]
    names = {name: first[name] for name in ("judge", "judge_prompt_set")}
    return {**names, "question_type": question_type}


def _alike(answers: pd.DataFrame) -> pd.Series:
    return answers["first"] == answers["second"]


def _parsed(answers: pd.DataFrame) -> pd.Series:
    return answers["outcome"] != "unparsed"


def _parsed_alike(answers: pd.DataFrame) -> pd.Series:
    return _parsed(answers) & _alike(answers)


def _kappa_with_bounds(group: Group) -> tuple[float, ...]:
    cells = np.column_stack([cell(group.answers) for cell in _CELLS.values()]).astype(int)
    images = group.answers["stimulus_id"].to_numpy()
    bounds = statistic_bounds(cells, images, _kappas, group.settings)
    return _kappa(cells.sum(axis=0)), bounds.low[0], bounds.high[0]


def _resamples(group: Group) -> tuple[int]:
    return (group.settings["resamples"],)


def _kappa(counts: np.ndarray) -> float:
    if counts.sum() in (counts[0], counts[3]):
        return float("nan")
    # Here, because statsmodels takes a second to import and a study without a judge needs none of it.
    from statsmodels.stats.inter_rater import cohens_kappa

    return float(cohens_kappa(counts.reshape(2, 2), return_results=False))


def _kappas(counts: np.ndarray) -> np.ndarray:
    """Return kappa of summed counts, shape (resamples, 1)."""
    shares = counts / counts.sum(axis=1, keepdims=True)
    observed = shares[:, 0] + shares[:, 3]
    parser, judge = shares[:, 0] + shares[:, 1], shares[:, 0] + shares[:, 2]
    expected = parser * judge + (1 - parser) * (1 - judge)
    with np.errstate(divide="ignore", invalid="ignore"):
        kappa = np.where(expected < 1, (observed - expected) / (1 - expected), np.nan)
    return kappa[:, np.newaxis]


#: One row per model and question type (the judge's prompt), and one for all of them where there are several: ``n``
#: answers that both judged and how they did (an unparsed answer is wrong for the parser, an undecided one for the
#: judge); ``agree_k`` of them alike, with bounds in percent; Cohen's kappa, NaN if both always say the same thing,
#: with bounds from resampling images, whose answers are not independent; ``unparsed`` (of these ``cut_off`` and
#: ``refused``), ``undecided``; and agreement on
#: the ``parsed_n`` answers that the parser could read.
AGREEMENT = Table(
    "judge_agreement",
    "Parser and judge side by side",
    of=_decided,
    rows=(By("model"), _questions_and_all),
    csv=(
        *_NAMES,
        *(
            answers(),
            *(Count(name, cell) for name, cell in _CELLS.items()),
            Count("agree_k", _alike),
        ),
        Bounds("agree_low", "agree_high", _alike),
        Worked(("kappa", "kappa_low", "kappa_high"), _kappa_with_bounds),
        *(*(Count(name, name) for name in OUTCOMES), Count("undecided", "undecided")),
        *(Count("parsed_n", _parsed), Count("parsed_agree_k", _parsed_alike)),
        *(Distinct("images", "stimulus_id"), Worked(("resamples",), _resamples, kind="whole")),
    ),
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
        unparsed(end=""),
        whole("Undecided", "undecided"),
        Share("Agreement\nwhere parsed", "parsed_agree_k", "parsed_n"),
    ),
    notes=(
        "Answers that the parser cannot read count as wrong for it, answers without a majority of rounds as "
        "wrong for the judge. Reviews by people play no part.",
        interval_note("images", "Below the agreement"),
        "Below kappa: {coverage} percentile bootstrap over images ({resamples} resamples, seed {seed}). Kappa is "
        "Cohen's; n/a where both always say the same.",
    ),
    csv_formats={"kappa": "%.6f", "kappa_low": "%.6f", "kappa_high": "%.6f"},
)


def _rounds_of(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Return answers that are right or wrong, and then those that are rated."""
    return pd.concat([_judged(grades, aggregation) for aggregation in ("majority", "mean")])


def _is_rated(answers: pd.DataFrame) -> pd.Series:
    return answers["aggregation"] == "mean"


def _missing(answers: pd.DataFrame) -> pd.Series:
    return _is_rated(answers) & answers["score"].isna()


def _decides(answers: pd.DataFrame) -> pd.Series:
    return answers["unanimous"].notna()


def _has_majority(answers: pd.DataFrame) -> pd.Series:
    return _is_rated(answers) & answers["score_majority"].notna()


def _maximum(column: str, group: Group) -> tuple[int]:
    return (int(group.answers[column].max()),)


def _sum(column: str, group: Group) -> tuple[int]:
    return (int(group.answers[column].sum()),)


def _right(group: Group) -> tuple[int | None]:
    rated = group.row["aggregation"] == "mean"
    return (None if rated else int(group.answers["correct_judge"].sum()),)


def _scores(group: Group) -> tuple[float, float]:
    if group.row["aggregation"] != "mean":
        return float("nan"), float("nan")
    return group.answers["score"].mean(), group.answers["score_majority"].mean()


def _rounds_note(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    """Yield when unanimity means nothing: always for a reference judge, at temperature 0 for any other."""
    by_reference = grades["readings"].map(is_by_reference).astype(bool)
    judged = grades["readings"].map(lambda readings: JUDGE in readings).astype(bool)
    if by_reference.any():
        yield "Reference judge: a seed decides in which rounds it dissents, so unanimity says nothing of the answers."
    if (judged & ~by_reference).any():
        yield "At temperature 0 the rounds repeat one reply, and unanimity says nothing."


#: One row per model and question type: ``n`` answers judged in ``rounds`` rounds each; ``unanimous_k`` out of the
#: ``unanimous_n`` with enough rounds that count; ``undecided`` (no majority) or ``missing`` (too few for a mean);
#: ``abstained_rounds`` of all; ``injection_suspects``; ``right_k`` for prompts that decide, else the mean ``score`` and
#: the mean of ``score_majority``, the rating on which most rounds agree, over those that have one.
ROUNDS = Table(
    "judge_rounds",
    "How far the judge agrees with itself",
    of=_rounds_of,
    rows=(By("aggregation"), By("model"), _questions),
    csv=(
        *(*_NAMES, "aggregation", answers()),
        Worked(("rounds",), partial(_maximum, "rounds"), kind="whole"),
        *(Count("unanimous_k", "unanimous"), Count("unanimous_n", _decides)),
        *(Count("undecided", "undecided"), Count("missing", _missing)),
        Worked(("abstained_rounds",), partial(_sum, "abstained"), kind="whole"),
        Count("injection_suspects", "injection_suspect"),
        Worked(("right_k",), _right, kind="whole"),
        Worked(("score", "score_majority"), _scores),
        Count("score_majority_n", _has_majority),
    ),
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
        _rounds_note,
    ),
)
