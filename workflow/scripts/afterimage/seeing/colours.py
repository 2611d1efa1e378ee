"""Colours: of ink on white paper, distinguished by direction, and of targets among grey inducers, by hue.

What a pixel lacks to white is proportional to how much of it ink covers, so that a colour on white keeps its direction
in the space of the lacking light from full coverage down to the faintest edge, and through linear resizing.

The part of a colour that is orthogonal to the grey axis depends linearly on how much of a pixel a target covers, and
not at all on which grey it covers, so that coverage is exact at anti-aliased edges on white, on black fins and on grey
rings alike, and survives linear resizing (docs/illusion_figures.md, section 5: coverage, not pixel counts)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from afterimage.errors import AfterimageError, unknown_name
from afterimage.seeing.image import WHITE, Floats, Image, Mask, Window, widened

# Colours within about 10 degrees of each other are one: coverage, rounding and ringing stay far
# below that, the two nearest of the ten categorical colours (red and brown) are 18 degrees apart.
_SAME_DIRECTION = 0.985
_MIN_CHROMA = 40
_QUANTUM = 8
_MIN_SHARE_OF_TWO = 0.02


@dataclass(frozen=True)
class Colour:
    """A chromatic colour of the ink.

    Attributes:
        lacking: What it lacks to white at full coverage, 0 to 255 per channel, shape (3,).
        pixels: How many pixels have its direction and at least a third of its strength.
    """

    lacking: Floats
    pixels: int


def chromatic_lack(image: Image) -> tuple[NDArray[np.intp], NDArray[np.uint8]]:
    """Return the pixels with a hue, in most figures a small minority.

    Returns:
        Their places in the flattened image, shape (n,), and what they lack to white, uint8, shape
        (n, 3).
    """
    red, green, blue = (image[..., channel] for channel in range(3))
    maximum = np.maximum(np.maximum(red, green), blue)
    minimum = np.minimum(np.minimum(red, green), blue)
    has_hue = np.flatnonzero(maximum - minimum >= _MIN_CHROMA)
    return has_hue, WHITE - image.reshape(-1, 3).take(has_hue, axis=0)


def chromatic_colours(image: Image, least_share: float) -> list[Colour]:
    """Return the chromatic colours of the ink, the most frequent first.

    Args:
        image: uint8 RGB, shape (height, width, 3).
        least_share: Least number of pixels of a colour, as a share of the most frequent one's.
    """
    _, lack = chromatic_lack(image)
    steps = WHITE // _QUANTUM + 1
    red, green, blue = (lack // _QUANTUM).T.astype(np.int32)
    packed = (red * steps + green) * steps + blue
    counts = np.bincount(packed, minlength=steps**3)
    bins = np.flatnonzero(counts)
    counts = counts[bins]
    sums = [np.bincount(packed, channel, minlength=steps**3)[bins] for channel in lack.T]
    vectors = np.stack(sums, axis=1) / counts[:, None]
    strengths = np.linalg.norm(vectors, axis=1)
    directions = vectors / strengths[:, None]
    colours: list[Colour] = []
    free = np.ones(len(bins), dtype=bool)
    while free.any():
        seed = np.flatnonzero(free)[np.argmax(counts[free])]
        alike = free & (directions @ directions[seed] >= _SAME_DIRECTION)
        # Most of a stroke's edge is fainter than the stroke, and ringing is stronger but rare.
        full = _weighted_quantile(strengths[alike], counts[alike], 0.9)
        strong = alike & (strengths >= full / 3)
        # The inside of a stroke has one colour to the last bit; a mean would mix in its edges.
        typical = np.flatnonzero(strong & (strengths >= 0.85 * full))
        lacking = vectors[typical[np.argmax(counts[typical])]]
        colours.append(Colour(lacking, int(counts[strong].sum())))
        free &= ~alike
    if not colours:
        return []
    largest = max(colour.pixels for colour in colours)
    kept = [colour for colour in colours if colour.pixels >= least_share * largest]
    return sorted(kept, key=lambda colour: -colour.pixels)


def _weighted_quantile(values: Floats, weights: NDArray[np.int64], share: float) -> float:
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(reached, share * reached[-1])])


def two_colours(image: Image, looked_for: str) -> Floats:
    """Return the two colours of a figure: the most frequent one and the one most unlike it.

    Where one covers the other for long there may be more pixels of their mixture than of the lower
    colour, but a mixture is always more like either than they are like each other.

    Args:
        image: uint8 RGB, shape (height, width, 3).
        looked_for: What the ink should show, for the error.

    Returns:
        What they lack to white at full coverage, shape (2, 3).

    Raises:
        AfterimageError: There is only one colour, or none.
    """
    colours = chromatic_colours(image, _MIN_SHARE_OF_TWO)
    if len(colours) < 2:
        found = "one" if colours else "none"
        raise AfterimageError(f"looked for {looked_for} in two colours and found {found}.")
    lacking = np.stack([colour.lacking for colour in colours])
    directions = lacking / np.linalg.norm(lacking, axis=1, keepdims=True)
    other = int(np.argmin(directions @ directions[0]))
    return lacking[[0, other]]


def nearest_colours(image: Image, colours: Floats) -> NDArray[np.int8]:
    """Assign each pixel with a hue to the colour whose direction it has.

    Args:
        image: uint8 RGB, shape (height, width, 3).
        colours: What each colour lacks to white at full coverage, shape (colours, 3).

    Returns:
        int8, shape (height, width): index of the colour, -1 where none covers at least a third.
    """
    coloured, lack = chromatic_lack(image)
    lack = lack.astype(np.float32)
    full = np.linalg.norm(colours, axis=1).astype(np.float32)
    along = lack @ (colours.astype(np.float32) / full[:, None]).T
    index = np.argmax(along, axis=1)
    best = along[np.arange(len(along)), index]
    strength = np.linalg.norm(lack, axis=1)
    is_covered = (best >= _SAME_DIRECTION * strength) & (strength >= full[index] / 3)
    assigned = np.full(image.shape[:2], -1, dtype=np.int8)
    assigned.ravel()[coloured] = np.where(is_covered, index, -1)
    return assigned


# ---- Targets among grey inducers ----

#: Hue words and their range of hue angles in degrees, counter-clockwise from red in the plane
#: orthogonal to the gray axis (yellow is at 60, cyan at 180).
HUE_RANGES = {"red": (-35.0, 35.0), "green": (80.0, 175.0), "blue": (185.0, 260.0)}

_MIN_CHROMA_OF_TARGETS = 24.0
# Anti-aliasing and the lobes of a bicubic kernel stay within this distance of a target's
# half-covered rim.
_RIM_PX = 3


@dataclass(frozen=True)
class Target:
    """The pixels that a connected target covers at least partly.

    Attributes:
        x: Pixel centres in px from the left edge, shape (n,).
        y: Pixel centres in px from the upper edge, shape (n,).
        coverage: Covered fraction of each pixel, shape (n,); slightly outside [0, 1] where resizing
            rings.
    """

    x: Floats
    y: Floats
    coverage: Floats

    @property
    def area(self) -> float:
        """Covered area in px^2."""
        return float(self.coverage.sum())

    @property
    def centre(self) -> tuple[float, float]:
        """Coverage-weighted centroid (x, y) in px."""
        weights = self.coverage / self.area
        return float(weights @ self.x), float(weights @ self.y)


def chromatic_plane(image: Image) -> NDArray[np.float32]:
    """Project RGB onto the plane orthogonal to the gray axis.

    Args:
        image: uint8, shape (..., 3).

    Returns:
        float32, shape (..., 2): every gray is at (0, 0), red at hue angle 0, green at 120, blue at
        240.
    """
    # All sums and differences below fit int16 exactly, at half the memory traffic of float32.
    red, green, blue = (image[..., channel].astype(np.int16) for channel in range(3))
    plane = np.empty((*image.shape[:-1], 2), dtype=np.float32)
    plane[..., 0] = (2 * red - green - blue) * np.float32(0.5)
    plane[..., 1] = (green - blue) * np.float32(np.sqrt(0.75))
    return plane


def in_hue(
    plane: NDArray[np.float32], hue: str, least_chroma: float = _MIN_CHROMA_OF_TARGETS
) -> Mask:
    """Mark the pixels of a hue.

    Args:
        plane: Chromatic plane, shape (..., 2).
        hue: One of ``HUE_RANGES``.
        least_chroma: Distance from the gray axis below which a pixel has no hue, in 8-bit steps.

    Returns:
        bool, shape (...).

    Raises:
        AfterimageError: The hue word is unknown.
    """
    if hue not in HUE_RANGES:
        raise unknown_name("hue", hue, HUE_RANGES)
    low, high = np.radians(HUE_RANGES[hue])
    middle, half_width = (low + high) / 2, (high - low) / 2
    along = plane[..., 0] * np.float32(np.cos(middle)) + plane[..., 1] * np.float32(np.sin(middle))
    across = plane[..., 1] * np.float32(np.cos(middle)) - plane[..., 0] * np.float32(np.sin(middle))
    within = np.abs(across) <= along * np.float32(np.tan(half_width))
    # Inside the range the projection on its middle is at least cos(half_width) of the chroma, so
    # most pixels are settled before the square root.
    within &= along >= least_chroma * np.cos(half_width)
    within[within] = np.hypot(along[within], across[within]) >= least_chroma
    return within


def _chromatic(plane: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the colours that have a hue at all, shape (n, 2): in most figures a small minority."""
    strong = plane[..., 0] ** 2 + plane[..., 1] ** 2 >= _MIN_CHROMA_OF_TARGETS**2
    return plane.reshape(-1, 2).take(np.flatnonzero(strong), axis=0)


def typical_colour(plane: NDArray[np.float32], hue: str) -> Floats | None:
    """Return the pure colour of a hue in the chromatic plane, shape (2,), or None without it."""
    colours = _chromatic(plane)
    colours = colours[in_hue(colours, hue)]
    if not len(colours):
        return None
    chroma = np.hypot(colours[:, 0], colours[:, 1])
    pure: Floats = np.median(colours[chroma >= 0.75 * chroma.max()], axis=0).astype(np.float64)
    return pure


def strongest_hue(plane: NDArray[np.float32], hues: tuple[str, ...]) -> str:
    """Return the hue word that most of the image's colour has.

    Raises:
        AfterimageError: No pixel has any of the hues.
    """
    colours = _chromatic(plane)
    chroma = {hue: np.hypot(*colours[in_hue(colours, hue)].T).sum() for hue in hues}
    best = max(hues, key=lambda hue: chroma[hue])
    if not chroma[best]:
        raise AfterimageError(
            f"looked for {' or '.join(hues)} targets and found none of these hues."
        )
    return best


def coverages(image: Image, hues: tuple[str, ...], noun: str) -> dict[str, NDArray[np.float32]]:
    """Estimate how much of each pixel is covered by targets of one or two hues on gray of any
    level.

    Args:
        image: uint8 RGB, shape (height, width, 3).
        hues: One or two hue words.
        noun: What the targets are, for the error.

    Returns:
        Per hue, float32 of shape (height, width), about 0 to 1.

    Raises:
        AfterimageError: A hue does not occur.
    """
    plane = chromatic_plane(image)
    pure = []
    for hue in hues:
        colour = typical_colour(plane, hue)
        if colour is None:
            raise AfterimageError(f"looked for a {hue} {noun} and found no {hue} pixel.")
        pure.append(colour)
    # Two hues span the plane, so that where both meet in a pixel each gets its own share.
    unmix = np.linalg.pinv(np.stack(pure, axis=1)).astype(np.float32)
    return {
        hue: plane[..., 0] * row[0] + plane[..., 1] * row[1]
        for hue, row in zip(hues, unmix, strict=True)
    }


def targets(coverage: Floats, count: int, looked_for: str) -> list[Target]:
    """Return the connected targets of a coverage map, largest first.

    Args:
        coverage: Shape (height, width).
        count: How many there must be.
        looked_for: What they are, e.g. ``"two red lines"``, for the error.

    Raises:
        AfterimageError: There are fewer, or more of a comparable area.
    """
    labels, found = ndimage.label(coverage > 0.35, structure=np.ones((3, 3)))
    if found:
        areas = ndimage.sum_labels(coverage, labels, np.arange(1, found + 1))
        # Specks of a resized junction are no targets; a target of a quarter of the largest is.
        large = np.flatnonzero(areas >= 0.25 * areas.max())
        order = large[np.argsort(-areas[large], kind="stable")]
    else:
        order = np.array([], dtype=int)
    if len(order) != count:
        raise AfterimageError(f"looked for {looked_for} and found {len(order)}.")
    boxes = ndimage.find_objects(labels)
    return [_target(coverage, labels, index + 1, boxes[index]) for index in order]


def _target(coverage: Floats, labels: NDArray[np.int32], label: int, box: Window) -> Target:
    window = widened(box, _RIM_PX)
    near = ndimage.binary_dilation(labels[window] == label, iterations=_RIM_PX)
    # A neighbouring target keeps its own pixels.
    near &= (labels[window] == label) | (labels[window] == 0)
    rows, columns = np.nonzero(near)
    return Target(
        x=columns + window[1].start + 0.5,
        y=rows + window[0].start + 0.5,
        coverage=coverage[window][near].astype(np.float64),
    )


def left_to_right(found: list[Target]) -> list[Target]:
    """Sort targets by the x of their centroids."""
    return sorted(found, key=lambda target: target.centre[0])
