"""The cells of the texture paper's printed numbers."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from afterimage.contract.paper import CellRef, Number, nowhere

_CHOICES = {"two_choice": 2, "five_choice": 5}
_CLASSIFICATION, _GENERATION = "texture_classification", "texture_generation"
#: Rows of the table of classification that are no models.
_ROWS = {"random": "Random", "human": "Human"}
_WORDS = 3
_QUESTIONS, _SAMPLES = 335, {"total": 107}
_REJECTED = "texture_rejected"


def cell(number: Number) -> CellRef | None:
    """Return the cell of an accuracy or a score, about photographs of unknown hash."""
    reference = _cell(number)
    return reference and replace(reference, data=("photographs",))


def _cell(number: Number) -> CellRef | None:
    if number.table == "table1":
        choose = f"choose_{_CHOICES[number.subset]}"
        return CellRef(
            _CLASSIFICATION,
            f"{choose}_accuracy",
            k=f"{choose}_k",
            n=(f"{choose}_n",),
            low=f"{choose}_low",
            high=f"{choose}_high",
            model=_ROWS.get(number.model, ""),
            asked={} if number.model == "random" else {f"{choose}_n": _QUESTIONS},
        )
    if number.table == "table2":
        return CellRef(
            _GENERATION,
            "yes_no",
            k="yes_k",
            n=("judged_words",),
            low="yes_no_low",
            high="yes_no_high",
            asked=_SAMPLES,
        )
    if number.table == "table3":
        return CellRef(
            _GENERATION,
            "agreement",
            k="hits",
            n=("valid",),
            low="agreement_low",
            high="agreement_high",
            times=_WORDS,
            asked=_SAMPLES,
        )
    if number.metric == "n_samples_all_no":
        return CellRef(
            _REJECTED,
            "items_with_rejected",
            k="items_with_rejected",
            n=("total",),
            asked=_SAMPLES,
            models=("gpt-4o", "llava-v1.5-7b"),
            needs="needs three people's verdicts on all words of both models (docs/texture.md)",
        )
    if number.metric == "n_valid_samples":
        return CellRef(_GENERATION, "valid", n=("total",), asked=_SAMPLES)
    return None


def quoted(number: Number) -> tuple[CellRef, ...]:
    """Return the cell of an accuracy or a score."""
    reference = cell(number)
    return () if reference is None else (reference,)


#: No recorded answers of this paper are known.
recorded = nowhere


#: The paper's materials are not public, and other ones have other sizes.
size = nowhere


def missing(settings: Mapping[str, Any]) -> dict[str, str]:
    """Return the tables that cannot be compared: all, where the materials are the drawn ones."""
    if settings["data"] is not None:
        return {}
    reason = (
        "data absent: the study uses drawn materials; photographs and people's words go into a folder named by the "
        "config key 'suites.texture.data' (docs/texture.md)"
    )
    return dict.fromkeys((_CLASSIFICATION, _GENERATION, _REJECTED), reason)
