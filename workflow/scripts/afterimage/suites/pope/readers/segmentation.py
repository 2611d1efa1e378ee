"""Lists of the objects in each image, the form in which POPE's own code takes its ground truth."""

from pathlib import Path

from afterimage.errors import AfterimageError
from afterimage.suites.pope.readers.json_files import read_objects
from afterimage.suites.pope.record import ImageRecord

_EXPECTED = 'objects of the form {"image": "a.jpg", "objects": ["person", "kite"]}, one per line or in an array'


def read_segmentation(path: str | Path) -> list[ImageRecord]:
    """Read a list of objects per image, JSON lines or an array; further keys are not looked at.

    The order of ``objects`` is kept, and names that stand twice: frequencies count entries.

    Raises:
        AfterimageError: The file is missing, is not JSON, an entry lacks a key, or an image stands in it twice.
    """
    records: dict[str, ImageRecord] = {}
    for number, row in read_objects(path, _EXPECTED):
        image, objects = row.get("image"), row.get("objects")
        names_are_texts = isinstance(objects, list) and all(
            isinstance(name, str) for name in objects
        )
        if not isinstance(image, str) or not names_are_texts:
            raise AfterimageError(
                f"{path}: entry {number} is not as expected; expected {_EXPECTED}."
            )
        if image in records:
            raise AfterimageError(
                f"{path}: entry {number}: image '{image}' stands there for the second time; expected each once."
            )
        names = tuple(name.strip() for name in objects if name.strip())
        records[image] = ImageRecord(image_id=image, file_name=image, entries=names)
    return list(records.values())
