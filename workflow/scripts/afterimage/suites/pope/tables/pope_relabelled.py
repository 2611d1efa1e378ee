"""POPE beside a relabelling of it: the same answers by the old labels and by the corrected ones.

RePOPE (arXiv 2504.15707) corrects POPE's labels and leaves ambiguous questions out. Scores by the official rule in
percent, bounds clustered by image; changes of F1 and ranks from one set of resampled images.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from afterimage.showing.baselines import YES_OR_NO_NOTE
from afterimage.showing.bounds import in_percent, mean_of_groups
from afterimage.showing.columns import Number, Printed, Row, Share, Text
from afterimage.showing.compute import as_frame
from afterimage.showing.declaration import Settings, Table
from afterimage.showing.missing import is_missing
from afterimage.showing.outcomes import OUTCOME_COUNTS, unparsed
from afterimage.showing.references import GUESSING, MEASURED, REFERENCE
from afterimage.showing.values import OUTCOMES, Given, with_outcomes
from afterimage.suites.pope.metrics import COUNTS, SCORES, bounds_of_scores, is_right, scores
from afterimage.suites.pope.names import POPE, STRATEGIES
from afterimage.suites.pope.readers.relabelling import FLIPPED
from afterimage.suites.pope.relabelled import Both, both, changes_and_ranks
from afterimage.suites.pope.tables.answers import (
    BASELINES,
    MEAN,
    items_of,
    of_variant,
    reading,
)
from afterimage.suites.pope.tables.cells import OFFICIAL

#: Row of reference: POPE's own labels given as answers, the ceiling of whoever learned COCO's labels.
OLD_LABELS = "POPE's labels"
REPOPE_RULE = "repope"

_AFTER = "_relabelled"
_CONFUSION = COUNTS[:4]
_BOUNDS = ("", "_low", "_high")
#: What a row of reference has a mean of.
_MEANS = (
    *(f"{name}{after}" for name in ("f1", "accuracy") for after in ("", _AFTER)),
    "f1_change",
)
_RANKS = ("rank", f"rank{_AFTER}", "rank_change")
_COUNTED = ("n", "n_relabelled", "removed", "flipped_to_no", "flipped_to_yes")
_SCORED = (*(f"{name}{after}" for name in SCORES for after in ("", _AFTER)), "f1_change")
_CSV = (
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
        for (dataset, prompt), own in answers.groupby(["dataset", "prompt"], sort=False)
        for row in _rows(own, settings)
    ]
    return as_frame(rows, _CSV)


def _rows(answers: pd.DataFrame, settings: Settings) -> Iterator[dict[str, Any]]:
    strategies = [name for name in STRATEGIES if name in set(answers["strategy"])]
    drawn = changes_and_ranks(answers, strategies, OFFICIAL, settings)
    unseeing: dict[str, list[dict[str, Any]]] = {}
    for strategy in strategies:
        asked = answers[answers["strategy"] == strategy]
        for model, own in asked.groupby("model", sort=False):
            row = {"strategy": strategy, "kind": MEASURED, "model": model}
            told = drawn[model, strategy]
            yield {**row, **told, **_measured(own, settings)}
        for name, scored in _references(items_of(asked)):
            unseeing.setdefault(name, []).append(scored)
            yield {"strategy": strategy, "kind": REFERENCE, "model": name, **scored}
    if len(strategies) > 1:
        for model, own in answers.groupby("model", sort=False):
            row = {"strategy": MEAN, "kind": MEASURED, "model": model}
            yield {**row, **drawn[model, MEAN], **_totals(own), **_mean_accuracy(own, settings)}
        for name, rows in unseeing.items():
            means = {column: np.mean([row[column] for row in rows]) for column in _MEANS}
            yield {"strategy": MEAN, "kind": REFERENCE, "model": name, **means}


def _references(items: pd.DataFrame) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield who answers without looking, or by POPE's own labels, with counts and scores."""
    yield GUESSING, _guessed(items)
    for name, said in (*BASELINES.items(), (OLD_LABELS, None)):
        readings = list(items["key"]) if said is None else [said] * len(items)
        graded = both(items, readings)
        yield name, {**_counted(items, graded, readings), **_scores(graded)}


def _guessed(items: pd.DataFrame) -> dict[str, Any]:
    """Return the scores of what is to be expected of who says yes to every other question; nothing is counted."""
    always = [both(items, [said] * len(items)) for said in BASELINES.values()]
    old, new = (np.mean(counts, axis=0) for counts in zip(*(a[:2] for a in always), strict=True))
    counted = _counted(items, always[0], list(items["key"]))
    known = {name: counted[name] for name in _COUNTED}
    return known | _scores(Both(old, new, always[0].kept))


def _measured(own: pd.DataFrame, settings: Settings) -> dict[str, Any]:
    """Return counts, scores with bounds, and F1 by RePOPE's rule, of one model and strategy."""
    readings = reading(own, OFFICIAL)
    graded = both(own, readings)
    row = {**_totals(own), **_counted(own, graded, readings), **_scores(graded)}
    images = own["image_id"].to_numpy(dtype=object)
    kept = graded.kept
    for counts, shown, after in (
        (graded.old, images, ""),
        (graded.new[kept], images[kept], _AFTER),
    ):
        for name, bounds in bounds_of_scores(counts, list(shown), settings).items():
            row[f"{name}{after}_low"], row[f"{name}{after}_high"] = bounds
    as_theirs = _scores(both(own, reading(own, REPOPE_RULE)))
    return row | {f"{REPOPE_RULE}_{name}": as_theirs[name] for name in ("f1", f"f1{_AFTER}")}


def _mean_accuracy(own: pd.DataFrame, settings: Settings) -> dict[str, float]:
    """Return the unweighted means of the strategies' accuracies by both labels, with bounds."""
    groups: dict[str, list] = {"": [], _AFTER: []}
    for _, asked in own.groupby("strategy", sort=False):
        graded = both(asked, reading(asked, OFFICIAL))
        images = asked["image_id"].to_numpy(dtype=object)
        groups[""].append((is_right(graded.old), images))
        groups[_AFTER].append((is_right(graded.new[graded.kept]), images[graded.kept]))
    row = {}
    for after, answered in groups.items():
        found = mean_of_groups(answered, settings)
        values = (100 * found.estimate, *in_percent(found))
        row |= zip((f"accuracy{after}{end}" for end in _BOUNDS), values, strict=True)
    return row


def _totals(own: pd.DataFrame) -> dict[str, int]:
    return {f"{name}_k": int(own[name].sum()) for name in OUTCOMES}


def _counted(asked: pd.DataFrame, graded: Both, readings: list[str]) -> dict[str, int]:
    flipped = (asked["relabelled"] == FLIPPED).to_numpy()
    keys = asked["key"].to_numpy()
    as_old = flipped & (keys == np.array(readings, dtype=object))
    row = {
        "n": len(asked),
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
    row = {}
    for counts, after in ((graded.old, ""), (graded.new, _AFTER)):
        values = 100 * scores(counts.sum(axis=0))
        row |= {f"{name}{after}": float(v) for name, v in zip(SCORES, values, strict=True)}
    return row | {"f1_change": row[f"f1{_AFTER}"] - row["f1"]}


def _flips(row: Row) -> str:
    if is_missing(row["flipped_to_no"]):
        return ""
    to_no, to_yes, removed = (int(row[f"{name}"]) for name in _COUNTED[3:] + _COUNTED[2:3])
    return f"{to_no} + {to_yes}, {removed}"


def _is_counted(row: Row) -> bool:
    return not is_missing(row["answered_as_old_label_k"])


def _rank(row: Row) -> str:
    if is_missing(row["rank"]):
        return ""
    told = []
    for name in _RANKS[:2]:
        rank, low, high = (row[f"{name}{end}"] for end in _BOUNDS)
        told.append(f"{int(rank)}" + ("" if is_missing(low) else f" [{int(low)}, {int(high)}]"))
    return " to\n".join(told)


def _label_notes(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    labels = settings.get("pope", {}).get("labels", {})
    for strategy, told in labels.items():
        yield f"{strategy}: {told['version']}, SHA-256 {told['sha256'][:16]}..."
    unasked = [f"{name} {told['unasked']}" for name, told in labels.items() if told["unasked"]]
    if unasked:
        yield f"Corrected labels of questions that were not asked: {', '.join(unasked)}."


TABLE = Table(
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
        Printed("Rank", _rank),
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
