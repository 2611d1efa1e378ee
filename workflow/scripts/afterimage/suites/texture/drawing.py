"""The drawn materials: one function each, ``(image, generator) -> Drawing``."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy.spatial import cKDTree

from afterimage.contract.stimulus import Drawing
from afterimage.drawing.canvas import moved
from afterimage.suites.texture import canvas
from afterimage.suites.texture.canvas import (
    ALBEDO,
    OVERSAMPLING,
    Scene,
    bumped,
    corner,
    finished,
    ground,
    highlight,
    lambert,
    mirrored_direction,
    outline_mask,
    painted,
    reduced,
    scene,
)
from afterimage.suites.texture.materials import MAX_COPIES, DrawnImage, all_images, rank

# Fluffy: many short hairs, which also stand out over the outline.

_HAIRS = 5200
_LENGTH_PX = (8.0, 17.0)
_STEPS = 26


def fluffy(image: DrawnImage, generator: np.random.Generator) -> Drawing:
    """Draw the object; position, length, direction and brightness of each hair are random."""
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


def _paths(surface: Scene, generator: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return rows and columns of the samples that each hair passes, root first, shape (hairs, steps)."""
    inner = np.argwhere(surface.inside > 1)
    roots = inner[generator.integers(len(inner), size=_HAIRS)]
    x, y = surface.x[tuple(roots.T)], surface.y[tuple(roots.T)]
    # Of hairs that begin as far out, which there are many of, the order must not be the processor's: squares of
    # quarters of a px are exact, and a stable sort leaves equals in the order in which they were drawn.
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


# Materials that show their surroundings: a polished mirror, and a transparent body.

#: What is mirrored, by the sine of the height over the horizon: brightness runs from the first number, at the lower
#: end, to the second; between parts it jumps. A floor, darkest where it ends; a sky, brightest at the horizon.
_PARTS = (
    (-1.00, 0.00, 0.55, 0.02),
    (0.00, 1.00, 1.10, 0.20),
)
_LAMP = 1.10
#: The sines, to the right and of the height, between which the lamp stands; a plate mirrors it as a band.
_LAMP_ACROSS = (-0.52, -0.08)
_LAMP_UP = (0.44, 0.68)
_EDGE = 0.016
_BRIGHTEST = 0.80
_SCREW_PX = 9.0
_SCREW_INSET_PX = 20.0
_SLOT_PX = 1.4


def metallic(image: DrawnImage, generator: np.random.Generator) -> Drawing:
    """Draw a polished mirror of the metal's own colour; a tile is a plate, screwed down at its corners.

    Nothing is random.
    """
    surface = scene(image.layout)
    towards = mirrored_direction(surface)
    across, up = towards[..., 0], -towards[..., 1]
    if image.layout.shape == "sphere":
        brightness = _mirrored(up + 0.12 * across, _within(across, _LAMP_ACROSS))
    else:
        # A tile bulges little; it is tilted so that it mirrors as much of the surrounding as a sphere's middle does.
        brightness = _mirrored(2.9 * (0.8 * up - 0.6 * across), np.ones(up.shape))
        brightness = _with_screws(surface, brightness)
    colour = 0.45 + 0.55 * ALBEDO[image.hue] / ALBEDO[image.hue].max()
    light = np.minimum(0.72 * brightness, _BRIGHTEST)[..., None] * colour
    return Drawing(finished(image.layout, light))


def _mirrored(height: np.ndarray, across: np.ndarray) -> np.ndarray:
    """Return the brightness of the surroundings.

    Args:
        height: Sines of the height over the horizon.
        across: Whether the lamp stands there horizontally, 0 to 1.
    """
    height = np.clip(height, -1, 1)
    brightness = np.zeros(height.shape)
    for start, end, low, high in _PARTS:
        level = low + (high - low) * np.clip((height - start) / (end - start), 0, 1)
        share = _step(height - start) if start > -1 else np.ones(height.shape)
        brightness += (level - brightness) * share
    lamp = across * _within(height, _LAMP_UP)
    lit: np.ndarray = brightness + (_LAMP - brightness) * lamp
    return lit


def _within(value: np.ndarray, limits: tuple[float, float]) -> np.ndarray:
    """Return 1 between two limits and 0 beyond them, with a short way between."""
    between: np.ndarray = _step(value - limits[0]) * _step(limits[1] - value)
    return between


def _with_screws(surface: Scene, brightness: np.ndarray) -> np.ndarray:
    """Put a screw into each corner: a dark rim, a head that is bright towards the lamp, and a slot."""
    half = surface.layout.object_width / 2, surface.layout.object_height / 2
    x = np.abs(surface.x) - (half[0] - _SCREW_INSET_PX)
    y = np.abs(surface.y) - (half[1] - _SCREW_INSET_PX)
    distance = np.hypot(x, y)
    # The same way up in every corner.
    x, y = x * np.sign(surface.x), y * np.sign(surface.y)
    head = 0.55 - 0.40 * (x + y) / (np.sqrt(2) * _SCREW_PX)
    slot = np.abs(x - y) / np.sqrt(2) < _SLOT_PX
    head = np.where(slot, 0.04, head)
    rimmed = np.where(distance < _SCREW_PX + 1.8, 0.04, brightness)
    return np.where(distance < _SCREW_PX, head, rimmed)


def _step(over: np.ndarray) -> np.ndarray:
    """Return 0 below an edge and 1 above it, with a short way between."""
    share: np.ndarray = 1 / (1 + np.exp(-np.clip(over / _EDGE, -60, 60)))
    return share


#: A sphere shows the background upside down, a tile shows it upright but larger; both bend more at the rim.
_MAGNIFICATION = {"sphere": -0.55, "tile": 0.72}
#: Factor of the light that comes through, and how far the hue tints it.
_THROUGH, _MIRRORED_TINT = 1.25, 0.35


def transparent(image: DrawnImage, generator: np.random.Generator) -> Drawing:
    """Draw the ground seen bent through the object, and light along its rim; nothing is random."""
    layout = image.layout
    surface = scene(layout)
    left, top = corner(layout)
    factor = _MAGNIFICATION[layout.shape]
    reach = np.hypot(surface.x, surface.y) / surface.radius_px
    factor = factor * (1 + 0.35 * np.clip(reach, 0, 1.5) ** 4)
    background = ground(
        factor * surface.x + left + layout.object_width / 2,
        factor * surface.y + top + layout.object_height / 2,
    )
    colour = 1 - _MIRRORED_TINT + _MIRRORED_TINT * ALBEDO[image.hue] / ALBEDO[image.hue].max()
    # More contrast than the ground itself has: glass gathers the light.
    light = _THROUGH * (background + 0.8 * (background - background.mean()))[..., None] * colour
    rim = (1 - surface.normal[..., 2]) ** 3 if layout.shape == "sphere" else _tile_rim(surface)
    light = light * (1 - 0.5 * rim[..., None]) + 0.75 * rim[..., None]
    light += (0.10 * lambert(surface) + 0.25 * highlight(surface, 30))[..., None] * 0.5
    return Drawing(finished(layout, np.minimum(light, 0.84)))


def _tile_rim(surface: Scene) -> np.ndarray:
    rim: np.ndarray = np.clip(1 - surface.inside / 6, 0, 1) ** 2
    return rim


# Cracks and drops, which begin with discs that are spread over an object without touching each other.

_TRIES_PER_DISC = 60


def around(scene: Scene, x: float, y: float, reach_px: float) -> tuple[slice, slice]:
    """Return the rows and columns of the samples that lie within a square about a point."""
    step = scene.x[0, 1] - scene.x[0, 0]
    limits = []
    for centre, first in ((y, scene.y[0, 0]), (x, scene.x[0, 0])):
        start = int((centre - reach_px - first) // step)
        limits.append(slice(max(start, 0), start + int(2 * reach_px / step) + 3))
    return limits[0], limits[1]


def spread_discs(
    scene: Scene,
    number: int,
    radii_px: tuple[float, float],
    gap_px: float,
    generator: np.random.Generator,
) -> np.ndarray:
    """Place discs at random, large ones first, until there are enough or no room is left.

    Args:
        scene: Where the object is.
        number: How many are wanted.
        radii_px: Smallest and largest radius.
        gap_px: Least distance between two discs, and between a disc and the outline.
        generator: Source of positions and sizes.

    Returns:
        One row per disc: x and y of its centre from the object's middle, and its radius, px.
    """
    radii = np.sort(generator.uniform(*radii_px, number))[::-1]
    half = np.array([scene.layout.object_width, scene.layout.object_height]) / 2
    round_object = scene.layout.shape == "sphere"
    placed = np.empty((0, 3))
    for radius in radii:
        for x, y in generator.uniform(-half, half, (_TRIES_PER_DISC, 2)):
            room = (
                half[0] - np.hypot(x, y)
                if round_object
                else min(half[0] - abs(x), half[1] - abs(y))
            )
            clear = np.hypot(placed[:, 0] - x, placed[:, 1] - y) - placed[:, 2]
            if room - radius >= gap_px and (clear - radius >= gap_px).all():
                placed = np.vstack([placed, [x, y, radius]])
                break
    return placed


_CELLS = 60
_SCATTERED_TINT = 0.22


def cracked(image: DrawnImage, generator: np.random.Generator) -> Drawing:
    """Draw Voronoi cells apart from each other, with little colour.

    The cells, their brightness and the width of the cracks are random.
    """
    surface = scene(image.layout)
    middles = spread_discs(surface, _CELLS, (5.0, 8.0), 2.0, generator)[:, :2]
    # Cracks are not straight: points are moved a little before they are assigned to a cell.
    bent_x = (
        surface.x + 1.6 * np.sin(surface.y / 4.1) + 0.8 * np.sin(surface.y / 1.7 + surface.x / 5)
    )
    bent_y = (
        surface.y + 1.6 * np.sin(surface.x / 3.7) + 0.8 * np.sin(surface.x / 1.9 - surface.y / 5)
    )
    distances, cells = cKDTree(middles).query(np.stack([bent_x, bent_y], axis=2), k=2)
    between = distances[..., 1] - distances[..., 0]
    tone = generator.uniform(0.85, 1.1, len(middles))[cells[..., 0]]
    crack = np.clip((between - 1.2) / 1.6, 0.06, 1)
    shade = (0.22 + 0.80 * lambert(surface)) * tone * crack
    return Drawing(finished(image.layout, 1.25 * painted(shade, image.hue, _SCATTERED_TINT)))


_RADII_PX = (1.6, 9.0)
_DROPS = 70
_GAP_PX = 1.5
#: The largest drops run: how many, how far in halves of the object, and how wide the trail is beside the drop.
_RUNNING = 5
_RUN = (0.55, 1.0)
_TRAIL = 0.55
_TRAIL_STEP_PX = 1.0
#: How much flatter than half a ball a drop is.
_FLAT = 0.6


def wet(image: DrawnImage, generator: np.random.Generator) -> Drawing:
    """Draw a shiny surface with drops of many sizes, some of which have run down and left a trail.

    Positions and sizes of the drops, and how far they ran, are random.
    """
    surface = scene(image.layout)
    drops = spread_discs(surface, _DROPS, _RADII_PX, _GAP_PX, generator)
    discs = np.vstack([drops, _trails(surface, drops[:_RUNNING], generator)])
    height, inside = _water(surface, discs)
    wetted = np.clip(inside / 0.8 + 0.5, 0, 1)
    dry = (0.10 + 0.80 * lambert(surface)) * _shadow(surface, discs)
    # Water gathers the light on its far side and is bright there; its rim towards the lamp is a little darker.
    gathered = lambert(surface, bumped(surface, -_FLAT * height))
    drop = (0.10 + 0.80 * lambert(surface)) * (0.25 + 1.20 * gathered**2) + 0.07
    shade = dry + (drop - dry) * wetted
    flat_shine = 1.3 * highlight(surface, 60)
    drop_shine = 5.0 * highlight(surface, 18, bumped(surface, 1.3 * height))
    shine = flat_shine + (drop_shine - flat_shine) * wetted
    return Drawing(finished(image.layout, painted(shade, image.hue) + shine[..., None]))


def _trails(surface: Scene, drops: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """Return the discs that make up the trails above some drops, from the drop up, ever narrower."""
    trails = [np.empty((0, 3))]
    for x, y, radius in drops:
        length = surface.radius_px * generator.uniform(*_RUN)
        phase = generator.uniform(0, 2 * np.pi)
        way = np.arange(0, length, _TRAIL_STEP_PX)
        aside = 0.25 * radius * (np.sin(way / 14 + phase) - np.sin(phase))
        width = radius * np.maximum(_TRAIL * (1 - way / length), 1 - way / radius)
        discs = np.stack([x + aside, y - way, np.maximum(width, 1.0)], axis=1)
        trails.append(discs[_is_on(surface, discs)])
    return np.vstack(trails)


def _is_on(surface: Scene, discs: np.ndarray) -> np.ndarray:
    """Return which discs lie wholly within the outline."""
    half = np.array([surface.layout.object_width, surface.layout.object_height]) / 2
    x, y, radius = discs.T
    if surface.layout.shape == "sphere":
        is_on: np.ndarray = np.hypot(x, y) + radius < half[0] - 1
    else:
        is_on = (np.abs(x) + radius < half[0] - 1) & (np.abs(y) + radius < half[1] - 1)
    return is_on


def _water(surface: Scene, discs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the water's height over the surface and how far each sample lies inside it, px."""
    height = np.zeros(surface.x.shape)
    inside = np.full(surface.x.shape, -np.inf)
    for x, y, radius in discs:
        near = around(surface, x, y, radius + 1)
        distance = np.hypot(surface.x[near] - x, surface.y[near] - y)
        inside[near] = np.maximum(inside[near], radius - distance)
        dome = np.sqrt(np.clip(radius**2 - distance**2, 0, None))
        height[near] = np.maximum(height[near], dome)
    return height, inside


def _shadow(surface: Scene, discs: np.ndarray) -> np.ndarray:
    """Return the share of light that remains next to the water, on its side away from the lamp."""
    remaining = np.ones(surface.x.shape)
    for x, y, radius in discs:
        offset = 0.25 * min(radius, 5)
        near = around(surface, x + offset, y + offset, radius + 2)
        distance = np.hypot(surface.x[near] - x - offset, surface.y[near] - y - offset)
        shade = 0.5 + 0.5 * np.clip((distance - radius) / 1.5 + 0.5, 0, 1)
        remaining[near] = np.minimum(remaining[near], shade)
    return remaining


# Every drawn image: the function of its material draws it.

_DRAW = {
    "cracked": cracked,
    "fluffy": fluffy,
    "glossy": canvas.glossy,
    "grainy": canvas.grainy,
    "matte": canvas.matte,
    "metallic": metallic,
    "rough": canvas.rough,
    "transparent": transparent,
    "wet": wet,
    "woven": canvas.woven,
}


def draw(
    image_id: str, seed: int, mirrored: bool = False, shift: Sequence[int] = (0, 0)
) -> Drawing:
    """Draw one image.

    Args:
        image_id: Its name.
        seed: Chooses what is random, for each image independently.
        mirrored: Whether left and right are swapped once more.
        shift: Whole px to the right and down, a period of the ground or half of one both ways.
    """
    (image,) = (drawn for drawn in all_images(MAX_COPIES) if drawn.image_id == image_id)
    lot = int(rank(seed, "drawing", image.image_id), 16)
    drawing = _DRAW[image.material](image, np.random.default_rng(lot))
    pixels = moved(drawing.pixels, (shift[0], shift[1]), "wrap")
    if image.mirrored != mirrored:
        pixels = np.ascontiguousarray(pixels[:, ::-1])
    return replace(drawing, pixels=pixels)
