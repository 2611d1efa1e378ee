"""Colours of bars and squares (specification, section 6, cards 10, 13 and 14)."""

from typing import NamedTuple

import numpy as np
from scipy import ndimage
from skimage.color import deltaE_ciede2000, rgb2lab

from afterimage.errors import AfterimageError
from afterimage.suites.illusion_vqa.observer.features import (
    Measurement,
    conclude,
    relative_difference,
)
from afterimage.suites.illusion_vqa.observer.segmentation import (
    Target,
    chromatic_plane,
    coverages,
    in_hue,
    targets,
)
from afterimage.suites.illusion_vqa.observer.sizes import left_to_right

# Bars of one disc are at most this share of the image's height apart, the discs much farther.
_BAR_GAP = 0.03
# From one flat square to the next the colour changes by more than this, in 8-bit steps.
_FLAT_STEP = 4
# A veiled target is near gray: its hue is meaningful from this chroma on.
_SQUARE_CHROMA = 8.0
# Radii, in dot diameters, of a ring that is clear of the dot's rim and inside the dot's square.
_GRAY_RING = (0.9, 2.7)


def median_colour(pixels: np.ndarray) -> np.ndarray:
    """Return the median of each channel of uint8 pixels of shape (n, 3)."""
    return np.median(pixels, axis=0)


def _compare(left: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, float, dict[str, float]]:
    """Compare the pixels of two targets, uint8 of shape (n, 3) each, by their median colours.

    Returns:
        L*a*b* of both, shape (2, 3); their CIEDE2000 difference; and the parts of a measurement.
        The uniform share is that of the pixels which have exactly their target's median colour.
    """
    colours = np.stack([median_colour(left), median_colour(right)])
    lab = rgb2lab(colours / 255.0)
    parts = {
        f"{side}_{channel}_8bit": level
        for side, colour in zip(("left", "right"), colours, strict=True)
        for channel, level in zip(("red", "green", "blue"), colour, strict=True)
    }
    parts["largest_channel_difference_8bit"] = np.abs(colours[0] - colours[1]).max()
    parts["least_uniform_share"] = min(
        np.mean((pixels == colour).all(axis=1))
        for pixels, colour in zip((left, right), colours, strict=True)
    )
    parts["area_difference_percent"] = abs(relative_difference(len(left), len(right)))
    return lab, float(deltaE_ciede2000(lab[0], lab[1])), parts


def measure_bar_hue(image: np.ndarray, hues: tuple[str, ...]) -> Measurement:
    """Measure the CIEDE2000 difference of two sets of bars; the larger b* is more yellowish."""
    hue = hues[0]
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
    ordered = discs if first[0] < second[0] else discs[::-1]
    left, right = (_bar_pixels(image, labels == disc, within) for disc in ordered)
    lab, value, parts = _compare(left, right)
    parts |= {
        "left_b_star": lab[0, 2],
        "right_b_star": lab[1, 2],
        "left_minus_right_b_star": lab[0, 2] - lab[1, 2],
    }
    leaning = "left" if lab[0, 2] > lab[1, 2] else "right"
    return conclude("bar_hue", value, leaning, image.shape[1], parts)


def _bar_pixels(image: np.ndarray, disc: np.ndarray, within: np.ndarray) -> np.ndarray:
    """Return the pixels of the bars of one disc, shape (n, 3).

    A pixel belongs to the bars if it is nearer to their colour than to any other of the disc's
    colours. Hue alone would drop just those pixels that resizing has mixed with a flanking stripe,
    and hide the mixture.
    """
    bars = median_colour(image[disc & within])
    between = image[disc & ~within].astype(np.float64)
    yellower = between[:, 0] + between[:, 1] > 2 * between[:, 2]
    references = [bars]
    for side in (between[yellower], between[~yellower]):
        if len(side) > 0.02 * len(between):
            references.append(np.median(side, axis=0))
    pixels = image[disc]
    distances = [((pixels - reference) ** 2).sum(axis=1) for reference in references]
    return pixels[np.argmin(distances, axis=0) == 0]


def measure_square_saturation(image: np.ndarray, hues: tuple[str, ...]) -> Measurement:
    """Measure the CIEDE2000 difference of two large squares; the larger C*ab is more vivid."""
    # A mosaic has tiles of every hue: the largest flat area tells which hue is meant.
    flat, plane = _flat(image), chromatic_plane(image)
    found = {hue: _large_areas(flat & in_hue(plane, hue, _SQUARE_CHROMA)) for hue in hues}
    hue = max(hues, key=lambda hue: found[hue].area)
    labels, squares = found[hue].labels, found[hue].large
    if len(squares) != 2:
        raise AfterimageError(f"looked for two large {hue} squares and found {len(squares)}.")
    members = [np.nonzero(labels == square) for square in squares]
    members.sort(key=lambda rows_columns: rows_columns[1].mean())
    left, right = (image[rows_columns] for rows_columns in members)
    lab, value, parts = _compare(left, right)
    chroma = np.hypot(lab[:, 1], lab[:, 2])
    parts |= {
        "left_c_star": chroma[0],
        "right_c_star": chroma[1],
        "c_star_ratio": chroma.max() / chroma.min(),
    }
    leaning = "left" if chroma[0] > chroma[1] else "right"
    return conclude("square_saturation", value, leaning, image.shape[1], parts)


class _Areas(NamedTuple):
    """Connected areas: their labels (height, width), the largest of them, and the area of that one."""

    labels: np.ndarray
    large: np.ndarray
    area: int


def _large_areas(mask: np.ndarray) -> _Areas:
    labels, _ = ndimage.label(mask)
    areas = np.bincount(labels.ravel())
    areas[0] = 0
    # Tiles of a mosaic have a quarter of the squares' area.
    large = np.flatnonzero((areas > 0) & (areas >= 0.6 * areas.max()))
    return _Areas(labels, large, int(areas.max()))


def _flat(image: np.ndarray) -> np.ndarray:
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


def measure_square_lightness(image: np.ndarray, hues: tuple[str, ...]) -> Measurement:
    """Measure the L* difference between the grays around two dots."""
    hue = hues[0]
    dots = targets(coverages(image, (hue,), "dot")[hue], 2, f"two {hue} dots")
    left, right = (_gray_around(image, dot) for dot in left_to_right(dots))
    lab, _, parts = _compare(left, right)
    signed = lab[0, 0] - lab[1, 0]
    parts |= {
        "left_l_star": lab[0, 0],
        "right_l_star": lab[1, 0],
        "left_minus_right_l_star": signed,
    }
    leaning = "left" if signed > 0 else "right"
    return conclude("square_lightness", abs(signed), leaning, image.shape[1], parts)


def _gray_around(image: np.ndarray, dot: Target) -> np.ndarray:
    """Return the pixels of a ring around a dot, shape (n, 3)."""
    diameter = np.sqrt(4 * dot.area / np.pi)
    x, y = dot.centre
    rows, columns = np.ogrid[: image.shape[0], : image.shape[1]]
    distance = np.hypot(columns + 0.5 - x, rows + 0.5 - y) / diameter
    return image[(distance >= _GRAY_RING[0]) & (distance <= _GRAY_RING[1])]
