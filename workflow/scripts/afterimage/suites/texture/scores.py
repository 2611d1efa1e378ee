"""The scores of words that models write: people's yes or no, and words in common with people (paper, section 4.2).

Equations (1) and (2) of the paper, with the denominators that its printed values need and not only those that its text
names (docs/texture.md). Words are compared as normal forms.
"""

import json
import math
import statistics
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import TYPE_CHECKING, Any

from afterimage.grading.language.typography import normal_form
from afterimage.grading.readers.word_list import words_of
from afterimage.suites.texture.columns import CLASSIFIED, JUDGEMENTS, Row, read_people

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Described:
    """One answer of a model to a generation item.

    Attributes:
        item_id: Which item.
        category: The object's category, for the chance level.
        words: What the lenient reading gives; any number, repetitions kept.
        valid: The three words of a valid answer; None if its form is not valid.
        human: What people wrote about the object.
    """

    item_id: str
    category: str
    words: tuple[str, ...]
    valid: tuple[str, ...] | None
    human: frozenset[str]


def described(answers: "pd.DataFrame") -> list[Described]:
    """Return one model's answers to the generation task, in order."""
    return [
        Described(
            item_id=row["item_id"],
            category=row["category"],
            words=words_of(row["readings"]["lenient"]),
            valid=words_of(row["answer"]) if isinstance(row["answer"], str) else None,
            human=frozenset(json.loads(row["human_words"])),
        )
        for row in answers.to_dict(orient="records")
    ]


@dataclass(frozen=True)
class YesNo:
    """Equation (1): the share of words that people accept, averaged over annotators and items.

    Attributes:
        score: Mean over annotators of the mean over items, 0 to 1; NaN if nobody judged.
        score_valid: The same over items with a valid answer.
        annotators: Who judged.
        items: Number of items, those with an invalid answer too.
        judged: Annotator to the number of items of which all words were judged.
        complete: Whether as many annotators as asked for judged every word.
        yes: Accepted words, over all annotators.
        words: Judged words, over all annotators.
        without_words: Items whose answer holds no word; they count as 0.
        rejected_words: Words that every annotator rejects.
        items_with_rejected: Items with at least one of them.
        items_all_rejected: Items with no other words.
        rejected: The rejected words of each item that has any, by its id.
        by_item: Mean over annotators for each item that anybody judged.
    """

    score: float
    score_valid: float
    annotators: tuple[str, ...]
    items: int
    judged: Mapping[str, int]
    complete: bool
    yes: int
    words: int
    without_words: int
    rejected_words: int
    items_with_rejected: int
    items_all_rejected: int
    rejected: Mapping[str, tuple[str, ...]]
    by_item: Mapping[str, float]


@dataclass(frozen=True)
class Agreement:
    """Equation (2): the share of a model's words that people wrote too, averaged over items.

    Attributes:
        hits: Words in common, over all valid answers.
        valid: Number of valid answers, the paper's denominator.
        total: Number of answers.
        over_valid: The mean over valid answers, 0 to 1; NaN without any.
        over_all: The mean with invalid answers as 0; NaN without answers.
        by_item: Each answer's item, its share, and whether it is valid.
    """

    hits: int
    valid: int
    total: int
    over_valid: float
    over_all: float
    by_item: Sequence[tuple[str, float, bool]]


#: Item and word to each annotator's judgement of it.
Judged = Mapping[tuple[str, str], Mapping[str, bool]]


def yes_no_score(answers: Sequence[Described], judged: Judged, judges: int) -> YesNo:
    """Return equation (1) of one model.

    An item counts for an annotator who judged all of its words. An answer without words is 0 for everybody.

    Args:
        judges: How many annotators the headline needs.
    """
    annotators = tuple(
        sorted(
            {
                name
                for answer in answers
                for word in answer.words
                for name in judged.get((answer.item_id, word), {})
            }
        )
    )
    shares = {name: _shares(answers, judged, name) for name in annotators}
    votes = [
        [judged.get((answer.item_id, word), {}).get(name) for name in annotators]
        for answer in answers
        for word in answer.words
    ]
    rejected = [_rejected(answer, judged, annotators) for answer in answers]
    return YesNo(
        score=_mean_of_means(shares.values()),
        score_valid=_mean_of_means(
            {index: share for index, share in by_answer.items() if answers[index].valid is not None}
            for by_answer in shares.values()
        ),
        annotators=annotators,
        items=len(answers),
        judged={name: len(by_answer) for name, by_answer in shares.items()},
        complete=len(annotators) >= judges
        and all(len(by_answer) == len(answers) for by_answer in shares.values()),
        yes=sum(vote is True for word in votes for vote in word),
        words=sum(vote is not None for word in votes for vote in word),
        without_words=sum(not answer.words for answer in answers),
        rejected_words=sum(map(sum, rejected)),
        items_with_rejected=sum(map(any, rejected)),
        items_all_rejected=sum(bool(words) and all(words) for words in rejected),
        rejected={
            answer.item_id: tuple(compress(answer.words, flags))
            for answer, flags in zip(answers, rejected, strict=True)
            if any(flags)
        },
        by_item=_by_item(answers, shares),
    )


def word_agreement(answers: Sequence[Described]) -> Agreement:
    """Return equation (2) of one model."""
    by_item = []
    hits = 0
    for answer in answers:
        words = frozenset(answer.valid or ())
        common = len(words & answer.human)
        hits += common
        by_item.append(
            (answer.item_id, common / len(words) if words else 0.0, answer.valid is not None)
        )
    valid = [share for _, share, is_valid in by_item if is_valid]
    return Agreement(
        hits=hits,
        valid=len(valid),
        total=len(by_item),
        over_valid=_mean(valid),
        over_all=_mean([share for _, share, _ in by_item]),
        by_item=tuple(by_item),
    )


def chance_agreement(answers: Sequence[Described], same_category: bool) -> float:
    """Return equation (2) with the words that people wrote about another object, drawn at random.

    The mean over all objects that could be drawn, so nothing is left to chance. Over valid answers whose category has
    another object.

    Args:
        same_category: Whether only objects of the same category can be drawn.
    """
    objects = {answer.item_id: answer for answer in answers}
    expected = []
    for answer in answers:
        others = [
            other.human
            for name, other in objects.items()
            if name != answer.item_id and (not same_category or other.category == answer.category)
        ]
        if answer.valid is not None and others:
            words = frozenset(answer.valid)
            expected.append(_mean([len(words & human) / len(words) for human in others]))
    return _mean(expected)


def median_human_words(answers: Iterable[Described]) -> float:
    """Return the median number of different words that people wrote about an object; NaN without objects."""
    counts = [len(words) for words in {a.item_id: a.human for a in answers}.values()]
    return statistics.median(counts) if counts else math.nan


def _shares(answers: Sequence[Described], judged: Judged, name: str) -> dict[int, float]:
    """Return the index of each answer that an annotator judged completely, and the accepted share of its words."""
    shares = {}
    for index, answer in enumerate(answers):
        votes = [judged.get((answer.item_id, word), {}).get(name) for word in answer.words]
        if None not in votes:
            shares[index] = sum(map(bool, votes)) / len(votes) if votes else 0.0
    return shares


def _rejected(answer: Described, judged: Judged, annotators: Sequence[str]) -> list[bool]:
    """Tell for each word whether every annotator rejects it."""
    judgements = [judged.get((answer.item_id, word), {}) for word in answer.words]
    return [
        bool(annotators) and all(votes.get(name) is False for name in annotators)
        for votes in judgements
    ]


def _by_item(
    answers: Sequence[Described], shares: Mapping[str, Mapping[int, float]]
) -> dict[str, float]:
    shares_of: dict[str, list[float]] = {}
    for by_answer in shares.values():
        for index, share in by_answer.items():
            shares_of.setdefault(answers[index].item_id, []).append(share)
    return {item: _mean(values) for item, values in shares_of.items()}


def _mean_of_means(by_annotator: Iterable[Mapping[int, float]]) -> float:
    return _mean([_mean(list(by_answer.values())) for by_answer in by_annotator if by_answer])


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else math.nan


# People's answers about items and about models' words, read and joined to the questions.
#
# Only people's answers count; simulated ones never do. No file is a normal state.


@dataclass(frozen=True)
class People:
    """People's answers that count.

    Attributes:
        answers: Question to each annotator's answer.
        simulated: How many rows are simulated and do not count.
        unknown: How many rows are about nothing that was asked.
        repeated: How many rows a later one of the same annotator replaces.
    """

    answers: Mapping[tuple[str, ...], Mapping[str, Any]]
    simulated: int
    unknown: int
    repeated: int


def read_classified(paths: Iterable[str], items: Collection[str]) -> People:
    """Read people's answers to classification items: item id to annotator to option, from 0.

    Raises:
        AfterimageError: A file is missing or a row is not what it should be.
    """
    rows = read_people(paths, CLASSIFIED)
    return _join(rows, lambda row: (str(row["item_id"]),), "option", {(item,) for item in items})


def read_judgements(paths: Iterable[str], known: Collection[tuple[str, str, str]]) -> People:
    """Read people's judgements: item id, model and normal form of the word to annotator to yes.

    Args:
        known: Item id, model and normal form of all words that models wrote.

    Raises:
        AfterimageError: A file is missing or a row is not what it should be.
    """
    rows = read_people(paths, JUDGEMENTS)
    return _join(
        rows,
        lambda row: (str(row["item_id"]), str(row["model"]), normal_form(str(row["word"]))),
        "yes",
        known,
    )


def _join(
    rows: Sequence[Row],
    identity: Callable[[Row], tuple[str, ...]],
    value: str,
    known: Collection[tuple[str, ...]],
) -> People:
    answers: dict[tuple[str, ...], dict[str, Any]] = {}
    simulated = unknown = repeated = 0
    for row in rows:
        if row.get("source") == "simulated":
            simulated += 1
        elif identity(row) not in known:
            unknown += 1
        elif row[value] is not None:
            by_annotator = answers.setdefault(identity(row), {})
            repeated += row["annotator_id"] in by_annotator
            by_annotator[str(row["annotator_id"])] = row[value]
    return People(answers, simulated, unknown, repeated)
