"""Many small marks: discs, squares and letters of one colour each, and plates of dots."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage
from skimage.color import rgb2lab

from afterimage.seeing.image import Floats, Image, Mask, Window, require_rgb, widened

# From this darkness on a pixel belongs to a mark, 8-bit steps; a quarter covered, or thereabouts.
_MIN_DARKNESS = 56
# Marks below this share of the largest one's area are specks.
_MIN_SHARE = 0.1
# Area over that of the box: a square has 1, a disc pi / 4, a letter of two thin strokes a third.
_SQUARE_FROM, _DISC_FROM = 0.89, 0.6
# Distance of the ink's middle from that of the box, as a share of its side: an L's is off on both axes (0.19), a T's on
# one.
_L_FROM = 0.09
_MIN_CHROMA = 40


class Mark(NamedTuple):
    """A small mark.

    Attributes:
        colour: ``red``, ``green`` or ``black``.
        form: ``disc``, ``square``, ``T`` or ``L``.
        x: Of the middle of its box, as a share of the image's width, 0 to 1.
        y: The same down, as a share of the height.
    """

    colour: str
    form: str
    x: float
    y: float


def marks(image: Image) -> list[Mark]:
    """Return the marks on an image, in no particular order; none on an empty one.

    Areas and boxes are taken from how much of each pixel is covered, so that they hold at other sizes than the drawn.

    Args:
        image: uint8 RGB, shape (height, width, 3), from 64 px a side.

    Raises:
        AfterimageError: It is no such image.
    """
    require_rgb(image)
    darkness = 255 - np.minimum(np.minimum(image[..., 0], image[..., 1]), image[..., 2])
    labels, _ = ndimage.label(darkness >= _MIN_DARKNESS, np.ones((3, 3)))
    found = [
        _measured(image, darkness, labels, number, box)
        for number, box in enumerate(ndimage.find_objects(labels), start=1)
    ]
    largest = max((area for area, _ in found), default=0.0)
    return [mark for area, mark in found if area >= _MIN_SHARE * largest]


def _measured(
    image: Image, darkness: NDArray[np.uint8], labels: NDArray[np.int32], number: int, box: Window
) -> tuple[float, Mark]:
    window = widened(box, 1)
    near = ndimage.binary_dilation(labels[window] == number, np.ones((3, 3)))
    mark = np.where(near, darkness[window], 0.0)
    full = np.quantile(mark[labels[window] == number], 0.9)
    coverage = np.clip(mark / full, 0, 1)
    # The sum of what each column holds at most is the width to parts of a pixel.
    width, height = coverage.max(axis=0).sum(), coverage.max(axis=1).sum()
    area = float(coverage.sum())
    left, top = _edge(coverage.max(axis=0)), _edge(coverage.max(axis=1))
    middle = np.array([left + width / 2, top + height / 2])
    rows, columns = (np.arange(size) + 0.5 for size in coverage.shape)
    ink = np.array([coverage.sum(axis=0) @ columns, coverage.sum(axis=1) @ rows]) / area
    off = np.abs(ink - middle) / np.array([width, height])
    form = _form(area / (width * height), off)
    x, y = middle + np.array([window[1].start, window[0].start])
    colour = _colour(image[window][coverage >= 0.9].astype(float).mean(axis=0))
    return area, Mark(colour, form, float(x) / image.shape[1], float(y) / image.shape[0])


def _edge(profile: Floats) -> float:
    """Return where a profile of coverage begins, px: behind what its first pixels lack."""
    first = int(np.argmax(profile >= 0.9))
    return float(first - profile[:first].sum())


def _form(filled: float, off: Floats) -> str:
    if filled >= _SQUARE_FROM:
        return "square"
    if filled >= _DISC_FROM:
        return "disc"
    return "L" if off.min() >= _L_FROM else "T"


def _colour(mean: Floats) -> str:
    red, green, _ = mean
    if mean.max() - mean.min() < _MIN_CHROMA:
        return "black"
    return "red" if red > green else "green"


# ---- Plates of many dots: two kinds by hue, how they differ, and the glyph that one kind forms ----

_MIN_DOTS = 80
# A dot's pixels lack at least this to white, 8-bit steps.
_PAPER_ABOVE = 250
# Of the plate's radius: dots farther out belong to the ground.
_RIM = 0.85


class Dots(NamedTuple):
    """Dots on white.

    Attributes:
        centres: Where each dot is (x, y), px, shape (dots, 2).
        sizes: Pixels of each, shape (dots,).
        lab: L*a*b* of each, shape (dots, 3).
    """

    centres: Floats
    sizes: Floats
    lab: Floats


class Plate(NamedTuple):
    """Dots on white of two kinds, those of a glyph and those of the ground.

    Attributes:
        centres: Where each dot is (x, y), px, shape (dots, 2).
        sizes: Pixels of each, shape (dots,).
        lab: L*a*b* of each, shape (dots, 3).
        of_glyph: Which belong to the glyph, shape (dots,).
    """

    centres: Floats
    sizes: Floats
    lab: Floats
    of_glyph: Mask


def find_dots(image: Image) -> Dots | None:
    """See many dots on white; None if there are none, as in a blurred image.

    Args:
        image: uint8 RGB, shape (height, width, 3).
    """
    labels, count = ndimage.label(image.min(axis=2) < _PAPER_ABOVE)
    if count < _MIN_DOTS:
        return None
    index = np.arange(1, count + 1)
    centres = np.array(ndimage.center_of_mass(np.ones_like(labels), labels, index))[:, ::-1]
    sizes = np.bincount(labels.ravel())[1:].astype(float)
    return Dots(centres, sizes, rgb2lab(_cores(image, labels, index)))


def find_plate(image: Image) -> Plate | None:
    """See a plate of many dots of two hues on white; None if there is none.

    Args:
        image: uint8 RGB, shape (height, width, 3).
    """
    dots = find_dots(image)
    if dots is None:
        return None
    of_glyph = _is_of_glyph(dots.lab[:, 1:], dots.centres)
    return None if of_glyph is None else Plate(*dots, of_glyph)


def _cores(image: Image, labels: NDArray[np.int32], index: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Return the colour of each dot away from its edge, shape (dots, 3), uint8."""
    medians = [ndimage.median(image[..., channel], labels, index) for channel in range(3)]
    return np.stack(medians, axis=-1).astype(np.uint8)


def _is_of_glyph(chroma: Floats, centres: Floats) -> Mask | None:
    """Part dots by hue along the axis on which they differ most; those at the rim are the ground's."""
    middle = chroma - chroma.mean(axis=0)
    _, _, axes = np.linalg.svd(middle, full_matrices=False)
    along = middle @ axes[0]
    for _ in range(20):
        split = (along[along > 0].mean() + along[along <= 0].mean()) / 2
        if abs(split) < 1e-9:
            break
        along = along - split
    groups = along > 0
    plate = centres.mean(axis=0)
    distance = np.hypot(*(centres - plate).T)
    rim = groups[distance > _RIM * distance.max()]
    if not rim.size or groups.all() or not groups.any():
        return None
    of_glyph: Mask = groups != (rim.mean() > 0.5)
    return of_glyph


def read_glyph(plate: Plate, templates: Mapping[str, Mask]) -> tuple[str, float]:
    """Return the glyph whose shape parts the dots best, and how well (0.5 no better than chance, 1 perfectly).

    Args:
        plate: The dots.
        templates: The pixels that each glyph covers, cut to its own box.
    """
    dots = plate.centres[plate.of_glyph]
    low, high = dots.min(axis=0), dots.max(axis=0)
    near = ((plate.centres >= low) & (plate.centres <= high)).all(axis=1)
    relative = (plate.centres[near] - low) / (high - low)
    inside = plate.of_glyph[near]
    fits = {}
    for name, template in templates.items():
        rows = (relative[:, 1] * (template.shape[0] - 1)).astype(int)
        columns = (relative[:, 0] * (template.shape[1] - 1)).astype(int)
        expected = template[rows, columns]
        hits = expected[inside].mean() if inside.any() else 0.0
        passes = (~expected[~inside]).mean() if (~inside).any() else 1.0
        fits[name] = float(hits + passes) / 2
    best = max(fits, key=lambda name: fits[name])
    return best, fits[best]


def precedence(values: Floats, of_glyph: Mask) -> float:
    """Return how often, of all pairs of a dot of the glyph and one of the ground, the former has more; 0 to 1.

    Ties count half: Mann-Whitney's U as a share.
    """
    others = np.sort(values[~of_glyph])
    below, up_to = (np.searchsorted(others, values[of_glyph], side) for side in ("left", "right"))
    return float((below + up_to).sum() / 2 / (of_glyph.sum() * (~of_glyph).sum()))
