"""Agreement between raters, and between several answers to one question."""

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike


class Rating(NamedTuple):
    """One answer: who judged what, and how."""

    unit: Hashable
    annotator: Hashable
    answer: Hashable


class Uniformity(NamedTuple):
    """How often an annotator gave the same answer.

    Attributes:
        annotator: Who.
        answers: Number of answers.
        commonest: How many of them are the commonest one.
        careless: Whether the share of the commonest one exceeds the limit.
    """

    annotator: Hashable
    answers: int
    commonest: int
    careless: bool


def counts_by_unit(ratings: Iterable[Rating], categories: Sequence[Hashable] = ()) -> np.ndarray:
    """Count the answers to each unit.

    Args:
        ratings: Answers, each annotator at most once per unit.
        categories: The possible answers, in the order of the columns; by default those that occur, sorted.

    Returns:
        Shape (units, categories), whole numbers; units in the order of their first answer.

    Raises:
        ValueError: An annotator judged a unit twice, or an answer is not among ``categories``.
    """
    ratings = list(ratings)
    repeated = [key for key, n in Counter((r.unit, r.annotator) for r in ratings).items() if n > 1]
    if repeated:
        raise ValueError(
            f"expected one answer per unit and annotator, found several for {repeated[0]}"
        )
    given: set[Any] = {r.answer for r in ratings}
    columns = {answer: index for index, answer in enumerate(categories or sorted(given))}
    unknown = [r.answer for r in ratings if r.answer not in columns]
    if unknown:
        raise ValueError(f"expected answers among {list(columns)}, found {unknown[0]!r}")
    rows = {unit: index for index, unit in enumerate(dict.fromkeys(r.unit for r in ratings))}
    counts = np.zeros((len(rows), len(columns)), dtype=int)
    for rating in ratings:
        counts[rows[rating.unit], columns[rating.answer]] += 1
    return counts


def fleiss_kappa(counts: ArrayLike) -> float:
    """Return Fleiss' kappa (1971): agreement beyond chance, chance being the shares of all answers together.

    Args:
        counts: Shape (units, categories): how many annotators gave each answer to each unit.

    Returns:
        At most 1; NaN if it is undefined: without units, where units were judged by different numbers
        of people or by fewer than two, and where all answers of all units are the same one.
    """
    table = _table(counts)
    judged = table.sum(axis=1)
    if not len(table) or judged.min() < 2 or judged.min() != judged.max() or _constant(table):
        return math.nan
    # Here, as in the next function: most who use this module ask for counts or shares alone, and statsmodels takes
    # a second to import.
    from statsmodels.stats import inter_rater

    return float(inter_rater.fleiss_kappa(table, method="fleiss"))


def krippendorff_alpha(counts: ArrayLike, values: Sequence[float] | None = None) -> float:
    """Return Krippendorff's alpha: agreement beyond chance, with any number of answers per unit.

    Args:
        counts: Shape (units, categories): how many annotators gave each answer to each unit. Units with
            fewer than two answers carry no information.
        values: Values of the categories, ascending, if their order counts (ordinal level); by
            default they are names only (nominal level).

    Returns:
        At most 1; NaN if it is undefined: no unit has two answers, or all answers are the same one.
    """
    table = _table(counts)
    table = table[table.sum(axis=1) >= 2]
    if not len(table) or _constant(table):
        return math.nan
    import krippendorff

    level: Literal["nominal", "ordinal"] = "nominal" if values is None else "ordinal"
    domain = np.arange(table.shape[1]) if values is None else np.asarray(values)
    return float(
        krippendorff.alpha(value_counts=table, value_domain=domain, level_of_measurement=level)
    )


def uniform_annotators(ratings: Iterable[Rating], limit: float = 0.95) -> list[Uniformity]:
    """Tell of each annotator how often the commonest answer was given; careless above ``limit``.

    Whoever always presses the same button agrees with everybody on average, so that agreement alone does not
    show it. A single answer is always uniform: look at ``answers`` too.

    Args:
        ratings: Answers.
        limit: Share from 0 to 1; exactly the limit is not careless.

    Returns:
        One entry per annotator, in order of first answers.
    """
    given: dict[Hashable, Counter[Any]] = {}
    for rating in ratings:
        given.setdefault(rating.annotator, Counter())[rating.answer] += 1
    return [
        Uniformity(annotator, n, most, most > limit * n)
        for annotator, answers in given.items()
        for n, most in [(answers.total(), max(answers.values()))]
    ]


def _table(counts: ArrayLike) -> np.ndarray:
    table = np.asarray(counts)
    if table.size and table.ndim != 2:
        raise ValueError(f"expected counts of shape (units, categories), found {table.shape}")
    return table if table.ndim == 2 else table.reshape(0, 0)


def _constant(table: np.ndarray) -> bool:
    return int((table.sum(axis=0) > 0).sum()) < 2


# ---- robustness ----


class Likeness(NamedTuple):
    """How alike the answers are.

    Attributes:
        items: Questions with at least two answers.
        answers: Their answers, unread ones included.
        unanimous: Questions whose answers are all the same; an unread one is like no other.
        pairs_alike: Mean over questions of the share of pairs of answers that are the same, 0 to 1; NaN without any.
        alpha: Krippendorff's alpha of the answers that were read, nominal; NaN if it is undefined.
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
    columns = {name: index for index, name in enumerate(names)}
    counts = np.zeros((len(several), len(names)), dtype=int)
    for row, given in enumerate(several):
        for answer in given:
            if answer is not None:
                counts[row, columns[answer]] += 1
    return counts
