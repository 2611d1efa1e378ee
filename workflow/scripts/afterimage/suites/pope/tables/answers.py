"""The graded answers of one variant, and the bookkeeping of what was not asked."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import pandas as pd

from afterimage.errors import AfterimageError
from afterimage.showing.compute import parted
from afterimage.showing.declaration import By, Settings
from afterimage.showing.references import GUESSING, MEASURED, REFERENCE, Reference

#: Both constant answers. Rows of reference stand for no model; their "kind" is "reference", all others' is "measured".
BASELINES = {"always yes": "yes", "always no": "no"}
#: Role and level of rows with an unweighted mean.
MEAN = "mean"
#: Roles of the means of who does not look.
MEANS = {name: f"{MEAN} of {name}" for name in (GUESSING, *BASELINES)}

_NEEDED = ("item_id", "model", "prompt", "key", "outcome", "readings")


def of_variant(grades: pd.DataFrame, variant: str) -> pd.DataFrame:
    """Return the answers of one variant, with the column "image_id" as what their intervals are clustered on.

    Raises:
        AfterimageError: A column is missing.
    """
    missing = [name for name in _NEEDED if name not in grades.columns]
    if missing and len(grades):
        raise AfterimageError(
            f"grades: column '{missing[0]}' is missing; expected {', '.join(_NEEDED)}."
        )
    if "variant" not in grades.columns:
        return grades.iloc[:0]
    return grades[grades["variant"] == variant]


def bookkeeping(answers: pd.DataFrame) -> dict[str, dict]:
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
    name: str, order: Sequence[str], asked: pd.DataFrame, settings: Settings
) -> Iterator[tuple[dict[str, str], pd.DataFrame]]:
    """Part answers by strategy, the constant answers below the models, and then by model alone, for means.

    Args:
        name: What the table calls a strategy.
        order: The strategies; those that were not asked have no rows.
        asked: The answers.
        settings: The table's.
    """
    models = By("model", references=_REFERENCES)
    found = [strategy for strategy in order if strategy in set(asked["strategy"])]
    for strategy in found:
        part = asked[asked["strategy"] == strategy]
        for names, own, _ in parted((models,), part, settings, {name: strategy}):
            yield names, own
    if len(found) > 1:
        for model, own in asked.groupby("model", sort=False):
            yield {name: MEAN, "kind": MEASURED, "role": MEAN, "model": model}, own
        for reference in _REFERENCES:
            row = {name: MEAN, "kind": REFERENCE, "role": MEANS[reference.name]}
            yield {**row, "model": reference.name}, reference.answer(items_of(asked))[1]


def _always(said: str, items: pd.DataFrame) -> tuple[dict[str, str], pd.DataFrame]:
    return {}, items.assign(readings=[{"official": said, "strict": said}] * len(items))


def _guess(items: pd.DataFrame) -> tuple[dict[str, str], pd.DataFrame]:
    return {}, items


_REFERENCES = (
    Reference(GUESSING, _guess),
    *(Reference(name, partial(_always, said)) for name, said in BASELINES.items()),
)


def listed(counts: Mapping[str, int]) -> str:
    """Return counts in words: ``no_attribute_in_description 2, no_alternative_attribute 1``; empty for none."""
    return ", ".join(f"{name} {number}" for name, number in counts.items() if number)
