"""One model at several efforts: what more thinking gains, how many tokens it uses, and what a point costs.

One row per suite, model and lower effort to compare with; the lowest effort of a family has one row without comparison.
A model that is compared with several lower efforts has the values of its own answers in each row.
"""

import math
import os
from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from afterimage.files.parquet import read_table
from afterimage.files.records import RESPONSE
from afterimage.note import Note
from afterimage.showing.study.cost import CACHE, cost_of
from afterimage.showing.tables.accuracy import unparsed_share
from afterimage.showing.tables.bounds import interval_note, matched, test_note
from afterimage.showing.tables.columns import (
    NOT_AVAILABLE,
    Cell,
    Number,
    Printed,
    PValue,
    Row,
    Share,
    Text,
    is_missing,
    rounded,
    where_known,
    whole,
)
from afterimage.showing.tables.declaration import By, Settings, Table
from afterimage.showing.tables.pairs import Corrected
from afterimage.showing.tables.values import Count, Group, Value, Worked, accuracy

#: The effort of an entry that names none.
AS_SET = "as set"
#: Costs are those of so many answers.
PER_ANSWERS = 1000
#: Efforts without a number, in ascending order; budgets come between the second and the third.
_LEVELS = ("none", AS_SET, "low", "medium", "high")
_SAME = ["item_id", "repeat"]


def _rank(effort: object) -> tuple[int, int]:
    """Return the sort key of an effort, ascending."""
    if isinstance(effort, int):
        return _LEVELS.index(AS_SET), effort
    return _LEVELS.index(str(effort)), 0


def _efforts(
    answers: pd.DataFrame, settings: Settings
) -> Iterator[tuple[dict[str, Any], pd.DataFrame]]:
    """Split a family's answers by model, with one part for every lower effort to compare with."""
    entries = settings["models"]
    efforts = {
        model: AS_SET if entries[model]["effort"] is None else entries[model]["effort"]
        for model in answers["model"].unique()
    }
    models = sorted(efforts, key=lambda model: _rank(efforts[model]))
    for index, model in enumerate(models):
        model_answers = answers[answers["model"] == model]
        lower = [other for other in models[:index] if efforts[other] != efforts[model]]
        for other in lower or [None]:
            named = {"model": model, "effort": str(efforts[model])}
            against = {"against": other, "against_effort": other and str(efforts[other])}
            yield {**named, **against}, model_answers


def _mean(group: Group, column: str, times: float = 1) -> tuple[float]:
    known = group.answers[column].dropna()
    return (times * float(known.mean()) if len(known) else math.nan,)


def _counted(column: str, times: float = 1) -> tuple[Value, ...]:
    """Count the answers with a value in a column, and average it over these."""
    return (
        Count(f"{column}_n".replace("_tokens", ""), lambda answers: answers[column].notna()),
        Worked((column,), lambda group: _mean(group, column, times)),
    )


def _paired(group: Group) -> pd.DataFrame:
    lower = group.above[group.above["model"] == group.row["against"]]
    return group.answers.merge(lower, on=_SAME, suffixes=("", "_lower"))


def _sides(pairs: pd.DataFrame) -> tuple[pd.Series, pd.Series]:
    return pairs["correct"].astype(bool), pairs["correct_lower"].astype(bool)


def _counts(group: Group) -> tuple[int | None, ...]:
    """Count pairs of answers to one item, those right on one side alone, and the images where the sides differ."""
    if group.row["against"] is None:
        return (None,) * 4
    pairs = _paired(group)
    higher, lower = _sides(pairs)
    lead = (higher.astype(int) - lower.astype(int)).groupby(pairs["stimulus_id"]).sum()
    return (
        len(pairs),
        int((higher & ~lower).sum()),
        int((~higher & lower).sum()),
        int((lead != 0).sum()),
    )


def _difference(group: Group) -> tuple[float, ...]:
    if group.row["against"] is None:
        return (math.nan,) * 4
    pairs = _paired(group)
    found = matched(*_sides(pairs), pairs["stimulus_id"], group.settings)
    return (*(100 * value for value in (found.estimate, found.low, found.high)), found.p)


def _extra_use(group: Group) -> tuple[float, float]:
    """Return how many more reasoning tokens and how much more money the same items took."""
    if group.row["against"] is None:
        return math.nan, math.nan
    pairs = _paired(group)
    more = (pairs[name] - pairs[f"{name}_lower"] for name in ("reasoning_tokens", "cost"))
    reasoning, cost = (float(each.mean()) for each in more)
    return reasoning, PER_ANSWERS * cost


def _point_cost(group: Group) -> tuple[float, float, float]:
    """Return the cost of a percentage point, with bounds; NaN if thinking costs nothing or gains nothing."""
    row = group.row
    cost, points = (
        row["more_cost"],
        (row["difference"], row["difference_high"], row["difference_low"]),
    )
    if math.isnan(cost) or cost <= 0:
        return (math.nan,) * 3
    each = [cost / gained if gained > 0 else math.nan for gained in points]
    return each[0], each[1], each[2]


_CSV: tuple[str | Value, ...] = (
    *("suite", "family", "model", "effort"),
    *accuracy(),
    *_counted("reasoning_tokens"),
    *_counted("completion_tokens"),
    *_counted("cost", PER_ANSWERS),
    Worked(("currency",), lambda group: (group.answers["currency"].iloc[0],), "text"),
    *("against", "against_effort"),
    Worked(("pairs", "gained_k", "lost_k", "differing_clusters"), _counts, "whole"),
    Worked(("difference", "difference_low", "difference_high", "p"), _difference),
    Corrected(),
    Worked(("more_reasoning_tokens", "more_cost"), _extra_use),
    Worked(("point_cost", "point_cost_low", "point_cost_high"), _point_cost),
)


def _mean_text(row: Row, column: str, n: str, decimals: int) -> Cell:
    """Print a mean, with the number of answers where it is not over all of them."""
    if is_missing(row[column]):
        return Cell("not counted")
    printed = rounded(row[column], decimals)
    if row[n] == row["n"]:
        return printed
    return printed.with_text(Note("{printed} (of {counted})", printed=printed, counted=row[n]))


def _cost(row: Row) -> str:
    if is_missing(row["cost"]):
        return NOT_AVAILABLE
    printed = _mean_text(row, "cost", "cost_n", 4)
    return printed.with_text(f"{printed} {row['currency']}".strip())


def _point_cost_text(row: Row) -> str:
    """Print the cost of a point with its interval, which has no upper bound where that of the difference includes 0."""
    if is_missing(row["against"]):
        return ""
    if is_missing(row["point_cost"]):
        return NOT_AVAILABLE
    low, high = (
        "" if is_missing(row[name]) else rounded(row[name], 4)
        for name in ("point_cost_low", "point_cost_high")
    )
    printed = rounded(row["point_cost"], 4)
    if low and not high:
        return printed.with_text(Note("{printed}\nat least {low}", printed=printed, low=low))
    return printed.with_text(f"{printed}\n[{low}, {high}]") if high else printed


def _against(row: Row) -> str:
    return "" if is_missing(row["against"]) else str(row["against_effort"])


def _only_with_partner(column: PValue | Number) -> Printed:
    return Printed(
        column.header, lambda row: "" if is_missing(row["against"]) else column.cell(row)
    )


TABLE = Table(
    "thinking",
    "One model at several efforts: what thinking brings and costs",
    rows=(By(("suite", "family")), _efforts),
    csv=_CSV,
    columns=(
        Text("Family", "family", if_several=True),
        *(Text("Model", "model"), Text("Effort", "effort")),
        Share("Right", "correct_k", "n", "low", "high"),
        *unparsed_share(),
        Printed(
            "Tokens of\nreasoning",
            lambda row: _mean_text(row, "reasoning_tokens", "reasoning_n", 0),
        ),
        Printed(
            "Tokens of\nanswer", lambda row: _mean_text(row, "completion_tokens", "completion_n", 0)
        ),
        Printed("Cost of\n1,000", _cost),
        Printed("Against", _against, numeric=False),
        whole("Pairs", "pairs", optional=True),
        where_known(Number("Difference", "difference", "difference_low", "difference_high")),
        _only_with_partner(PValue("p", "p", "differing_clusters")),
        _only_with_partner(PValue("p, corrected", "p_holm", "differing_clusters")),
        Printed("Cost of\na point", _point_cost_text),
    ),
    group_by="suite",
    empty=("no model has right or wrong answers at several efforts",),
    notes=(
        interval_note("images, each with all questions about it"),
        "Tokens: mean per answer, as the server counts them, those of reasoning among those of the answer. Not "
        "counted: the server does not tell; (of k): it tells of k answers.",
        "Cost of 1,000: of as many answers, at the prices of the entry.",
        "Difference: percentage points right at this effort minus those at the effort that it is "
        "compared with, over the items that both answered; below it {coverage}, Tango's interval on "
        "the effective number of pairs.",
        test_note("images, each with all questions about it"),
        "Cost of a point: what 1,000 answers cost more than at the lower effort, over the difference; below it the "
        "same over the bounds of the difference. At least: the difference may be 0. n/a: no gain, or no price.",
        "As set: what the entry's settings ask for, without effort.",
    ),
    csv_formats={
        **dict.fromkeys(("p", "p_holm", "cost", "more_cost"), "%.6g"),
        **dict.fromkeys(("point_cost", "point_cost_low", "point_cost_high"), "%.6g"),
    },
)


_ANSWER = ["item_id", "repeat"]


_TOKENS = ("prompt_tokens", "completion_tokens", "reasoning_tokens", *CACHE)


_OF_GRADE = (*("suite", "model", "stimulus_id", "correct", "outcome", "reason"), *_ANSWER)


def counted(
    grades: pd.DataFrame, responses: str | os.PathLike[str], models: Mapping[str, Any]
) -> pd.DataFrame:
    """Return one model's answers that are right or wrong, with what each took."""
    decided = grades.loc[grades["score"].isna(), list(_OF_GRADE)]
    read = read_table(responses, RESPONSE, (*_ANSWER, *_TOKENS)).to_pandas()
    known = decided.merge(read, on=_ANSWER, how="left").astype(dict.fromkeys(_TOKENS, float))
    of_model = known["model"].map(models)
    counts = zip(*(known[name] for name in ("prompt_tokens", "completion_tokens")), strict=True)
    cache = zip(*(known[name].fillna(0) for name in CACHE), strict=True)
    return known.assign(
        family=of_model.map(lambda entry: entry["family"]),
        effort=of_model.map(lambda entry: entry["effort"]).astype(object),
        currency=of_model.map(lambda entry: entry["currency"]),
        cost=[
            float("nan")
            if entry["prices"] is None
            else cost_of((*counted, *cached), entry["prices"], entry.get("cache_prices"))
            for entry, counted, cached in zip(of_model, counts, cache, strict=True)
        ],
    )
