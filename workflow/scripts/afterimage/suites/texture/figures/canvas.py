"""The scene that every material is painted into: a neutral ground and an object in its middle.

Colours are linear light from 0 to 1, computed on twice the image's resolution. Only pixels whose centre lies in
the object's outline are painted, so that the object's share of the image is exact.
"""

from dataclasses import dataclass

import numpy as np

from afterimage.drawing.colour import levels_from_linear, linear_from_levels
from afterimage.suites.texture.materials import Layout

#: Levels and size of the ground's squares: neutral, and what a transparent object shows bent.
GROUND_LEVELS = (148, 176)
GROUND_SQUARE_PX = 16
#: Samples per pixel and axis.
OVERSAMPLING = 2
# A tile is bevelled at its rim, so that it looks like a body.
_BEVEL_PX = 7.0


@dataclass(frozen=True)
class Scene:
    """Where the object is and which way its surface faces; arrays on the grid of samples.

    Attributes:
        layout: Sizes, px.
        x: Horizontal distance of each sample from the object's middle, px.
        y: Vertical distance, px, downward.
        normal: Unit normals, x right, y down, z to the viewer; shape (rows, columns, 3).
        inside: How far each sample lies inside the outline, px; negative outside.
    """

    layout: Layout
    x: np.ndarray
    y: np.ndarray
    normal: np.ndarray
    inside: np.ndarray

    @property
    def radius_px(self) -> float:
        """Half of the object's smaller extent."""
        return min(self.layout.object_width, self.layout.object_height) / 2


def scene(layout: Layout) -> Scene:
    """Lay out the object in the middle of the image."""
    left, top = corner(layout)
    step = 1 / OVERSAMPLING
    x = np.arange(step / 2, layout.width, step) - (left + layout.object_width / 2)
    y = np.arange(step / 2, layout.height, step) - (top + layout.object_height / 2)
    x, y = np.meshgrid(x, y)
    if layout.shape == "sphere":
        return _sphere(layout, x, y)
    return _tile(layout, x, y)


def corner(layout: Layout) -> tuple[int, int]:
    """Return the whole pixel where the object's bounding box begins, from the left and from the top."""
    return (
        (layout.width - layout.object_width) // 2,
        (layout.height - layout.object_height) // 2,
    )


def outline_mask(layout: Layout) -> np.ndarray:
    """Return which pixels have their centre in the object's outline, shape (height, width)."""
    left, top = corner(layout)
    columns = np.arange(layout.width) + 0.5 - left
    rows = np.arange(layout.height)[:, None] + 0.5 - top
    if layout.shape == "tile":
        across = (columns > 0) & (columns < layout.object_width)
        return across & (rows > 0) & (rows < layout.object_height)
    radius = layout.object_width / 2
    return (columns - radius) ** 2 + (rows - radius) ** 2 <= radius**2


def ground(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the ground's linear light at places in px of the image; neutral, so one number per place."""
    odd = (np.floor(x / GROUND_SQUARE_PX) + np.floor(y / GROUND_SQUARE_PX)) % 2
    dark, bright = linear_from_levels(np.array(GROUND_LEVELS))
    return np.where(odd == 1, dark, bright)


def ground_pixels(layout: Layout) -> np.ndarray:
    """Return the ground alone, linear light, shape (height, width, 3)."""
    x, y = np.meshgrid(np.arange(layout.width), np.arange(layout.height))
    return np.repeat(ground(x, y)[..., None], 3, axis=2)


def finished(layout: Layout, light: np.ndarray, mask: np.ndarray | None = None) -> np.ndarray:
    """Put a painted object onto the ground and return the image's pixels.

    Args:
        layout: Sizes, px.
        light: Linear light of the object on the grid of samples, shape (rows, columns, 3).
        mask: Which pixels are the object's; those within its outline by default.

    Returns:
        Shape (height, width, 3), uint8, sRGB-coded.
    """
    mask = outline_mask(layout) if mask is None else mask
    pixels = reduced(np.clip(light, 0, 1))
    return levels_from_linear(np.where(mask[..., None], pixels, ground_pixels(layout)))


def reduced(samples: np.ndarray) -> np.ndarray:
    """Average samples to pixels; works on (rows, columns) and on (rows, columns, channels)."""
    rows, columns = (size // OVERSAMPLING for size in samples.shape[:2])
    blocks = samples.reshape(rows, OVERSAMPLING, columns, OVERSAMPLING, *samples.shape[2:])
    return blocks.mean(axis=(1, 3))


def _sphere(layout: Layout, x: np.ndarray, y: np.ndarray) -> Scene:
    radius = layout.object_width / 2
    distance = np.hypot(x, y)
    # Samples beyond the rim, of pixels whose centre lies inside, face as the rim does.
    shrink = np.minimum(1, 0.998 * radius / np.maximum(distance, 1e-9)) / radius
    across, down = x * shrink, y * shrink
    towards = np.sqrt(1 - across**2 - down**2)
    return Scene(layout, x, y, np.stack([across, down, towards], axis=2), radius - distance)


def _tile(layout: Layout, x: np.ndarray, y: np.ndarray) -> Scene:
    inside_x = layout.object_width / 2 - np.abs(x)
    inside_y = layout.object_height / 2 - np.abs(y)
    lean_x = np.sign(x) * np.clip(1 - inside_x / _BEVEL_PX, 0, 1)
    lean_y = np.sign(y) * np.clip(1 - inside_y / _BEVEL_PX, 0, 1)
    # The middle bulges a little: a perfectly flat tile would show one shade of everything around it.
    across = 0.75 * lean_x + 0.10 * x / layout.object_width
    down = 0.75 * lean_y + 0.10 * y / layout.object_height
    return Scene(layout, x, y, unit(across, down), np.minimum(inside_x, inside_y))


def unit(across: np.ndarray, down: np.ndarray, towards: float | np.ndarray = 1.0) -> np.ndarray:
    """Return unit vectors from their components; the last axis is x, y, z."""
    length = np.sqrt(across**2 + down**2 + np.asarray(towards) ** 2)
    return np.stack([across / length, down / length, towards / length], axis=2)


def dot(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the scalar product of vectors along the last axis."""
    return np.einsum("ijk,ijk->ij", first, second)
