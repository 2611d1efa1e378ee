"""What is measured of pictures that somebody else made: their size. What they show stands in that person's labels."""

import numpy as np

from afterimage.errors import AfterimageError

#: What stands under ``limit``: nothing was drawn, so nothing can have been drawn wrongly.
NOT_DRAWN = "none: not drawn here"


def size_row(figure: str, stimulus_id: str, pixels: np.ndarray, remark: str = "") -> dict:
    """Return the row of ``measured.csv`` for a picture.

    Args:
        figure: Its figure.
        stimulus_id: Its id.
        pixels: Shape (height, width, 3).
        remark: What else is to be said.
    """
    height, width, _ = pixels.shape
    return {
        "stimulus_id": stimulus_id,
        "figure": figure,
        "feature": "size_px",
        "value": f"{width}x{height}",
        "limit": NOT_DRAWN,
        "holds": True,
        "remark": remark,
    }


def nothing_to_measure(figure: str, why: str) -> AfterimageError:
    """Return the error for whoever wants more than a size.

    Args:
        figure: The figure.
        why: What the pictures are.
    """
    return AfterimageError(f"{figure}: nothing can be measured; {why}.")
