"""A picture that somebody else made, as a drawing: decoded once."""

import numpy as np

from afterimage.contract.drawing import Drawing
from afterimage.files.photograph import read_photograph

#: Holds the place of a question that comes without an image; no model is shown it.
_NO_IMAGE_SIDE_PX, _NO_IMAGE_GREY = 64, 128


def draw(file: str | None) -> Drawing:
    """Decode an image file; None where questions come without one.

    Raises:
        AfterimageError: It is missing or not readable.
    """
    if file is None:
        shape = (_NO_IMAGE_SIDE_PX, _NO_IMAGE_SIDE_PX, 3)
        return Drawing(np.full(shape, _NO_IMAGE_GREY, dtype=np.uint8))
    return Drawing(read_photograph(file))
