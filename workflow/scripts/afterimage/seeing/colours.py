"""Colours of ink on white paper, told apart by direction.

What a pixel lacks to white is proportional to how much of it ink covers, so that a colour on white keeps
its direction in the space of the lacking light from full coverage down to the faintest edge, and it
keeps it through linear resizing. Colours are therefore told apart by direction, never by distance.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from afterimage.errors import AfterimageError
from afterimage.seeing.image import WHITE, Floats, Image

# Colours within about 10 degrees of each other are one: coverage, rounding and ringing stay far
# below that, the two nearest of the ten categorical colours (red and brown) are 18 degrees apart.
_SAME_DIRECTION = 0.985
_LEAST_CHROMA = 40
_QUANTUM = 8
_LEAST_SHARE_OF_TWO = 0.02


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
    most = np.maximum(np.maximum(red, green), blue)
    least = np.minimum(np.minimum(red, green), blue)
    has_hue = np.flatnonzero(most - least >= _LEAST_CHROMA)
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
    most = max(colour.pixels for colour in colours)
    kept = [colour for colour in colours if colour.pixels >= least_share * most]
    return sorted(kept, key=lambda colour: -colour.pixels)


def _weighted_quantile(values: Floats, weights: NDArray[np.int64], share: float) -> float:
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(reached, share * reached[-1])])


def two_colours(image: Image, looked_for: str) -> Floats:
    """Return the two colours of a figure: the most frequent one and the one most unlike it.

    Where one lies on the other for long there may be more pixels of their mixture than of the lower
    colour, but a mixture is always more like either than they are like each other.

    Args:
        image: uint8 RGB, shape (height, width, 3).
        looked_for: What the ink should show, for the error.

    Returns:
        What they lack to white at full coverage, shape (2, 3).

    Raises:
        AfterimageError: There is only one colour, or none.
    """
    colours = chromatic_colours(image, _LEAST_SHARE_OF_TWO)
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
    places, lack = chromatic_lack(image)
    lack = lack.astype(np.float32)
    full = np.linalg.norm(colours, axis=1).astype(np.float32)
    along = lack @ (colours.astype(np.float32) / full[:, None]).T
    index = np.argmax(along, axis=1)
    best = along[np.arange(len(along)), index]
    strength = np.linalg.norm(lack, axis=1)
    is_covered = (best >= _SAME_DIRECTION * strength) & (strength >= full[index] / 3)
    assigned = np.full(image.shape[:2], -1, dtype=np.int8)
    assigned.ravel()[places] = np.where(is_covered, index, -1)
    return assigned
