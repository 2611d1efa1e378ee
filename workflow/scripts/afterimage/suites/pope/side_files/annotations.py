"""The drawn scenes in words: ``scenes.jsonl``, the same in COCO's form, and what COCO's reader makes of that."""

import json
from collections.abc import Sequence

from afterimage.contract.stimulus import Json
from afterimage.files.whole import write_text
from afterimage.suites.pope.drawn.design import nested_scenes, scenes
from afterimage.suites.pope.drawn.scene import SIDE_PX, Placed, Scene
from afterimage.suites.pope.drawn.silhouettes import CLASSES
from afterimage.suites.pope.extraction.backends import configured
from afterimage.suites.pope.language.english import English
from afterimage.suites.pope.names import FIRST_IMAGE_ID, NESTED, SCENES
from afterimage.suites.pope.readers.coco import coco_records
from afterimage.suites.pope.record import ImageRecord, Instance, record_lines

# As COCO's, these ids run on with gaps.
_CATEGORY_IDS = {name: 2 * number + 1 for number, name in enumerate(CLASSES)}
_NUMBERS = ("", "", "two", "three")


def write(spec: Json, inputs: Sequence[str], outputs: Sequence[str]) -> None:
    """Decide what stands in each scene, write it down, and read it back as one reads COCO.

    Args:
        spec: ``scenes``, ``nested_scenes``, ``seed`` and ``ground_truth``, and what ``backends.configured`` takes.
        inputs: None, or the files of the checkpoint that finds objects in captions.
        outputs: Paths of the files of ``names.ANNOTATION_FILES``, in that order.

    Raises:
        AfterimageError: The scenes hold too few classes.
    """
    scene_path, instances_path, captions_path, nested_path, record_path = outputs
    plain = scenes(spec["scenes"], spec["seed"])
    nested = nested_scenes(spec["nested_scenes"], spec["seed"])
    english = English(**spec["english"])
    write_text(scene_path, scene_lines(plain))
    write_text(instances_path, json.dumps(instances(plain), indent=1))
    write_text(captions_path, json.dumps(captions(plain, english), indent=1))
    write_text(nested_path, scene_lines(nested))
    read = coco_records(instances_path, captions_path, spec["ground_truth"], *configured(spec))
    records = {SCENES: read, NESTED: [record_of_scene(scene) for scene in nested]}
    write_text(record_path, record_lines(records))


def scene_lines(scenes: Sequence[Scene]) -> str:
    """Return the scenes as JSON lines, one per scene."""
    return "".join(f"{json.dumps(scene.as_json(), sort_keys=True)}\n" for scene in scenes)


def instances(scenes: Sequence[Scene]) -> dict:
    """Return the scenes as COCO's instance annotations.

    Each annotation has one key more than COCO's, ``attributes``: the colour, which no other file could tell.
    """
    annotations = [
        {
            "image_id": FIRST_IMAGE_ID + number,
            "category_id": _CATEGORY_IDS[placed.name],
            "bbox": list(placed.bbox),
            "area": placed.bbox[2] * placed.bbox[3],
            "iscrowd": 0,
            "segmentation": [],
            "attributes": {"colour": placed.colour},
        }
        for number, scene in enumerate(scenes)
        for placed in scene.objects
    ]
    return {
        "images": _images(scenes),
        "categories": [
            {"id": _CATEGORY_IDS[name], "name": name, "supercategory": "drawn"} for name in CLASSES
        ],
        "annotations": [{"id": number, **row} for number, row in enumerate(annotations, start=1)],
    }


def captions(scenes: Sequence[Scene], english: English) -> dict:
    """Return one caption per scene, in COCO's form."""
    return {
        "images": _images(scenes),
        "annotations": [
            {
                "image_id": FIRST_IMAGE_ID + number,
                "id": number + 1,
                "caption": caption(scene.objects, english),
            }
            for number, scene in enumerate(scenes)
        ],
    }


def caption(objects: Sequence[Placed], english: English) -> str:
    """Return "There are two red balls, a blue car and a green tree.": all objects, in their order."""
    groups: dict[str, list[Placed]] = {}
    for placed in objects:
        groups.setdefault(placed.name, []).append(placed)
    phrases = [_phrase(name, members, english) for name, members in groups.items()]
    listed = phrases[0] if len(phrases) == 1 else f"{', '.join(phrases[:-1])} and {phrases[-1]}"
    first, members = next(iter(groups.items()))
    verb = "is" if len(members) == 1 and not english.is_plural(first) else "are"
    return f"There {verb} {listed}."


def record_of_scene(scene: Scene) -> ImageRecord:
    """Return what is known of a scene that stands in no file of COCO's form."""
    instances = tuple(
        Instance(placed.name, {"colour": placed.colour}, placed.bbox) for placed in scene.objects
    )
    names = tuple(dict.fromkeys(one.category for one in instances))
    return ImageRecord(scene.image, scene.image, names, instances)


def _phrase(name: str, members: Sequence[Placed], english: English) -> str:
    colour = members[0].colour
    if len(members) > 1:
        return english.phrase((_NUMBERS[len(members)], colour), name)
    phrase = f"{colour} {name}"
    return phrase if english.is_plural(name) else f"{english.article(phrase)} {phrase}"


def _images(scenes: Sequence[Scene]) -> list[dict]:
    return [
        {
            "id": FIRST_IMAGE_ID + number,
            "file_name": scene.image,
            "width": SIDE_PX,
            "height": SIDE_PX,
        }
        for number, scene in enumerate(scenes)
    ]
