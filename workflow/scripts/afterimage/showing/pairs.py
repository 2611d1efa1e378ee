"""Pairs of answers: two models, or two versions of an image, on the same questions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from afterimage.showing.values import Count

if TYPE_CHECKING:
    import pandas as pd

    from afterimage.showing.declaration import Settings


@dataclass(frozen=True)
class Pairs:
    """Parts answers into every two levels of a column, on the questions that both answered.

    The parts name the two as ``first`` and ``second``, and tell as ``alone_n`` how many answers are left out since the
    other gave none; their rows are pairs, with the columns ``same`` and, as truths, whether the ``first`` and the
    ``second`` of the pair is right.

    Attributes:
        of: The column whose levels are compared.
        same: What the two answers of a pair have in common.
    """

    of: str
    same: tuple[str, ...]

    def __call__(
        self, answers: pd.DataFrame, settings: Settings
    ) -> Iterator[tuple[dict[str, Any], pd.DataFrame]]:
        """Yield every two levels, in the order in which they are first seen, and their pairs."""
        right = answers.pivot(index=list(self.same), columns=self.of, values="correct")
        for first, second in combinations(answers[self.of].unique(), 2):
            own = right[[first, second]]
            shared = own.dropna().astype(bool)
            alone = int(own.notna().to_numpy().sum()) - 2 * len(shared)
            shared.columns = ["first", "second"]
            yield {"first": first, "second": second, "alone_n": alone}, shared.reset_index()


def both(pairs: pd.DataFrame) -> Any:
    """Tell which pairs are right on both sides."""
    return pairs["first"] & pairs["second"]


def only_first(pairs: pd.DataFrame) -> Any:
    """Tell which pairs the first alone has right."""
    return pairs["first"] & ~pairs["second"]


def only_second(pairs: pd.DataFrame) -> Any:
    """Tell which pairs the second alone has right."""
    return ~pairs["first"] & pairs["second"]


def neither(pairs: pd.DataFrame) -> Any:
    """Tell which pairs are wrong on both sides."""
    return ~pairs["first"] & ~pairs["second"]


#: Who of a pair is right, and the function that tells of each pair.
PAIRS_BY_WHO_IS_RIGHT = {
    "both": both,
    "only_first": only_first,
    "only_second": only_second,
    "neither": neither,
}
#: All pairs, counted by who is right.
PAIR_COUNTS = tuple(Count(name, tells) for name, tells in PAIRS_BY_WHO_IS_RIGHT.items())
