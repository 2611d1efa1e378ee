"""Sessions that measure people's thresholds, and the rows of their answers.

A suite chooses images and the observers that are fitted; trials are chosen, and thresholds estimated, with the same
observers as those of a model that is asked adaptively (``statistics/quest_plus.py``).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from io import BytesIO
from typing import NamedTuple

import numpy as np
from PIL import Image

from afterimage.contract.stimulus import Json
from afterimage.contract.task import (
    Answer,
    Choice,
    Option,
    Session,
    Shown,
    Slot,
    Task,
    Text,
    Track,
)
from afterimage.files.png import decode_png
from afterimage.statistics.quest_plus import (
    Observers,
    detecting_observers,
    equality_observers,
    threshold_observers,
)

#: The columns of the file that the answers become, one row per trial.
COLUMNS = (
    *("annotator_id", "session", "trial", "condition", "track", "cell", "answer", "first", "right"),
    *("milliseconds", "image_mm", "pixel_scale", "distance_cm", "stimulus_id", "source"),
    *("form_id", "answered_at"),
)
#: Width of an image in degrees at 60 cm, a pixel of its 672 being 0.25 mm.
DEGREES = 15.9
#: Pictures with at least this share of the largest difference are easy.
EASY = 0.75

#: The cells of trials in the same order for everybody, and of the practice before them.
TRIAL, PRACTICE = "trial", "practice"

_FIELD = "answer"


class Put(NamedTuple):
    """The role of an image among the trials.

    Attributes:
        condition: Each has a page, and its own thresholds.
        track: Each track of a condition has its own curve; empty if there is only one.
        cell: The stimulus level, as the curve needs it; images of one cell are shown in turn.
        first: The option that counts as the first answer.
        key: The option that is right; empty if none is.
    """

    condition: str
    track: str
    cell: str
    first: str
    key: str


def task(record: Json, png: bytes, put: Put, question: Text, options: Mapping[str, Text]) -> Task:
    """Return the task about one image.

    Args:
        record: Its stimulus record.
        png: The image.
        put: Its role among the trials.
        question: The question.
        options: The two answers, from the suite's id to the text.
    """
    pixels = decode_png(png, record["stimulus_id"])
    name = record["stimulus_id"]
    return Task(
        id=name,
        images=(_small(pixels, png),),
        fields=(Choice(_FIELD, question, tuple(Option(*option) for option in options.items())),),
        page=put.condition,
        about={**put._asdict(), "stimulus_id": name, "width_px": str(pixels.shape[1])},
    )


def _small(pixels: np.ndarray, png: bytes) -> bytes:
    """Return the same pixels in fewer bytes: a page holds dozens of images, and grey ones need one channel."""
    grey = (pixels == pixels[..., :1]).all()
    written = BytesIO()
    Image.fromarray(pixels[..., 0] if grey else pixels).save(written, "PNG")
    return min(png, written.getvalue(), key=len)


def session(
    shown: Sequence[Shown],
    observers: Callable[[Sequence[str]], Observers],
    easy: Callable[[Mapping[str, str]], bool],
    exposure_ms: int = 0,
) -> Session:
    """Return what a page needs to choose trials.

    Args:
        shown: The tasks of the page.
        observers: Returns the possible observers from the cells of a track.
        easy: Tells from a task's ``about`` whether it is for practice.
        exposure_ms: For how long a picture is shown; 0 until it is answered.
    """
    names = sorted({task.about["track"] for task in shown})
    cells = {
        name: cells_of(task.about for task in shown if task.about["track"] == name)
        for name in names
    }
    tracks = []
    for name in names:
        possible = observers(cells[name])
        tracks.append(Track(possible.prior.tolist(), possible.chances[:, 0].tolist()))
    placements = {
        task.id: Slot(
            names.index(task.about["track"]),
            cells[task.about["track"]].index(task.about["cell"]),
            task.about["first"],
            task.about["key"],
            bool(task.about["key"]) and easy(task.about),
        )
        for task in shown
    }
    return Session(tuple(tracks), placements, DEGREES, exposure_ms)


def session_of_sides(shown: Sequence[Shown], settings: Json) -> Session:
    """Return a session of trials about one of two sides: a suite's ``session``."""
    return session(shown, naming_sides, is_easy)


def in_order(shown: Sequence[Shown]) -> Session:
    """Return a session with the same trials for everybody; those of the cell ``PRACTICE`` come first."""
    placements = {
        task.id: Slot(0, 0, task.about["first"], task.about["key"], task.about["cell"] == PRACTICE)
        for task in shown
    }
    return Session((Track((), ()),), placements, DEGREES)


def cells_of(abouts: Iterable[Mapping[str, str]]) -> list[str]:
    return sorted({about["cell"] for about in abouts})


def rows(answers: Iterable[Answer]) -> Iterator[Mapping[str, str]]:
    for answer in answers:
        trial = answer.trial
        sizes, _, dense = trial["shown"].partition(" @")
        wide = sizes.partition("x")[0]
        yield {
            "annotator_id": answer.annotator_id,
            "session": trial["session"],
            "trial": trial["order"],
            **{name: answer.about[name] for name in ("condition", "track", "cell", "stimulus_id")},
            "answer": answer.value,
            "first": str(int(answer.value == answer.about["first"])),
            "right": str(int(answer.value == answer.about["key"])) if answer.about["key"] else "",
            "milliseconds": trial["milliseconds"],
            "image_mm": _ratio(wide, trial["px_per_mm"]),
            "pixel_scale": _ratio(wide, answer.about["width_px"], dense),
            "distance_cm": trial["distance_cm"],
            "source": "human",
            "form_id": answer.form_id,
            "answered_at": answer.answered_at,
        }


def _ratio(whole: str, part: str, times: str = "1") -> str:
    """Return a ratio of recorded numbers as text; empty if one is no number or is not positive."""
    try:
        above, below, factor = float(whole), float(part), float(times)
    except ValueError:
        return ""
    return f"{above * factor / below:.2f}" if above > 0 and below > 0 else ""


# ---- possible observers, by the cells that are shown ----


def naming_sides(cells: Sequence[str]) -> Observers:
    """Return observers of signed differences t who name one of two sides."""
    return threshold_observers([float(cell) for cell in cells])


def comparing(cells: Sequence[str]) -> Observers:
    """Return observers of signed differences between two targets who name the greater one."""
    return equality_observers([float(cell) for cell in cells], forced=True)


def detecting(cells: Sequence[str], at: float | None = None) -> Observers:
    """Return observers who say whether a target is present; a cell is ``16 present`` or ``16 absent``.

    Args:
        cells: The cells that are shown.
        at: Number of items at which d' is estimated; None for its change when the number of items doubles.
    """
    split = [cell.split() for cell in cells]
    there = [presence == "present" for _, presence in split]
    return detecting_observers([int(size) for size, _ in split], there, at=at)


def sizes_of(cells: Iterable[str]) -> list[int]:
    """Return the numbers of items of such cells, ascending."""
    return sorted({int(cell.split()[0]) for cell in cells})


def is_easy(about: Mapping[str, str]) -> bool:
    """Tell whether a difference is easy to see."""
    return abs(float(about["cell"])) >= EASY
