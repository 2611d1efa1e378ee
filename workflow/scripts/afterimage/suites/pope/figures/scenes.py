"""Drawn scenes: 384 x 384 px, objects of one colour each on paper of another.

Each follows from its own number and the seed. The same scenes are written down in COCO's form, from which questions
are made (``side_files.py``).
"""

import json
from collections import Counter
from collections.abc import Iterator

from afterimage.contract.design import Listed
from afterimage.contract.stimulus import Drawing, Json, StimulusSpec
from afterimage.suites.pope.names import NESTED, SCENES, image_id_of_scene, stimulus_id

#: The setting that says how many scenes of a figure there are.
COUNT = {SCENES: "scenes", NESTED: "nested_scenes"}


def ids(figure: str, settings: Json) -> tuple[str, ...]:
    """Return the ids of a figure's scenes."""
    return tuple(stimulus_id(figure, number) for number in range(settings[COUNT[figure]]))


def specs(figure: str, settings: Json) -> Iterator[StimulusSpec]:
    """Yield the scenes: ``scene``, a line of ``scenes.jsonl`` or ``nested.jsonl``, is what each is drawn from.

    Factors are ``dataset``, ``image_id``, ``image`` ("present"), ``truth`` (all objects, as ``afterimage measure``
    names them) and ``boxes`` (JSON: name, left, top, width, height).

    Args:
        figure: ``scenes`` or ``nested``.
        settings: How many there are, ``seed`` and ``dataset``.

    Raises:
        AfterimageError: They hold so few classes that an image would be left without a class to deny.
    """
    # The Snakefile imports this module, and these draw numbers of chance.
    from afterimage.suites.pope.design import nested_scenes, scenes

    make = {SCENES: scenes, NESTED: nested_scenes}[figure]
    for number, made in enumerate(make(settings[COUNT[figure]], settings["seed"])):
        scene = made.as_json()
        counts = Counter((one["name"], one["colour"]) for one in scene["objects"])
        factors = {
            "dataset": settings["dataset"],
            "image_id": image_id_of_scene(figure, number),
            "image": "present",
            "truth": "; ".join(
                f"{count} {colour} {name}" for (name, colour), count in sorted(counts.items())
            ),
            "boxes": json.dumps([[one["name"], *one["bbox"]] for one in scene["objects"]]),
        }
        yield StimulusSpec(stimulus_id(figure, number), {"scene": scene}, factors)


DESIGN = Listed(ids, specs)


def draw(scene: Json) -> Drawing:
    """Draw a scene, a line of ``scenes.jsonl`` or ``nested.jsonl``."""
    from afterimage.suites.pope.scene import Scene, draw_scene

    return Drawing(draw_scene(Scene.from_json(scene)))
