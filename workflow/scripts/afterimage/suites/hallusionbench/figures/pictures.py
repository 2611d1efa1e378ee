"""The authors' images, decoded once."""

from collections.abc import Mapping

import numpy as np

from afterimage.drawing.parametric import Drawing
from afterimage.files.photograph import read_photograph

#: Holds the place of a question that comes without an image; no model is shown it.
NO_IMAGE = np.full((64, 64, 3), 128, dtype=np.uint8)


def draw(parameters: Mapping) -> Drawing:
    """Decode the image ``parameters["file"]``; None where questions come without one.

    Raises:
        AfterimageError: It is missing or not readable.
    """
    if parameters["file"] is None:
        return Drawing(NO_IMAGE)
    return Drawing(read_photograph(parameters["file"]))
