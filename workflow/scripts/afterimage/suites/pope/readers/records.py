"""The images that are asked about with all that is known of each, as the suite keeps them: JSON lines.

A dataset is read and the objects in its captions are found once; images and questions are both made from this file.
"""

import json
from collections.abc import Mapping, Sequence

from afterimage.suites.pope.readers.json_files import read_objects
from afterimage.suites.pope.record import ImageRecord


def record_lines(records: Mapping[str, Sequence[ImageRecord]]) -> str:
    """Return the images of each figure, in order, one per line."""
    return "".join(
        f"{json.dumps({'figure': figure, **record.as_json()}, ensure_ascii=False)}\n"
        for figure, of_figure in records.items()
        for record in of_figure
    )


def read_image_records(path: str) -> dict[str, list[ImageRecord]]:
    """Return figure to its images, in order.

    Raises:
        AfterimageError: The file is missing or not valid.
    """
    found: dict[str, list[ImageRecord]] = {}
    for _, line in read_objects(path, "the images that are asked about"):
        found.setdefault(line["figure"], []).append(ImageRecord.from_json(line))
    return found
