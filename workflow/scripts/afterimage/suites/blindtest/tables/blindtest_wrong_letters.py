"""Wrong letters by their distance from the oval (paper, task 3: "VLMs tend to predict letters adjacent to" it).

One row per string ("all" for all of them), model and ``distance``: how many places in the string the answered letter
lies from the circled one, the nearest where the string has it more than once; "4 or more"; or "not in the string".
``n`` such answers out of the ``total`` wrong letters that could be read, ``share`` in percent with the bounds ``low``
and ``high``, and ``by_chance``: the share, in percent, if each of these answers were any other letter of the string.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache, partial

import pandas as pd

from afterimage.showing.across import Across, side_by_side
from afterimage.showing.bounds import share_bounds
from afterimage.showing.columns import Row, Text, bounds_text
from afterimage.showing.declaration import By, Settings, Table
from afterimage.showing.interval_notes import interval_note
from afterimage.showing.rounding import rounded
from afterimage.showing.values import Count, Group, Percent, Worked
from afterimage.suites.blindtest.tables.accuracy import (
    base_figures,
    of_task,
    recorded_counts,
    recorded_elsewhere,
)
from afterimage.suites.blindtest.tables.paper_rows import LETTERS

#: Not told apart, in the column "word".
ALL = "all"
FAR, ELSEWHERE = "4 or more", "not in the string"
DISTANCES = ("1", "2", "3", FAR, ELSEWHERE)


@cache
def distances(word: str, index: int) -> Mapping[str, str]:
    """Return how far each letter of a word, in lower case, lies from a place in it; the letter there lies nowhere."""
    nearest: dict[str, int] = {}
    for place, letter in enumerate(word.lower()):
        nearest[letter] = min(abs(place - index), nearest.get(letter, len(word)))
    del nearest[word.lower()[index]]
    return {letter: str(far) if far < 4 else FAR for letter, far in nearest.items()}


def _wrong(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Return the wrong letters that could be read, with their ``distance`` and that of the other letters."""
    given = of_task(grades, LETTERS)
    given = given[given["answer"].notna() & ~given["correct"].astype(bool)]
    # A study without this task has no such factors.
    given = given.reindex(columns=[*dict.fromkeys([*given.columns, "word", "letter_index"])])
    from_oval = [
        distances(word, int(index))
        for word, index in zip(given["word"], given["letter_index"], strict=True)
    ]
    return given.assign(
        cluster=base_figures(given),
        distance=[
            others.get(answer, ELSEWHERE)
            for others, answer in zip(from_oval, given["answer"], strict=True)
        ],
        expected=from_oval,
    )


def _bounds(group: Group) -> tuple[float, float]:
    is_there = group.above["distance"] == group.row["distance"]
    return share_bounds(is_there, group.above["cluster"], group.settings)


def _by_chance(group: Group) -> tuple[float]:
    """Return the mean share of the string's other letters that lie at this distance, in percent."""
    shares = [
        Fraction(list(others.values()).count(group.row["distance"]), len(others))
        for others in group.above["expected"]
    ]
    return (float(100 * sum(shares, Fraction()) / len(shares)),)


def _cell(row: Row) -> str:
    """Print ``55.2 (96/174) [47.8, 62.4]`` and, below, what chance gives."""
    share = f"{rounded(Fraction(100 * row['n'], row['total']), 1)} ({row['n']}/{row['total']})"
    chance = rounded(Fraction(row["by_chance"]), 1)
    return f"{share}{bounds_text(row, 'low', 'high', 1, optional=True)}\n{chance} by chance"


TABLE = Table(
    "blindtest_wrong_letters",
    "Circled letter: how far from the oval wrong letters stand",
    of=_wrong,
    rows=(
        By("word", first=LETTERS.rows, total=ALL),
        By("model"),
        By("distance", levels=DISTANCES),
    ),
    csv=(
        *("word", "model", "distance"),
        *(Count("n"), Count("total", above=True), Percent("share", "n", "total")),
        Worked(("low", "high"), _bounds),
        Worked(("by_chance",), _by_chance),
    ),
    columns=(
        Text("String", "word"),
        Text("Model", "model"),
        Across(_cell, {FAR: FAR, ELSEWHERE: ELSEWHERE}),
    ),
    readers=partial(side_by_side, rows=("word", "model"), across="distance", sums=(), but=()),
    notes=(
        "Percent of the wrong letters that could be read, rounded half up (answers/wrong letters); prompts pooled. Who "
        "has given none has no row. A column for each number of places between the answered letter and the circled "
        "one, the nearest where the string has it twice.",
        "By chance: the share if each of these answers were any other letter of the string.",
        interval_note("figures, each with all of its renderings and prompts"),
        recorded_elsewhere,
        recorded_counts,
    ),
    split_by="String",
)
