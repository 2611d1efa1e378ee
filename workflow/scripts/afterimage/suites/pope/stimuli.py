"""What a figure consists of: drawn scenes, or the images that files name, each with all that is known about it.

The annotations of the drawn scenes are files like any other's, read by the same readers; what is tested offline is
what reads COCO.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from afterimage.contract.drawing import Drawing
from afterimage.errors import AfterimageError
from afterimage.suites.pope.catalogue import drawing_module
from afterimage.suites.pope.extraction import backends
from afterimage.suites.pope.ground_truth import coco_records
from afterimage.suites.pope.language.english import English
from afterimage.suites.pope.language.lexicon import Lexicon
from afterimage.suites.pope.names import (
    ANNOTATIONS,
    CAPTIONS_FILE,
    COCO,
    INSTANCES_FILE,
    NESTED,
    NESTED_FILE,
    QUESTIONS,
    SCENE_FILE,
    SCENES,
    STRATEGIES,
    annotation_path,
    require_figure,
    stimulus_id,
)
from afterimage.suites.pope.readers.json_files import read_objects
from afterimage.suites.pope.readers.question_files import read_questions
from afterimage.suites.pope.readers.segmentation import read_segmentation
from afterimage.suites.pope.record import Asked, ImageRecord, Instance
from afterimage.suites.pope.sampling import chosen_images


@dataclass(frozen=True)
class StimulusSpec:
    """One stimulus before it is made.

    Attributes:
        stimulus_id: ``<figure>_<number>``.
        parameters: ``record`` (see ``record.py``) and ``scene`` (of drawn scenes) or ``file`` (of photographs).
        factors: ``dataset``; ``image_id``; ``image``, "present" or "missing"; and of drawn scenes ``truth`` (all
            objects, as ``afterimage measure`` names them) and ``boxes`` (JSON: name, left, top, width, height).
    """

    stimulus_id: str
    parameters: dict
    factors: dict[str, str]


def specs(figure: str, settings: Mapping) -> list[StimulusSpec]:
    """Return the stimuli of a figure in the catalogue's order.

    Args:
        figure: Name of the figure.
        settings: What ``planning.drawing_spec`` returned for it.

    Raises:
        AfterimageError: There is no such figure, or a file is missing or not as expected.
    """
    require_figure(figure)
    if figure == NESTED:
        return _nested(settings)
    if figure == SCENES:
        return _scenes(settings)
    if figure == QUESTIONS:
        return _photographs(figure, _of_questions(settings), settings)
    if figure == COCO:
        records = coco_records(
            settings["instances"],
            settings["captions"],
            settings["ground_truth"],
            *_extraction(settings),
        )
    else:
        records = read_segmentation(settings["segmentation"])
    drawn = chosen_images(
        records, settings["images"], settings["min_objects"], settings["seed"], settings["dataset"]
    )
    return _photographs(figure, drawn, settings)


def draw(figure: str, parameters: Mapping) -> Drawing:
    """Make a stimulus from the parameters of its specification.

    Raises:
        AfterimageError: There is no such figure, or a file is no readable image.
    """
    return import_module(f"afterimage.suites.pope.figures.{drawing_module(figure)}").draw(
        parameters
    )


def _scenes(settings: Mapping) -> list[StimulusSpec]:
    records = coco_records(
        annotation_path(INSTANCES_FILE),
        annotation_path(CAPTIONS_FILE),
        settings["ground_truth"],
        *_extraction(settings),
    )
    scenes = {
        row["image"]: row for _, row in read_objects(annotation_path(SCENE_FILE), "drawn scenes")
    }
    _require_count(SCENES, len(records), settings["scenes"])
    return [
        _drawn(SCENES, number, record, scenes[record.file_name], settings["dataset"])
        for number, record in enumerate(records)
    ]


def _nested(settings: Mapping) -> list[StimulusSpec]:
    scenes = [row for _, row in read_objects(annotation_path(NESTED_FILE), "drawn scenes")]
    _require_count(NESTED, len(scenes), settings["nested_scenes"])
    return [
        _drawn(NESTED, number, _record_of_scene(scene), scene, NESTED)
        for number, scene in enumerate(scenes)
    ]


def _record_of_scene(scene: Mapping) -> ImageRecord:
    instances = tuple(
        Instance(one["name"], {"colour": one["colour"]}, tuple(one["bbox"]))
        for one in scene["objects"]
    )
    names = tuple(dict.fromkeys(one.category for one in instances))
    return ImageRecord(scene["image"], scene["image"], names, instances)


def _drawn(
    figure: str, number: int, record: ImageRecord, scene: Mapping, dataset: str
) -> StimulusSpec:
    counts = Counter((one["name"], one["colour"]) for one in scene["objects"])
    truth = "; ".join(
        f"{count} {colour} {name}" for (name, colour), count in sorted(counts.items())
    )
    factors = {
        "dataset": dataset,
        "image_id": record.image_id,
        "image": "present",
        "truth": truth,
        "boxes": json.dumps([[one["name"], *one["bbox"]] for one in scene["objects"]]),
    }
    parameters = {"record": record.as_json(), "scene": dict(scene)}
    return StimulusSpec(stimulus_id(figure, number), parameters, factors)


def _of_questions(settings: Mapping) -> list[ImageRecord]:
    """Return a record per image, holding all that the files ask about it, the images in the files' order."""
    asked: dict[str, list[Asked]] = {}
    for strategy in STRATEGIES:
        if strategy in settings["questions"]:
            for question in read_questions(settings["questions"][strategy]).questions:
                one = Asked(strategy, question.question_id, question.text, question.label)
                asked.setdefault(question.image, []).append(one)
    return [
        ImageRecord(image, image, questions=tuple(of_image)) for image, of_image in asked.items()
    ]


def _photographs(
    figure: str, records: Sequence[ImageRecord], settings: Mapping
) -> list[StimulusSpec]:
    result = []
    for number, record in enumerate(records):
        file = _file(record.file_name, settings["image_folder"])
        factors = {
            "dataset": settings["dataset"],
            "image_id": record.image_id,
            "image": "missing" if file is None else "present",
        }
        parameters = {"record": record.as_json(), "file": file}
        result.append(StimulusSpec(stimulus_id(figure, number), parameters, factors))
    return result


def _file(name: str, folder: str | None) -> str | None:
    """Return the path of an image, or None where it is not there; some lists name files with a leading slash."""
    path = None if folder is None else Path(folder) / name.lstrip("/")
    return str(path) if path is not None and path.is_file() else None


def _extraction(settings: Mapping) -> tuple[backends.Extract, str]:
    """Return what finds objects in captions, and its name and version."""
    lexicon, english = (
        Lexicon.from_data(settings["lexicon"]),
        English.from_data(settings["english"]),
    )
    name = settings["extraction"]
    extract = backends.load(name, lexicon, english, settings["spacy_model"], settings["chinese"])
    return extract, backends.described(name)


def _require_count(figure: str, found: int, expected: int) -> None:
    if found != expected:
        raise AfterimageError(
            f"{ANNOTATIONS}: {found} scenes of '{figure}', expected {expected}; delete the folder and run again."
        )
