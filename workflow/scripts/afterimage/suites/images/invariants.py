"""What is measured of a user's images: their size. What they show stands in the user's answers alone."""

from collections.abc import Iterable, Mapping

import numpy as np

from afterimage.errors import AfterimageError


def require_figure(figure: str) -> None:
    """Accept every name: the sets are the user's."""


def measure_value(figure: str, image: np.ndarray) -> str:
    """Refuse: nothing is known about these images but their answers.

    Raises:
        AfterimageError: Always.
    """
    raise AfterimageError(
        f"{figure}: nothing can be measured; what a user's images show stands in the questions alone."
    )


def measure_stimulus(
    figure: str, stimulus_id: str, factors: Mapping[str, str], pixels: np.ndarray
) -> list[dict]:
    """Return one row with the image's size in pixels, shape (height, width, 3), and the file that it was."""
    height, width, _ = pixels.shape
    return [
        {
            "stimulus_id": stimulus_id,
            "figure": figure,
            "feature": "size_px",
            "value": f"{width}x{height}",
            "limit": "none: not drawn here",
            "holds": True,
            "remark": factors["file"],
        }
    ]


def require_native(rows: Iterable[Mapping]) -> None:
    """Accept every size."""
