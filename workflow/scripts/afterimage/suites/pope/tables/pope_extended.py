"""Attributes, relations and look-alikes on drawn scenes: what the blog wishes POPE asked, with exact keys."""

from collections.abc import Iterator

import pandas as pd

from afterimage.showing.columns import Counted, Text
from afterimage.showing.declaration import Settings, Table
from afterimage.suites.pope.metrics import SCORES
from afterimage.suites.pope.names import EXTENDED, KINDS
from afterimage.suites.pope.tables.answers import BASELINES, items_of, of_variant
from afterimage.suites.pope.tables.cells import (
    CONFUSION,
    NOTABLE_POINTS,
    OFFICIAL,
    constant,
    mark_best,
    mean_of,
    measured,
)
from afterimage.suites.pope.tables.columns import INTERVAL_NOTE, UNPARSED, score

#: The unweighted mean over what is asked about.
MEAN = "mean"

_COUNTS = ("n", "images", "keys_yes", *CONFUSION, "unparsed_k")
_FLOATS = (
    *(f"{name}{end}" for name in SCORES for end in ("", "_low", "_high")),
    *(f"strict_{name}{end}" for name in ("accuracy", "f1") for end in ("", "_low", "_high")),
)
COLUMNS = (
    *("variant", "dataset", "asked_about", "kind", "model"),
    *_COUNTS,
    *_FLOATS,
    *("rules_differ", "best"),
)
_WORDS = {
    "colour": "attribute: colour",
    "count": "attribute: number",
    "left_of": "relation: left of",
    "above": "relation: above",
    "inside": "relation: inside",
    "larger_than": "relation: larger than",
    "similar": "look-alike that is absent",
}


def rows(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Score every model on every kind of question.

    Args:
        grades: Graded answers of all models, factors as columns.
        settings: "confidence", "resamples" and "seed".

    Returns:
        The columns of :data:`COLUMNS`: counts and scores by the official rule, in percent with clustered bounds, and by
        the strict one; ``mean`` rows hold the unweighted mean of the accuracies. Empty where nothing was asked.
    """
    answers = of_variant(grades, EXTENDED)
    scored = list(_rows(answers, settings)) if len(answers) else []
    mark_best(scored, ("asked_about",), ("accuracy", "f1"))
    frame = pd.DataFrame(scored, columns=list(COLUMNS))
    return frame.astype(dict.fromkeys(_COUNTS, "Int64") | dict.fromkeys(_FLOATS, "float"))


def _rows(answers: pd.DataFrame, settings: Settings) -> Iterator[dict]:
    common = {"variant": EXTENDED, "dataset": answers["dataset"].iloc[0]}
    kinds = [kind for kind in KINDS if kind in set(answers["strategy"])]
    for kind in kinds:
        of_kind = answers[answers["strategy"] == kind]
        for model, group in of_kind.groupby("model", sort=False):
            cell = measured(group, OFFICIAL, settings)
            differ = abs(cell["accuracy"] - cell["strict_accuracy"]) > NOTABLE_POINTS
            named = {
                "asked_about": kind,
                "kind": "measured",
                "model": model,
                "rules_differ": differ,
            }
            yield {**common, **named, **cell}
        keys = list(items_of(of_kind)["key"])
        for name, said in BASELINES.items():
            named = {"asked_about": kind, "kind": "reference", "model": name}
            yield {**common, **named, **constant(keys, said)}
    for model, group in answers.groupby("model", sort=False):
        groups = [group[group["strategy"] == kind] for kind in kinds]
        value, low, high = mean_of(groups, OFFICIAL, "accuracy", settings)
        bounds = {"accuracy": value, "accuracy_low": low, "accuracy_high": high}
        named = {"asked_about": MEAN, "kind": "measured", "model": model}
        yield {**common, **named, "images": group["image_id"].nunique(), **bounds}


def _unasked(grades: pd.DataFrame, settings: Settings) -> list[str]:
    asked = len(of_variant(grades, EXTENDED))
    return [] if asked else ["Nothing was asked: this variant needs the drawn scenes."]


TABLE = Table(
    "pope_extended",
    "POPE extended: attributes, relations and look-alikes on drawn scenes",
    rows=rows,
    csv=COLUMNS,
    columns=(
        Text("Asked about", "asked_about", words=_WORDS),
        Text("Model", "model"),
        score("Accuracy", "accuracy", bounds=True),
        score("Precision", "precision"),
        score("Recall", "recall"),
        score("F1 score", "f1"),
        score("Yes (%)", "yes_ratio"),
        score("Strict\naccuracy", "strict_accuracy"),
        UNPARSED,
        Counted("Answers", "n"),
    ),
    notes=(
        "Variant pope_extended. Keys follow from how the scenes were drawn and are proven from their pixels. Half "
        "of the keys of each kind are yes.",
        "Attribute: the right colour or number against another one. Relation: as it is against the other way "
        "round; inside: what lies in a box against what lies beside it. Look-alike: an object of the scene against "
        "the absent object whose shape is most like one of the scene's.",
        "Percent, read by the official rule; strict accuracy by the strict one. Bold: best of the block. Mean: "
        "unweighted over the kinds.",
        INTERVAL_NOTE,
        _unasked,
    ),
    split_by="Asked about",
)
