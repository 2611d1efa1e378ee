"""Rows and columns of these tables as the paper prints them."""

from collections.abc import Callable

import pandas as pd

from afterimage.showing.alone import first_line
from afterimage.showing.columns import Column
from afterimage.showing.paper_layout import PEOPLE_S
from afterimage.showing.references import MEASURED
from afterimage.suites.illusionbench.tables.columns import COLUMNS, HEADERS, PEOPLE, UNSEEING

#: Below the tables of true-or-false and multiple-choice questions.
SHARE_NOTE = "Right answers out of all, from 0 to 1; answers that could not be read are wrong."
#: Below the tables of descriptions.
SCORE_NOTE = "Scores from 0 to 2."


def alone_in_columns(cell: Callable[[str, str], Column]) -> tuple[Column, ...]:
    """Return the nine columns of the paper, each number alone.

    Args:
        cell: Takes header and column, returns what prints the number and, on further lines, what belongs to it.
    """
    return tuple(first_line(cell(HEADERS[column], column)) for column in COLUMNS)


def models_and_people(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of models and, without a heading of their own, people."""
    rows = frame[frame["group"] != UNSEEING]
    are_people = rows["group"] == PEOPLE
    return rows.assign(
        group=rows["group"].mask(are_people, ""),
        kind=are_people.map({True: PEOPLE_S, False: MEASURED}),
    )
