"""What each stimulus must measure: the answer that its key says, found in its pixels alone.

One part for each task. A key that the observer does not find is a wrong key or a wrong drawing; either stops the
workflow before anybody is asked about the image.
"""

from collections.abc import Callable, Mapping

import numpy as np

from afterimage.contract.stimulus import Measured
from afterimage.suites.blindtest.seeing import find_circled, measure


def _of(task: str) -> Callable[[np.ndarray, Mapping[str, str]], str]:
    """Return what measures the answer to what a task asks; it has to be the factor ``truth``."""
    return lambda pixels, factors: measure(pixels, task)


line_intersection = _of("line_intersection")
two_circles = _of("two_circles")
olympic_shapes = _of("olympic_shapes")
nested_squares = _of("nested_squares")
grid = _of("grid")
subway = _of("subway")
plain_string = _of("plain_string")
plain_shape = _of("plain_shape")
shapes_apart = _of("shapes_apart")


def circled_letter(pixels: np.ndarray, factors: Mapping[str, str]) -> str | Measured:
    """Measure the circled letter; its place in the word has to be right, too: words repeat letters.

    Args:
        pixels: uint8 RGB, shape (height, width, 3).
        factors: ``truth``, ``word`` and ``letter_index``; without any, nothing has to be found.
    """
    letter = measure(pixels, "circled_letter")
    found = find_circled(pixels)
    if letter != factors.get("truth") or (found.word, str(found.index)) == (
        factors["word"],
        factors["letter_index"],
    ):
        return letter
    remark = f"found {letter} at place {found.index} of {found.word}"
    return Measured(letter, factors["truth"], holds=False, remark=remark)
