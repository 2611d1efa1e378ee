"""How a figure's images are made: scenes are drawn, photographs are named by a dataset or by question files."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator

from afterimage.contract.design import Listed, Reader, spec_of
from afterimage.contract.stimulus import IMAGE, MISSING, Drawing, Json, Shown, StimulusSpec
from afterimage.suites.pope.files import (
    ImageFolder,
    QuestionFile,
    image_rows,
    read_questions,
    require_same_names,
)
from afterimage.suites.pope.names import NESTED, SCENES, STRATEGIES, image_id_of_scene, stimulus_id
from afterimage.suites.pope.record import OfficialQuestion, read_image_records

# ---- Drawn scenes ----
#
# 384 x 384 px, objects of one colour each on paper of another.
# Each follows from its own number and the seed. The same scenes are written down in COCO's form, from which questions
# are made (``side_files.py``).

#: The setting that says how many scenes of a figure there are.
COUNT = {SCENES: "scenes", NESTED: "nested_scenes"}


def scene_ids(figure: str, settings: Json) -> tuple[str, ...]:
    return tuple(stimulus_id(figure, number) for number in range(settings[COUNT[figure]]))


def _scenes(figure: str, settings: Json) -> Iterator[StimulusSpec]:
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
        counts = Counter((placed["name"], placed["colour"]) for placed in scene["objects"])
        factors = {
            "dataset": settings["dataset"],
            "image_id": image_id_of_scene(figure, number),
            "image": "present",
            "truth": "; ".join(
                f"{count} {colour} {name}" for (name, colour), count in sorted(counts.items())
            ),
            "boxes": json.dumps([[placed["name"], *placed["bbox"]] for placed in scene["objects"]]),
        }
        yield StimulusSpec(stimulus_id(figure, number), {"scene": scene}, factors)


DRAWN_SCENES = Listed(scene_ids, _scenes)


def draw(scene: Json) -> Drawing:
    """Draw a scene, a line of ``scenes.jsonl`` or ``nested.jsonl``."""
    from afterimage.suites.pope.scene import Scene, draw_scene

    return Drawing(draw_scene(Scene.from_json(scene)))


# ---- Images that a dataset's files name ----
#
# COCO's, or those of a list of segmented objects.
# Which of them are asked about follows from the objects in them, so the files have to be read first
# (``side_files.py``); the Snakefile knows how many there are.


def _photograph_ids(figure: str, settings: Json) -> tuple[str, ...]:
    return tuple(stimulus_id(figure, number) for number in range(settings["images"]))


def _photographs(figure: str, settings: Json) -> Iterator[StimulusSpec]:
    """Yield the images in the same order.

    Args:
        figure: ``coco`` or ``segmentation``.
        settings: ``dataset``, ``image_folder`` and ``records``, the file of the images' records.
    """
    folder = ImageFolder(settings["image_folder"])
    for number, record in enumerate(read_image_records(settings["records"])[figure]):
        name = stimulus_id(figure, number)
        file = folder.find(record.file_name)
        yield spec_of(_photograph(name, record.image_id, file, settings))


PHOTOGRAPHS = Listed(_photograph_ids, _photographs)


def _photograph(
    name: str,
    image_id: str,
    file: str | None,
    settings: Json,
    questions: tuple[OfficialQuestion, ...] = (),
) -> Shown:
    """Return an image of a folder; one that is not there has no file, and ``image`` says "missing"."""
    factors = {
        "dataset": settings["dataset"],
        "image_id": image_id,
        IMAGE: MISSING if file is None else "present",
    }
    return Shown(name, file, factors, questions)


# ---- Images that official question files name ----


def released(figure: str, settings: Json) -> list[Shown]:
    """Return the images, each once, in the order in which the files name them.

    Args:
        figure: ``questions``.
        settings: ``questions`` (strategy to file; read in the order of the strategies), ``dataset`` and
            ``image_folder``.

    Raises:
        AfterimageError: A file is missing or not as expected, or files name one image in two ways.
    """
    by_image: dict[str, list[OfficialQuestion]] = {}
    files = {
        name: read_questions(settings["questions"][name])
        for name in STRATEGIES
        if name in settings["questions"]
    }
    require_same_names(files.values())
    for strategy, file in files.items():
        for question in file.questions:
            of_image = by_image.setdefault(question.image, [])
            of_image.append(
                OfficialQuestion(strategy, question.question_id, question.text, question.label)
            )
    from_hub = _from_hub(files.values())
    folder = ImageFolder(settings["image_folder"])
    images = []
    for number, (image, of_image) in enumerate(by_image.items()):
        path, parameters = from_hub[image] if image in from_hub else (folder.find(image), {})
        picture = _photograph(stimulus_id(figure, number), image, path, settings, tuple(of_image))
        images.append(picture._replace(parameters=parameters))
    return images


def _from_hub(files: Iterable[QuestionFile]) -> dict[str, tuple[str, Json]]:
    """Return the images that the hub's files hold: name to file and row."""
    sources: dict[str, tuple[str, Json]] = {}
    for file in files:
        for image, row in image_rows(file.path).items() if file.path.endswith(".parquet") else ():
            sources.setdefault(image, (file.path, {"row": row}))
    return sources


RELEASED = Reader(released)
