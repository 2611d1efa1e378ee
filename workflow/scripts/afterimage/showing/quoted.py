"""Rows that were printed elsewhere, below those that a table has worked out; nothing is worked out of both."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from afterimage.showing.columns import NOT_AVAILABLE, Column
from afterimage.showing.looks import PAPER

if TYPE_CHECKING:
    import pandas as pd

    from afterimage.showing.declaration import Table

#: What they stand below where a table has headings.
HEADING = "As printed"


def quoted_frame(
    table: "Table",
    frame: "pd.DataFrame",
    rows: Iterable[tuple[Mapping[str, Any], Mapping[str, Any]]],
) -> "pd.DataFrame":
    """Return quoted rows with the columns of a table's frame; what was not printed is missing.

    Args:
        table: The declaration.
        frame: The table's own rows.
        rows: Of each, the columns that say which of a model's rows it is, and the others. Rows for which the table has
            none of its own, such as another prompt's, are left out.
    """
    import pandas as pd

    columns = list(frame.columns)
    if frame.empty:
        rows = ()
    heading = {} if table.group_by is None else {table.group_by: HEADING}
    kept = [{"kind": PAPER, **heading, **at, **cells} for at, cells in rows if _has_like(frame, at)]
    return pd.DataFrame(kept, columns=columns, dtype=object)


def quoted_cells(row: Mapping[str, Any], columns: Sequence[Column]) -> tuple[str, ...]:
    """Print a quoted row; cells are empty where nothing was printed."""
    cells = (column.cell(row) for column in columns)
    return tuple("" if cell == NOT_AVAILABLE else cell for cell in cells)


def _has_like(frame: "pd.DataFrame", at: Mapping[str, str]) -> bool:
    like = frame
    for column, value in at.items():
        like = like[like[column].astype(str) == value]
    return len(like) > 0
