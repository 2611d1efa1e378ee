"""Whether people recognise what a suite draws, thing by thing, and what they take it for."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from afterimage.showing.tables.bounds import interval_note
from afterimage.showing.tables.columns import Share, Text, whole
from afterimage.showing.tables.declaration import By, Settings, Table
from afterimage.showing.tables.values import (
    Bounds,
    Count,
    Distinct,
    Group,
    Percent,
    Worked,
    answers,
)

if TYPE_CHECKING:
    import pandas as pd

#: In the column ``thing``: all of them.
ALL = "all"


def recognition_table(name: str, title: str, suite: str) -> Table:
    """Declare the table: per thing ``n`` answers of ``people``, ``k`` of which name it, their ``share`` and its bounds.

    ``taken_for`` has the other answers, the most frequent first.

    Args:
        suite: Whose settings hold the file of answers under ``recognition``.
    """

    def read(grades: pd.DataFrame, settings: Settings) -> pd.DataFrame:
        import pandas as pd

        found = pd.read_csv(settings[suite]["recognition"], dtype=str, keep_default_na=False)
        return found.assign(recognised=found["recognised"] == "1")

    return Table(
        name,
        title,
        of=read,
        rows=(By("thing", order="sorted", total=ALL),),
        csv=(
            "thing",
            answers(),
            Count("k", "recognised"),
            Percent("share", "k"),
            Bounds("low", "high", "recognised", clusters="annotator_id"),
            Distinct("people", "annotator_id"),
            Worked(("taken_for",), _taken_for, "text"),
        ),
        columns=(
            Text("Thing", "thing"),
            Share("Recognised", "k", low="low", high="high"),
            whole("People", "people"),
            Text("Taken for", "taken_for"),
        ),
        notes=(
            "Percent of people's answers that name what was drawn (named/answers), rounded half up; of several "
            "pictures of a thing all answers count. Taken for: all other answers, with how often they were given.",
            interval_note("people"),
        ),
    )


def _taken_for(group: Group) -> tuple[str]:
    if group.row["thing"] == ALL:
        # Of all things together it would not say which was taken for what.
        return ("",)
    wrong = Counter(group.answers.loc[~group.answers["recognised"], "said"])
    by_count = sorted(wrong.items(), key=lambda item: (-item[1], item[0]))
    return ("; ".join(f"{name.replace('_', ' ')} {count}" for name, count in by_count),)
