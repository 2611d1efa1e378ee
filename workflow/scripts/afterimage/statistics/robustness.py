"""How alike several answers to the same question are: the same question asked again, or asked otherwise."""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from afterimage.statistics.agreement import krippendorff_alpha


class Likeness(NamedTuple):
    """How alike the answers are.

    Attributes:
        items: Questions with at least two answers.
        answers: Their answers, unread ones included.
        unanimous: Questions whose answers are all the same; an unread one is like no other.
        pairs_alike: Mean over questions of the share of pairs of answers that are the same, 0 to 1; NaN without any.
        alpha: Krippendorff's alpha of the answers that were read, nominal; NaN where it is undefined.
    """

    items: int
    answers: int
    unanimous: int
    pairs_alike: float
    alpha: float


def likeness(answers: Mapping[Hashable, Sequence[str | None]]) -> Likeness:
    """Compare the answers to each question.

    Args:
        answers: Question to its answers, None for one that could not be read; questions with one answer do not count.
    """
    several = [given for given in answers.values() if len(given) > 1]
    return Likeness(
        len(several),
        sum(map(len, several)),
        sum(None not in given and len(set(given)) == 1 for given in several),
        float(np.mean([_pairs_alike(given) for given in several])) if several else float("nan"),
        krippendorff_alpha(_counts(several)),
    )


class Spread(NamedTuple):
    """How much the accuracy differs between the ways of asking.

    Attributes:
        items: Questions that were asked in all ways; only these are compared.
        lowest: Least accuracy of a way, 0 to 1; NaN without questions.
        highest: Greatest.
        deviation: Standard deviation over the ways (n - 1); NaN with fewer than two.
    """

    items: int
    lowest: float
    highest: float
    deviation: float


def spread(right: Mapping[Hashable, Mapping[Hashable, bool]]) -> Spread:
    """Compare the accuracy of the ways of asking, over the questions that were asked in all of them.

    Args:
        right: Question to the ways in which it was asked, each with whether the answer was right.
    """
    ways = {way for given in right.values() for way in given}
    whole = [given for given in right.values() if given.keys() == ways]
    if not whole:
        return Spread(0, float("nan"), float("nan"), float("nan"))
    shares = [sum(given[way] for given in whole) / len(whole) for way in ways]
    deviation = float(np.std(shares, ddof=1)) if len(shares) > 1 else float("nan")
    return Spread(len(whole), min(shares), max(shares), deviation)


def _pairs_alike(given: Sequence[str | None]) -> float:
    counts = Counter(answer for answer in given if answer is not None)
    alike = sum(count * (count - 1) for count in counts.values())
    return alike / (len(given) * (len(given) - 1))


def _counts(several: Sequence[Sequence[str | None]]) -> np.ndarray:
    """Return how often each question got each answer, shape (questions, different answers)."""
    names = sorted({answer for given in several for answer in given if answer is not None})
    places = {name: place for place, name in enumerate(names)}
    counts = np.zeros((len(several), len(names)), dtype=int)
    for row, given in enumerate(several):
        for answer in given:
            if answer is not None:
                counts[row, places[answer]] += 1
    return counts
