"""The form in which papers print: what stands in one row after the other of a CSV stands side by side for readers."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from afterimage.showing.columns import Printed, Row
from afterimage.showing.missing import is_missing

if TYPE_CHECKING:
    import pandas as pd

# In a reader's row: level to the row of the CSV that stands in its column.
_LEVELS = "levels"


def side_by_side(
    frame: pd.DataFrame, rows: Sequence[str], across: str, sums: Sequence[str], but: Sequence[str]
) -> pd.DataFrame:
    """Join the rows of a frame that differ in one column; :class:`Across` prints what stands in each.

    Args:
        frame: The whole table.
        rows: What names a reader's row.
        across: The column whose levels become columns.
        sums: Counts that are added up over the levels, and missing where one is.
        but: Levels that hold answers of other levels, and are left out of sums.
    """
    import pandas as pd

    joined: dict[tuple[Hashable, ...], dict[str, Any]] = {}
    for row in frame.to_dict(orient="records"):
        key = tuple(row[name] for name in rows)
        joined.setdefault(key, {})[row[across]] = row
    readers = [
        {
            **dict(zip(rows, key, strict=True)),
            **{
                name: _sum([row[name] for at, row in levels.items() if at not in but])
                for name in sums
            },
            _LEVELS: levels,
        }
        for key, levels in joined.items()
    ]
    # As objects: a count that is missing is None, and makes no fractions of the others.
    return pd.DataFrame(readers, columns=[*rows, *sums, _LEVELS], dtype=object)


def _sum(counts: Sequence[Any]) -> int | None:
    return None if any(map(is_missing, counts)) else sum(counts)


@dataclass(frozen=True)
class Across:
    """A column for each level that :func:`side_by_side` has joined.

    Attributes:
        text: Prints a row of the CSV.
        headers: What stands above a level; its name with blanks for underscores where it is not told.
    """

    text: Callable[[Row], str]
    headers: Mapping[str, str] = field(default_factory=dict)

    def columns(self, readers: pd.DataFrame) -> list[Printed]:
        """Return the columns of a reader's frame, in the order in which its rows have the levels; none without rows."""
        if readers.empty:
            return []
        levels = dict.fromkeys(level for row in readers[_LEVELS] for level in row)
        return [
            Printed(self.headers.get(level, level.replace("_", " ")), partial(self._cell, level))
            for level in levels
        ]

    def _cell(self, level: str, row: Row) -> str:
        return self.text(row[_LEVELS][level]) if level in row[_LEVELS] else ""
