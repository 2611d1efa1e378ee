"""What is measured of others' images: their size. What they show stands in the authors' labels alone."""

from collections.abc import Iterable, Mapping

import numpy as np

from afterimage.errors import unknown_name
from afterimage.seeing.picture_size import nothing_to_measure, size_row
from afterimage.suites.illusionvqa.names import FIGURES


def require_figure(figure: str) -> None:
    """Check that a figure is one of the suite's.

    Raises:
        AfterimageError: It is not; the nearest name is suggested.
    """
    if figure not in FIGURES:
        raise unknown_name("figure", figure, FIGURES)


def measure_value(figure: str, image: np.ndarray) -> str:
    """Refuse: nothing is known about these images but their labels.

    Raises:
        AfterimageError: Always.
    """
    raise nothing_to_measure(
        figure, "the images of IllusionVQA are photographs and drawings of others"
    )


def measure_stimulus(
    figure: str, stimulus_id: str, factors: Mapping[str, str], pixels: np.ndarray
) -> list[dict]:
    """Return one row with the image's size in pixels, shape (height, width, 3)."""
    return [size_row(figure, stimulus_id, pixels)]


def require_native(rows: Iterable[Mapping]) -> None:
    """Accept every size."""
