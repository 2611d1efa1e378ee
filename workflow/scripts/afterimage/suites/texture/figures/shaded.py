"""What a lamp shades: smooth surfaces, without and with a highlight, and reliefs of bumps, bands and grains."""

import numpy as np
from scipy import ndimage
from scipy.spatial import cKDTree

from afterimage.contract.drawing import Drawing
from afterimage.suites.texture.figures.canvas import OVERSAMPLING, finished, scene
from afterimage.suites.texture.figures.light import bumped, highlight, lambert, painted
from afterimage.suites.texture.materials import DrawnImage


def matte(image: DrawnImage, generator: np.random.Generator) -> Drawing:
    """Draw Lambert's shading alone; nothing is left to chance."""
    shade = 0.12 + 0.95 * lambert(scene(image.layout))
    return Drawing(finished(image.layout, painted(shade, image.hue)))


def glossy(image: DrawnImage, generator: np.random.Generator) -> Drawing:
    """Draw Lambert's shading and a narrow highlight; nothing is left to chance."""
    surface = scene(image.layout)
    shade = 0.12 + 0.95 * lambert(surface)
    light = painted(shade, image.hue) + 1.6 * highlight(surface, 70)[..., None]
    return Drawing(finished(image.layout, light))


#: Widths of the bumps, px, and their heights, px.
_BUMPS_PX = ((7.0, 2.6), (3.2, 1.5), (1.6, 0.55))


def rough(image: DrawnImage, generator: np.random.Generator) -> Drawing:
    """Draw a relief of noise at several scales; the bumps are drawn by lot."""
    surface = scene(image.layout)
    height = sum(
        amplitude * _noise(generator, surface.x.shape, width) for width, amplitude in _BUMPS_PX
    )
    shade = 0.10 + 0.95 * lambert(surface, bumped(surface, height))
    return Drawing(finished(image.layout, painted(shade, image.hue)))


def _noise(generator: np.random.Generator, shape: tuple[int, int], width_px: float) -> np.ndarray:
    """Return smooth noise of mean 0 and standard deviation 1."""
    noise = ndimage.gaussian_filter(generator.standard_normal(shape), width_px * OVERSAMPLING / 2)
    return (noise - noise.mean()) / noise.std()


_BAND_PX = 9.0


def woven(image: DrawnImage, generator: np.random.Generator) -> Drawing:
    """Draw bands that cross, each over one and under the next; where the pattern begins is drawn by lot."""
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
    """Draw small grains side by side, each moved a little from its place in a honeycomb and of its own brightness."""
    surface = scene(image.layout)
    middles = _places(surface, generator)
    distance, grain = cKDTree(middles).query(np.stack([surface.x, surface.y], axis=2))
    height = np.sqrt(np.clip(_RADIUS_PX**2 - distance**2, 0, None))
    tone = generator.uniform(0.80, 1.15, len(middles))[grain]
    shade = (0.12 + 0.90 * lambert(surface, bumped(surface, 0.75 * height))) * tone
    shade *= np.where(distance < _RADIUS_PX, 1.0, 0.18)
    return Drawing(finished(image.layout, painted(shade, image.hue)))


def _places(surface, generator: np.random.Generator) -> np.ndarray:
    half = _SPACING_PX + np.array([surface.layout.object_width, surface.layout.object_height]) / 2
    rows = np.arange(-half[1], half[1], _SPACING_PX * np.sqrt(3) / 2)
    places = [
        (x + (number % 2) * _SPACING_PX / 2, y)
        for number, y in enumerate(rows)
        for x in np.arange(-half[0], half[0], _SPACING_PX)
    ]
    return np.array(places) + generator.uniform(-0.7, 0.7, (len(places), 2))
