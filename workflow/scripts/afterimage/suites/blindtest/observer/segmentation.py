"""Ink on white paper: how much light each pixel lacks, and which colours the ink has.

What a pixel lacks to white is proportional to how much of it ink covers, so that a colour on white keeps
its direction in the space of the lacking light from full coverage down to the faintest edge, and it
keeps it through linear resizing. Colours are therefore told apart by direction, never by distance.
"""

from dataclasses import dataclass

import numpy as np

from afterimage.errors import AfterimageError

_LEAST_SIDE_PX = 64
_WHITE = 255
# Ink in 8-bit steps below which a pixel is background: rounding and ringing of a resized edge.
_LEAST_INK = 12
# Colours within about 10 degrees of each other are one: coverage, rounding and ringing stay far
# below that, the two nearest of the ten categorical colours (red and brown) are 18 degrees apart.
_SAME_DIRECTION = 0.985
_LEAST_CHROMA = 40
_PAPER_STEP = 3
_LEAST_PAPER = 0.4
_QUANTUM = 8
_LEAST_SHARE_OF_TWO = 0.02


@dataclass(frozen=True)
class Colour:
    """A chromatic colour of the ink.

    Attributes:
        lacking: What it lacks to white at full coverage, 0 to 255 per channel, shape (3,).
        pixels: How many pixels have its direction and at least a third of its strength.
    """

    lacking: np.ndarray
    pixels: int


def require_rgb(image: np.ndarray) -> None:
    """Check that an image is an 8-bit RGB array that is large enough to be measured.

    Raises:
        AfterimageError: The array has another type or shape, or a side below 64 px.
    """
    shape, kind = getattr(image, "shape", None), getattr(image, "dtype", None)
    if kind != np.uint8 or shape is None or len(shape) != 3 or shape[2] != 3:
        raise AfterimageError(
            f"an image must be a uint8 array of shape (height, width, 3), found {kind} {shape}."
        )
    if min(shape[:2]) < _LEAST_SIDE_PX:
        raise AfterimageError(
            f"an image needs at least {_LEAST_SIDE_PX} px a side to be measured, "
            f"found {shape[1]} x {shape[0]}."
        )


def require_white_paper(image: np.ndarray) -> None:
    """Check that most of an image is white.

    Raises:
        AfterimageError: It is not, so that what lacks to white would not be ink.
    """
    sampled = image[::_PAPER_STEP, ::_PAPER_STEP].min(axis=2)
    share = float((sampled > _WHITE - _LEAST_INK).mean())
    if share < _LEAST_PAPER:
        raise AfterimageError(
            f"looked for a figure on white and found {share:.0%} of the image white, "
            f"expected at least {_LEAST_PAPER:.0%}."
        )


def darkest_lack(image: np.ndarray) -> np.ndarray:
    """Return what the channel that lacks most lacks to white, uint8, shape (height, width)."""
    least = np.minimum(image[..., 0], image[..., 1])
    np.minimum(least, image[..., 2], out=least)
    return _WHITE - least


def ink_window(lack: np.ndarray, looked_for: str) -> tuple[slice, slice]:
    """Return the smallest window that holds all ink.

    Args:
        lack: Lacking light, uint8, shape (height, width).
        looked_for: What the ink should show, for the error.

    Raises:
        AfterimageError: There is no ink.
    """
    inked = lack >= _LEAST_INK
    rows, columns = np.flatnonzero(inked.any(axis=1)), np.flatnonzero(inked.any(axis=0))
    if not len(rows):
        raise AfterimageError(f"looked for {looked_for} and found an empty image.")
    return slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)


def widened(window: tuple[slice, slice], margin: int) -> tuple[slice, slice]:
    """Return a window with a margin in px; the image clips it at the far sides by itself."""
    rows, columns = (slice(max(part.start - margin, 0), part.stop + margin) for part in window)
    return rows, columns


def chromatic_lack(image: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the pixels with a hue, in most figures a small minority.

    Returns:
        Their places in the flattened image, shape (n,), and what they lack to white, uint8, shape
        (n, 3).
    """
    red, green, blue = (image[..., channel] for channel in range(3))
    most = np.maximum(np.maximum(red, green), blue)
    least = np.minimum(np.minimum(red, green), blue)
    has_hue = np.flatnonzero(most - least >= _LEAST_CHROMA)
    return has_hue, _WHITE - image.reshape(-1, 3)[has_hue]


def chromatic_colours(image: np.ndarray, least_share: float) -> list[Colour]:
    """Return the chromatic colours of the ink, the most frequent first.

    Args:
        image: uint8 RGB, shape (height, width, 3).
        least_share: Least number of pixels of a colour, as a share of the most frequent one's.
    """
    _, lack = chromatic_lack(image)
    steps = _WHITE // _QUANTUM + 1
    packed = (lack // _QUANTUM).astype(np.int32) @ np.array([steps**2, steps, 1], dtype=np.int32)
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


def _weighted_quantile(values: np.ndarray, weights: np.ndarray, share: float) -> float:
    order = np.argsort(values)
    reached = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(reached, share * reached[-1])])


def two_colours(image: np.ndarray, looked_for: str) -> np.ndarray:
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


def unmixing(colours: np.ndarray) -> np.ndarray:
    """Return the matrix from lacking light (channels) to coverages (colours), shape (3, colours).

    Args:
        colours: What each colour lacks to white at full coverage, shape (colours, 3).
    """
    return np.linalg.pinv(colours)


def nearest_colours(image: np.ndarray, colours: np.ndarray) -> np.ndarray:
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
