"""Images that a dataset's files name: COCO's, or those of a list of segmented objects.

Which of them are asked about follows from the objects in them, so the files have to be read first
(``side_files.py``); the Snakefile knows how many there are.
"""

from collections.abc import Iterator

from afterimage.contract.design import Listed, spec_of
from afterimage.contract.stimulus import IMAGE, MISSING, Json, Shown, StimulusSpec
from afterimage.suites.pope.files import ImageFolder
from afterimage.suites.pope.names import stimulus_id
from afterimage.suites.pope.record import Asked, read_image_records


def ids(figure: str, settings: Json) -> tuple[str, ...]:
    """Return the ids of the images, in the order of the draw."""
    return tuple(stimulus_id(figure, number) for number in range(settings["images"]))


def specs(figure: str, settings: Json) -> Iterator[StimulusSpec]:
    """Yield the images in the same order.

    Args:
        figure: ``coco`` or ``segmentation``.
        settings: ``dataset``, ``image_folder`` and ``records``, the file with what is known of the images.
    """
    folder = ImageFolder(settings["image_folder"])
    for number, record in enumerate(read_image_records(settings["records"])[figure]):
        name = stimulus_id(figure, number)
        file = folder.find(record.file_name)
        yield spec_of(photograph(name, record.image_id, file, settings))


DESIGN = Listed(ids, specs)


def photograph(
    name: str, image_id: str, file: str | None, settings: Json, asked: tuple[Asked, ...] = ()
) -> Shown:
    """Return an image of a folder; one that is not there has no file, and ``image`` says "missing"."""
    factors = {
        "dataset": settings["dataset"],
        "image_id": image_id,
        IMAGE: MISSING if file is None else "present",
    }
    return Shown(name, file, factors, asked)
