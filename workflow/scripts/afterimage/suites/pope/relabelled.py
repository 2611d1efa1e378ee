"""The same answers by two sets of labels: POPE's and a relabelling's."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from afterimage.note import Note
from afterimage.showing.tables.accuracy import OUTCOME_COUNTS, unparsed
from afterimage.showing.tables.baselines import GUESSING, MEASURED, REFERENCE, YES_OR_NO_NOTE
from afterimage.showing.tables.bounds import in_percent, mean_of_groups, resampled_totals
from afterimage.showing.tables.columns import Cell, Number, Printed, Row, Share, Text, is_missing
from afterimage.showing.tables.compute import as_frame
from afterimage.showing.tables.declaration import Settings, Table
from afterimage.showing.tables.values import OUTCOMES, Given, Value, with_outcomes
from afterimage.suites.pope.files import FLIPPED, REMOVED
from afterimage.suites.pope.metrics import COUNTS, SCORES, bounds_of_scores, count, is_right, scores
from afterimage.suites.pope.names import POPE, STRATEGIES
from afterimage.suites.pope.scores import BASELINES, MEAN, OFFICIAL, items_of, of_variant, reading

# The same answers graded by two sets of labels: scores before and after, their change, and models' ranks.
#
# One set of resampled images serves both labels, all strategies and all models, so that changes and ranks are paired.

_F1 = SCORES.index("f1")
_OTHER = {"yes": "no", "no": "yes"}
#: Values by the resamples: name to value, ``_low`` and ``_high``.
Bounded = dict[str, float]


class Both(NamedTuple):
    """Some answers by both sets of labels.

    Attributes:
        old: Counts by the old labels, one row per answer, shape (answers, 6), see :func:`metrics.count`.
        new: The same by the new ones; a row of noughts for a question that is removed.
        kept: Whether each answer's question is not removed.
    """

    old: np.ndarray
    new: np.ndarray
    kept: np.ndarray


def both(answers: pd.DataFrame, readings: Sequence[str]) -> Both:
    """Grade answers by both sets of labels.

    Args:
        answers: With ``key``, the old label, and ``relabelled``, what becomes of the question.
        readings: What each answer says.
    """
    keys, fates = list(answers["key"]), list(answers["relabelled"])
    kept = np.array([fate != REMOVED for fate in fates], dtype=bool)
    new_keys = [
        _OTHER[key] if fate == FLIPPED else key for key, fate in zip(keys, fates, strict=True)
    ]
    old = count(keys, readings)
    return Both(old, count(new_keys, readings) * kept[:, None], kept)


def changes_and_ranks(
    answers: pd.DataFrame, strategies: Sequence[str], rule: str, settings: Settings
) -> dict[tuple[str, str], dict[str, Any]]:
    """Return F1, ranks and changes of every model and strategy of one prompt, bounded by resampled images.

    Args:
        answers: Of all models, with ``model``, ``strategy``, ``image_id`` and what :func:`both` needs.
        strategies: In order; of several, their mean is one more, :data:`MEAN`.
        rule: By which answers are read.
        settings: "confidence", "resamples", "seed".

    Returns:
        Model and strategy to ``f1``, ``f1_relabelled``, ``f1_change`` (percent and points), ``rank``,
        ``rank_relabelled`` (1 is the highest F1; equal ones share the better rank) and ``rank_change`` (places gained),
        each with ``_low`` and ``_high``; NaN if undefined or where there are too few images.
    """
    models = list(dict.fromkeys(answers["model"]))
    sums = _sums(answers, models, strategies, rule)
    whole = _f1(sums.sum(axis=0)[None], len(models), len(strategies))
    drawn = _f1(resampled_totals(sums, settings), len(models), len(strategies))
    names = [*strategies, MEAN] if len(strategies) > 1 else list(strategies)
    statistics = {}
    for index, strategy in enumerate(names):
        f1, resamples = 100 * whole[:, :, index], 100 * drawn[:, :, index]
        ranks, rank_resamples = _ranks(f1), _ranks(resamples)
        for number, model in enumerate(models):
            values: dict[str, Any] = {}
            for suffix, labels in (("", 0), ("_relabelled", 1)):
                cell = (slice(None), number, labels)
                values |= _bounded(f"f1{suffix}", f1[cell], resamples[cell], settings)
                values |= _bounded(
                    f"rank{suffix}", ranks[cell], rank_resamples[cell], settings, True
                )
            gained, drawn_gained = (
                part[:, number, 1] - part[:, number, 0] for part in (f1, resamples)
            )
            values |= _bounded("f1_change", gained, drawn_gained, settings)
            risen, drawn_risen = (
                part[:, number, 0] - part[:, number, 1] for part in (ranks, rank_resamples)
            )
            values |= _bounded("rank_change", risen, drawn_risen, settings, True)
            statistics[model, strategy] = values
    return statistics


def _sums(
    answers: pd.DataFrame, models: Sequence[str], strategies: Sequence[str], rule: str
) -> np.ndarray:
    """Return what each image counts, shape (images, models x strategies x 2 x 6)."""
    images, image = np.unique(list(answers["image_id"]), return_inverse=True)
    graded = both(answers, reading(answers, rule))
    sums = np.zeros((len(images), len(models), len(strategies), 2, len(COUNTS)))
    model = np.array([models.index(name) for name in answers["model"]], dtype=int)
    strategy = np.array([strategies.index(name) for name in answers["strategy"]], dtype=int)
    for labels, counts in enumerate((graded.old, graded.new)):
        np.add.at(sums[:, :, :, labels], (image, model, strategy), counts)
    return sums.reshape(len(images), -1)


def _f1(summed: np.ndarray, models: int, strategies: int) -> np.ndarray:
    """Return F1, 0 to 1, shape (resamples, models, strategies and their mean, 2)."""
    counts = summed.reshape(len(summed), models, strategies, 2, len(COUNTS))
    f1 = scores(counts)[..., _F1]
    return np.concatenate([f1, f1.mean(axis=2, keepdims=True)], axis=2)


def _ranks(f1: np.ndarray) -> np.ndarray:
    """Return each model's rank, shape (resamples, models, 2), NaN if F1 is undefined."""
    above = (f1[:, None] > f1[:, :, None] + 1e-9).sum(axis=2)
    return np.where(np.isnan(f1), np.nan, 1 + above)


def _bounded(
    name: str, value: np.ndarray, drawn: np.ndarray, settings: Settings, is_rank: bool = False
) -> Bounded:
    """Return a value with percentile bounds, as :func:`bootstrap.cluster_intervals` gives them.

    Bounds of a rank are ranks, too, and count even if they are equal.
    """
    low, high = _quantiles(drawn, settings, "inverted_cdf" if is_rank else "linear")
    bounds = (low, high) if is_rank or high > low else (np.nan, np.nan)
    return dict(zip((name, f"{name}_low", f"{name}_high"), (float(value[0]), *bounds), strict=True))


def _quantiles(drawn: np.ndarray, settings: Settings, method: Any) -> tuple[float, float]:
    tail = (1 - settings["confidence"]) / 2
    defined = drawn[np.isfinite(drawn)]
    if not len(defined) or len(defined) <= (1 - tail) * len(drawn):
        return np.nan, np.nan
    low, high = np.quantile(defined, [tail, 1 - tail], method=method)
    return float(low), float(high)


# POPE beside a relabelling of it: the same answers by the old labels and by the corrected ones.
#
# RePOPE (arXiv 2504.15707) corrects POPE's labels and leaves ambiguous questions out. Scores by the official rule in
# percent, bounds clustered by image; changes of F1 and ranks from one set of resampled images.

#: Row of reference: POPE's own labels given as answers, the ceiling of a model that learned COCO's labels.
OLD_LABELS = "POPE's labels"
REPOPE_RULE = "repope"

_AFTER = "_relabelled"
_CONFUSION = COUNTS[:4]
_BOUNDS = ("", "_low", "_high")
#: The columns of which a row of reference has a mean.
_MEANS = (
    *(f"{name}{after}" for name in ("f1", "accuracy") for after in ("", _AFTER)),
    "f1_change",
)
_RANKS = ("rank", f"rank{_AFTER}", "rank_change")
_COUNTED = ("n", "n_relabelled", "removed", "flipped_to_no", "flipped_to_yes")
_SCORED = (*(f"{name}{after}" for name in SCORES for after in ("", _AFTER)), "f1_change")
_CSV: tuple[str | Value, ...] = (
    *("dataset", "prompt", "strategy", "kind", "model"),
    *map(Given, _COUNTED),
    *(Given(f"{name}{end}", "number") for name in _SCORED for end in _BOUNDS),
    *(Given(f"{name}{after}") for after in ("", _AFTER) for name in _CONFUSION),
    *map(Given, ("answered_as_old_label_k", *OUTCOME_COUNTS)),
    *(Given(f"{name}{end}") for name in _RANKS for end in _BOUNDS),
    *(Given(f"{REPOPE_RULE}_f1{after}", "number") for after in ("", _AFTER)),
)


# A function: ranks are of all models at once, and both labels share one set of resamples.
def rows_of(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Grade every answer to a relabelled strategy by both sets of labels.

    Args:
        grades: Graded answers with the factor ``relabelled``: ``kept``, ``flipped`` or ``removed``.
        settings: "confidence", "resamples", "seed".

    Returns:
        The columns :data:`_CSV`, per prompt and strategy a row for each model and reference, and rows ``mean``.
    """
    answers = of_variant(grades, POPE)
    if "relabelled" not in answers:
        answers = answers.assign(relabelled=np.nan)
    answers = with_outcomes(answers[answers["relabelled"].notna()])
    rows = [
        {"dataset": dataset, "prompt": prompt, **row}
        for (dataset, prompt), group in answers.groupby(["dataset", "prompt"], sort=False)
        for row in _rows(group, settings)
    ]
    return as_frame(rows, _CSV)


def _rows(answers: pd.DataFrame, settings: Settings) -> Iterator[dict[str, Any]]:
    strategies = [name for name in STRATEGIES if name in set(answers["strategy"])]
    drawn = changes_and_ranks(answers, strategies, OFFICIAL, settings)
    unseeing: dict[str, list[dict[str, Any]]] = {}
    for strategy in strategies:
        of_strategy = answers[answers["strategy"] == strategy]
        for model, group in of_strategy.groupby("model", sort=False):
            row = {"strategy": strategy, "kind": MEASURED, "model": model}
            changes = drawn[model, strategy]
            yield {**row, **changes, **_measured(group, settings)}
        for name, scored in _references(items_of(of_strategy)):
            unseeing.setdefault(name, []).append(scored)
            yield {"strategy": strategy, "kind": REFERENCE, "model": name, **scored}
    if len(strategies) > 1:
        for model, group in answers.groupby("model", sort=False):
            row = {"strategy": MEAN, "kind": MEASURED, "model": model}
            yield {**row, **drawn[model, MEAN], **_totals(group), **_mean_accuracy(group, settings)}
        for name, rows in unseeing.items():
            means = {column: np.mean([row[column] for row in rows]) for column in _MEANS}
            yield {"strategy": MEAN, "kind": REFERENCE, "model": name, **means}


def _references(items: pd.DataFrame) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the responders that do not see the image, and POPE's own labels, with counts and scores."""
    yield GUESSING, _guessed(items)
    for name, answer in (*BASELINES.items(), (OLD_LABELS, None)):
        readings = list(items["key"]) if answer is None else [answer] * len(items)
        graded = both(items, readings)
        yield name, {**_counted(items, graded, readings), **_scores(graded)}


def _guessed(items: pd.DataFrame) -> dict[str, Any]:
    """Return the expected scores of guessing, yes to every other question; nothing is counted."""
    always = [both(items, [answer] * len(items)) for answer in BASELINES.values()]
    old, new = (np.mean(counts, axis=0) for counts in zip(*(a[:2] for a in always), strict=True))
    counted = _counted(items, always[0], list(items["key"]))
    known = {name: counted[name] for name in _COUNTED}
    return known | _scores(Both(old, new, always[0].kept))


def _measured(answers: pd.DataFrame, settings: Settings) -> dict[str, Any]:
    """Return counts, scores with bounds, and F1 by RePOPE's rule, of one model and strategy."""
    readings = reading(answers, OFFICIAL)
    graded = both(answers, readings)
    row = {**_totals(answers), **_counted(answers, graded, readings), **_scores(graded)}
    images = answers["image_id"].to_numpy(dtype=object)
    kept = graded.kept
    for counts, shown, after in (
        (graded.old, images, ""),
        (graded.new[kept], images[kept], _AFTER),
    ):
        for name, bounds in bounds_of_scores(counts, list(shown), settings).items():
            row[f"{name}{after}_low"], row[f"{name}{after}_high"] = bounds
    as_theirs = _scores(both(answers, reading(answers, REPOPE_RULE)))
    return row | {f"{REPOPE_RULE}_{name}": as_theirs[name] for name in ("f1", f"f1{_AFTER}")}


def _mean_accuracy(answers: pd.DataFrame, settings: Settings) -> dict[str, float]:
    """Return the unweighted means of the strategies' accuracies by both labels, with bounds."""
    groups: dict[str, list[tuple[np.ndarray, np.ndarray]]] = {"": [], _AFTER: []}
    for _, group in answers.groupby("strategy", sort=False):
        graded = both(group, reading(group, OFFICIAL))
        images = group["image_id"].to_numpy(dtype=object)
        groups[""].append((is_right(graded.old), images))
        groups[_AFTER].append((is_right(graded.new[graded.kept]), images[graded.kept]))
    row: dict[str, float] = {}
    for after, answered in groups.items():
        mean = mean_of_groups(answered, settings)
        values = (100 * mean.estimate, *in_percent(mean))
        row |= zip((f"accuracy{after}{end}" for end in _BOUNDS), values, strict=True)
    return row


def _totals(answers: pd.DataFrame) -> dict[str, int]:
    return {f"{name}_k": int(answers[name].sum()) for name in OUTCOMES}


def _counted(answers: pd.DataFrame, graded: Both, readings: list[str]) -> dict[str, int]:
    flipped = (answers["relabelled"] == FLIPPED).to_numpy()
    keys = answers["key"].to_numpy()
    as_old = flipped & (keys == np.array(readings, dtype=object))
    row = {
        "n": len(answers),
        "n_relabelled": int(graded.kept.sum()),
        "removed": int((~graded.kept).sum()),
        "flipped_to_no": int((flipped & (keys == "yes")).sum()),
        "flipped_to_yes": int((flipped & (keys == "no")).sum()),
        "answered_as_old_label_k": int(as_old.sum()),
    }
    for counts, after in ((graded.old, ""), (graded.new, _AFTER)):
        summed = map(int, counts.sum(axis=0))
        row |= {f"{name}{after}": number for name, number in zip(_CONFUSION, summed, strict=False)}
    return row


def _scores(graded: Both) -> dict[str, float]:
    row: dict[str, float] = {}
    for counts, after in ((graded.old, ""), (graded.new, _AFTER)):
        values = 100 * scores(counts.sum(axis=0))
        row |= {f"{name}{after}": float(v) for name, v in zip(SCORES, values, strict=True)}
    return row | {"f1_change": row[f"f1{_AFTER}"] - row["f1"]}


def _flips(row: Row) -> str:
    if is_missing(row["flipped_to_no"]):
        return ""
    to_no, to_yes, removed = (int(row[f"{name}"]) for name in _COUNTED[3:] + _COUNTED[2:3])
    return Cell(f"{to_no} + {to_yes}, {removed}", value=float(to_no))


def _is_counted(row: Row) -> bool:
    return not is_missing(row["answered_as_old_label_k"])


def _table_rank(row: Row) -> str:
    if is_missing(row["rank"]):
        return ""
    ranks = []
    for name in _RANKS[:2]:
        rank, low, high = (row[f"{name}{end}"] for end in _BOUNDS)
        ranks.append(f"{int(rank)}" + ("" if is_missing(low) else f" [{int(low)}, {int(high)}]"))
    old, new = ranks
    return Cell(Note("{old} to\n{new}", old=old, new=new), value=float(row["rank"]))


def _label_notes(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    labels = settings.get("pope", {}).get("labels", {})
    for strategy, info in labels.items():
        yield Note(
            "{strategy}: {version}, SHA-256 {sha256}...",
            strategy=strategy,
            version=info["version"],
            sha256=info["sha256"][:16],
        )
    unasked = [f"{name} {info['unasked']}" for name, info in labels.items() if info["unasked"]]
    if unasked:
        yield Note(
            "Corrected labels of questions that were not asked: {unasked}.",
            unasked=", ".join(unasked),
        )


POPE_RELABELLED = Table(
    "pope_relabelled",
    "POPE's questions by their own labels and by corrected ones",
    rows=rows_of,
    csv=_CSV,
    columns=(
        Text("Strategy", "strategy"),
        Text("Prompt", "prompt", if_several=True),
        Text("Model", "model"),
        Printed("Flipped to no\n+ to yes,\nremoved", _flips),
        Number("F1", "f1", "f1_low", "f1_high", optional=True),
        Number(
            "F1,\ncorrected",
            "f1_relabelled",
            "f1_relabelled_low",
            "f1_relabelled_high",
            optional=True,
        ),
        Number("Change", "f1_change", "f1_change_low", "f1_change_high", optional=True),
        Number("Accuracy", "accuracy"),
        Number("Accuracy,\ncorrected", "accuracy_relabelled"),
        Share(
            "As the\nold label",
            lambda row: row["answered_as_old_label_k"] if _is_counted(row) else 0,
            lambda row: row["flipped_to_no"] + row["flipped_to_yes"] if _is_counted(row) else 0,
        ),
        Printed("Rank", _table_rank),
        unparsed(),
    ),
    notes=(
        "Percent, by the official rule. Corrected: questions whose label a relabelling changed (flipped) count by the "
        "new label, ambiguous ones (removed) not at all. The answers are the same.",
        "As the old label: of the answers to flipped questions, those that agree with the label that was wrong; a hint "
        "that labels were learned. POPE's labels as answers: the best that this can bring.",
        YES_OR_NO_NOTE,
        "{coverage} intervals, clusters are images; of changes, means and ranks percentiles of one set of {resamples} "
        "resampled images for both labels and all models (seed {seed}). Rank 1 is the highest F1; ranks of models "
        "whose intervals overlap are no order.",
        _label_notes,
    ),
    split_by="Strategy",
)
