"""The page's numbers beside the recorded answers: how many these give, and why they do not give the others."""

from collections.abc import Iterator

import pandas as pd

from afterimage.suites.blindtest.discrepancies import Explainer
from afterimage.suites.blindtest.published import MODELS, PAGE, PAGE_RELEASE
from afterimage.suites.blindtest.recorded_rows import shown_name
from afterimage.suites.blindtest.tables.paper_rows import AVERAGE


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
    places = list(zip(cells["row"], cells["model"], strict=True))
    cells = cells.assign(task=task, published=[published.get(place) for place in places])
    cells = cells[cells["published"].notna()]
    cells = cells.assign(reproduced=cells["printed"] == cells["published"])
    if cells.empty:
        return
    yield f"The recorded answers give {cells['reproduced'].sum()} of the page's {len(published)} numbers."
    explainer = Explainer(cells, grades)
    others = cells[~cells["reproduced"]]
    reasons = [explainer.reason(cell) for cell in others.to_dict(orient="records")]
    for reason, of_reason in others.groupby(reasons, sort=False):
        which = "all cells" if len(of_reason) == len(cells) else _named(of_reason)
        yield f"The page has other numbers in {which}: {reason}."


def _named(cells: pd.DataFrame) -> str:
    """Name cells, each with what the page prints: ``Gemini-1.5 Pro (recorded) (blank 25.75, text 45.83)``."""
    return "; ".join(
        f"{model} ({', '.join(map(' '.join, zip(map(_row, own['row']), own['published'], strict=True)))})"
        for model, own in cells.groupby("model", sort=False)
    )


def _row(row: str) -> str:
    return "Average" if row == AVERAGE else row.replace("_", " ")
