"""The ideal observer has no way of seeing any picture, and says so."""

import numpy as np

CANNOT_TELL = "I cannot tell."


def answer(image: np.ndarray, text: str) -> str:
    """Say that it cannot tell, whatever the image (uint8 RGB, shape (height, width, 3)) and the question."""
    return CANNOT_TELL
