"""A picture out of a Parquet file, as a drawing: decoded once."""

import logging

from afterimage.contract.drawing import UNREADABLE, Drawing
from afterimage.contract.stimulus import IMAGE, MISSING
from afterimage.drawing import photograph
from afterimage.errors import AfterimageError
from afterimage.files.others_parquet import read_image
from afterimage.files.photograph import decode_photograph

logger = logging.getLogger(__name__)


def draw(file: str | None, row: int = 0, column: str = "image", place: int = 0) -> Drawing:
    """Decode an image of a row; without a file as where questions come without an image.

    One that cannot be decoded counts as missing, and nobody is asked about it: of thousands one may be cut off. Which
    it is, and why, stands in ``realised`` as :data:`UNREADABLE`.

    Args:
        file: The Parquet file.
        row: From 0.
        column: A column of images, or of lists of images.
        place: Of the image in the row's list, from 0.

    Raises:
        AfterimageError: There is no image, or the Parquet file is damaged.
    """
    if file is None:
        return photograph.draw(None)
    where = f"{file}, row {row}, column '{column}'"
    data = read_image(file, column, row, place)
    try:
        return Drawing(decode_photograph(data, where))
    except AfterimageError as error:
        logger.warning("%s; nobody is asked about it", str(error).rstrip("."))
        instead = photograph.draw(None).pixels
        return Drawing(instead, {UNREADABLE: str(error)}, {IMAGE: MISSING})
