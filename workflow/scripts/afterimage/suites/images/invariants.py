"""What is measured of a user's images: their size. What they show stands in the user's answers alone."""

from collections.abc import Iterable, Mapping

import numpy as np

from afterimage.seeing.picture_size import nothing_to_measure, size_row


def require_figure(figure: str) -> None:
    """Accept every name: the sets are the user's."""


def measure_value(figure: str, image: np.ndarray) -> str:
    """Refuse: nothing is known about these images but their answers.

    Raises:
        AfterimageError: Always.
    """
    raise nothing_to_measure(figure, "what a user's images show stands in the questions alone")


def measure_stimulus(
    figure: str, stimulus_id: str, factors: Mapping[str, str], pixels: np.ndarray
) -> list[dict]:
    """Return one row with the image's size in pixels, shape (height, width, 3), and the file that it was."""
    return [size_row(figure, stimulus_id, pixels, remark=factors["file"])]


def require_native(rows: Iterable[Mapping]) -> None:
    """Accept every size."""
