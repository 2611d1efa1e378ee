"""Who answers both questions about an image without looking: what a guess, one role and one place earn.

Options are others in every figure, so that a constant answer is one by its role: the option that the figure suggests,
or the one that says that there is no difference. Both questions get the same; the best is the one that is right in both
most often in the row.
"""

from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from afterimage.showing.references import (
    CONSTANT,
    GUESSING,
    POSITION,
    Answered,
    Reference,
    option_at,
    places,
)
from afterimage.suites.illusion_vqa.tables.four_cells import CLASS_OF

#: Role to what readers are told.
_ROLES = {"illusory": "the illusory option", "neutral": "no difference"}


def _guess(units: pd.DataFrame) -> Answered:
    return ({}, units) if len(units) else None


def _same_role(units: pd.DataFrame) -> Answered:
    roles = {words: units[role] for role, words in _ROLES.items() if role in units}
    return _best(
        units,
        {words: [(said, said) for said in options] for words, options in roles.items()},
    )


def _same_place(units: pd.DataFrame) -> Answered:
    if not len(units) or "offered" not in units:
        return None
    offered = [options for both in units["offered"] for options in both]
    return _best(
        units,
        {
            name: [
                tuple(option_at(place, options) for options in both) for both in units["offered"]
            ]
            for name, place in places(offered).items()
        },
    )


def _best(units: pd.DataFrame, said: Mapping[str, Sequence[tuple[str | None, ...]]]) -> Answered:
    """Return the answers that are right to both questions most often, with their name."""
    if not len(units) or not said or "keys" not in units:
        return None
    cells = {name: list(_cells(units, answers)) for name, answers in said.items()}
    best = max(cells, key=lambda name: cells[name].count("both_correct"))
    return {"answer": best}, units.assign(cell=cells[best])


def _cells(units: pd.DataFrame, said: Sequence[tuple[str | None, ...]]) -> Iterable[str]:
    for answers, keys in zip(said, units["keys"], strict=True):
        actual, apparent = (answer == key for answer, key in zip(answers, keys, strict=True))
        yield CLASS_OF[actual, apparent]


#: The rows below the models'.
NOT_LOOKING = (
    Reference(GUESSING, _guess),
    Reference(CONSTANT, _same_role),
    Reference(POSITION, _same_place),
)
NAMES = tuple(reference.name for reference in NOT_LOOKING)
NOTE = (
    "Uniform guessing: expected shares for independent guesses over the options of each image. Best constant answer: "
    "the option that the figure suggests, or the one that says that there is no difference, to both questions; best "
    "position: always the first, the second, ... or the last option; whichever has most images both correct in the "
    "row, in parentheses."
)
