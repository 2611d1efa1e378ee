"""Images of others, decoded once: 8-bit RGB as they are seen, whatever the file's form."""

from collections.abc import Mapping

import numpy as np

from afterimage.contract.drawing import Drawing
from afterimage.files.photograph import read_photograph

#: What stands where an image should be and is not; nobody is asked about it.
PLACEHOLDER = np.full((64, 64, 3), 128, dtype=np.uint8)


def draw(parameters: Mapping) -> Drawing:
    """Decode a file; ``parameters["file"]`` is its path, or None where there is none.

    Raises:
        AfterimageError: The file is no readable image.
    """
    path = parameters["file"]
    return Drawing(PLACEHOLDER if path is None else read_photograph(path))
