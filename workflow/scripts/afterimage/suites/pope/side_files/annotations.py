"""The drawn scenes in words: ``scenes.jsonl``, the same in COCO's form, and what COCO's reader makes of that."""

import json
from collections.abc import Sequence

from afterimage.contract.stimulus import Json
from afterimage.files.whole import write_text
from afterimage.suites.pope.drawn.annotations import (
    captions,
    instances,
    record_of_scene,
    scene_lines,
)
from afterimage.suites.pope.drawn.design import nested_scenes, scenes
from afterimage.suites.pope.extraction.backends import configured
from afterimage.suites.pope.ground_truth import coco_records
from afterimage.suites.pope.language.english import English
from afterimage.suites.pope.names import NESTED, SCENES
from afterimage.suites.pope.readers.records import record_lines


def write(spec: Json, inputs: Sequence[str], outputs: Sequence[str]) -> None:
    """Decide what stands in each scene, write it down, and read it back as one reads COCO.

    Args:
        spec: ``scenes``, ``nested_scenes``, ``seed`` and ``ground_truth``, and what ``backends.configured`` takes.
        inputs: None.
        outputs: Paths of the files of ``names.ANNOTATION_FILES``, in that order.

    Raises:
        AfterimageError: The scenes hold too few classes.
    """
    scene_path, instances_path, captions_path, nested_path, record_path = outputs
    plain = scenes(spec["scenes"], spec["seed"])
    nested = nested_scenes(spec["nested_scenes"], spec["seed"])
    english = English.from_data(spec["english"])
    write_text(scene_path, scene_lines(plain))
    write_text(instances_path, json.dumps(instances(plain), indent=1))
    write_text(captions_path, json.dumps(captions(plain, english), indent=1))
    write_text(nested_path, scene_lines(nested))
    read = coco_records(instances_path, captions_path, spec["ground_truth"], *configured(spec))
    records = {SCENES: read, NESTED: [record_of_scene(scene) for scene in nested]}
    write_text(record_path, record_lines(records))
