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

#: What each class might be taken for that is no class.
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
#: Paper that is shown round an object's box, px; scenes keep their objects farther apart.
MARGIN_PX = 4
#: Other classes among the options.
_CLASSES = 3


class _Found(NamedTuple):
    area: float
    stimulus_id: str
    place: int
    pixels: np.ndarray


def tasks(inputs: Inputs, settings: Json, texts: Texts) -> Iterator[Task]:
    """Yield two tasks per class that the scenes hold, one where it is drawn once; pictures are cut out of scenes."""
    found: dict[str, list[_Found]] = {}
    for record, png in shown_stimuli(inputs):
        if record["figure"] != SCENES:
            continue
        pixels = decode_png(png, record["stimulus_id"])
        boxes = json.loads(dict(record["factors"])["boxes"])
        for place, (name, left, top, width, height) in enumerate(boxes):
            cut = _cut(pixels, left, top, width, height)
            found.setdefault(name, []).append(
                _Found(width * height, record["stimulus_id"], place, cut)
            )
    classes = list(LOOK_ALIKES)
    for number, name in enumerate(classes):
        drawn = sorted(found.get(name, ()), key=lambda one: one[:3])
        others = [classes[(number + step) % len(classes)] for step in range(1, _CLASSES + 1)]
        for one in drawn[:1] + drawn[1:][-1:]:
            yield recognition.task(
                f"{one.stimulus_id}/{one.place}",
                one.stimulus_id,
                name,
                encode_png(one.pixels),
                (*LOOK_ALIKES[name], *others),
                texts,
            )


def _cut(pixels: np.ndarray, left: float, top: float, width: float, height: float) -> np.ndarray:
    low = [max(0, int(side) - MARGIN_PX) for side in (top, left)]
    high = [int(np.ceil(side)) + MARGIN_PX for side in (top + height, left + width)]
    return np.ascontiguousarray(pixels[low[0] : high[0], low[1] : high[1]])
