"""The graded answers of one variant, and scores of groups of them, yes being the positive answer."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from afterimage.errors import AfterimageError
from afterimage.note import joined
from afterimage.showing.tables.baselines import (
    GUESSING,
    MEASURED,
    REFERENCE,
    PerKind,
    Reference,
    measured,
)
from afterimage.showing.tables.bounds import (
    in_percent,
    interval_note,
    mean_of_groups,
    statistic_bounds,
)
from afterimage.showing.tables.columns import Number, is_missing
from afterimage.showing.tables.compute import split_answers
from afterimage.showing.tables.declaration import By, Settings
from afterimage.showing.tables.values import (
    Count,
    Group,
    Kind,
    Together,
    Worked,
    answers,
    require_columns,
)
from afterimage.suites.pope.metrics import COUNTS, SCORES, bounds_of_scores, count, is_right, scores

# The graded answers of one variant, and the bookkeeping of what was not asked.

#: Both constant answers. Rows of reference stand for no model; their "kind" is "reference", all others' is "measured".
BASELINES = {"always yes": "yes", "always no": "no"}
#: Role and level of rows with an unweighted mean.
MEAN = "mean"
#: Roles of the means of responders that do not see the image.
MEANS = {name: f"{MEAN} of {name}" for name in (GUESSING, *BASELINES)}

_NEEDED = ("item_id", "model", "prompt", "key", "outcome", "readings")


def of_variant(grades: pd.DataFrame, variant: str) -> pd.DataFrame:
    """Return the answers of one variant, with the column "image_id" as what their intervals are clustered on.

    Raises:
        AfterimageError: A column is missing.
    """
    if len(grades):
        require_columns(grades, _NEEDED)
    if "variant" not in grades.columns:
        return grades.iloc[:0]
    return grades[grades["variant"] == variant]


def bookkeeping(answers: pd.DataFrame) -> dict[str, dict[str, Any]]:
    """Return per strategy what was asked and what was not; empty without answers."""
    return json.loads(answers["asked_of"].iloc[0]) if len(answers) else {}


def reading(answers: pd.DataFrame, rule: str) -> list[str]:
    """Return what one rule reads of each answer.

    Raises:
        AfterimageError: The grades hold no reading of this rule.
    """
    try:
        return [readings[rule] for readings in answers["readings"]]
    except KeyError:
        raise AfterimageError(
            f"grades: no reading of the rule '{rule}' is stored; expected answers in words, graded by this version."
        ) from None


def items_of(answers: pd.DataFrame) -> pd.DataFrame:
    """Return each item once, however many models answered it how often."""
    return answers.drop_duplicates("item_id")


def by_strategy(
    name: str, order: Sequence[str], answers: pd.DataFrame, settings: Settings
) -> Iterator[tuple[dict[str, str], pd.DataFrame]]:
    """Group answers by strategy, the constant answers below the models, and then by model alone, for means.

    Args:
        name: What the table calls a strategy.
        order: The strategies; those that were not asked have no rows.
        answers: The answers.
        settings: The table's.
    """
    models = By("model", references=_REFERENCES)
    strategies = [strategy for strategy in order if strategy in set(answers["strategy"])]
    for strategy in strategies:
        part = answers[answers["strategy"] == strategy]
        for names, group, _ in split_answers((models,), part, settings, {name: strategy}):
            yield names, group
    if len(strategies) > 1:
        for model, group in answers.groupby("model", sort=False):
            yield {name: MEAN, "kind": MEASURED, "role": MEAN, "model": model}, group
        for reference, answer in _UNSEEING.items():
            row = {name: MEAN, "kind": REFERENCE, "role": MEANS[reference]}
            yield {**row, "model": reference}, answer(items_of(answers))[1]


def _always(answer: str, items: pd.DataFrame) -> tuple[dict[str, str], pd.DataFrame]:
    return {}, items.assign(readings=[{"official": answer, "strict": answer}] * len(items))


def _guess(items: pd.DataFrame) -> tuple[dict[str, str], pd.DataFrame]:
    return {}, items


_UNSEEING: Mapping[str, Callable[[pd.DataFrame], tuple[dict[str, str], pd.DataFrame]]] = {
    GUESSING: _guess,
    **{name: partial(_always, answer) for name, answer in BASELINES.items()},
}
_REFERENCES = tuple(Reference(name, answer) for name, answer in _UNSEEING.items())


def listed(counts: Mapping[str, int]) -> str:
    """Return counts in words: ``no_attribute_in_description 2, no_alternative_attribute 1``; empty for none."""
    return ", ".join(f"{name} {number}" for name, number in counts.items() if number)


# Scores of a group of answers with intervals whose clusters are images, in percent.

#: The rule that numbers in print follow, and this suite's own.
OFFICIAL, STRICT = "official", "strict"
#: A report has to say that the two rules disagree from this difference on, in percentage points.
NOTABLE_POINTS = 1.0

_WIDTH = len(COUNTS)
_CONFUSION = COUNTS[:4]
#: The scores that are given by the strict rule as well.
_BY_BOTH_RULES = ("accuracy", "f1")
_SCORED = (*SCORES, *(f"strict_{name}" for name in _BY_BOTH_RULES))
_COLUMNS = tuple(f"{name}{end}" for name in _SCORED for end in ("", "_low", "_high"))

#: Below every table with scores.
INTERVAL_NOTE = joined(
    [
        interval_note("images, each with all questions about it", "Below a score"),
        "F1: from that of true positives among all that is positive or was called so. A mean of F1: percentile "
        "bootstrap over images ({resamples} resamples, seed {seed}). n/a: undefined.",
    ]
)


def score_values(of_means: Sequence[str]) -> PerKind:
    """Return each score by the official rule, and accuracy and F1 by the strict one, with bounds but for baselines.

    Args:
        of_means: The scores whose means over the strategies are shown.
    """
    unseeing = dict.fromkeys(BASELINES, _row_of_constant) | {GUESSING: _row_of_guess}
    kinds: dict[str, Callable[[Group], tuple[float, ...]]] = {
        MEASURED: _row_of_model,
        MEAN: partial(_row_of_means, of_means),
        **unseeing,
        **{
            MEANS[name]: partial(_row_of_exact_means, of_means, unseeing[name]) for name in unseeing
        },
    }
    return PerKind({kind: Worked(_COLUMNS, function) for kind, function in kinds.items()})


def scored(rule: str, group: pd.DataFrame, settings: Settings) -> dict[str, float]:
    """Score a group of answers by one rule and by the strict one; each score with ``_low`` and ``_high``.

    Args:
        rule: The rule of the scores; unread answers count as wrong.
        group: Rows of one model, prompt and strategy.
        settings: "confidence".
    """
    keys, images = list(group["key"]), list(group["image_id"])
    values: dict[str, float] = {}
    for name, prefix, shown in ((rule, "", SCORES), (STRICT, "strict_", _BY_BOTH_RULES)):
        counts = count(keys, reading(group, name))
        bounds = bounds_of_scores(counts, images, settings)
        for score, value in zip(SCORES, scores(counts.sum(axis=0)).tolist(), strict=True):
            if score in shown:
                column = f"{prefix}{score}"
                interval = dict(
                    zip((f"{column}_low", f"{column}_high"), bounds[score], strict=True)
                )
                values |= {column: 100 * value, **interval}
    return {name: values[name] for name in _COLUMNS}


def mean_of(
    groups: Sequence[pd.DataFrame], rule: str, score: str, settings: Settings
) -> tuple[float, float, float]:
    """Return the unweighted mean of one score over groups, and its bounds, in percent.

    The groups ask about the same images. The bounds of a mean accuracy follow from its effective number of answers;
    those of a mean F1, which is no share, from resampled images, each with all its questions.
    """
    if score == "accuracy":
        answered = [(right(group, rule), group["image_id"]) for group in groups]
        mean_share = mean_of_groups(answered, settings)
        return 100 * mean_share.estimate, *in_percent(mean_share)
    index = SCORES.index(score)
    width = _WIDTH * len(groups)
    units, images = [], []
    for number, group in enumerate(groups):
        counted = np.zeros((len(group), width))
        columns = slice(number * _WIDTH, (number + 1) * _WIDTH)
        counted[:, columns] = count(list(group["key"]), reading(group, rule))
        units.append(counted)
        images += list(group["image_id"])

    def mean(summed: np.ndarray) -> np.ndarray:
        parts = summed.reshape(len(summed), len(groups), _WIDTH)
        over_groups: np.ndarray = scores(parts)[..., index].mean(axis=1, keepdims=True)
        return over_groups

    stacked = np.concatenate(units)
    bounds = statistic_bounds(stacked, images, mean, settings)
    value = mean(stacked.sum(axis=0)[None])[0, 0]
    return 100 * float(value), 100 * float(bounds.low[0]), 100 * float(bounds.high[0])


def right(answers: pd.DataFrame, rule: str) -> np.ndarray:
    return is_right(count(list(answers["key"]), reading(answers, rule)))


def accuracy_by(answers: pd.DataFrame, rule: str) -> float:
    """Return the accuracy by one rule, percent; NaN without answers."""
    return 100 * float(scores(counted(answers, rule))[SCORES.index("accuracy")])


def recall_by(answers: pd.DataFrame, rule: str) -> float:
    """Return the recall by one rule, percent; NaN if no key is yes."""
    return 100 * float(scores(counted(answers, rule))[SCORES.index("recall")])


def _row_of_model(group: Group) -> tuple[float, ...]:
    return tuple(scored(OFFICIAL, group.answers, group.settings).values())


def _row_of_constant(group: Group) -> tuple[float, ...]:
    return _without_bounds(counted(group.answers, OFFICIAL), counted(group.answers, STRICT))


def _row_of_guess(group: Group) -> tuple[float, ...]:
    """Return the expected scores of guessing, yes to every other question."""
    keys = list(group.answers["key"])
    counts = [count(keys, [answer] * len(keys)).sum(axis=0) for answer in BASELINES.values()]
    expected = np.mean(counts, axis=0)
    return _without_bounds(expected, expected)


def _without_bounds(official: np.ndarray, strict: np.ndarray) -> tuple[float, ...]:
    """Return the values of :data:`_COLUMNS` from summed counts by both rules."""
    strict_scores = scores(strict)[[SCORES.index(name) for name in _BY_BOTH_RULES]]
    values = 100 * np.concatenate([scores(official), strict_scores])
    return tuple(end for value in values for end in (float(value), np.nan, np.nan))


def _row_of_means(names: Sequence[str], group: Group) -> tuple[float, ...]:
    groups = [part for _, part in group.answers.groupby("strategy", sort=False)]
    row = dict.fromkeys(_COLUMNS, np.nan)
    for name in names:
        columns = (name, f"{name}_low", f"{name}_high")
        rule = STRICT if name.startswith("strict_") else OFFICIAL
        values = mean_of(groups, rule, name.removeprefix("strict_"), group.settings)
        row |= zip(columns, values, strict=True)
    return tuple(row.values())


def _row_of_exact_means(
    names: Sequence[str], row_of: Callable[[Group], tuple[float, ...]], group: Group
) -> tuple[float, ...]:
    """Return the means over the strategies' rows of a responder that does not see the image, without bounds."""
    parts = [part for _, part in group.answers.groupby("strategy", sort=False)]
    values = np.mean([row_of(group._replace(answers=part)) for part in parts], axis=0)
    return tuple(
        float(value) if name in names else np.nan
        for name, value in zip(_COLUMNS, values, strict=True)
    )


def _confusion(group: Group) -> tuple[int, ...]:
    return tuple(int(number) for number in counted(group.answers, OFFICIAL)[: len(_CONFUSION)])


def _differ(group: Group) -> tuple[bool]:
    return (rules_differ(group.row["accuracy"], group.row["strict_accuracy"]),)


#: Numbers of answers and of yes keys, and the confusion counts by the official rule.
ANSWERS = measured(answers(), also=(GUESSING, *BASELINES))
KEYS_YES = measured(Count("keys_yes", ("key", "yes")), also=(GUESSING, *BASELINES))
CONFUSION = measured(Worked(_CONFUSION, _confusion, "whole"), also=tuple(BASELINES))
RULES_DIFFER = measured(Worked(("rules_differ",), _differ, "text"))


def rules_differ(official: float, strict: float) -> bool:
    """Tell whether two accuracies, in percent, differ so much that a report has to say so."""
    return abs(official - strict) > NOTABLE_POINTS


@dataclass(frozen=True)
class Best(Together):
    """The scores that are the highest of a row's block, among the rows of models and reference responders.

    Readers see another best in bold, that of the models alone (:class:`declaration.Best`).

    Attributes:
        block: Columns whose values make a block.
        columns: The scores that are compared.
    """

    block: tuple[str, ...]
    columns: tuple[str, ...]
    kind: Kind = "text"
    names = ("best",)

    def of_all(self, groups: Sequence[Group]) -> list[tuple[str]]:
        """Return the names of the columns in which each row is the best."""
        return [(won,) for won in self.of_rows([group.row for group in groups])]

    def of_rows(self, rows: Sequence[Mapping[str, Any]]) -> list[str]:
        """Return the same for rows from a function."""
        highest: dict[tuple[Any, ...], float] = {}
        known = [self._known(row) for row in rows]
        for cells in known:
            for cell, value in cells.items():
                highest[cell] = max(highest.get(cell, -np.inf), value)
        return [
            " ".join(cell[-1] for cell, value in cells.items() if value == highest[cell])
            for cells in known
        ]

    def _known(self, row: Mapping[str, Any]) -> dict[tuple[Any, ...], float]:
        if row["kind"] != MEASURED:
            return {}
        block = [row[name] for name in self.block]
        values: dict[tuple[Any, ...], Any] = {
            (*block, name): row.get(name) for name in self.columns
        }
        return {cell: value for cell, value in values.items() if not is_missing(value)}


def counted(group: pd.DataFrame, rule: str) -> np.ndarray:
    """Return the number of a group's answers of each of :data:`COUNTS` by one rule, shape (6,)."""
    summed: np.ndarray = count(list(group["key"]), reading(group, rule)).sum(axis=0)
    return summed


def score(header: str, column: str, bounds: bool = False) -> Number:
    """Return a column of percentages; with ``bounds``, the interval stands below, where there is one."""
    low, high = (f"{column}_low", f"{column}_high") if bounds else (None, None)
    return Number(header, column, low, high, decimals=2, bound_decimals=1, optional=True)
