"""Baselines without the image (guessing, constant answers), as reference rows of tables, and the notes about them.

A table names them in the step that splits its answers by model: ``By("model", references=BASELINES)``. They are
computed from the items alone: the options of each, and its key. The best answer and the best position are chosen row by
row, so that each condition is compared with what can be had in it without looking. Importing it imports neither numpy
nor pandas."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from afterimage.note import Note, joined
from afterimage.showing.tables.columns import Printed, Row, Share, is_missing
from afterimage.showing.tables.values import (
    Bounds,
    Distinct,
    Group,
    Kind,
    Percent,
    Together,
    Value,
    Worked,
    answers,
    of_all,
    outcomes,
    right,
)

if TYPE_CHECKING:
    import pandas as pd

#: Further cells of a row, and its answers; None for no row.
Answered: TypeAlias = "tuple[Mapping[str, Any], pd.DataFrame] | None"

#: The column "kind" of a table with reference rows: a model's row, or a reference row.
MEASURED, REFERENCE = "measured", "reference"
#: Names of the reference rows; the answer or position that the best of them gives is in the column "answer".
GUESSING, CONSTANT, POSITION = "uniform guessing", "best constant answer", "best position"
#: A paper's own word in a CSV, and the word that readers see for it everywhere.
IN_WORDS = {"Random": GUESSING}
_BETWEEN = ("second", "third", "fourth", "fifth")
#: Both constant answers to a yes-or-no question, and the graders' name of the answer.
ALWAYS = {"always yes": "Yes", "always no": "No"}


@dataclass(frozen=True)
class Reference:
    """A baseline that answers without looking.

    Attributes:
        name: Its name in the column of the models.
        answer: Takes the items of a row, each once, and returns further cells of the row, and the graded answers; None
            where the items allow no such answers, and there is no row.
    """

    name: str
    answer: Callable[[pd.DataFrame], Answered]


def most_frequent(keys: Iterable[str]) -> tuple[str, int]:
    """Return the key that is right most often, the first of equals, and how often it is."""
    return min(Counter(keys).items(), key=lambda counted: (-counted[1], counted[0]))


def guess(items: pd.DataFrame) -> Answered:
    """Guess among each item's options; ``correct`` is the exact chance, a Fraction. None if one has no options."""
    if not len(items) or "offered" not in items or not all(map(len, items["offered"])):
        return None
    chances = [
        Fraction(list(offered).count(key), len(offered))
        for offered, key in zip(items["offered"], items["key"], strict=True)
    ]
    return {}, items.assign(correct=chances)


def same_answer(items: pd.DataFrame) -> Answered:
    """Always give the answer that is right most often; None if answers are positions (:func:`one_position`)."""
    if not len(items) or _labelled_by_position(items):
        return None
    answer, _ = most_frequent(items["key"])
    return {"answer": answer}, items.assign(correct=items["key"] == answer)


def always(answer: str, items: pd.DataFrame) -> Answered:
    return ({}, items.assign(answer=answer, correct=items["key"] == answer)) if len(items) else None


def one_position(items: pd.DataFrame) -> Answered:
    """Always choose the position that is right most often; None if a question lists no options."""
    if not len(items) or "is_listed" not in items or not items["is_listed"].all():
        return None
    questions = list(zip(items["offered"], items["key"], strict=True))
    right = {
        name: [option_at(position, offered) == key for offered, key in questions]
        for name, position in option_positions(items["offered"]).items()
    }
    best = max(right, key=lambda name: sum(right[name]))
    return {"answer": best}, items.assign(correct=right[best])


def option_positions(offered: Iterable[Sequence[str]]) -> dict[str, int]:
    """Return name to position, from 0; the last is -1, and precedes those in between."""
    sizes = {len(options) for options in offered}
    # Where all have equally many options, the last position has no other name.
    between = range(1, max(sizes) - (len(sizes) == 1))
    return {"first": 0, "last": -1, **{_position_name(number): number for number in between}}


def option_at(position: int, offered: Sequence[str]) -> str | None:
    return offered[position] if position < len(offered) else None


def _position_name(number: int) -> str:
    return _BETWEEN[number - 1] if number <= len(_BETWEEN) else f"place {number + 1}"


def _labelled_by_position(items: pd.DataFrame) -> bool:
    """Tell whether option ids are labels of positions: all items list the same ids in the same order."""
    listed = items["offered"][items["is_listed"]] if "is_listed" in items else []
    if not len(listed):
        return False
    longest = max(map(list, listed), key=len)
    return all(list(offered) == longest[: len(offered)] for offered in listed)


#: The reference rows of every table of right and wrong answers, where they differ and are defined.
BASELINES = (
    Reference(GUESSING, guess),
    Reference(CONSTANT, same_answer),
    Reference(POSITION, one_position),
)
#: The same for yes-or-no questions, with both constant answers.
YES_OR_NO = (
    BASELINES[0],
    *(Reference(name, partial(always, answer)) for name, answer in ALWAYS.items()),
)


# ---- values of rows of one kind ----


@dataclass(frozen=True)
class PerKind(Together):
    """A value that is computed differently for each kind of rows, and missing for kinds that are not named.

    Attributes:
        values: Kind to a value, all of the same names. A row's kind is the ``role`` that a step gave it (people's rows,
            means), which needs no column; else of a row of reference its ``model``, of others "measured".
    """

    values: Mapping[str, Value]

    @property
    def names(self) -> tuple[str, ...]:
        return next(iter(self.values.values())).names

    @property
    def kind(self) -> Kind:
        return next(iter(self.values.values())).kind

    def of_all(self, groups: Sequence[Group]) -> Sequence[tuple[Any, ...]]:
        """Return the values of every row; rows of the same kind are computed together."""
        found: list[tuple[Any, ...]] = [(None,) * len(self.names)] * len(groups)
        for kind, value in self.values.items():
            indices = [index for index, group in enumerate(groups) if _kind_of(group.row) == kind]
            results = of_all(value, [groups[index] for index in indices])
            for index, values in zip(indices, results, strict=True):
                found[index] = values
        return found


def measured(*values: Value, also: Collection[str] = ()) -> tuple[PerKind, ...]:
    """Leave values missing in rows that are neither models' nor of a kind in ``also``."""
    return tuple(PerKind(dict.fromkeys((MEASURED, *also), value)) for value in values)


def _kind_of(row: Mapping[str, Any]) -> str:
    return str(row.get("role") or (row["model"] if row.get("kind") == REFERENCE else MEASURED))


# ---- notes and columns of tables ----

#: Below every table with such rows.
BASELINE_NOTE = (
    "Uniform guessing: the expected share of right answers. Best constant answer, best position "
    "(always the first, the second, ... or the last option): whichever is best in the row, in "
    "parentheses. Computed from the items, so without interval; a row that equals another, or "
    "that is impossible, is omitted."
)
#: The same below tables of yes-or-no questions.
YES_OR_NO_NOTE = (
    "Uniform guessing: what is to be expected of yes or no at random; the best constant answer is the better one of "
    "always yes and always no."
)


def accuracy_beside_baselines(
    k: str = "correct_k",
    clusters: str | Callable[[pd.DataFrame], pd.Series] = "stimulus_id",
    number: str = "images",
    constant: str = CONSTANT,
) -> tuple[Value, ...]:
    """Return the values of :func:`values.accuracy`; reference rows have no interval, a guess has no right answers.

    Args:
        k: Name of the column that counts right answers.
        clusters: The cluster of each answer: a column, or a function of the answers.
        number: Name of the column with the number of clusters.
        constant: The table's name for the best constant answer.
    """
    return (
        answers(),
        *measured(right(k), also=(constant, POSITION)),
        *measured(*outcomes()),
        right_or_expected(k, constant),
        *measured(Bounds("low", "high", clusters=clusters)),
        Distinct(number, clusters),
    )


def right_or_expected(k: str = "correct_k", constant: str = CONSTANT) -> PerKind:
    """Return the share of right answers in percent, exact in reference rows; undefined without answers.

    Args:
        k: The column that counts right answers.
        constant: The table's name for the best constant answer.
    """
    exact = Worked(("accuracy",), _exact)
    others = dict.fromkeys((GUESSING, constant, POSITION), exact)
    return PerKind({MEASURED: Percent("accuracy", k), **others})


def without_bounds(column: Share, value: str) -> Printed:
    """Return a share that is printed without interval in reference rows, and without counts for a guess.

    Args:
        column: The share as printed in other rows.
        value: The frame's column with the percentage.
    """
    exact = replace(column, low=None, high=None, value=value)
    return Printed(column.header, lambda row: (exact if _is_reference(row) else column).cell(row))


def answerer(header: str = "Model") -> Printed:
    """Return the column that names the model or, in a reference row, the baseline and its answer."""
    return Printed(header, _named, numeric=False)


def beaten_by_position(
    value: str = "accuracy", same: Sequence[str] = ("prompt",), where: str = ""
) -> Callable[[pd.DataFrame], Iterator[str]]:
    """Return the finding that names models which always choosing one position would beat.

    Args:
        value: The column that is compared.
        same: Columns in which a model's row and the baseline's agree.
        where: Words after "right more often" that say which share is meant, where a table has several.
    """
    return partial(_beaten_models, value, tuple(same), where)


def _is_reference(row: Row) -> bool:
    return str(row["model"]).startswith((GUESSING, CONSTANT, POSITION, *ALWAYS))


def _exact(group: Group) -> tuple[Fraction | None]:
    verdicts = group.answers["correct"].tolist()
    if not verdicts:
        return (None,)
    return (100 * Fraction(sum(verdicts)) / len(verdicts),)


def _named(row: Row) -> str:
    answer = row.get("answer")
    if is_missing(answer):
        return str(row["model"])
    return Note("{model} ({answer})", model=str(row["model"]), answer=str(answer))


def _beaten_models(
    value: str, same: tuple[str, ...], where: str, frame: pd.DataFrame
) -> Iterator[str]:
    rows = frame.to_dict(orient="records")
    baselines = {
        tuple(row[name] for name in same): row[value] for row in rows if row["model"] == POSITION
    }
    compared: dict[str, list[bool]] = {}
    for row in rows:
        baseline = baselines.get(tuple(row[name] for name in same))
        if baseline is not None and row["kind"] != REFERENCE and not is_missing(row[value]):
            compared.setdefault(row["model"], []).append(row[value] < baseline)
    beaten = [
        Note("{model} ({n} of {all} rows)", model=model, n=sum(worse), all=len(worse))
        if len(worse) > 1
        else model
        for model, worse in compared.items()
        if any(worse)
    ]
    if beaten:
        yield (
            Note(
                "Always choosing one place is right more often{where} than: {beaten}. Asking in "
                "other orders of the options tells a preference for a place from an answer (config: "
                "probes, option_orders).",
                where=where,
                beaten=joined(beaten, ", "),
            )
        )
