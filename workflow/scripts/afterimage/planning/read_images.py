"""What a Reader tells about the images of a figure, without their pixels."""

from pathlib import Path
from typing import NamedTuple

from afterimage.contract.design import Reader, images_digest, questions_digest
from afterimage.contract.stimulus import Json


class ReadImages(NamedTuple):
    """Ids, image files (those that are there, and those that are not), and hashes of images and questions."""

    ids: tuple[str, ...]
    files: tuple[str, ...]
    absent: tuple[str, ...]
    images_sha256: str
    questions_sha256: str

    @classmethod
    def of(cls, reader: Reader, figure: str, settings: Json) -> "ReadImages":
        """Read and sum up the images of a figure."""
        images = reader.shown(figure, settings)
        ids = tuple(one.stimulus_id for one in images)
        named = reader.files(figure, settings)
        files = tuple(file for file in named if Path(file).is_file())
        there = set(files)
        absent = tuple(file for file in named if file not in there)
        return cls(ids, files, absent, images_digest(images), questions_digest(images))
