"""Rows to read the models' rows against: who answers without looking at the image, and what tables say of them.

A table names them beside the step that parts its answers by model: ``By("model", references=BASELINES)``. They are
worked out of the items alone: what each offers, and its key. The best answer and the best place are those of the row,
so that each condition is compared with what can be had in it without looking. Importing it imports neither numpy nor
pandas."""

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


# ---- values of rows of one kind ----


@dataclass(frozen=True)
class PerKind(Together):
    """A value that is worked out in another way for each kind of rows, and missing for kinds that are not named.

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
        """Return the values of every row; rows of the same kind are worked out together."""
        found: list[tuple[Any, ...]] = [(None,) * len(self.names)] * len(groups)
        for kind, value in self.values.items():
            places = [place for place, group in enumerate(groups) if _kind_of(group.row) == kind]
            own = of_all(value, [groups[place] for place in places])
            for place, values in zip(places, own, strict=True):
                found[place] = values
        return found


def measured(*values: Value, also: Collection[str] = ()) -> tuple[PerKind, ...]:
    """Leave values missing in rows that are neither models' nor of a kind in ``also``."""
    return tuple(PerKind(dict.fromkeys((MEASURED, *also), value)) for value in values)


def _kind_of(row: Mapping[str, Any]) -> str:
    return str(row.get("role") or (row["model"] if row.get("kind") == REFERENCE else MEASURED))


# ---- what tables say of them ----

#: Below every table with such rows.
BASELINE_NOTE = (
    "Uniform guessing: the expected share of right answers. Best constant answer, best position (always the first, the "
    "second, ... or the last option): whichever is best in the row, in parentheses. Worked out of the items, so that "
    "they have no interval; a row that would be the same as another, or that nobody could give, is left out."
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
    """Work out what :func:`values.accuracy` does; rows of reference have no interval, and a guess has no right answers.

    Args:
        k: Name of the column that counts right answers.
        clusters: The cluster of each answer: a column, or a function of the answers.
        number: Name of the column with the number of clusters.
        constant: What the table calls the best constant answer.
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
    """Work out the share of right answers in percent, of rows of reference exactly; undefined without answers.

    Args:
        k: The column that counts right answers.
        constant: What the table calls the best constant answer.
    """
    exact = Worked(("accuracy",), _exact)
    others = dict.fromkeys((GUESSING, constant, POSITION), exact)
    return PerKind({MEASURED: Percent("accuracy", k), **others})


def without_bounds(column: Share, value: str) -> Printed:
    """Return a share that is exact in the rows of who does not look: no interval there, and of a guess no counts.

    Args:
        column: As it is printed in other rows.
        value: The frame's column with the percentage.
    """
    exact = replace(column, low=None, high=None, value=value)
    return Printed(column.header, lambda row: (exact if _is_unseeing(row) else column).cell(row))


def answerer(header: str = "Model") -> Printed:
    """Return the column that names the model or, of a row of reference, who answers and what."""
    return Printed(header, _named, numeric=False)


def beaten_by_position(
    value: str = "accuracy", same: Sequence[str] = ("prompt",), where: str = ""
) -> Callable[[pd.DataFrame], Iterator[str]]:
    """Return what is said of models that always choosing one place would beat.

    Args:
        value: The column that is compared.
        same: Columns in which a model's row and the baseline's are alike.
        where: What the column is of, where a table has several, in words behind "right more often".
    """
    return partial(_beaten, value, tuple(same), where)


def _is_unseeing(row: Row) -> bool:
    return str(row["model"]).startswith((GUESSING, CONSTANT, POSITION, *ALWAYS))


def _exact(group: Group) -> tuple[Fraction | None]:
    right_ones = group.answers["correct"].tolist()
    if not right_ones:
        return (None,)
    return (100 * Fraction(sum(right_ones)) / len(right_ones),)


def _named(row: Row) -> str:
    answer = row.get("answer")
    if is_missing(answer):
        return str(row["model"])
    return Note("{model} ({answer})", model=str(row["model"]), answer=str(answer))


def _beaten(value: str, same: tuple[str, ...], where: str, frame: pd.DataFrame) -> Iterator[str]:
    rows = frame.to_dict(orient="records")
    places = {
        tuple(row[name] for name in same): row[value] for row in rows if row["model"] == POSITION
    }
    compared: dict[str, list[bool]] = {}
    for row in rows:
        place = places.get(tuple(row[name] for name in same))
        if place is not None and row["kind"] != REFERENCE and not is_missing(row[value]):
            compared.setdefault(row["model"], []).append(row[value] < place)
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
