"""What is measured of pictures that somebody else made: their size. What they show stands in that person's labels."""

from collections.abc import Mapping

import numpy as np

from afterimage.contract.drawing import Measured


def measure(pixels: np.ndarray, factors: Mapping[str, str]) -> Measured:
    """Return the size, ``<width>x<height>`` px, of uint8 RGB, shape (height, width, 3); nothing has to hold."""
    height, width, _ = pixels.shape
    return Measured(f"{width}x{height}")
