"""Which digit the dots of an image form, from its pixels alone."""

from collections.abc import Sequence

import numpy as np

from afterimage.seeing.image import Floats, Image, once
from afterimage.suites.hidden_digits.names import CELLS, squares


@once
def inks(image: Image) -> Floats:
    """Return what each square of the image lacks to white in the mean, as logarithms, shape (49, 3).

    How much of the paper is covered then adds the same to all three channels; what the ink is, to each its own. Both
    hold for blurred and for resized images, which keep means.
    """
    lacking = 255.0 - image
    for axis in (0, 1):
        edges = np.round(np.linspace(0, image.shape[axis], CELLS + 1)).astype(int)
        sizes = np.diff(edges).reshape([-1 if own == axis else 1 for own in range(3)])
        lacking = np.add.reduceat(lacking, edges[:-1], axis=axis) / sizes
    logarithms: Floats = np.log(np.maximum(lacking, 1e-3)).reshape(-1, 3)
    return logarithms


def separation(image: Image, digit: str) -> float:
    """Return how far the squares of a digit lie from the others, in units of the scatter within both.

    The squared distance of Mahalanobis between their means: it weighs the direction that tells inks apart, and not
    the one along which squares differ in how much of them is covered.
    """
    found, own = inks(image), np.array(squares(digit))
    groups = [found[own], found[~own]]
    within = np.concatenate([group - group.mean(axis=0) for group in groups])
    # Greys lack the same in all channels: the small number keeps their scatter invertible.
    scatter = within.T @ within / len(within) + 1e-9 * np.eye(3)
    apart = groups[0].mean(axis=0) - groups[1].mean(axis=0)
    return float(apart @ np.linalg.solve(scatter, apart))


def hidden(image: Image, digits: Sequence[str]) -> str:
    """Return which of these digits the image shows rather than the others."""
    return max(digits, key=lambda digit: separation(image, digit))
