"""The paper's Table 3: accuracy, precision, recall, F1 and the share of yes, per strategy and model.

Answers are read by the official rule, for comparison with print, and beside it by the strict one.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

import pandas as pd

from afterimage.showing.columns import Counted, Text
from afterimage.showing.declaration import Settings, Table
from afterimage.suites.pope.metrics import SCORES
from afterimage.suites.pope.names import POPE, STRATEGIES
from afterimage.suites.pope.tables.answers import (
    BASELINES,
    bookkeeping,
    items_of,
    of_variant,
)
from afterimage.suites.pope.tables.cells import (
    CONFUSION,
    NOTABLE_POINTS,
    OFFICIAL,
    STRICT,
    accuracy_by,
    constant,
    mark_best,
    mean_of,
    measured,
    recall_by,
)
from afterimage.suites.pope.tables.columns import INTERVAL_NOTE, UNPARSED, score

#: Row of the unweighted mean over the strategies; of F1 this is what LLaVA reports as POPE.
MEAN = "mean"

_RULES = ("contains_label", "exact", "word")
_COUNTS = (
    *("n", "n_questions", "image_missing", "no_negative_left", "images", "keys_yes", "weak_gold_k"),
    *CONFUSION,
    "unparsed_k",
)
_SCORES = tuple(f"{name}{end}" for name in SCORES for end in ("", "_low", "_high"))
_STRICT = tuple(
    f"strict_{name}{end}" for name in ("accuracy", "f1") for end in ("", "_low", "_high")
)
COLUMNS = (
    *("variant", "dataset", "prompt", "strategy", "kind", "model"),
    *_COUNTS,
    *_SCORES,
    *_STRICT,
    "rules_differ",
    *(f"{rule}_accuracy" for rule in _RULES),
    "best",
)
_NOBODY = "(no image is there: nobody was asked)"


def rows(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Score every model under every strategy and prompt.

    Args:
        grades: Graded answers of all models, factors as columns.
        settings: "confidence", "resamples", "seed", and ``pope`` as the suite's ``table_settings`` returned it.

    Returns:
        The columns of :data:`COLUMNS`. ``n`` answers to ``n_questions`` questions, of which ``image_missing`` could not
        be asked; confusion counts and scores by the official rule, in percent with clustered bounds; ``strict_*`` by
        the strict rule, ``unparsed_k`` answers that it cannot read; ``rules_differ``: the two accuracies are more than
        a point apart; accuracies by three more rules. ``mean`` rows hold unweighted means over the strategies.
    """
    answers = of_variant(grades, POPE)
    scored = list(_rows(answers, settings)) if len(answers) else _unasked(settings)
    mark_best(scored, ("prompt", "strategy"), ("accuracy", "precision", "recall", "f1"))
    frame = pd.DataFrame(scored, columns=list(COLUMNS))
    floats = dict.fromkeys(
        name for name in COLUMNS if name in (*_SCORES, *_STRICT) or name.endswith("_accuracy")
    )
    return frame.astype(dict.fromkeys(_COUNTS, "Int64") | dict.fromkeys(floats, "float"))


def _rows(answers: pd.DataFrame, settings: Settings) -> Iterator[dict]:
    asked = bookkeeping(answers)
    strategies = [name for name in STRATEGIES if name in set(answers["strategy"])]
    for prompt, of_prompt in answers.groupby("prompt", sort=False):
        for strategy in strategies:
            of_strategy = of_prompt[of_prompt["strategy"] == strategy]
            common = {
                "variant": POPE,
                "dataset": of_strategy["dataset"].iloc[0],
                "prompt": prompt,
                "strategy": strategy,
            }
            for model, group in of_strategy.groupby("model", sort=False):
                yield common | _measured(model, group, asked[strategy], settings)
            keys = list(items_of(of_strategy)["key"])
            for name, said in BASELINES.items():
                yield common | {"kind": "reference", "model": name, **constant(keys, said)}
        if len(strategies) > 1:
            yield from _means(of_prompt, strategies, prompt, settings)


def _measured(model: str, group: pd.DataFrame, asked: Mapping, settings: Settings) -> dict:
    cell = measured(group, OFFICIAL, settings)
    repeats = group["repeat"].nunique()
    return {
        "kind": "measured",
        "model": model,
        "n_questions": asked["questions"] * repeats,
        "image_missing": asked["image_missing"] * repeats,
        "no_negative_left": asked["no_negative_left"],
        "weak_gold_k": int(items_of(group)["weak_gold"].eq("yes").sum()),
        **cell,
        "rules_differ": abs(cell["accuracy"] - cell["strict_accuracy"]) > NOTABLE_POINTS,
        **{f"{rule}_accuracy": accuracy_by(group, rule) for rule in _RULES},
    }


def _means(
    answers: pd.DataFrame, strategies: Sequence[str], prompt: str, settings: Settings
) -> Iterator[dict]:
    common = {
        "variant": POPE,
        "dataset": answers["dataset"].iloc[0],
        "prompt": prompt,
        "strategy": MEAN,
        "kind": "measured",
    }
    for model, group in answers.groupby("model", sort=False):
        groups = [group[group["strategy"] == name] for name in strategies]
        row = {**common, "model": model, "images": group["image_id"].nunique()}
        for name in ("accuracy", "f1"):
            value, low, high = mean_of(groups, OFFICIAL, name, settings)
            row |= {name: value, f"{name}_low": low, f"{name}_high": high}
        row["strict_accuracy"] = mean_of(groups, STRICT, "accuracy", settings)[0]
        yield row


def _unasked(settings: Settings) -> list[dict]:
    """Return a row per question file of which no image is there: its questions are counted all the same."""
    return [
        {
            "variant": POPE,
            "dataset": told["dataset"],
            "prompt": "as_released",
            "strategy": strategy,
            "kind": "measured",
            "model": _NOBODY,
            "n": 0,
            "n_questions": told["questions"],
            "image_missing": told["questions"],
            "no_negative_left": 0,
            "images": 0,
        }
        for strategy, told in settings.get("pope", {}).get("files", {}).items()
    ]


def _data_notes(grades: pd.DataFrame, settings: Settings) -> list[str]:
    answers, notes = of_variant(grades, POPE), []
    for strategy, told in settings.get("pope", {}).get("files", {}).items():
        notes.append(
            f"{strategy}: {told['questions']} questions, {told['version']}, SHA-256 {told['sha256'][:16]}..."
        )
    asked = bookkeeping(answers)
    for strategy, counts in asked.items():
        if counts["image_missing"]:
            notes.append(
                f"{strategy}: {counts['image_missing']} of {counts['questions']} questions were not asked, because "
                "their image is not there (image_missing); scores are over the answers that exist."
            )
        if counts["no_negative_left"]:
            notes.append(
                f"{strategy}: {counts['no_negative_left']} pairs of questions could not be asked, because no object "
                "was left that is not in the image (no_negative_left)."
            )
    weak = items_of(answers)["weak_gold"].eq("yes").sum() if len(answers) else 0
    if weak:
        notes.append(
            f"{weak} keys 'no' are weak: the object is not known to be absent, or a caption mentions it (weak_gold)."
        )
    return notes


def _rule_notes(grades: pd.DataFrame, settings: Settings) -> list[str]:
    differing = []
    for (prompt, strategy, model), group in _groups(of_variant(grades, POPE)):
        official, strict = accuracy_by(group, OFFICIAL), accuracy_by(group, STRICT)
        if abs(official - strict) > NOTABLE_POINTS:
            differing.append(f"{model} ({prompt}, {strategy}): {official:.2f} and {strict:.2f}")
    if not differing:
        return []
    listed = "; ".join(differing)
    return [f"Official and strict accuracy differ by more than {NOTABLE_POINTS:g} point: {listed}."]


def _recall_notes(grades: pd.DataFrame, settings: Settings) -> list[str]:
    unequal = []
    recalls = [
        (prompt, model, round(recall_by(group, OFFICIAL), 9))
        for (prompt, _, model), group in _groups(of_variant(grades, POPE))
    ]
    for (prompt, model), found in groupby(sorted(recalls), key=lambda entry: entry[:2]):
        if len({recall for _, _, recall in found}) > 1:
            unequal.append(f"{model} ({prompt})")
    if not unequal:
        return []
    return [
        "The strategies ask the same questions about objects that are there, so a deterministic model's recall is the "
        f"same in all of them. It is not for: {', '.join(unequal)}."
    ]


def _groups(answers: pd.DataFrame) -> list:
    if not len(answers):
        return []
    return list(answers.groupby(["prompt", "strategy", "model"], sort=False))


TABLE = Table(
    "pope",
    "POPE: is the object in the image?",
    rows=rows,
    csv=COLUMNS,
    columns=(
        Text("Strategy", "strategy"),
        Text("Prompt", "prompt"),
        Text("Model", "model"),
        score("Accuracy", "accuracy", bounds=True),
        score("Precision", "precision"),
        score("Recall", "recall"),
        score("F1 score", "f1", bounds=True),
        score("Yes (%)", "yes_ratio"),
        score("Strict\naccuracy", "strict_accuracy"),
        UNPARSED,
        Counted("Answers", "n", of="n_questions"),
    ),
    notes=(
        "Variant pope: half of the questions name an object that is in the image. POPE-R of the table pope_blog is "
        "another test.",
        "Percent. All columns up to Yes (%) read answers by the official rule, which knows yes and no only (an "
        "empty answer is a yes). Strict accuracy: the strict rule; what it cannot read is unparsed and counts as "
        "wrong. Bold: best of the block.",
        "Mean: unweighted over the strategies; its F1 is what is often printed as one POPE score.",
        INTERVAL_NOTE,
        _data_notes,
        _rule_notes,
        _recall_notes,
    ),
    split_by="Strategy",
)
