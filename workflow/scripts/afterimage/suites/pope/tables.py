"""The paper's table 3, and the tables of the drawn scenes."""

from collections.abc import Iterator
from functools import partial
from itertools import groupby
from typing import Any

import pandas as pd

from afterimage.note import Note
from afterimage.showing.tables.accuracy import UNPARSED
from afterimage.showing.tables.baselines import GUESSING, MEASURED, measured
from afterimage.showing.tables.columns import Counted, Text
from afterimage.showing.tables.compute import parts
from afterimage.showing.tables.declaration import Best as BestOf
from afterimage.showing.tables.declaration import By, PaperForm, Settings, Table
from afterimage.showing.tables.pairs import pairs_table
from afterimage.showing.tables.paper_form import models_alone
from afterimage.showing.tables.recognition import recognition_table
from afterimage.showing.tables.values import Distinct, Group, Worked, answers, outcomes
from afterimage.suites.pope.names import EXTENDED, KINDS, STRATEGIES, VARIANTS
from afterimage.suites.pope.names import POPE as VARIANT
from afterimage.suites.pope.scores import (
    ANSWERS,
    BASELINES,
    CONFUSION,
    INTERVAL_NOTE,
    KEYS_YES,
    MEAN,
    NOTABLE_POINTS,
    OFFICIAL,
    RULES_DIFFER,
    STRICT,
    Best,
    accuracy_by,
    bookkeeping,
    by_strategy,
    items_of,
    of_variant,
    recall_by,
    right,
    rules_differ,
    score,
    score_values,
)

# The paper's Table 3: accuracy, precision, recall, F1 and the share of yes, per strategy and model.
#
# ``n`` answers to ``n_questions`` questions, of which ``image_missing`` could not be asked; confusion counts and
# scores by the official rule, for comparison with print, in percent with clustered bounds; ``strict_*`` by the strict
# rule, ``unparsed_k`` answers that it cannot read; ``rules_differ``: the two accuracies are more than a point apart;
# accuracies by three more rules. ``mean`` rows hold unweighted means over the strategies.

_RULES = ("contains_label", "exact", "word")
#: Role of rows that count questions whose images are all missing.
_UNASKED = "unasked"
_NOT_ASKED = "(no image: not asked)"


def _strategies(
    grades: pd.DataFrame, settings: Settings
) -> Iterator[tuple[dict[str, Any], pd.DataFrame]]:
    """Group answers by prompt, strategy and model; without any, a row per question file counts its questions."""
    tallies = bookkeeping(grades)
    for names, group in parts(By(("variant", "dataset", "prompt")), grades, settings):
        for row, part in by_strategy("strategy", STRATEGIES, group, settings):
            yield {**names, **row, "asked": tallies.get(row["strategy"])}, part
    for strategy, file in {} if len(grades) else settings.get("pope", {}).get("files", {}).items():
        row = {"variant": VARIANT, "dataset": file["dataset"], "prompt": "as_released"}
        row |= {"strategy": strategy, "kind": MEASURED, "role": _UNASKED, "model": _NOT_ASKED}
        questions = file["questions"]
        counts = {"questions": questions, "image_missing": questions, "no_negative_left": 0}
        yield {**row, "asked": counts}, pd.DataFrame({"image_id": []})


def _paper_of_variant(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    return of_variant(grades, VARIANT)


def _question_counts(group: Group) -> tuple[int, int, int]:
    tally = group.row["asked"]
    repeats = group.answers["repeat"].nunique() if len(group.answers) else 1
    counts = (tally["questions"] * repeats, tally["image_missing"] * repeats)
    return *counts, tally["no_negative_left"]


def _accuracy_by(rule: str, group: Group) -> tuple[float]:
    return (accuracy_by(group.answers, rule),)


def _data_notes(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    answers = of_variant(grades, VARIANT)
    for strategy, file in settings.get("pope", {}).get("files", {}).items():
        again = (
            f" ({file['repeated']} stand there twice, asked once)" if file.get("repeated") else ""
        )
        yield (
            f"{strategy}: {file['questions']} questions{again}, {file['version']}, "
            f"SHA-256 {file['sha256'][:16]}..."
        )
    for strategy, counts in bookkeeping(answers).items():
        if counts["image_missing"]:
            yield Note(
                "{strategy}: {image_missing} of {questions} questions were not asked, because their "
                "image is not there (image_missing); scores are over the answers that exist.",
                strategy=strategy,
                image_missing=counts["image_missing"],
                questions=counts["questions"],
            )
        if counts["no_negative_left"]:
            yield Note(
                "{strategy}: {no_negative_left} pairs of questions could not be asked, because no "
                "object was left that is not in the image (no_negative_left).",
                strategy=strategy,
                no_negative_left=counts["no_negative_left"],
            )
    weak = items_of(answers)["weak_gold"].eq("yes").sum() if len(answers) else 0
    if weak:
        yield Note(
            "{weak} keys 'no' are weak: the object is not known to be absent, or a caption "
            "mentions it (weak_gold).",
            weak=weak,
        )


def _rule_notes(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    differing = []
    for (prompt, strategy, model), group in _groups(of_variant(grades, VARIANT)):
        official, strict = accuracy_by(group, OFFICIAL), accuracy_by(group, STRICT)
        if rules_differ(official, strict):
            differing.append(f"{model} ({prompt}, {strategy}): {official:.2f} and {strict:.2f}")
    if differing:
        listed = "; ".join(differing)
        yield Note(
            "Official and strict accuracy differ by more than {n:g} point: {listed}.",
            n=NOTABLE_POINTS,
            listed=listed,
        )


def _recall_notes(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    unequal = []
    recalls = [
        (prompt, model, round(recall_by(group, OFFICIAL), 9))
        for (prompt, _, model), group in _groups(of_variant(grades, VARIANT))
    ]
    for (prompt, model), recalls_of_group in groupby(sorted(recalls), key=lambda entry: entry[:2]):
        if len({recall for _, _, recall in recalls_of_group}) > 1:
            unequal.append(f"{model} ({prompt})")
    if unequal:
        yield Note(
            "The strategies ask the same questions about objects that are there, so a "
            "deterministic model's recall is the same in all of them. It is not for: {unequal}.",
            unequal=", ".join(unequal),
        )


def _groups(answers: pd.DataFrame) -> list[tuple[tuple[str, str, str], pd.DataFrame]]:
    if not len(answers):
        return []
    return list(answers.groupby(["prompt", "strategy", "model"], sort=False))


_UNSEEING_NOTE = (
    "Uniform guessing: yes or no at random, the scores of what is to be expected. The best constant answer is the "
    "better one of always yes and always no."
)
_PRINTED = (
    score("Accuracy", "accuracy"),
    score("Precision", "precision"),
    score("Recall", "recall"),
    score("F1 score", "f1"),
    score("Yes (%)", "yes_ratio"),
)


def _as_in_paper(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the models' rows by strategy, without means."""
    rows = models_alone(frame)
    rows = rows[rows["strategy"].isin(STRATEGIES)]
    return rows.assign(heading=rows["strategy"].str.capitalize())


POPE = Table(
    "pope",
    "POPE: is the object in the image?",
    of=_paper_of_variant,
    rows=(_strategies,),
    csv=(
        *("variant", "dataset", "prompt", "strategy", "kind", "model"),
        *measured(answers(), also=(GUESSING, *BASELINES, _UNASKED)),
        *measured(
            Worked(("n_questions", "image_missing", "no_negative_left"), _question_counts, "whole"),
            also=(_UNASKED,),
        ),
        *measured(Distinct("images", "image_id"), also=(MEAN, _UNASKED)),
        *KEYS_YES,
        *measured(
            Distinct("weak_gold_k", lambda own: own["item_id"].where(own["weak_gold"] == "yes"))
        ),
        *CONFUSION,
        *measured(*outcomes()),
        score_values(of_means=("accuracy", "f1", "strict_accuracy")),
        *RULES_DIFFER,
        *measured(*(Worked((f"{rule}_accuracy",), partial(_accuracy_by, rule)) for rule in _RULES)),
        Best(("prompt", "strategy"), ("accuracy", "precision", "recall", "f1")),
    ),
    columns=(
        Text("Strategy", "strategy"),
        Text("Prompt", "prompt"),
        Text("Model", "model"),
        score("Accuracy", "accuracy", bounds=True),
        *_PRINTED[1:3],
        score("F1 score", "f1", bounds=True),
        _PRINTED[-1],
        score("Strict\naccuracy", "strict_accuracy"),
        *UNPARSED,
        Counted("Answers", "n", of="n_questions"),
    ),
    notes=(
        "Variant pope: half of the questions name an object that is in the image. POPE-R of the table pope_blog is "
        "another test.",
        "Percent. All columns up to Yes (%) read answers by the official rule, which knows yes and no only (an "
        "empty answer is a yes). Strict accuracy: the strict rule; what it cannot read is unparsed and counts as "
        "wrong. Bold: the best model of the block.",
        "Mean: unweighted over the strategies; its F1 is what is often printed as one POPE score.",
        _UNSEEING_NOTE,
        INTERVAL_NOTE,
        _data_notes,
        _rule_notes,
        _recall_notes,
    ),
    best=BestOf(
        {"Accuracy": "accuracy", "Precision": "precision", "Recall": "recall", "F1 score": "f1"},
        within=("prompt", "strategy"),
    ),
    split_by="Strategy",
    paper=PaperForm(
        "POPE on objects that are absent at random, popular, or found together (as table 3 of Li et al., 2023).",
        (Text("Model", "model"), *_PRINTED),
        _as_in_paper,
        "Percent; anything but a plain no counts as yes.",
        best=BestOf({"Accuracy": "accuracy", "F1 score": "f1"}, within=("strategy",)),
        group_by="heading",
    ),
)


def _compared(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    answers = pd.concat([of_variant(grades, variant) for variant in VARIANTS])
    if answers.empty:
        return answers.assign(image_id="", strategy="", variant="")
    return answers.assign(correct=right(answers, OFFICIAL))


PAIRS = pairs_table(
    "pairs_pope",
    "POPE: models compared on the same questions",
    _compared,
    by=("variant", "strategy"),
    cluster="image_id",
)


# Attributes, relations and look-alikes on drawn scenes: what the blog wishes POPE asked, with exact keys.
#
# Counts and scores by the official rule, in percent with clustered bounds, and by the strict one; ``mean`` rows hold
# the unweighted mean of the accuracies.

_WORDS = {
    "colour": "attribute: colour",
    "count": "attribute: number",
    "left_of": "relation: left of",
    "above": "relation: above",
    "inside": "relation: inside",
    "larger_than": "relation: larger than",
    "similar": "look-alike that is absent",
}


def _extended_of_variant(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    answers = of_variant(grades, EXTENDED)
    # One name for the drawn scenes, boxes among them or not.
    return answers.assign(dataset=answers["dataset"].iloc[0]) if len(answers) else answers


def _unasked(grades: pd.DataFrame, settings: Settings) -> Iterator[str]:
    if not len(of_variant(grades, EXTENDED)):
        yield "Nothing was asked: this variant needs the drawn scenes."


POPE_EXTENDED = Table(
    "pope_extended",
    "POPE extended: attributes, relations and look-alikes on drawn scenes",
    of=_extended_of_variant,
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
        *_PRINTED[1:],
        score("Strict\naccuracy", "strict_accuracy"),
        *UNPARSED,
        Counted("Answers", "n"),
    ),
    notes=(
        "Variant pope_extended. Keys follow from how the scenes were drawn and are proven from their pixels. Half "
        "of the keys of each kind are yes.",
        "Attribute: the right colour or number against another one. Relation: as it is against the "
        "other way round; inside: what is in a box against what is next to it. Look-alike: an object "
        "of the scene against the absent object whose shape is most like one of the scene's.",
        "Percent, read by the official rule; strict accuracy by the strict one. Bold: the best model of the block. "
        "Mean: unweighted over the kinds.",
        _UNSEEING_NOTE,
        INTERVAL_NOTE,
        _unasked,
    ),
    best=BestOf({"Accuracy": "accuracy", "F1 score": "f1"}, within=("prompt", "asked_about")),
    split_by="Asked about",
)


# Whether people recognise the silhouettes of the drawn scenes (``forms.py``).

POPE_RECOGNITION = recognition_table(
    "pope_recognition", "POPE: are the drawn silhouettes recognised by people?", "pope"
)
