"""What the reference responders say about a suite that has told them nothing."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

CANNOT_TELL = "I cannot tell."


def observer(image: "np.ndarray", text: str) -> str:
    """Say that it cannot tell, whatever the image (uint8 RGB, shape (height, width, 3)) and the question."""
    return CANNOT_TELL


def textbook(beside: Mapping[str, object], rule: str) -> str:
    """Say that it cannot tell, whatever the question and the rule."""
    return CANNOT_TELL
