"""The images that are drawn out of COCO or out of a list of segmented objects, with all that is known of each."""

from collections.abc import Sequence
from pathlib import Path

from afterimage.contract.stimulus import Json
from afterimage.errors import AfterimageError
from afterimage.files.row_ids import RowIds, name_text, without_folder
from afterimage.files.whole import write_text
from afterimage.suites.pope.extraction.backends import configured
from afterimage.suites.pope.names import COCO
from afterimage.suites.pope.readers.coco import coco_records
from afterimage.suites.pope.readers.json_files import read_objects
from afterimage.suites.pope.record import ImageRecord, record_lines
from afterimage.suites.pope.sampling import chosen_images

_EXPECTED = 'objects of the form {"image": "a.jpg", "objects": ["person", "kite"]}, one per line or in an array'


def write(spec: Json, inputs: Sequence[str], outputs: Sequence[str]) -> None:
    """Read the dataset, draw the images and write down what is known of them.

    Args:
        spec: ``figure``, which is the source; its files (``instances`` and ``captions``, or ``segmentation``);
            ``images``, ``min_objects``, ``seed`` and ``dataset``; for COCO ``ground_truth`` and what
            ``backends.configured`` takes.
        inputs: The dataset's files once more, and those of a checkpoint that finds objects in captions.
        outputs: The path of the records.

    Raises:
        AfterimageError: A file is missing or not as expected, or there are not enough images.
    """
    write_text(outputs[0], record_lines({spec["figure"]: drawn_images(spec)}))


def drawn_images(spec: Json) -> list[ImageRecord]:
    """Return the images that are drawn, with what is known of each; ``spec`` as :func:`write` takes it.

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

    The order of ``objects`` is kept, and names that stand twice: frequencies count entries.

    Raises:
        AfterimageError: The file is missing, is not JSON, an entry lacks a key, or an image stands in it twice.
    """
    records: list[ImageRecord] = []
    images = RowIds[int]("image", name_text, without_folder)
    for number, row in read_objects(path, _EXPECTED):
        image, objects = row.get("image"), row.get("objects")
        names_are_texts = isinstance(objects, list) and all(
            isinstance(name, str) for name in objects
        )
        if not isinstance(image, str) or not names_are_texts:
            raise AfterimageError(
                f"{path}: entry {number} is not as expected; expected {_EXPECTED}."
            )
        names = tuple(name.strip() for name in objects if name.strip())
        images.add(image, number, f"{path}: entry {number}")
        records.append(ImageRecord(image_id=image, file_name=image, entries=names))
    return records
