"""Rows to read the models' rows against: who answers without looking at the image. Standard library only.

A table names them beside the step that parts its answers by model: ``By("model", references=BASELINES)``. They are
worked out of the items alone: what each offers, and its key. The best answer and the best place are those of the row,
so that each condition is compared with what can be had in it without looking.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import pandas as pd

#: What is to be known of a row, and its answers; None for no row.
Answered: TypeAlias = "tuple[Mapping[str, Any], pd.DataFrame] | None"

#: The column "kind" of a table that has rows of reference: a model's row, or one that stands for no model.
MEASURED, REFERENCE = "measured", "reference"


#: What the rows are called, and the best of which answer they give stands in the column "answer".
GUESSING, CONSTANT, POSITION = "uniform guessing", "best constant answer", "best position"
#: What stands in a CSV in a paper's own word, in the one word that readers see for it everywhere.
IN_WORDS = {"Random": GUESSING}
_BETWEEN = ("second", "third", "fourth", "fifth")
#: Both constant answers to a yes-or-no question, of which the better one is the best; and how graders name them.
ALWAYS = {"always yes": "Yes", "always no": "No"}


@dataclass(frozen=True)
class Reference:
    """Who answers without looking.

    Attributes:
        name: Stands in the column of the models.
        answer: Takes the items of a row, each once, and returns what is to be known of the row, and the graded answers;
            None where nobody can answer so, and there is no row.
    """

    name: str
    answer: Callable[[pd.DataFrame], Answered]


def most_frequent(keys: Iterable[str]) -> tuple[str, int]:
    """Return the key that is right most often, the first of equals, and how often it is."""
    return min(Counter(keys).items(), key=lambda counted: (-counted[1], counted[0]))


def guess(items: pd.DataFrame) -> Answered:
    """Guess among what each item offers; ``correct`` is the exact chance, a Fraction. None where one offers nothing."""
    if not len(items) or "offered" not in items or not all(map(len, items["offered"])):
        return None
    chances = [
        Fraction(list(offered).count(key), len(offered))
        for offered, key in zip(items["offered"], items["key"], strict=True)
    ]
    return {}, items.assign(correct=chances)


def same_answer(items: pd.DataFrame) -> Answered:
    """Give the one answer that is right most often; None where answers are places, which :func:`same_place` chooses."""
    if not len(items) or _labelled_by_place(items):
        return None
    answer, _ = most_frequent(items["key"])
    return {"answer": answer}, items.assign(correct=items["key"] == answer)


def always(said: str, items: pd.DataFrame) -> Answered:
    """Give one answer, whatever is asked."""
    return ({}, items.assign(answer=said, correct=items["key"] == said)) if len(items) else None


def same_place(items: pd.DataFrame) -> Answered:
    """Choose the one place that is right most often, whatever stands there; None where a question lists no options."""
    if not len(items) or "is_listed" not in items or not items["is_listed"].all():
        return None
    asked = list(zip(items["offered"], items["key"], strict=True))
    right = {
        name: [option_at(place, offered) == key for offered, key in asked]
        for name, place in places(items["offered"]).items()
    }
    best = max(right, key=lambda name: sum(right[name]))
    return {"answer": best}, items.assign(correct=right[best])


def places(offered: Iterable[Sequence[str]]) -> dict[str, int]:
    """Return the places to choose among, from 0, by name; the last is -1, and goes before those in between."""
    sizes = {len(options) for options in offered}
    # Where all have as many options, the last place has no other name.
    between = range(1, max(sizes) - (len(sizes) == 1))
    return {"first": 0, "last": -1, **{_place_name(number): number for number in between}}


def option_at(place: int, offered: Sequence[str]) -> str | None:
    """Return the option at a place; None where there are not as many."""
    return offered[place] if place < len(offered) else None


def _place_name(number: int) -> str:
    return _BETWEEN[number - 1] if number <= len(_BETWEEN) else f"place {number + 1}"


def _labelled_by_place(items: pd.DataFrame) -> bool:
    """Tell whether the ids of listed options are labels of places: all offer the same ids in the same order."""
    listed = items["offered"][items["is_listed"]] if "is_listed" in items else []
    if not len(listed):
        return False
    longest = max(map(list, listed), key=len)
    return all(list(offered) == longest[: len(offered)] for offered in listed)


#: The rows that every table of right and wrong answers has, where they differ and can be worked out.
BASELINES = (
    Reference(GUESSING, guess),
    Reference(CONSTANT, same_answer),
    Reference(POSITION, same_place),
)
#: The same of yes-or-no questions: both constant answers, so that a row's name says which.
YES_OR_NO = (
    BASELINES[0],
    *(Reference(name, partial(always, said)) for name, said in ALWAYS.items()),
)
