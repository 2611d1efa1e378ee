"""A picture out of a Parquet file, as a drawing: decoded once."""

from afterimage.contract.drawing import Drawing
from afterimage.drawing import photograph
from afterimage.files.others_parquet import read_image
from afterimage.files.photograph import decode_photograph


def draw(file: str | None, row: int = 0, column: str = "image", place: int = 0) -> Drawing:
    """Decode an image of a row; without a file as where questions come without an image.

    Args:
        file: The Parquet file.
        row: From 0.
        column: A column of images, or of lists of images.
        place: Of the image in the row's list, from 0.

    Raises:
        AfterimageError: It is missing or not readable.
    """
    if file is None:
        return photograph.draw(None)
    where = f"{file}, row {row}, column '{column}'"
    return Drawing(decode_photograph(read_image(file, column, row, place), where))
