"""What real models answered elsewhere, on the authors' images, as rows of this suite's tables.

They are no models of the study: nobody asked them here, and they are compared with nobody but each other.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from afterimage.suites.blindtest.names import AUTHORS, MARK_OF_AUTHORS
from afterimage.suites.blindtest.recorded import (
    OUTCOME_COLUMNS,
    READING_COLUMNS,
    READINGS,
    as_grades,
    read_csv,
)

#: The column that tells these rows from the study's own.
COLUMN = "recorded_elsewhere"
#: Stands behind a model's name.
MARK = " (recorded)"
#: What the files call a model, and what readers know it by.
_NAMES = {
    "Gemini-1.5-Pro": "Gemini-1.5 Pro",
    "Sonnet-3": "Claude 3 Sonnet",
    "Sonnet-3.5": "Claude 3.5 Sonnet",
}
#: Whose images did not change between the releases. The paper's nested squares were asked about in June, in one prompt.
_BOTH = "both"
_EARLIER = {"v1": {"nested_squares": "june"}}


def grades(folder: str, settings: Mapping[str, Any]) -> pd.DataFrame:
    """Return outcomes that were recorded elsewhere as graded answers, their models marked.

    Args:
        folder: Holds ``outcomes.csv.gz`` and perhaps :data:`recorded.READINGS`.
        settings: ``release`` and ``tasks`` of the study.

    Returns:
        As :func:`recorded.as_grades`, :data:`COLUMN` being true; with ``answer`` and ``outcome`` where a reading is
        there. The verdict is the authors', whatever was read.

    Raises:
        AfterimageError: A file is not as expected.
    """
    outcomes = read_csv(folder, "outcomes.csv.gz", OUTCOME_COLUMNS)
    chosen = of_release(outcomes, settings["release"])
    chosen = chosen[chosen["task"].isin(settings["tasks"])].reset_index(drop=True)
    found = as_grades(chosen)
    if (Path(folder) / READINGS).is_file():
        found = _with_readings(found, read_csv(folder, READINGS, READING_COLUMNS))
    return found.assign(**{"model": found["model"].map(shown_name), COLUMN: True})


def shown_name(model: str) -> str:
    """Return what tables and charts call a model of the files."""
    return f"{_NAMES.get(model, model)}{MARK}"


def of_release(outcomes: pd.DataFrame, release: str) -> pd.DataFrame:
    """Return the outcomes that belong to one release's tables."""
    twice = outcomes.groupby("task")["release"].agg(set)
    wanted = {task: release if release in held else _BOTH for task, held in twice.items()}
    wanted |= _EARLIER.get(release, {})
    of_task = outcomes[outcomes["release"] == outcomes["task"].map(wanted)]
    # The paper counts the small shapes in their first layout only.
    return of_task[~of_task["params"].str.contains("in_published_cell=0", regex=False)]


def own(grades: pd.DataFrame) -> pd.DataFrame:
    """Return the study's answers about the images that it drew."""
    return grades[~(is_recorded(grades) | is_about_authors(grades))]


def is_about_authors(grades: pd.DataFrame) -> "pd.Series[bool]":
    """Tell of each answer whether the study's models gave it about the authors' images."""
    if "release" not in grades:
        return pd.Series(False, index=grades.index)
    return grades["release"].eq(AUTHORS)


def told_apart(grades: pd.DataFrame) -> pd.DataFrame:
    """Mark the models of answers about the authors' images, so that their rows stand apart."""
    about, model = is_about_authors(grades), grades["model"]
    if not about.any():
        return grades
    unmarked = about & ~model.str.endswith(MARK_OF_AUTHORS)
    return grades.assign(model=model.where(~unmarked, model + MARK_OF_AUTHORS))


def marked(grades: pd.DataFrame) -> pd.DataFrame:
    """Say once of all answers whether they were recorded elsewhere: many small parts of them are asked about."""
    return grades.assign(**{COLUMN: is_recorded(grades)})


def is_recorded(grades: pd.DataFrame) -> "pd.Series[bool]":
    """Tell of each answer whether it was recorded elsewhere."""
    if COLUMN not in grades:
        return pd.Series(False, index=grades.index)
    said = grades[COLUMN]
    return said if said.dtype == bool else said.eq(True)


def _with_readings(found: pd.DataFrame, readings: pd.DataFrame) -> pd.DataFrame:
    names = {"task": "task", "stimulus_id": "stimulus_id", "prompt_id": "prompt", "model": "model"}
    read = readings.rename(columns=names).set_index(list(names.values()))[["reading", "outcome"]]
    own = read.reindex(pd.MultiIndex.from_frame(found[list(names.values())]))
    kept = own["outcome"].notna().to_numpy()
    said = own["reading"].replace("", None).to_numpy()
    return found.assign(
        answer=found["answer"].astype(object).where(~kept, said),
        outcome=found["outcome"].where(~kept, own["outcome"].to_numpy()),
    )
