"""Scores of a group of answers with intervals whose clusters are images, in percent."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from afterimage.showing.bounds import in_percent, mean_of_groups, statistic_bounds
from afterimage.suites.pope.intervals import bounds_of_scores
from afterimage.suites.pope.metrics import COUNTS, SCORES, count, scores
from afterimage.suites.pope.tables.answers import reading

#: The rule that numbers in print follow, and this suite's own beside it.
OFFICIAL, STRICT = "official", "strict"
#: From this difference on, in percentage points, a report has to say that the two rules disagree.
NOTABLE_POINTS = 1.0

CONFUSION = ("tp", "fp", "tn", "fn")
_KEPT = len(COUNTS)
#: The scores that the strict rule has beside the other.
_BESIDE = ("accuracy", "f1")


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
    units, strict = (count(keys, reading(answers, name)) for name in (rule, STRICT))
    images = list(answers["image_id"])
    by_strict = _scored(strict, images, settings)
    return {
        "n": len(answers),
        "images": len(set(images)),
        "keys_yes": keys.count("yes"),
        **_confusion(units.sum(axis=0)),
        **_scored(units, images, settings),
        **{f"strict_{name}": by_strict[name] for name in by_strict if name.startswith(_BESIDE)},
        "unparsed_k": int(strict[:, 4:].sum()),
    }


def mean_of(
    groups: Sequence[pd.DataFrame], rule: str, score: str, settings: Mapping
) -> tuple[float, float, float]:
    """Return the unweighted mean of one score over groups, and its bounds, in percent.

    The groups ask about the same images. A mean of accuracies is bounded by what it is worth; a mean of F1, which is no
    share, by resampling images with all that is asked about them.
    """
    if score == "accuracy":
        mean = mean_of_groups(
            [(right(answers, rule), answers["image_id"]) for answers in groups], settings
        )
        return 100 * mean.estimate, *in_percent(mean)
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


def right(answers: pd.DataFrame, rule: str) -> np.ndarray:
    """Tell which answers are right by a rule."""
    counts = count(list(answers["key"]), reading(answers, rule))
    return counts[:, [COUNTS.index("tp"), COUNTS.index("tn")]].any(axis=1)


def _confusion(summed: np.ndarray) -> dict[str, int]:
    named = dict(zip(COUNTS, map(int, summed), strict=True))
    unread = named.pop("unread_yes") + named.pop("unread_no")
    return {**named, "unread_k": unread}


def _scored(counts: np.ndarray, images: Sequence[str], settings: Mapping) -> dict[str, float]:
    """Return every score with its bounds."""
    cell: dict[str, float] = {}
    bounds = bounds_of_scores(counts, images, settings)
    for name, value in zip(SCORES, scores(counts.sum(axis=0)), strict=True):
        low, high = bounds[name]
        cell |= {name: 100 * float(value), f"{name}_low": low, f"{name}_high": high}
    return cell
