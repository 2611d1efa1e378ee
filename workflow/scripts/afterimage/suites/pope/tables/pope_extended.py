"""Attributes, relations and look-alikes on drawn scenes: what the blog wishes POPE asked, with exact keys.

Counts and scores by the official rule, in percent with clustered bounds, and by the strict one; ``mean`` rows hold the
unweighted mean of the accuracies.
"""

from collections.abc import Iterator
from functools import partial

import pandas as pd

from afterimage.showing.columns import Counted, Text
from afterimage.showing.composed import measured
from afterimage.showing.declaration import Best as BestOf
from afterimage.showing.declaration import By, Settings, Table
from afterimage.showing.outcomes import UNPARSED
from afterimage.showing.values import Distinct, outcomes
from afterimage.suites.pope.names import EXTENDED, KINDS
from afterimage.suites.pope.tables.answers import MEAN, by_strategy, of_variant
from afterimage.suites.pope.tables.cells import (
    ANSWERS,
    CONFUSION,
    INTERVAL_NOTE,
    KEYS_YES,
    RULES_DIFFER,
    Best,
    score,
    score_values,
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


def _of_variant(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    answers = of_variant(grades, EXTENDED)
    # One name for the drawn scenes, boxes among them or not.
    return answers.assign(dataset=answers["dataset"].iloc[0]) if len(answers) else answers


def _unasked(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    if not len(of_variant(grades, EXTENDED)):
        yield "Nothing was asked: this variant needs the drawn scenes."


TABLE = Table(
    "pope_extended",
    "POPE extended: attributes, relations and look-alikes on drawn scenes",
    of=_of_variant,
    rows=(By(("variant", "dataset", "prompt")), partial(by_strategy, "asked_about", KINDS)),
    csv=(
        *("variant", "dataset", "prompt", "asked_about", "kind", "model"),
        *ANSWERS,
        *measured(Distinct("images", "image_id"), also=(MEAN,)),
        *KEYS_YES,
        *CONFUSION,
        *measured(*outcomes()),
        score_values(of_means=("accuracy",)),
        *RULES_DIFFER,
        Best(("prompt", "asked_about"), ("accuracy", "f1")),
    ),
    columns=(
        Text("Asked about", "asked_about", words=_WORDS),
        Text("Prompt", "prompt"),
        Text("Model", "model"),
        score("Accuracy", "accuracy", bounds=True),
        score("Precision", "precision"),
        score("Recall", "recall"),
        score("F1 score", "f1"),
        score("Yes (%)", "yes_ratio"),
        score("Strict\naccuracy", "strict_accuracy"),
        *UNPARSED,
        Counted("Answers", "n"),
    ),
    notes=(
        "Variant pope_extended. Keys follow from how the scenes were drawn and are proven from their pixels. Half "
        "of the keys of each kind are yes.",
        "Attribute: the right colour or number against another one. Relation: as it is against the other way "
        "round; inside: what lies in a box against what lies beside it. Look-alike: an object of the scene against "
        "the absent object whose shape is most like one of the scene's.",
        "Percent, read by the official rule; strict accuracy by the strict one. Bold: the best model of the block. "
        "Mean: unweighted over the kinds.",
        "Uniform guessing: yes or no at random, the scores of what is to be expected. The best constant answer is the "
        "better one of always yes and always no.",
        INTERVAL_NOTE,
        _unasked,
    ),
    best=BestOf({"Accuracy": "accuracy", "F1 score": "f1"}, within=("prompt", "asked_about")),
    split_by="Asked about",
)
