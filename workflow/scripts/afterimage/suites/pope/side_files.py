"""Files beside stimuli, items and tables: annotations, sampled questions, and records of the images."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from afterimage.contract.stimulus import Json
from afterimage.errors import AfterimageError
from afterimage.files.paths import write_text
from afterimage.files.row_ids import RowIds, name_text, without_folder
from afterimage.suites.pope.design import nested_scenes, scenes
from afterimage.suites.pope.extraction import configured
from afterimage.suites.pope.files import read_objects
from afterimage.suites.pope.language import Chinese, English, question_text
from afterimage.suites.pope.names import COCO, FIRST_IMAGE_ID, NESTED, SCENES
from afterimage.suites.pope.record import (
    ImageRecord,
    Instance,
    coco_records,
    read_image_records,
    record_lines,
)
from afterimage.suites.pope.sampling import chosen_images, eligible, sample, tables
from afterimage.suites.pope.scene import CLASSES, SIDE_PX, Placed, Scene

# The drawn scenes in words: ``scenes.jsonl``, the same in COCO's form, and what COCO's reader makes of that.

# As COCO's, these ids run on with gaps.
_CATEGORY_IDS = {name: 2 * number + 1 for number, name in enumerate(CLASSES)}
_NUMBERS = ("", "", "two", "three")


def write_annotations(spec: Json, inputs: Sequence[str], outputs: Sequence[str]) -> None:
    """Design the scenes, write their annotations, and read these back as COCO's are read.

    Args:
        spec: ``scenes``, ``nested_scenes``, ``seed`` and ``ground_truth``, and what ``extraction.configured`` takes.
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
    return "".join(f"{json.dumps(scene.as_json(), sort_keys=True)}\n" for scene in scenes)


def instances(scenes: Sequence[Scene]) -> dict[str, Any]:
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


def captions(scenes: Sequence[Scene], english: English) -> dict[str, Any]:
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
    names = tuple(dict.fromkeys(instance.category for instance in instances))
    return ImageRecord(scene.image, scene.image, names, instances)


def _phrase(name: str, members: Sequence[Placed], english: English) -> str:
    colour = members[0].colour
    if len(members) > 1:
        return english.phrase((_NUMBERS[len(members)], colour), name)
    phrase = f"{colour} {name}"
    return phrase if english.is_plural(name) else f"{english.article(phrase)} {phrase}"


def _images(scenes: Sequence[Scene]) -> list[dict[str, Any]]:
    return [
        {
            "id": FIRST_IMAGE_ID + number,
            "file_name": scene.image,
            "width": SIDE_PX,
            "height": SIDE_PX,
        }
        for number, scene in enumerate(scenes)
    ]


# The sampled questions in the official form, with the tables that they were chosen by.
#
# One JSON object per line in each question file, as in the authors' own; anybody's script for POPE reads them.


def write_questions(spec: Json, inputs: Sequence[str], outputs: Sequence[str]) -> None:
    """Sample all strategies and write their questions, the frequencies and the companions.

    Args:
        spec: ``figure``, ``strategies``, ``pairs``, ``min_objects``, ``seed``, ``dataset``, ``template``, ``grammar``,
            ``english``, ``chinese``.
        inputs: The records of the images.
        outputs: A path per strategy, then that of the frequencies and that of the companions.
    """
    records = eligible(read_image_records(inputs[0])[spec["figure"]], spec["min_objects"])
    counted = tables(records)
    english, chinese = English(**spec["english"]), Chinese(**spec["chinese"])
    *question_paths, frequency_path, companion_path = outputs
    for strategy, path in zip(spec["strategies"], question_paths, strict=True):
        sampled = sample(records, strategy, spec["pairs"], counted, spec["seed"], spec["dataset"])
        lines = [
            {
                "question_id": question.question_id,
                "image": record.file_name,
                "text": question_text(
                    spec["template"], question.object, spec["grammar"], english, chinese
                ),
                "label": question.label,
            }
            for record in records
            for question in sampled.questions[record.image_id]
        ]
        write_text(path, "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines))
    write_text(frequency_path, json.dumps(counted.frequencies, ensure_ascii=False) + "\n")
    write_text(companion_path, json.dumps(counted.companions, ensure_ascii=False) + "\n")


# The images that are drawn out of COCO or out of a list of segmented objects, with all that is known of each.

_EXPECTED = 'objects of the form {"image": "a.jpg", "objects": ["person", "kite"]}, one per line or in an array'


def write_records(spec: Json, inputs: Sequence[str], outputs: Sequence[str]) -> None:
    """Read the dataset, draw the images and write down what is known of them.

    Args:
        spec: ``figure``, which is the source; its files (``instances`` and ``captions``, or ``segmentation``);
            ``images``, ``min_objects``, ``seed`` and ``dataset``; for COCO ``ground_truth`` and what
            ``extraction.configured`` takes.
        inputs: The dataset's files once more, and those of a checkpoint that finds objects in captions.
        outputs: The path of the records.

    Raises:
        AfterimageError: A file is missing or not as expected, or there are not enough images.
    """
    write_text(outputs[0], record_lines({spec["figure"]: drawn_images(spec)}))


def drawn_images(spec: Json) -> list[ImageRecord]:
    """Return the drawn images with what is known of each; ``spec`` as :func:`write_records` takes it.

    Raises:
        AfterimageError: A file is missing or not as expected, or there are not enough images.
    """
    if spec["figure"] == COCO:
        records = coco_records(
            spec["instances"], spec["captions"], spec["ground_truth"], *configured(spec)
        )
    else:
        records = read_segmentation(spec["segmentation"])
    return list(
        chosen_images(records, spec["images"], spec["min_objects"], spec["seed"], spec["dataset"])
    )


def read_segmentation(path: str | Path) -> list[ImageRecord]:
    """Read a list of objects per image, JSON lines or an array; further keys are not looked at.

    The order of ``objects`` and repeated names are kept: frequencies count entries.

    Raises:
        AfterimageError: The file is missing, is not JSON, an entry lacks a key, or an image stands in it twice.
    """
    records: list[ImageRecord] = []
    images = RowIds[int]("image", name_text, without_folder)
    for number, row in read_objects(path, _EXPECTED):
        image, objects = row.get("image"), row.get("objects")
        if not (
            isinstance(image, str)
            and isinstance(objects, list)
            and all(isinstance(name, str) for name in objects)
        ):
            raise AfterimageError(
                f"{path}: entry {number} is not as expected; expected {_EXPECTED}."
            )
        names = tuple(name.strip() for name in objects if name.strip())
        images.add(image, number, f"{path}: entry {number}")
        records.append(ImageRecord(image_id=image, file_name=image, entries=names))
    return records
