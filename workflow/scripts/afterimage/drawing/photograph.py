"""A photograph as a drawing: an external image, from an image file or a Parquet file, decoded once."""

import logging

import numpy as np

from afterimage.contract.stimulus import IMAGE, MISSING, UNREADABLE, Drawing
from afterimage.errors import AfterimageError
from afterimage.files.external_parquet import read_image
from afterimage.files.photograph import decode_photograph, read_photograph

logger = logging.getLogger(__name__)

#: Holds the place of a question that comes without an image; no model is shown it.
_NO_IMAGE_SIDE_PX, _NO_IMAGE_GREY = 64, 128


def draw(file: str | None) -> Drawing:
    """Decode an image file; None if questions come without one.

    Raises:
        AfterimageError: It is missing or not readable.
    """
    if file is None:
        shape = (_NO_IMAGE_SIDE_PX, _NO_IMAGE_SIDE_PX, 3)
        return Drawing(np.full(shape, _NO_IMAGE_GREY, dtype=np.uint8))
    return Drawing(read_photograph(file))


def draw_from_parquet(
    file: str | None, row: int = 0, column: str = "image", place: int = 0
) -> Drawing:
    """Decode an image of a row; without a file as where questions come without an image.

    One that cannot be decoded counts as missing and is not asked about: of thousands one may be truncated. Which
    it is, and why, is recorded in ``realised`` as :data:`UNREADABLE`.

    Args:
        file: The Parquet file.
        row: From 0.
        column: A column of images, or of lists of images.
        place: Of the image in the row's list, from 0.

    Raises:
        AfterimageError: There is no image, or the Parquet file is damaged.
    """
    if file is None:
        return draw(None)
    where = f"{file}, row {row}, column '{column}'"
    data = read_image(file, column, row, place)
    try:
        return Drawing(decode_photograph(data, where))
    except AfterimageError as error:
        logger.warning("%s; nobody is asked about it", str(error).rstrip("."))
        instead = draw(None).pixels
        return Drawing(instead, {UNREADABLE: str(error)}, {IMAGE: MISSING})
