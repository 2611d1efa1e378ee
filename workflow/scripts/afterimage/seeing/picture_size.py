"""What is measured of pictures that somebody else made: their size. What they show stands in that person's labels."""

from collections.abc import Mapping

import numpy as np

from afterimage.contract.drawing import Measured

#: What stands under ``limit``: nothing was drawn, so nothing can have been drawn wrongly.
NOT_DRAWN = "none: not drawn here"


def measure(pixels: np.ndarray, factors: Mapping[str, str]) -> Measured:
    """Return the size of a picture; nothing has to hold.

    Args:
        pixels: uint8 RGB, shape (height, width, 3).
        factors: ``image_shown`` is "no" where questions come without a picture; ``file`` is noted where it is known.
    """
    height, width, _ = pixels.shape
    value = "no image" if factors.get("image_shown") == "no" else f"{width}x{height}"
    remark = factors.get("file", "")
    columns = {
        "feature": "size_px",
        "value": value,
        "limit": NOT_DRAWN,
        "holds": True,
        "remark": remark,
    }
    return Measured(value, remark=remark, columns=columns)
