"""What a table says of models without all answers, or any: a row with the sentence in place of numbers, and a warning.

Their numbers are left out whole, since a share of what was answered before a server failed looks like any other share,
and a rule that reads empty replies makes numbers of them, too.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from textwrap import wrap
from typing import TYPE_CHECKING

from afterimage.files.attempts import (
    NOT_ALL,
    NOT_FINISHED,
    NOTHING_ANSWERED,
    NOTHING_ASKED,
    Unfinished,
)
from afterimage.showing.columns import NOT_AVAILABLE
from afterimage.showing.layout import LaidRow, Layout

if TYPE_CHECKING:
    import pandas as pd

# Headers of the columns that name a row.
_MODEL, _SUITE = "Model", "Suite"
# A sentence in a column of numbers; LaTeX and HTML set its lines below each other.
_LINE_LENGTH = 40


def with_rows(layout: Layout, unfinished: Sequence[Unfinished], group_by: str | None) -> Layout:
    """Return a reader's table with a row for each model that has no numbers, and warnings that name them.

    Args:
        layout: The table of the others.
        unfinished: What is missing.
        group_by: The column with the headings that the table's rows stand below.
    """
    if not unfinished:
        return layout
    rows = (
        LaidRow(_cells(layout, one), one.model if group_by == "model" else "") for one in unfinished
    )
    return replace(
        layout, rows=(*layout.rows, *rows), warnings=(*layout.warnings, *warnings_of(unfinished))
    )


def warnings_of(unfinished: Sequence[Unfinished]) -> Iterator[str]:
    """Yield what is missing, in sentences."""
    for state, words in ((NOT_ALL, "not finished"), (NOTHING_ANSWERED, "answered nothing")):
        names = dict.fromkeys(one.model for one in unfinished if one.state == state)
        if names:
            yield f"This table is not complete: {', '.join(names)} {words}, and without numbers here."
    reasons = {one.suite: one.reason for one in unfinished if one.state == NOTHING_ASKED}
    for suite, reason in reasons.items():
        yield f"Nothing was asked in {suite}: {reason}."


def _cells(layout: Layout, one: Unfinished) -> tuple[str, ...]:
    headers = [column.header for column in layout.columns]
    cells = [NOT_AVAILABLE] * len(headers)
    places = {
        headers.index(header): name
        for header, name in ((_MODEL, one.model), (_SUITE, one.suite))
        if header in headers
    } or {0: one.model}
    for place, name in places.items():
        cells[place] = name
    free = [place for place in range(len(headers)) if place not in places]
    sentence = "\n".join(wrap(one.sentence, _LINE_LENGTH))
    if free:
        cells[free[0]] = sentence
    else:
        cells[-1] = f"{cells[-1]}\n{sentence}"
    return tuple(cells)


def with_csv_rows(printed: "pd.DataFrame", unfinished: Sequence[Unfinished]) -> "pd.DataFrame":
    """Return a table as CSV prints it with a row for each model that has no numbers, and a column that says so.

    Args:
        printed: The table of the others.
        unfinished: What is missing; where nothing is, the table stays as it is.
    """
    if not unfinished:
        return printed
    import pandas as pd

    named = ["model", "suite"] if "suite" in printed else ["model"]
    rows = [
        {**{name: getattr(one, name) for name in named}, NOT_FINISHED: one.sentence}
        for one in unfinished
    ]
    # As objects, so that whole numbers stay whole beside empty cells.
    return pd.concat([printed.astype(object), pd.DataFrame(rows, dtype=object)], ignore_index=True)
