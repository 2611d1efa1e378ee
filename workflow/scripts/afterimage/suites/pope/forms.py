"""Is a silhouette recognised: each class as it is drawn in the scenes, the smallest and the largest of each."""

import json
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from afterimage.contract.stimulus import Json
from afterimage.contract.task import Task
from afterimage.files.png import decode_png, encode_png
from afterimage.files.stimulus import Inputs, shown_stimuli
from afterimage.items import recognition
from afterimage.items.form_texts import Texts
from afterimage.suites.pope.names import SCENES

COLUMNS = recognition.COLUMNS
rows = recognition.rows

#: What each class might be mistaken for; none of these is a class.
LOOK_ALIKES = {
    "ball": ("disc", "globe"),
    "box": ("frame", "television"),
    "cone": ("triangle", "tent"),
    "star": ("starfish", "badge"),
    "heart": ("leaf", "shield"),
    "moon": ("banana", "sickle"),
    "cup": ("bucket", "bag"),
    "house": ("arrow", "castle"),
    "tree": ("mushroom", "cloud"),
    "flower": ("lollipop", "gear"),
    "car": ("bus", "shoe"),
    "boat": ("iron", "hat"),
    "ladder": ("fence", "railway"),
    "umbrella": ("jellyfish", "hook"),
    "scissors": ("pliers", "key"),
    "glasses": ("bicycle", "mask"),
}
#: Margin of paper around an object's box, px; objects of a scene are farther apart.
MARGIN_PX = 4
#: Other classes among the options.
_CLASSES = 3


class _Cutout(NamedTuple):
    area: float
    stimulus_id: str
    number: int
    pixels: np.ndarray


def tasks(inputs: Inputs, settings: Json, texts: Texts) -> Iterator[Task]:
    """Yield a task for the smallest and the largest object of each class, cut out of the scenes."""
    cutouts: dict[str, list[_Cutout]] = {}
    for record, png in shown_stimuli(inputs):
        if record["figure"] != SCENES:
            continue
        pixels = decode_png(png, record["stimulus_id"])
        boxes = json.loads(dict(record["factors"])["boxes"])
        for index, (name, left, top, width, height) in enumerate(boxes):
            cut = _cut(pixels, left, top, width, height)
            cutouts.setdefault(name, []).append(
                _Cutout(width * height, record["stimulus_id"], index, cut)
            )
    classes = list(LOOK_ALIKES)
    for number, name in enumerate(classes):
        drawn = sorted(cutouts.get(name, ()), key=lambda cutout: cutout[:3])
        other_classes = [classes[(number + step) % len(classes)] for step in range(1, _CLASSES + 1)]
        for cutout in drawn[:1] + drawn[1:][-1:]:
            yield recognition.task(
                f"{cutout.stimulus_id}/{cutout.number}",
                cutout.stimulus_id,
                name,
                encode_png(cutout.pixels),
                (*LOOK_ALIKES[name], *other_classes),
                texts,
            )


def _cut(pixels: np.ndarray, left: float, top: float, width: float, height: float) -> np.ndarray:
    start = [max(0, int(side) - MARGIN_PX) for side in (top, left)]
    stop = [int(np.ceil(side)) + MARGIN_PX for side in (top + height, left + width)]
    return np.ascontiguousarray(pixels[start[0] : stop[0], start[1] : stop[1]])
