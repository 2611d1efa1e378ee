"""Values of some of a row's answers, and values of some of the rows. Importing it imports neither numpy nor pandas."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from afterimage.showing.references import MEASURED, REFERENCE
from afterimage.showing.values import Group, Kind, Together, Value, of_all

if TYPE_CHECKING:
    import pandas as pd


class Some:
    """Chooses some of every row's answers, once for all values that are worked out of them one after the other."""

    def __init__(self, where: Callable[[pd.DataFrame], Any]) -> None:
        """Remember what tells which answers."""
        self._where = where
        self._answers: list[pd.DataFrame] = []
        self._chosen: list[pd.DataFrame] = []

    def of(self, answers: list[pd.DataFrame]) -> list[pd.DataFrame]:
        """Return the chosen answers of every row."""
        if list(map(id, answers)) != list(map(id, self._answers)):
            self._answers = answers
            self._chosen = [own[self._where(own)] for own in answers]
        return self._chosen


@dataclass(frozen=True)
class Within(Together):
    """A value of some of the row's answers; its columns bear a prefix. See :func:`within`."""

    prefix: str
    some: Some
    value: Value

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the value's columns, behind the prefix; a column without a name bears the prefix alone."""
        return tuple(f"{self.prefix}{name}" if name else self._alone for name in self.value.names)

    @property
    def kind(self) -> Kind:
        """What the value's columns hold."""
        return self.value.kind

    def of_all(self, groups: Sequence[Group]) -> Sequence[tuple[Any, ...]]:
        """Return the value of the chosen answers of every row."""
        chosen = self.some.of([group.answers for group in groups])
        own = [
            group._replace(answers=answers, row={**group.row, **self._own(group.row)})
            for group, answers in zip(groups, chosen, strict=True)
        ]
        return of_all(self.value, own)

    def _own(self, row: Mapping[str, Any]) -> dict[str, Any]:
        return {
            name.removeprefix(self.prefix): value
            for name, value in row.items()
            if name.startswith(self.prefix)
        }

    @property
    def _alone(self) -> str:
        return self.prefix.removesuffix("_")


def within(
    prefix: str, where: Callable[[pd.DataFrame], Any], values: Sequence[Value]
) -> tuple[Within, ...]:
    """Work out the same values of some of the answers: a wide table, whose columns bear the name of a level.

    Args:
        prefix: What the names begin with.
        where: Tells which answers.
        values: The values, from left to right.
    """
    some = Some(where)
    return tuple(Within(prefix, some, value) for value in values)


@dataclass(frozen=True)
class PerKind(Together):
    """A value that is another one in rows of another kind, and missing in rows of the kinds that are not named.

    Attributes:
        values: Kind to a value, all of the same names. A row's kind is the ``role`` that a step gave it (people's rows,
            means), which needs no column; else of a row of reference its ``model``, of others "measured".
    """

    values: Mapping[str, Value]

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return next(iter(self.values.values())).names

    @property
    def kind(self) -> Kind:
        """What the columns hold."""
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


def measured(*values: Value, also: Sequence[str] = ()) -> tuple[PerKind, ...]:
    """Let rows of other kinds than models' lack values, but for those kinds that are named."""
    return tuple(PerKind(dict.fromkeys((MEASURED, *also), value)) for value in values)


def _kind_of(row: Mapping[str, Any]) -> str:
    return str(row.get("role") or (row["model"] if row.get("kind") == REFERENCE else MEASURED))
