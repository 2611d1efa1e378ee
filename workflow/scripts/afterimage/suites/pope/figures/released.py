"""The images that official question files name, with what these ask about them."""

from collections.abc import Iterable

from afterimage.contract.design import Reader
from afterimage.contract.stimulus import Json, Shown
from afterimage.suites.pope.figures.photographs import photograph
from afterimage.suites.pope.files import (
    ImageFolder,
    QuestionFile,
    image_rows,
    read_questions,
    require_same_names,
)
from afterimage.suites.pope.names import STRATEGIES, stimulus_id
from afterimage.suites.pope.record import Asked


def shown(figure: str, settings: Json) -> list[Shown]:
    """Return the images, each once, in the order in which the files name them.

    Args:
        figure: ``questions``.
        settings: ``questions`` (strategy to file; read in the order of the strategies), ``dataset`` and
            ``image_folder``.

    Raises:
        AfterimageError: A file is missing or not as expected, or files name one image in two ways.
    """
    asked: dict[str, list[Asked]] = {}
    files = {
        name: read_questions(settings["questions"][name])
        for name in STRATEGIES
        if name in settings["questions"]
    }
    require_same_names(files.values())
    for strategy, file in files.items():
        for one in file.questions:
            of_image = asked.setdefault(one.image, [])
            of_image.append(Asked(strategy, one.question_id, one.text, one.label))
    found = _from_hub(files.values())
    folder = ImageFolder(settings["image_folder"])
    images = []
    for number, (image, of_image) in enumerate(asked.items()):
        path, parameters = found[image] if image in found else (folder.find(image), {})
        picture = photograph(stimulus_id(figure, number), image, path, settings, tuple(of_image))
        images.append(picture._replace(parameters=parameters))
    return images


def _from_hub(files: Iterable[QuestionFile]) -> dict[str, tuple[str, Json]]:
    """Return the images that the hub's files hold: name to file and row."""
    found: dict[str, tuple[str, Json]] = {}
    for file in files:
        for image, row in image_rows(file.path).items() if file.path.endswith(".parquet") else ():
            found.setdefault(image, (file.path, {"row": row}))
    return found


READER = Reader(shown)
