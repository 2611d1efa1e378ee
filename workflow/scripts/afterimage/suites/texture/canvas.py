"""The scene that every material is painted into, its light, and the surfaces that it shades."""

from dataclasses import dataclass

import numpy as np
from scipy import ndimage
from scipy.spatial import cKDTree

from afterimage.contract.stimulus import Drawing
from afterimage.drawing.colour import levels_from_linear, linear_from_levels
from afterimage.suites.texture.materials import DrawnImage, Layout

# The scene that every material is painted into: a neutral ground and an object in its middle.
#
# Colours are linear light from 0 to 1, computed on twice the image's resolution. Only pixels whose centre lies in the
# object's outline are painted, so that the object's share of the image is exact.

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
    """Return the ground's linear light at points in px of the image; neutral, so one number per point."""
    odd = (np.floor(x / GROUND_SQUARE_PX) + np.floor(y / GROUND_SQUARE_PX)) % 2
    dark, bright = linear_from_levels(np.array(GROUND_LEVELS))
    light: np.ndarray = np.where(odd == 1, dark, bright)
    return light


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
    pixels: np.ndarray = blocks.mean(axis=(1, 3))
    return pixels


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
    product: np.ndarray = np.einsum("ijk,ijk->ij", first, second)
    return product


# Light and colour that all materials share: one lamp up on the left, a little light from everywhere.

#: Where the lamp and the eye are, in halves of the object's smaller extent from its middle.
_LAMP = (-0.95, -1.2, 2.9)
_EYE = (0.0, 0.0, 6.0)

#: The share of red, green and blue light that a surface reflects.
ALBEDO = {"warm": np.array([0.62, 0.30, 0.14]), "cool": np.array([0.13, 0.33, 0.62])}


def lambert(scene: Scene, normal: np.ndarray | None = None) -> np.ndarray:
    """Return how much lamplight falls on each sample, 0 to 1; 0 where the surface faces away."""
    normal = scene.normal if normal is None else normal
    falling: np.ndarray = np.clip(dot(normal, _towards(scene, _LAMP)), 0, 1)
    return falling


def highlight(scene: Scene, sharpness: float, normal: np.ndarray | None = None) -> np.ndarray:
    """Return Phong's specular term, 0 to 1: how nearly the lamp is mirrored into the eye."""
    normal = scene.normal if normal is None else normal
    lamp = _towards(scene, _LAMP)
    mirrored = 2 * dot(normal, lamp)[..., None] * normal - lamp
    glint: np.ndarray = np.clip(dot(mirrored, _towards(scene, _EYE)), 0, 1) ** sharpness
    return glint


def mirrored_direction(scene: Scene) -> np.ndarray:
    """Return where the eye's line of sight goes after reflection: unit vectors, shape (rows, columns, 3)."""
    eye = _towards(scene, _EYE)
    direction: np.ndarray = 2 * dot(scene.normal, eye)[..., None] * scene.normal - eye
    return direction


def painted(shade: np.ndarray, hue: str, tint: float = 1.0) -> np.ndarray:
    """Give a shade, 0 to 1, the colour of a hue; less of it with a smaller ``tint``."""
    colour = ALBEDO[hue]
    colour = tint * colour + (1 - tint) * colour.mean()
    light: np.ndarray = shade[..., None] * colour
    return light


def bumped(scene: Scene, height: np.ndarray) -> np.ndarray:
    """Return the scene's normals over a relief.

    Args:
        scene: Where the object is.
        height: Heights over the surface, px, on the grid of samples.
    """
    step = scene.x[0, 1] - scene.x[0, 0]
    slope_y, slope_x = np.gradient(height, step)
    return unit(
        scene.normal[..., 0] - slope_x,
        scene.normal[..., 1] - slope_y,
        scene.normal[..., 2],
    )


def _towards(scene: Scene, point: tuple[float, float, float]) -> np.ndarray:
    radius = scene.radius_px
    return unit(
        point[0] - scene.x / radius,
        point[1] - scene.y / radius,
        point[2] - (scene.normal[..., 2] if scene.layout.shape == "sphere" else 0.0),
    )


# What a lamp shades: smooth surfaces, without and with a highlight, and reliefs of bumps, bands and grains.


def matte(image: DrawnImage, generator: np.random.Generator) -> Drawing:
    """Draw Lambert's shading alone; nothing is random."""
    shade = 0.12 + 0.95 * lambert(scene(image.layout))
    return Drawing(finished(image.layout, painted(shade, image.hue)))


def glossy(image: DrawnImage, generator: np.random.Generator) -> Drawing:
    """Draw Lambert's shading and a narrow highlight; nothing is random."""
    surface = scene(image.layout)
    shade = 0.12 + 0.95 * lambert(surface)
    light = painted(shade, image.hue) + 1.6 * highlight(surface, 70)[..., None]
    return Drawing(finished(image.layout, light))


#: Widths of the bumps, px, and their heights, px.
_BUMPS_PX = ((7.0, 2.6), (3.2, 1.5), (1.6, 0.55))


def rough(image: DrawnImage, generator: np.random.Generator) -> Drawing:
    """Draw a relief of noise at several scales; the bumps are random."""
    surface = scene(image.layout)
    height = np.zeros(surface.x.shape)
    for width, amplitude in _BUMPS_PX:
        height += amplitude * _noise(generator, surface.x.shape, width)
    shade = 0.10 + 0.95 * lambert(surface, bumped(surface, height))
    return Drawing(finished(image.layout, painted(shade, image.hue)))


def _noise(generator: np.random.Generator, shape: tuple[int, ...], width_px: float) -> np.ndarray:
    """Return smooth noise of mean 0 and standard deviation 1."""
    noise = ndimage.gaussian_filter(generator.standard_normal(shape), width_px * OVERSAMPLING / 2)
    standard: np.ndarray = (noise - noise.mean()) / noise.std()
    return standard


_BAND_PX = 9.0


def woven(image: DrawnImage, generator: np.random.Generator) -> Drawing:
    """Draw bands that cross, each over one and under the next; where the pattern begins is random."""
    surface = scene(image.layout)
    begin_x, begin_y = generator.uniform(0, 2 * _BAND_PX, 2)
    across, down = (surface.x + begin_x) / _BAND_PX, (surface.y + begin_y) / _BAND_PX
    # Which of the two bands lies on top changes from crossing to crossing.
    top = (np.floor(across) + np.floor(down)) % 2 == 0
    along_x, along_y = across % 1, down % 1
    horizontal = np.sin(np.pi * along_y) * (0.45 + 0.55 * np.sin(np.pi * along_x))
    vertical = np.sin(np.pi * along_x) * (0.45 + 0.55 * np.sin(np.pi * along_y))
    height = np.where(top, horizontal, vertical)
    threads = 0.10 * np.sin(2 * np.pi * 3 * np.where(top, down, across))
    shade = (0.15 + 0.80 * lambert(surface, bumped(surface, 2.2 * height))) * (
        0.30 + 0.75 * height**0.6 + threads
    )
    return Drawing(finished(image.layout, painted(shade, image.hue)))


_SPACING_PX = 9.5
_RADIUS_PX = 4.6


def grainy(image: DrawnImage, generator: np.random.Generator) -> Drawing:
    """Draw small grains in a honeycomb, each shifted a little and with a brightness of its own."""
    surface = scene(image.layout)
    centres = _grain_centres(surface, generator)
    distance, grain = cKDTree(centres).query(np.stack([surface.x, surface.y], axis=2))
    height = np.sqrt(np.clip(_RADIUS_PX**2 - distance**2, 0, None))
    tone = generator.uniform(0.80, 1.15, len(centres))[grain]
    shade = (0.12 + 0.90 * lambert(surface, bumped(surface, 0.75 * height))) * tone
    shade *= np.where(distance < _RADIUS_PX, 1.0, 0.18)
    return Drawing(finished(image.layout, painted(shade, image.hue)))


def _grain_centres(surface: Scene, generator: np.random.Generator) -> np.ndarray:
    half = _SPACING_PX + np.array([surface.layout.object_width, surface.layout.object_height]) / 2
    rows = np.arange(-half[1], half[1], _SPACING_PX * np.sqrt(3) / 2)
    centres = [
        (x + (number % 2) * _SPACING_PX / 2, y)
        for number, y in enumerate(rows)
        for x in np.arange(-half[0], half[0], _SPACING_PX)
    ]
    return np.array(centres) + generator.uniform(-0.7, 0.7, (len(centres), 2))
