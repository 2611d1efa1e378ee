"""Fluffy: many short hairs, which also stand out over the outline."""

import numpy as np

from afterimage.contract.drawing import Drawing
from afterimage.suites.texture.figures.canvas import (
    OVERSAMPLING,
    finished,
    outline_mask,
    reduced,
    scene,
)
from afterimage.suites.texture.figures.light import ALBEDO, lambert
from afterimage.suites.texture.materials import DrawnImage

_HAIRS = 5200
_LENGTH_PX = (8.0, 17.0)
_STEPS = 26


def fluffy(image: DrawnImage, generator: np.random.Generator) -> Drawing:
    """Draw the object; place, length, direction and brightness of each hair are drawn by lot."""
    surface = scene(image.layout)
    shade = 0.30 + 0.75 * lambert(surface)
    rows, columns = _paths(surface, generator)
    covered = surface.inside > 0
    # Later hairs lie over earlier ones, from the middle outward, as fur does.
    tone = np.where(covered, 0.75, 0.0)
    for row, column, brightness in zip(
        rows, columns, generator.uniform(0.45, 1.35, _HAIRS), strict=True
    ):
        # A hair is darker at its root.
        tone[row, column] = brightness * np.linspace(0.72, 1.0, _STEPS)
        covered[row, column] = True
    light = (shade * tone)[..., None] * (0.35 + 0.65 * ALBEDO[image.hue])
    hairy = reduced(covered.astype(float))
    mask = outline_mask(image.layout) | (hairy >= 0.5)
    weight = np.maximum(hairy, 1e-9)[..., None]
    pixels = np.repeat(
        np.repeat(reduced(np.where(covered[..., None], light, 0)) / weight, OVERSAMPLING, axis=0),
        OVERSAMPLING,
        axis=1,
    )
    return Drawing(finished(image.layout, pixels, mask))


def _paths(surface, generator: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return rows and columns of the samples that each hair passes, root first, shape (hairs, steps)."""
    inner = np.argwhere(surface.inside > 1)
    roots = inner[generator.integers(len(inner), size=_HAIRS)]
    x, y = surface.x[tuple(roots.T)], surface.y[tuple(roots.T)]
    # Of hairs that begin as far out, which there are many of, the order must not be the processor's: squares of
    # quarters of a px are exact, and a stable sort leaves equals as they were drawn by lot.
    order = np.argsort(x**2 + y**2, kind="stable")
    roots, x, y = roots[order], x[order], y[order]
    angle = np.arctan2(y, x) + generator.normal(0, 0.45, _HAIRS)
    length = generator.uniform(*_LENGTH_PX, _HAIRS) * OVERSAMPLING
    along = np.linspace(0, 1, _STEPS)
    sag = 0.18 * along**2
    rows = roots[:, :1] + length[:, None] * (np.sin(angle)[:, None] * along + sag)
    columns = roots[:, 1:] + length[:, None] * np.cos(angle)[:, None] * along
    limits = np.array(surface.inside.shape) - 1
    return (
        np.clip(np.rint(rows), 0, limits[0]).astype(int),
        np.clip(np.rint(columns), 0, limits[1]).astype(int),
    )
