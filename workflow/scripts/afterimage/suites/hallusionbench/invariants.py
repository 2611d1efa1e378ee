"""What is measured of others' images: their size. What they show stands in the authors' labels alone."""

from collections.abc import Iterable, Mapping

import numpy as np

from afterimage.seeing.picture_size import nothing_to_measure, size_row


def require_figure(figure: str) -> None:
    """Accept every name: which figures there are stands in the release."""


def measure_value(figure: str, image: np.ndarray) -> str:
    """Refuse: nothing is known about these images but their labels.

    Raises:
        AfterimageError: Always.
    """
    raise nothing_to_measure(figure, "the images of HallusionBench are pictures of others")


def measure_stimulus(
    figure: str, stimulus_id: str, factors: Mapping[str, str], pixels: np.ndarray
) -> list[dict]:
    """Return one row with the image's size in pixels, shape (height, width, 3)."""
    row = size_row(figure, stimulus_id, pixels)
    return [row if factors["image_shown"] == "yes" else {**row, "value": "no image"}]


def require_native(rows: Iterable[Mapping]) -> None:
    """Accept every size."""
