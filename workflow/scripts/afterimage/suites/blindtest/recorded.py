"""What real models answered elsewhere, on the authors' images: as rows of this suite's tables and on its example page.

They are no models of the study and are compared only with each other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from afterimage.suites.blindtest.names import AUTHORS, FACTORS, MARK_OF_AUTHORS
from afterimage.suites.blindtest.outcomes import (
    OUTCOME_COLUMNS,
    READING_COLUMNS,
    READINGS,
    as_grades,
    of_release,
    read_csv,
)

if TYPE_CHECKING:
    from afterimage.showing.charts.example_page import Answer

#: The column that tells these rows from the study's own.
COLUMN = "recorded_elsewhere"
#: Suffix of a model's name.
MARK = " (recorded)"
#: A model's name in the files, to the name that readers know.
_NAMES = {
    "Gemini-1.5-Pro": "Gemini-1.5 Pro",
    "Sonnet-3": "Claude 3 Sonnet",
    "Sonnet-3.5": "Claude 3.5 Sonnet",
}


def grades(folder: str, settings: Mapping[str, Any]) -> pd.DataFrame:
    """Return outcomes that were recorded elsewhere as graded answers, their models marked.

    Args:
        folder: Holds ``outcomes.csv.gz`` and perhaps :data:`READINGS`.
        settings: ``release`` and ``tasks`` of the study.

    Returns:
        As :func:`as_grades`, :data:`COLUMN` being true; with ``answer`` and ``outcome`` where a reading is
        there. The verdict is the authors', whatever was read.

    Raises:
        AfterimageError: A file is not as expected.
    """
    outcomes = read_csv(folder, "outcomes.csv.gz", OUTCOME_COLUMNS)
    chosen = of_release(outcomes, settings["release"])
    chosen = chosen[chosen["task"].isin(settings["tasks"])].reset_index(drop=True)
    graded = as_grades(chosen)
    if (Path(folder) / READINGS).is_file():
        graded = _with_readings(graded, read_csv(folder, READINGS, READING_COLUMNS))
    return graded.assign(**{"model": graded["model"].map(shown_name), COLUMN: True})


def shown_name(model: str) -> str:
    """Return the name of a model of the files in tables and charts."""
    return f"{_NAMES.get(model, model)}{MARK}"


def of_drawn_images(grades: pd.DataFrame) -> pd.DataFrame:
    """Return the study's answers about the images that it drew."""
    return grades[~(is_recorded(grades) | is_about_authors(grades))]


def is_about_authors(grades: pd.DataFrame) -> pd.Series[bool]:
    """Tell for each answer whether the study's models gave it about the authors' images."""
    if "release" not in grades:
        return pd.Series(False, index=grades.index)
    return grades["release"].eq(AUTHORS)


def mark_authors(grades: pd.DataFrame) -> pd.DataFrame:
    """Mark the models of answers about the authors' images, so that these have rows of their own."""
    about, model = is_about_authors(grades), grades["model"]
    if not about.any():
        return grades
    unmarked = about & ~model.str.endswith(MARK_OF_AUTHORS)
    return grades.assign(model=model.where(~unmarked, model + MARK_OF_AUTHORS))


def mark_recorded(grades: pd.DataFrame) -> pd.DataFrame:
    """Add the column of :func:`is_recorded` once for all answers, since many small groups of them are checked."""
    return grades.assign(**{COLUMN: is_recorded(grades)})


def is_recorded(grades: pd.DataFrame) -> pd.Series[bool]:
    if COLUMN not in grades:
        return pd.Series(False, index=grades.index)
    flags = grades[COLUMN]
    return flags if flags.dtype == bool else flags.eq(True)


def _with_readings(graded: pd.DataFrame, readings: pd.DataFrame) -> pd.DataFrame:
    names = {"task": "task", "stimulus_id": "stimulus_id", "prompt_id": "prompt", "model": "model"}
    read = readings.rename(columns=names).set_index(list(names.values()))[["reading", "outcome"]]
    matched = read.reindex(pd.MultiIndex.from_frame(graded[list(names.values())]))
    kept = matched["outcome"].notna().to_numpy()
    words = matched["reading"].replace("", None).to_numpy()
    return graded.assign(
        answer=graded["answer"].astype(object).where(~kept, words),
        outcome=graded["outcome"].where(~kept, matched["outcome"].to_numpy()),
    )


# Recorded answers for the example page. The authors' pictures are not shipped; an image of this suite with the same
# parameters stands for the one that was asked about.

#: Below the page.
NOTE = (
    "(recorded): this model's answer to the authors' image with the same parameters.\nThe "
    "verdict is the authors', whatever is read here; if no answer is shown, it is not public."
)
#: Factors by which the authors' images differ from ours (docs/blindtest.md): their rows and sizes.
_DIFFERING = ("layout", "size")
#: The typeface that replaces one of theirs.
_TYPEFACES = {"LiberationSans": "Helvetica"}


def answers(
    items: Sequence[Mapping[str, Any]], folder: str, settings: Mapping[str, Any]
) -> dict[str, list[Answer]]:
    """Return the recorded answers about the image of the authors that is most like each item's.

    It was asked about in the same prompt and has the same right answer and the same factors, but for
    :data:`_DIFFERING`. Of several such images those with the most public answers come first, then a hash of their names
    decides, never the answers; two items have different ones as long as there are any.

    Args:
        items: With ``item_id``, ``figure``, ``prompt``, ``key`` and ``factors``.
        folder: As of :func:`grades`.
        settings: As of :func:`grades`.

    Returns:
        Item id to answers in the order of the models; without items that are like none of the authors'.

    Raises:
        AfterimageError: A file is not as expected.
    """
    recorded = grades(folder, settings)
    alike: dict[tuple[str, ...], list[pd.DataFrame]] = {}
    by_item: dict[str, list[Answer]] = {}
    for item in items:
        key = _match_key(item)
        if key not in alike:
            alike[key] = _images(recorded, item)
        if images := alike[key]:
            # The next such item gets the next image.
            images.append(images.pop(0))
            by_item[item["item_id"]] = [_answer(row) for row in images[-1].itertuples()]
    return by_item


def _match_key(item: Mapping[str, Any]) -> tuple[str, ...]:
    return (item["prompt"], item["key"], *_compared(item).values())


def _compared(item: Mapping[str, Any]) -> dict[str, str]:
    names = ("subtask", "canvas", *FACTORS[item["figure"]])
    factors = {name: item["factors"][name] for name in names if name not in _DIFFERING}
    return {name: _TYPEFACES.get(value, value) for name, value in factors.items()}


def _images(recorded: pd.DataFrame, item: Mapping[str, Any]) -> list[pd.DataFrame]:
    """Return the answers about each of the authors' images that is like an item's, in the order of choice."""
    wanted = {
        "task": item["figure"],
        "prompt": item["prompt"],
        "key": item["key"],
        **_compared(item),
    }
    for name, value in wanted.items():
        if recorded.empty:  # It may lack the factors of a task of which nothing was recorded.
            return []
        recorded = recorded[recorded[name] == value]
    return sorted((answered for _, answered in recorded.groupby("stimulus_id")), key=_order)


def _order(answered: pd.DataFrame) -> tuple[int, str]:
    name = answered["stimulus_id"].iloc[0]
    return int(answered["answer"].isna().sum()), hashlib.sha256(name.encode()).hexdigest()


def _answer(row: Any) -> Answer:
    # Imported late: tables import this module, too, and draw nothing.
    from afterimage.showing.charts.example_page import Answer

    text = row.answer if isinstance(row.answer, str) else None
    return Answer(row.model, text, "right" if row.correct else "wrong")
