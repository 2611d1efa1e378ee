"""Scores of a group of answers with intervals that resample images, in percent."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from afterimage.showing.bounds import statistic_bounds
from afterimage.suites.pope.metrics import COUNTS, SCORES, count, scores
from afterimage.suites.pope.tables.answers import reading

#: The rule that numbers in print follow, and this suite's own beside it.
OFFICIAL, STRICT = "official", "strict"
#: From this difference on, in percentage points, a report has to say that the two rules disagree.
NOTABLE_POINTS = 1.0

CONFUSION = ("tp", "fp", "tn", "fn")
_KEPT = len(COUNTS)


def measured(answers: pd.DataFrame, rule: str, settings: Mapping) -> dict[str, object]:
    """Score a group of answers by one rule, and beside it by the strict one.

    Args:
        answers: Rows of one model, prompt and strategy.
        rule: The rule of the scores; unread answers count as wrong.
        settings: "confidence", "resamples" and "seed".

    Returns:
        ``n``, ``images`` (clusters), ``keys_yes``, the confusion counts, ``unread_k`` by the rule; each score with
        ``_low`` and ``_high``; ``strict_accuracy`` with bounds, ``strict_f1`` and ``unparsed_k``.
    """
    keys = list(answers["key"])
    units = np.concatenate([count(keys, reading(answers, name)) for name in (rule, STRICT)], axis=1)
    bounds = statistic_bounds(units, list(answers["image_id"]), _both, settings)
    summed = units.sum(axis=0)
    return {
        "n": len(answers),
        "images": bounds.clusters,
        "keys_yes": keys.count("yes"),
        **_confusion(summed[:_KEPT]),
        **_scored(_both(summed[None])[0], bounds.low, bounds.high),
        "unparsed_k": int(summed[_KEPT + 4 :].sum()),
    }


def mean_of(
    groups: Sequence[pd.DataFrame], rule: str, score: str, settings: Mapping
) -> tuple[float, float, float]:
    """Return the unweighted mean of one score over groups, and its bounds, in percent.

    The groups ask about the same images, so an image is resampled with all that is asked about it.
    """
    place = SCORES.index(score)
    width = _KEPT * len(groups)
    units, images = [], []
    for number, answers in enumerate(groups):
        counted = np.zeros((len(answers), width))
        columns = slice(number * _KEPT, (number + 1) * _KEPT)
        counted[:, columns] = count(list(answers["key"]), reading(answers, rule))
        units.append(counted)
        images += list(answers["image_id"])

    def mean(summed: np.ndarray) -> np.ndarray:
        parts = summed.reshape(len(summed), len(groups), _KEPT)
        return scores(parts)[..., place].mean(axis=1, keepdims=True)

    stacked = np.concatenate(units)
    bounds = statistic_bounds(stacked, images, mean, settings)
    value = mean(stacked.sum(axis=0)[None])[0, 0]
    return 100 * float(value), 100 * float(bounds.low[0]), 100 * float(bounds.high[0])


def constant(keys: Sequence[str], said: str) -> dict[str, object]:
    """Score the baseline that always says the same."""
    summed = count(keys, [said] * len(keys)).sum(axis=0)
    found = scores(summed)
    named = {name: 100 * float(value) for name, value in zip(SCORES, found, strict=True)}
    strict = {"strict_accuracy": named["accuracy"], "strict_f1": named["f1"]}
    return {
        "n": len(keys),
        "keys_yes": list(keys).count("yes"),
        **_confusion(summed),
        **named,
        **strict,
    }


def accuracy_by(answers: pd.DataFrame, rule: str) -> float:
    """Return the accuracy by one rule, percent; NaN without answers."""
    summed = count(list(answers["key"]), reading(answers, rule)).sum(axis=0)
    return 100 * float(scores(summed)[0])


def recall_by(answers: pd.DataFrame, rule: str) -> float:
    """Return the recall by one rule, percent; NaN where no key is yes."""
    summed = count(list(answers["key"]), reading(answers, rule)).sum(axis=0)
    return 100 * float(scores(summed)[2])


def mark_best(rows: Sequence[dict], block: Sequence[str], columns: Sequence[str]) -> None:
    """Write into ``best`` of each measured row which scores are the highest of its block.

    Args:
        rows: Rows of a table; changed in place.
        block: Columns whose values make a block.
        columns: The scores that are compared.
    """
    highest: dict[tuple, float] = {}
    for row in (row for row in rows if row["kind"] == "measured"):
        for name in columns:
            place = (*(row[key] for key in block), name)
            value = row.get(name, np.nan)
            if not np.isnan(value):
                highest[place] = max(highest.get(place, -np.inf), value)
    for row in rows:
        of_block = tuple(row[key] for key in block)
        won = [
            name
            for name in columns
            if row["kind"] == "measured" and row.get(name, np.nan) == highest.get((*of_block, name))
        ]
        row["best"] = " ".join(won)


def _both(summed: np.ndarray) -> np.ndarray:
    """Return all scores by the rule, then accuracy and F1 by the strict one."""
    return np.concatenate([scores(summed[:, :_KEPT]), scores(summed[:, _KEPT:])[:, [0, 3]]], axis=1)


def _confusion(summed: np.ndarray) -> dict[str, int]:
    named = dict(zip(COUNTS, map(int, summed), strict=True))
    unread = named.pop("unread_yes") + named.pop("unread_no")
    return {**named, "unread_k": unread}


def _scored(values: np.ndarray, low: np.ndarray, high: np.ndarray) -> dict[str, float]:
    cell: dict[str, float] = {}
    names = (*SCORES, "strict_accuracy", "strict_f1")
    for name, *numbers in zip(names, values, low, high, strict=True):
        for end, number in zip(("", "_low", "_high"), numbers, strict=True):
            cell[f"{name}{end}"] = 100 * float(number)
    return cell
