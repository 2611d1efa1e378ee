"""Why a published cell is not what the recorded outcomes give: found in the numbers, not in a list.

Each rule tests something that can be checked: whether any number of right answers prints as the
published value, whether the value stands elsewhere in print, whether it is made up of two models'
outcomes. The first that applies is the reason.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import product
from math import floor

import pandas as pd

from afterimage.note import Note
from afterimage.showing.tables.columns import Row
from afterimage.suites.blindtest.paper import (
    AVERAGE,
    MEAN_OF_ROWS,
    MODELS,
    PAGE,
    PAGE_RELEASE,
    printed,
)
from afterimage.suites.blindtest.recorded import shown_name

# The cell of the page that is one column of the summary.
_PAGE_CELL = {
    "line_intersection": ("line_intersection", AVERAGE),
    "two_circles": ("two_circles", AVERAGE),
    "circled_letter": ("circled_letter", AVERAGE),
    "circles": ("olympic_shapes", "circles"),
    "pentagons": ("olympic_shapes", "pentagons"),
    "nested_squares": ("nested_squares", "squares"),
    "grid": ("grid", AVERAGE),
    "subway": ("subway", AVERAGE),
}


class Explainer:
    """Finds the reasons for the cells of one published source."""

    def __init__(self, cells: pd.DataFrame, grades: pd.DataFrame) -> None:
        """Keep the source's cells and the grades behind them.

        Args:
            cells: Columns task, row, model, n, k, printed, published, reproduced, averaging.
            grades: The recorded outcomes of the source, see :func:`outcomes.as_grades`.
        """
        self._cells = cells.to_dict(orient="records")
        self._right = grades.groupby(["task", "subtask", "model", "prompt"])["correct"].sum()

    def reason(self, cell: Row) -> str:
        """Return why a cell is not reproduced; empty if it is, or where nothing was published."""
        if pd.isna(cell["published"]) or cell["reproduced"] is True:
            return ""
        if pd.isna(cell["n"]):
            return "the outcomes hold no answer of this model for this cell"
        rules = (self._carried_over, self._misplaced, self._mixed, self._other_run)
        for rule in (*rules, self._inherited, self._impossible):
            explanation = rule(cell)
            if explanation:
                return explanation
        return "the recorded outcomes give another value; nothing in the numbers tells why"

    def _carried_over(self, cell: Row) -> str:
        if cell["task"] != "summary" or cell["row"] not in _PAGE_CELL:
            return ""
        task, row = _PAGE_CELL[cell["row"]]
        older = dict(zip(MODELS, PAGE[task][row], strict=True)).get(cell["model"])
        if older != cell["published"]:
            return ""
        return "the page's older value was kept" + self._add_impossible(cell)

    def _misplaced(self, cell: Row) -> str:
        for other in self._cells:
            same_model = other["model"] == cell["model"] and other["task"] == cell["task"]
            if same_model and other["row"] != cell["row"] and _prints_as(other, cell["published"]):
                counts = f"{other['k']}/{other['n']}"
                return f"it is this model's value of '{other['row']}' ({counts}) in the wrong place"
        return ""

    def _mixed(self, cell: Row) -> str:
        """Look for one of the model's prompts pooled with another prompt of another model."""
        task, model = cell["task"], cell["model"]
        if task not in self._right.index.get_level_values(0):
            return ""
        rows = [
            other
            for other in self._cells
            if other["task"] == task and other["model"] == model and other["row"] != AVERAGE
        ]
        halves = self._right[task].groupby(["model", "prompt"]).size().index
        of_model, foreign = (
            [h for h in halves if h[0] == model],
            [h for h in halves if h[0] != model],
        )
        fitting = [
            (mine, other)
            for mine, other in product(of_model, foreign)
            if mine[1] != other[1] and all(self._is_mix(row, mine, other) for row in rows)
        ]
        if len(fitting) != 1 or len(rows) < 2:
            return ""
        (_, prompt), (other_model, other_prompt) = fitting[0]
        return (
            f"all rows of this model equal its outcomes for {prompt} pooled with those of "
            f"{other_model} for {other_prompt}"
        )

    def _is_mix(self, row: Row, mine: tuple[str, str], other: tuple[str, str]) -> bool:
        key = (row["task"], row["row"])
        if (*key, *mine) not in self._right.index or (*key, *other) not in self._right.index:
            return False
        k = int(self._right[(*key, *mine)] + self._right[(*key, *other)])
        return row["published"] in _printings(Fraction(k, int(row["n"])))

    def _other_run(self, cell: Row) -> str:
        """Tell whether several models' values of one row are counts of other denominators."""
        impossible = [other for other in self._cells if _is_impossible(other, cell["task"])]
        models = Counter(other["row"] for other in impossible)
        if max(models.values(), default=0) < 2:
            return ""
        rows = dict.fromkeys(f"{other['row']} (n = {other['n']})" for other in impossible)
        return (
            "the published run is not the recorded one: no number of right answers prints as its "
            f"values of {', '.join(rows)}"
        )

    def _inherited(self, cell: Row) -> str:
        if cell["row"] != AVERAGE:
            return ""
        rows = [
            other
            for other in self._cells
            if other["task"] == cell["task"]
            and other["model"] == cell["model"]
            and other["row"] != AVERAGE
        ]
        values = [Fraction(str(other["published"])) / 100 for other in rows]
        differing = [str(other["row"]) for other in rows if other["reproduced"] is not True]
        # The rows are cut off, so their mean can lie up to one unit too low.
        slack = (Fraction(0), Fraction(1, 20000), Fraction(1, 10000))
        mean = sum(values, Fraction()) / len(values)
        if differing and any(cell["published"] in _printings(mean + more) for more in slack):
            return f"it is the mean of the printed rows, of which {', '.join(differing)} differs"
        return ""

    def _impossible(self, cell: Row) -> str:
        return self._add_impossible(cell).removeprefix("; ")

    def _add_impossible(self, cell: Row) -> str:
        if not _is_impossible(cell, cell["task"]):
            return ""
        return f"; no number of right answers out of {cell['n']} prints as {cell['published']}"


def _is_impossible(cell: Row, task: str) -> bool:
    counted = not pd.isna(cell["published"]) and not pd.isna(cell["n"])
    if cell["task"] != task or not counted or cell["averaging"] == MEAN_OF_ROWS:
        return False
    n = int(cell["n"])
    nearest = floor(Fraction(str(cell["published"])) * n / 100)
    ks = range(max(0, nearest - 1), min(n, nearest + 2) + 1)
    return all(cell["published"] not in _printings(Fraction(k, n)) for k in ks)


def _prints_as(cell: Row, published: str) -> bool:
    if pd.isna(cell["n"]) or cell["averaging"] == MEAN_OF_ROWS:
        return bool(cell["printed"] == published)
    return published in _printings(Fraction(int(cell["k"]), int(cell["n"])))


def _printings(share: Fraction) -> Iterable[str]:
    return {printed(share, cuts) for cuts in (True, False)}


def on_the_page(grades: pd.DataFrame, task: str) -> pd.DataFrame:
    """Return those recorded answers to a task that are about the images of the page's table."""
    of_task = grades[grades["task"] == task]
    return of_task[of_task["release"] == PAGE_RELEASE.get(task, "both")]


def compared(cells: pd.DataFrame, grades: pd.DataFrame, task: str) -> Iterator[str]:
    """Yield how many of the page's numbers the recorded answers give and, reason by reason, which they do not.

    Args:
        cells: The task's table of these answers: row, model, n, k, printed, averaging.
        grades: The answers themselves.
        task: One of :data:`names.TASKS`.
    """
    published = {
        (row, shown_name(model)): value
        for row, values in PAGE[task].items()
        for model, value in zip(MODELS, values, strict=True)
    }
    keys = list(zip(cells["row"], cells["model"], strict=True))
    cells = cells.assign(task=task, published=[published.get(key) for key in keys])
    cells = cells[cells["published"].notna()]
    cells = cells.assign(reproduced=cells["printed"] == cells["published"])
    if cells.empty:
        return
    yield Note(
        "The recorded answers give {reproduced} of the page's {published} numbers.",
        reproduced=cells["reproduced"].sum(),
        published=len(published),
    )
    explainer = Explainer(cells, grades)
    differing = cells[~cells["reproduced"]]
    reasons = [explainer.reason(cell) for cell in differing.to_dict(orient="records")]
    for reason, of_reason in differing.groupby(reasons, sort=False):
        which = "all cells" if len(of_reason) == len(cells) else _named(of_reason)
        yield f"The page has other numbers in {which}: {reason}."


def _named(cells: pd.DataFrame) -> str:
    """Name cells, each with what the page prints: ``Gemini-1.5 Pro (recorded) (blank 25.75, text 45.83)``."""
    return "; ".join(
        f"{model} ({', '.join(map(' '.join, zip(map(_row, group['row']), group['published'], strict=True)))})"
        for model, group in cells.groupby("model", sort=False)
    )


def _row(row: str) -> str:
    return "Average" if row == AVERAGE else row.replace("_", " ")
