"""The authors' images, decoded once."""

from collections.abc import Mapping

from afterimage.drawing.parametric import Drawing
from afterimage.files.photograph import read_photograph


def draw(parameters: Mapping) -> Drawing:
    """Decode the image ``parameters["file"]``.

    Raises:
        AfterimageError: It is missing or not readable.
    """
    return Drawing(read_photograph(parameters["file"]))
