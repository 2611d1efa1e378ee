"""Parts of one colour: flat squares, bars between stripes, the ground around a dot."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from afterimage.errors import AfterimageError
from afterimage.seeing.colours import Target, chromatic_plane, in_hue, left_to_right
from afterimage.seeing.image import Floats, Image, Mask, widened

# Bars of one disc are at most this share of the image's height apart, the discs much farther.
_BAR_GAP = 0.03
# From one flat square to the next the colour changes by more than this, in 8-bit steps.
_FLAT_STEP = 4
# A small square takes up this share of the image, and this much of its own bounding box.
_SMALL_SQUARE, _SQUARENESS = (0.01, 0.06), 0.95
# A veiled target is near gray: its hue is meaningful from this chroma on.
_SQUARE_CHROMA = 8.0
# A resized edge stays within this distance of a square.
_RIM_PX = 3
# Neighbouring columns of one stripe differ by less, those of two stripes by more; paper is lighter than any stripe.
_STRIPE_STEP, _PAPER_LEVEL = 2.5, 250
# No stripe is narrower than this share of the image, nor can a narrower one be measured, px.
_MIN_STRIPE, _MIN_STRIPE_PX = 0.05, 8
# Radii, in dot diameters, of a ring that is clear of the dot's rim and inside the dot's square.
_RING = (0.9, 2.7)


def two_sets_of_bars(image: Image, hue: str) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return the pixels of the bars of two discs side by side, left and right, shape (n, 3) each.

    Raises:
        AfterimageError: There are not two such discs, or one is above the other.
    """
    plane = chromatic_plane(image)
    within = in_hue(plane, hue)
    if within.any():
        within &= np.hypot(plane[..., 0], plane[..., 1]) >= 0.5 * np.hypot(*plane[within].T).max()
    joined = ndimage.maximum_filter1d(
        within.view(np.uint8), round(_BAR_GAP * image.shape[0]) | 1, axis=0
    )
    labels, found = ndimage.label(joined)
    areas = np.bincount(labels[within], minlength=found + 1)[1:]
    discs = 1 + np.flatnonzero(areas >= 0.25 * areas.max()) if found else np.array([], dtype=int)
    if len(discs) != 2:
        raise AfterimageError(f"looked for two sets of {hue} bars and found {len(discs)}.")
    first, second = (np.flatnonzero((labels == disc).any(axis=0)) for disc in discs)
    if first[-1] > second[0] and second[-1] > first[0]:
        raise AfterimageError(
            f"looked for two sets of {hue} bars side by side and found them one above the other."
        )
    left, right = discs if first[0] < second[0] else discs[::-1]
    return _bars(image, labels == left, within), _bars(image, labels == right, within)


def _bars(image: Image, disc: Mask, within: Mask) -> NDArray[np.uint8]:
    """Return the pixels of the bars of one disc, shape (n, 3).

    A pixel belongs to the bars if it is nearer to their colour than to any other of the disc's
    colours. Hue alone would drop just those pixels that resizing has mixed with a flanking stripe,
    and hide the mixture.
    """
    references: list[Floats] = [np.median(image[disc & within], axis=0)]
    between = image[disc & ~within].astype(np.float64)
    yellower = between[:, 0] + between[:, 1] > 2 * between[:, 2]
    for side in (between[yellower], between[~yellower]):
        if len(side) > 0.02 * len(between):
            references.append(np.median(side, axis=0))
    pixels = image[disc]
    distances = [((pixels - reference) ** 2).sum(axis=1) for reference in references]
    nearest: Mask = np.argmin(distances, axis=0) == 0
    return pixels[nearest]


def two_large_squares(
    image: Image, hues: tuple[str, ...]
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return the pixels of two large flat squares of one hue, left and right, shape (n, 3) each.

    A mosaic has tiles of every hue: the largest flat area tells which of the hues is meant.

    Raises:
        AfterimageError: There are not two.
    """
    flat, plane = _flat(image), chromatic_plane(image)
    found = {hue: _large_areas(flat & in_hue(plane, hue, _SQUARE_CHROMA)) for hue in hues}
    hue = max(hues, key=lambda hue: found[hue].area)
    labels, squares = found[hue].labels, found[hue].large
    if len(squares) != 2:
        raise AfterimageError(f"looked for two large {hue} squares and found {len(squares)}.")
    members = [np.nonzero(labels == square) for square in squares]
    left, right = sorted(members, key=lambda rows_columns: float(rows_columns[1].mean()))
    return image[left], image[right]


def two_small_squares(image: Image) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return the pixels of two small flat squares of any colour, left and right, shape (n, 3) each.

    Raises:
        AfterimageError: There are not two.
    """
    labels, _ = ndimage.label(_flat(image))
    areas = np.bincount(labels.ravel())[1:] / labels.size
    squares = []
    for index, box in enumerate(ndimage.find_objects(labels)):
        height, width = (side.stop - side.start for side in box)
        filled = areas[index] * labels.size / (height * width)
        is_square = 0.9 < height / width < 1.1 and filled >= _SQUARENESS
        if is_square and _SMALL_SQUARE[0] <= areas[index] <= _SMALL_SQUARE[1]:
            squares.append((box[1].start, image[box][labels[box] == index + 1]))
    if len(squares) != 2:
        raise AfterimageError(f"looked for two small squares and found {len(squares)}.")
    (_, left), (_, right) = sorted(squares, key=lambda square: square[0])
    return left, right


def two_squares_on_grounds(image: Image) -> list[Target]:
    """Return two squares, left and right, each inside a ground that is darker or lighter and reaches the border.

    Raises:
        AfterimageError: There are not two.
    """
    levels = image.mean(axis=2)
    inside: list[tuple[float, Target]] = []
    for mask in (levels >= 128, levels < 128):
        labels, _ = ndimage.label(mask)
        border = {*labels[0], *labels[-1], *labels[:, 0], *labels[:, -1]}
        for label, box in enumerate(ndimage.find_objects(labels), start=1):
            if label not in border:
                pixels = labels[box] == label
                inside.append((float(pixels.sum()), _square(levels, box, levels[box][pixels])))
    largest = max((area for area, _ in inside), default=0.0)
    squares = [square for area, square in inside if area >= 0.25 * largest]
    if len(squares) != 2:
        raise AfterimageError(
            f"looked for two squares on darker or lighter grounds and found {len(squares)}."
        )
    return left_to_right(squares)


def _square(levels: Floats, box: tuple[slice, slice], inside: Floats) -> Target:
    """Return the pixels about a box and how much of each is covered, by its level between ground and square."""
    window = widened(box, _RIM_PX)
    part = levels[window]
    ground = float(
        np.median([part[0].mean(), part[-1].mean(), part[:, 0].mean(), part[:, -1].mean()])
    )
    rows, columns = np.indices(part.shape)
    return Target(
        x=columns.ravel() + window[1].start + 0.5,
        y=rows.ravel() + window[0].start + 0.5,
        coverage=(part.ravel() - ground) / (float(np.median(inside)) - ground),
    )


def grey_stripes(image: Image) -> tuple[Floats, list[tuple[int, int]]]:
    """Return the level of every column about the middle row, and the columns of upright gray stripes, first to last.

    Returns:
        Levels, shape (width,), and per stripe its first column and the one behind its last.

    Raises:
        AfterimageError: There are fewer than two stripes.
    """
    height = image.shape[0]
    levels = np.median(image[3 * height // 8 : 5 * height // 8].mean(axis=2), axis=0)
    steps = np.flatnonzero(np.abs(np.diff(levels)) >= _STRIPE_STEP) + 1
    runs = list(zip([0, *steps], [*steps, len(levels)], strict=True))
    grey = [run for run in runs if levels[slice(*run)].max() < _PAPER_LEVEL]
    widest = max((end - start for start, end in grey), default=0)
    min_width = max(widest / 2, _MIN_STRIPE * len(levels), _MIN_STRIPE_PX)
    stripes = [run for run in grey if run[1] - run[0] >= min_width]
    if len(stripes) < 2:
        raise AfterimageError(f"looked for upright gray stripes and found {len(stripes)}.")
    return levels, stripes


class _Areas(NamedTuple):
    """Connected areas: their labels (height, width), the largest of them, and the area of that one."""

    labels: NDArray[np.int32]
    large: NDArray[np.intp]
    area: int


def _large_areas(mask: Mask) -> _Areas:
    labels, _ = ndimage.label(mask)
    areas = np.bincount(labels.ravel())
    areas[0] = 0
    # Tiles of a mosaic have a quarter of the squares' area.
    large = np.flatnonzero((areas > 0) & (areas >= 0.6 * areas.max()))
    return _Areas(labels, large, int(areas.max()))


def _flat(image: Image) -> Mask:
    """Mark pixels that differ little from all four neighbours, shape (height, width)."""
    flat = np.ones(image.shape[:2], dtype=bool)
    for channel in np.moveaxis(image.astype(np.int16), 2, 0):
        down = np.abs(np.diff(channel, axis=0)) <= _FLAT_STEP
        across = np.abs(np.diff(channel, axis=1)) <= _FLAT_STEP
        flat[1:] &= down
        flat[:-1] &= down
        flat[:, 1:] &= across
        flat[:, :-1] &= across
    return flat


def ring_around(image: Image, dot: Target) -> NDArray[np.uint8]:
    """Return the pixels of a ring around a dot, shape (n, 3)."""
    diameter = np.sqrt(4 * dot.area / np.pi)
    x, y = dot.centre
    rows, columns = np.ogrid[: image.shape[0], : image.shape[1]]
    distance = np.hypot(columns + 0.5 - x, rows + 0.5 - y) / diameter
    ring: Mask = (distance >= _RING[0]) & (distance <= _RING[1])
    return image[ring]
