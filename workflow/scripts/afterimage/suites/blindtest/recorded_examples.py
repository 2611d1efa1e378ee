"""What real models answered to the authors' images, beside the images of this suite that are like them.

Nobody here has the authors' pictures. Theirs and ours of one task have the same parameters, so that an image of the
same parameters stands for the one that was asked about.
"""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from afterimage.showing.charts.example_page import Answer
from afterimage.suites.blindtest.names import FACTORS
from afterimage.suites.blindtest.recorded import grades

#: Below the page.
NOTE = (
    "(recorded): this model's answer to the authors' image with the same parameters.\n"
    "The verdict is the authors', whatever is read here; without an answer beside it, what was answered is not public."
)
#: Factors by which the authors' images differ from ours (docs/blindtest.md): their rows and sizes.
_THEIR_OWN = ("layout", "size")
#: The typeface that stands here for one of theirs.
_THEIRS = {"LiberationSans": "Helvetica"}


def answers(
    items: Sequence[Mapping[str, Any]], folder: str, settings: Mapping[str, Any]
) -> dict[str, list[Answer]]:
    """Return what was recorded about the image of the authors that is most like each item's.

    It was asked about in the same prompt and has the same right answer and the same factors, but for
    :data:`_THEIR_OWN`. Of several such images those come first of which most answers are public, then a hash of their
    names decides, never what was answered; two items have different ones as long as there are any.

    Args:
        items: With ``item_id``, ``figure``, ``prompt``, ``key`` and ``factors``.
        folder: As of :func:`recorded.grades`.
        settings: As of :func:`recorded.grades`.

    Returns:
        Item id to answers in the order of the models; without items that are like none of the authors'.

    Raises:
        AfterimageError: A file is not as expected.
    """
    recorded = grades(folder, settings)
    alike: dict[tuple[str, ...], list[pd.DataFrame]] = {}
    found: dict[str, list[Answer]] = {}
    for item in items:
        place = _place(item)
        if place not in alike:
            alike[place] = _images(recorded, item)
        if images := alike[place]:
            # The next such item gets the next image.
            images.append(images.pop(0))
            found[item["item_id"]] = [_answer(row) for row in images[-1].itertuples()]
    return found


def _place(item: Mapping[str, Any]) -> tuple[str, ...]:
    return (item["prompt"], item["key"], *_compared(item).values())


def _compared(item: Mapping[str, Any]) -> dict[str, str]:
    names = ("subtask", "canvas", *FACTORS[item["figure"]])
    own = {name: item["factors"][name] for name in names if name not in _THEIR_OWN}
    return {name: _THEIRS.get(value, value) for name, value in own.items()}


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
    text = row.answer if isinstance(row.answer, str) else None
    return Answer(row.model, text, "right" if row.correct else "wrong")
