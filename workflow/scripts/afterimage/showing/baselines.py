"""A table of accuracies with the rows of who does not look: what stands in its CSV, what readers see and are told.

Who they are: :mod:`afterimage.showing.references`. Importing it imports neither numpy nor pandas.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

from afterimage.showing.columns import Printed, Row, Share
from afterimage.showing.composed import PerKind, measured
from afterimage.showing.missing import is_missing
from afterimage.showing.references import (
    ALWAYS,
    CONSTANT,
    GUESSING,
    MEASURED,
    POSITION,
    REFERENCE,
)
from afterimage.showing.values import (
    Bounds,
    Distinct,
    Group,
    Percent,
    Value,
    Worked,
    answers,
    outcomes,
    right,
)

if TYPE_CHECKING:
    import pandas as pd

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
    return str(row["model"]) if is_missing(answer) else f"{row['model']} ({answer})"


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
        f"{model} ({sum(worse)} of {len(worse)} rows)" if len(worse) > 1 else model
        for model, worse in compared.items()
        if any(worse)
    ]
    if beaten:
        yield (
            f"Always choosing one place is right more often{where} than: {', '.join(beaten)}. Asking in other orders "
            "of the options tells a preference for a place from an answer (config: probes, option_orders)."
        )
