"""Sessions in which people find their own thresholds, and what comes back from them.

A suite says which of its images are put, and of which observers the answers tell; trials are placed, and thresholds
read off, with the same observers as a model's that is asked adaptively (``statistics/quest_plus.py``).
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
#: Degrees that an image is wide at 60 cm, a pixel of its 672 being 0.25 mm.
DEGREES = 15.9
#: From which share of the greatest difference on pictures are easy.
EASY = 0.75

#: The cells of pictures that are put in the same order to everybody, and of those that are practised with before.
TRIAL, PRACTICE = "trial", "practice"

_FIELD = "answer"


class Put(NamedTuple):
    """Where an image stands among the trials.

    Attributes:
        condition: Each has a page, and its own thresholds.
        track: Of one condition each has a curve of its own; empty where there is only one.
        cell: What is shown, as the curve takes it; images of one cell are put in turn.
        first: The option that counts as the first answer.
        key: The option that is right; empty where none is.
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
        put: Where it stands.
        question: What is asked.
        options: The two answers, the suite's own id to what is read.
    """
    pixels = decode_png(png, record["stimulus_id"])
    name = record["stimulus_id"]
    return Task(
        id=name,
        images=(_small(pixels, png),),
        fields=(Choice(_FIELD, question, tuple(Option(*one) for one in options.items())),),
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
    """Return what a page has to know to place trials.

    Args:
        shown: The tasks of the page.
        observers: Takes the cells of a track, returns who might answer.
        easy: Tells of a task whether it is practised with.
        exposure_ms: For how long a picture is shown; 0 until it is answered.
    """
    names = sorted({one.about["track"] for one in shown})
    cells = {
        name: cells_of(one.about for one in shown if one.about["track"] == name) for name in names
    }
    tracks = []
    for name in names:
        known = observers(cells[name])
        tracks.append(Track(known.prior.tolist(), known.chances[:, 0].tolist()))
    places = {
        one.id: Slot(
            names.index(one.about["track"]),
            cells[one.about["track"]].index(one.about["cell"]),
            one.about["first"],
            one.about["key"],
            bool(one.about["key"]) and easy(one.about),
        )
        for one in shown
    }
    return Session(tuple(tracks), places, DEGREES, exposure_ms)


def session_of_sides(shown: Sequence[Shown], settings: Json) -> Session:
    """Return how trials are placed where one of two sides is named: a suite's ``session``."""
    return session(shown, naming_sides, is_easy)


def in_order(shown: Sequence[Shown]) -> Session:
    """Return that a page's trials are the same for everybody; those of the cell ``PRACTICE`` come before them."""
    places = {
        one.id: Slot(0, 0, one.about["first"], one.about["key"], one.about["cell"] == PRACTICE)
        for one in shown
    }
    return Session((Track((), ()),), places, DEGREES)


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
    """Return a ratio of numbers as they came back; empty where one is none, or is not positive."""
    try:
        above, below, factor = float(whole), float(part), float(times)
    except ValueError:
        return ""
    return f"{above * factor / below:.2f}" if above > 0 and below > 0 else ""


# ---- who might answer, by the cells that are shown ----


def naming_sides(cells: Sequence[str]) -> Observers:
    """Return observers of signed differences t, who name one of two sides."""
    return threshold_observers([float(cell) for cell in cells])


def comparing(cells: Sequence[str]) -> Observers:
    """Return observers of signed differences between two targets, of which they name the greater one."""
    return equality_observers([float(cell) for cell in cells], forced=True)


def detecting(cells: Sequence[str], at: float | None = None) -> Observers:
    """Return observers who say whether a target is there; a cell is ``16 present`` or ``16 absent``.

    Args:
        cells: What is shown.
        at: At how many items d' is sought; None for its change when the number of items doubles.
    """
    split = [cell.split() for cell in cells]
    there = [presence == "present" for _, presence in split]
    return detecting_observers([int(size) for size, _ in split], there, at=at)


def sizes_of(cells: Iterable[str]) -> list[int]:
    """Return the numbers of items of such cells, ascending."""
    return sorted({int(cell.split()[0]) for cell in cells})


def is_easy(about: Mapping[str, str]) -> bool:
    """Tell whether a difference is plain to see."""
    return abs(float(about["cell"])) >= EASY
