"""What the reference responders say about a suite that has told them nothing."""

from collections.abc import Callable, Mapping
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


def describer(beside: Mapping[str, object], text: str, errs: Callable[..., bool]) -> str:
    """Say that it cannot tell, whatever the request and the errors."""
    return CANNOT_TELL
