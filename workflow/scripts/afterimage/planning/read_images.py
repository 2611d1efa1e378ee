"""What a Reader tells about the images of a figure, without their pixels."""

from collections.abc import Sequence
from typing import NamedTuple

from afterimage.contract.design import images_digest, questions_digest
from afterimage.contract.stimulus import Shown


class ReadImages(NamedTuple):
    """Ids and image files, and hashes of images and questions."""

    ids: tuple[str, ...]
    files: tuple[str, ...]
    images_sha256: str
    questions_sha256: str

    @classmethod
    def of(cls, images: Sequence[Shown]) -> "ReadImages":
        """Sum up the images of a figure."""
        files = dict.fromkeys(one.file for one in images if one.file is not None)
        ids = tuple(one.stimulus_id for one in images)
        return cls(ids, tuple(files), images_digest(images), questions_digest(images))
