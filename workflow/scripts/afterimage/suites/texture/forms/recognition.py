"""Is a drawn material recognised: each one as a sphere and as a tile, the two in different hues."""

from collections.abc import Iterator, Mapping
from typing import Any

from afterimage.contract.task import Task
from afterimage.files.stimulus import Inputs, shown_stimuli
from afterimage.items import recognition
from afterimage.items.form_texts import Texts
from afterimage.suites.texture.materials import (
    HUES,
    MATERIALS,
    MATERIALS_FIGURE,
    SHAPES,
    Material,
    images_of,
)

COLUMNS = recognition.COLUMNS
rows = recognition.rows

#: What each material might be taken for that none of them is.
LOOK_ALIKES = {
    "glossy": ("spotted", "glowing"),
    "matte": ("velvety", "sandy"),
    "rough": ("crumpled", "muddy"),
    "transparent": ("checked", "mirroring"),
    "metallic": ("striped", "porcelain"),
    "fluffy": ("spiky", "grassy"),
    "wet": ("blistered", "dented"),
    "cracked": ("veined", "netted"),
    "woven": ("tiled", "ridged"),
    "grainy": ("scaly", "foamy"),
}
#: Other materials among the options.
_OTHERS = 3


def tasks(inputs: Inputs, settings: Mapping[str, Any], texts: Texts) -> Iterator[Task]:
    """Yield two tasks per material, with the images as models get them; further copies are not asked about.

    Args:
        inputs: Its stimuli.
        settings: Not used.
        texts: The words of the form.
    """
    chosen = _chosen()
    for record, png in shown_stimuli(inputs):
        name = record["stimulus_id"]
        if name in chosen:
            thing = chosen[name]
            named = (*LOOK_ALIKES[thing.name], *others(thing))
            yield recognition.task(name, name, thing.name, png, named, texts)


def others(thing: Material) -> list[str]:
    """Return three other materials: those first that share a word with this one, and are the likeliest mistakes."""
    place = MATERIALS.index(thing)
    following = [*MATERIALS[place + 1 :], *MATERIALS[:place]]
    near = [
        one for one in following if _words(thing) & set(one.gold) or _words(one) & set(thing.gold)
    ]
    return [one.name for one in dict.fromkeys((*near, *following))][:_OTHERS]


def _words(material: Material) -> set[str]:
    return {*material.gold, *material.compatible}


def _chosen() -> dict[str, Material]:
    """Return the images that are shown, and of what: each shape of a material once, the two in different hues."""
    numbers = {material.name: number for number, material in enumerate(MATERIALS)}
    shapes = list(SHAPES)
    return {
        image.image_id: MATERIALS[numbers[image.material]]
        for image in images_of(MATERIALS_FIGURE)
        if image.hue
        == HUES[(numbers[image.material] + shapes.index(image.layout.shape)) % len(HUES)]
    }
