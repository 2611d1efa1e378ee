"""The images that official question files name, with what these ask about them."""

from afterimage.contract.design import Reader
from afterimage.contract.stimulus import Json, Shown
from afterimage.suites.pope.figures.photographs import photograph
from afterimage.suites.pope.names import STRATEGIES, stimulus_id
from afterimage.suites.pope.readers.question_files import read_questions
from afterimage.suites.pope.record import Asked


def shown(figure: str, settings: Json) -> list[Shown]:
    """Return the images, each once, in the order in which the files name them.

    Args:
        figure: ``questions``.
        settings: ``questions`` (strategy to file; read in the order of the strategies), ``dataset`` and
            ``image_folder``.

    Raises:
        AfterimageError: A file is missing or not as expected.
    """
    asked: dict[str, list[Asked]] = {}
    files = settings["questions"]
    for strategy in (name for name in STRATEGIES if name in files):
        for one in read_questions(files[strategy]).questions:
            of_image = asked.setdefault(one.image, [])
            of_image.append(Asked(strategy, one.question_id, one.text, one.label))
    return [
        photograph(stimulus_id(figure, number), image, image, settings, tuple(of_image))
        for number, (image, of_image) in enumerate(asked.items())
    ]


READER = Reader(shown)
