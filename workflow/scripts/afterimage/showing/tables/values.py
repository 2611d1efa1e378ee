"""The values of a table's rows, computed from the answers of each. Importing it imports neither numpy nor pandas.

A value names its columns and returns their cells. Values are computed from left to right, so that an interval may use
the counts before it. All counts are here, all intervals in :mod:`afterimage.showing.tables.bounds`: a table whose rows
are made by a function of its own takes its numbers from :func:`worked` as well.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from afterimage.errors import AfterimageError
from afterimage.showing.tables.bounds import share_bounds

if TYPE_CHECKING:
    import pandas as pd

#: What a column of the CSV holds.
Kind = Literal["whole", "number", "text"]


class Group(NamedTuple):
    """The answers of one row.

    Attributes:
        answers: Graded answers, factors as columns.
        row: The row's cells so far: the levels that name it, and the values before this one.
        above: The answers that the last step split.
        settings: "confidence", "resamples", "seed".
    """

    answers: pd.DataFrame
    row: Mapping[str, Any]
    above: pd.DataFrame
    settings: Mapping[str, Any]


class Value(Protocol):
    """The cells of one or several columns of the CSV."""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""

    @property
    def kind(self) -> Kind:
        """What the columns hold."""

    def of(self, group: Group) -> tuple[Any, ...]:
        """Return the values of one row, one for each name."""


class Together:
    """A value that is computed for all rows of a table at once: their intervals share resamples."""

    def of(self, group: Group) -> tuple[Any, ...]:
        """Return the values of a row that is alone."""
        return self.of_all([group])[0]

    def of_all(self, groups: Sequence[Group]) -> Sequence[tuple[Any, ...]]:
        """Return the values of every row."""
        raise NotImplementedError


class Named:
    """A value of one column."""

    name: str

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name,)


@dataclass(frozen=True)
class Count(Named):
    """The number of answers, or of those of a kind.

    Attributes:
        where: Which to count: a boolean column, a column and its value, or a function; all where it is None.
        above: Whether to count among the answers that the last step split, instead of those of the row.
    """

    name: str
    where: str | tuple[str, str] | Callable[[pd.DataFrame], Any] | None = None
    above: bool = False
    kind: Kind = "whole"

    def of(self, group: Group) -> tuple[Any, ...]:
        answers = group.above if self.above else group.answers
        if self.where is None:
            return (len(answers),)
        return (int(_per_answer(answers, self.where).sum()),)


def answers(name: str = "n") -> Count:
    return Count(name)


def right(name: str = "correct_k") -> Count:
    return Count(name, "correct")


def require_columns(answers: pd.DataFrame, needed: Collection[str], where: str = "grades") -> None:
    """Refuse answers that lack a column.

    Args:
        where: Where they are from, for the message.

    Raises:
        AfterimageError: A column is missing.
    """
    missing = [name for name in needed if name not in answers]
    if missing:
        raise AfterimageError(
            f"{where}: column '{missing[0]}' is missing; expected {', '.join(needed)}."
        )


#: Names of the counts of :func:`outcomes`, and of the boolean columns that :func:`with_outcomes` adds for them.
OUTCOMES = ("unparsed", "cut_off", "refused")


def with_outcomes(answers: pd.DataFrame) -> pd.DataFrame:
    """Add boolean columns that mark answers which could not be read.

    Returns:
        The answers with ``unparsed``, and among these ``cut_off`` (the reply ended too early) and ``refused``.
    """
    return answers.assign(**{name: _came_instead(name, answers) for name in OUTCOMES})


def outcomes(prefix: str = "", counted: bool = False) -> tuple[Count, ...]:
    """Count the answers that could not be read, all of which count as wrong.

    Args:
        prefix: Prefix of the columns' names.
        counted: Whether the answers have the columns of :func:`with_outcomes` already.
    """
    return tuple(
        Count(f"{prefix}{name}_k", name if counted else partial(_came_instead, name))
        for name in OUTCOMES
    )


def _came_instead(name: str, answers: pd.DataFrame) -> pd.Series:
    unread = answers["outcome"] == "unparsed"
    if name == "unparsed" or not unread.any():
        return unread
    # The reason of an unread answer begins with a code (contract/readings.py).
    return unread & answers["reason"].astype(str).str.startswith(f"{name}:")


@dataclass(frozen=True)
class Distinct(Named):
    """The number of distinct values of a column, or of a function of the answers."""

    name: str
    column: str | Callable[[pd.DataFrame], Any]
    kind: Kind = "whole"

    def of(self, group: Group) -> tuple[Any, ...]:
        return (int(_per_answer(group.answers, self.column).nunique()),)


@dataclass(frozen=True)
class Percent(Named):
    """One count out of another, in percent; undefined where that is 0."""

    name: str
    k: str
    n: str = "n"
    kind: Kind = "number"

    def of(self, group: Group) -> tuple[Any, ...]:
        k, n = group.row[self.k], group.row[self.n]
        return (100 * k / n if n else float("nan"),)


@dataclass(frozen=True)
class Bounds:
    """Interval of a share, in percent: Wilson's, on the effective number of answers.

    Attributes:
        of_what: Whether each answer counts.
        clusters: The cluster of each answer: a column, or a function of the answers.
        among: Selects the answers of the share; all where it is None.
    """

    low: str
    high: str
    of_what: str | tuple[str, str] | Callable[[pd.DataFrame], Any] = "correct"
    clusters: str | Callable[[pd.DataFrame], Any] = "stimulus_id"
    among: Callable[[pd.DataFrame], Any] | None = None
    kind: Kind = "number"

    @property
    def names(self) -> tuple[str, ...]:
        return (self.low, self.high)

    def of(self, group: Group) -> tuple[Any, ...]:
        answers = group.answers
        chosen = answers if self.among is None else answers[self.among(answers)]
        counted = _per_answer(chosen, self.of_what)
        return share_bounds(counted, _per_answer(chosen, self.clusters), group.settings)


@dataclass(frozen=True)
class Mean(Named):
    """Mean over the answers, times a factor.

    Attributes:
        of_what: The number of each answer.
        times: 100 for percent of shares.
    """

    name: str
    of_what: str | Callable[[pd.DataFrame], Any]
    times: int = 100
    kind: Kind = "number"

    def of(self, group: Group) -> tuple[Any, ...]:
        return (self.times * float(_per_answer(group.answers, self.of_what).mean()),)


@dataclass(frozen=True)
class Worked:
    """Values that a function computes, where no other value fits."""

    names: tuple[str, ...]
    function: Callable[[Group], tuple[Any, ...]]
    kind: Kind = "number"

    def of(self, group: Group) -> tuple[Any, ...]:
        return self.function(group)


@dataclass(frozen=True)
class Given(Named):
    """A column that the rows have already, and its kind."""

    name: str
    kind: Kind = "whole"

    def of(self, group: Group) -> tuple[Any, ...]:
        return (group.row.get(self.name),)


def of_all(value: Value, groups: Sequence[Group]) -> Sequence[tuple[Any, ...]]:
    """Compute a value for every row."""
    if isinstance(value, Together):
        return value.of_all(groups)
    return [value.of(group) for group in groups]


def accuracy(
    k: str = "correct_k",
    clusters: str | Callable[[pd.DataFrame], Any] = "stimulus_id",
    number: str = "images",
) -> tuple[Value, ...]:
    """Return counts of answers, right and unread ones, and the accuracy with its interval, in percent.

    Args:
        k: Name of the column that counts right answers.
        clusters: The cluster of each answer: a column, or a function of the answers.
        number: Name of the column with the number of clusters.
    """
    bounds = Bounds("low", "high", clusters=clusters)
    counted: tuple[Value, ...] = (answers(), right(k), *outcomes(), Percent("accuracy", k))
    return (*counted, bounds, Distinct(number, clusters))


def confused() -> tuple[Value, ...]:
    """Count the answers of a cell of a confusion table, and their share of those that the last step split."""
    return (Count("n"), Count("total", above=True), Percent("share", "n", "total"))


def worked_rows(values: Sequence[str | Value], groups: Sequence[Group]) -> list[dict[str, Any]]:
    """Compute the values of all rows, from left to right.

    Args:
        values: Values; names among them are skipped.
        groups: The answers and the first cells of each row.

    Returns:
        The first cells of each row, followed by the values by name.
    """
    rows = [dict(group.row) for group in groups]
    known = [group._replace(row=row) for group, row in zip(groups, rows, strict=True)]
    for value in values:
        if not isinstance(value, str):
            for row, found in zip(rows, of_all(value, known), strict=True):
                row |= zip(value.names, found, strict=True)
    return rows


def worked(
    values: Sequence[str | Value],
    answers: pd.DataFrame,
    settings: Mapping[str, Any],
    row: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Compute values of answers that are no row of a table by themselves; see :func:`worked_rows`."""
    return worked_rows(values, [Group(answers, row or {}, answers, settings)])[0]


def _per_answer(
    answers: pd.DataFrame, what: str | tuple[str, str] | Callable[[pd.DataFrame], Any]
) -> Any:
    """Return a column, whether a column has a value, or a function of the answers."""
    if isinstance(what, tuple):
        column, value = what
        return answers[column] == value
    return answers[what] if isinstance(what, str) else what(answers)


# ---- values of some of a row's answers ----


class Some:
    """Selects some of every row's answers, once for all values that are computed from them in turn."""

    def __init__(self, where: Callable[[pd.DataFrame], Any]) -> None:
        self._where = where
        self._answers: list[pd.DataFrame] = []
        self._chosen: list[pd.DataFrame] = []

    def of(self, answers: list[pd.DataFrame]) -> list[pd.DataFrame]:
        if list(map(id, answers)) != list(map(id, self._answers)):
            self._answers = answers
            self._chosen = [part[self._where(part)] for part in answers]
        return self._chosen


@dataclass(frozen=True)
class Within(Together):
    """A value of some of the row's answers; its columns have a prefix. See :func:`within`."""

    prefix: str
    some: Some
    value: Value

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the value's columns with the prefix; a column without a name has the prefix alone."""
        return tuple(
            f"{self.prefix}{name}" if name else self._bare_prefix for name in self.value.names
        )

    @property
    def kind(self) -> Kind:
        """What the value's columns hold."""
        return self.value.kind

    def of_all(self, groups: Sequence[Group]) -> Sequence[tuple[Any, ...]]:
        """Return the value of the chosen answers of every row."""
        chosen = self.some.of([group.answers for group in groups])
        parts = [
            group._replace(answers=answers, row={**group.row, **self._without_prefix(group.row)})
            for group, answers in zip(groups, chosen, strict=True)
        ]
        return of_all(self.value, parts)

    def _without_prefix(self, row: Mapping[str, Any]) -> dict[str, Any]:
        return {
            name.removeprefix(self.prefix): value
            for name, value in row.items()
            if name.startswith(self.prefix)
        }

    @property
    def _bare_prefix(self) -> str:
        return self.prefix.removesuffix("_")


def within(
    prefix: str, where: Callable[[pd.DataFrame], Any], values: Sequence[Value]
) -> tuple[Within, ...]:
    """Return the same values of some of the answers, for a wide table whose columns have a level's name as prefix.

    Args:
        prefix: Prefix of the names.
        where: Selects the answers.
        values: The values, from left to right.
    """
    some = Some(where)
    return tuple(Within(prefix, some, value) for value in values)
