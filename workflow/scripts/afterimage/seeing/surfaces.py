"""What an object's surface looks like, measured from the pixels: numbers that define materials.

An object is what differs from a neutral ground of two tones.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage
from skimage import morphology

from afterimage.errors import AfterimageError
from afterimage.seeing.image import Floats, Image, Mask, require_rgb

_LUMINANCE = np.array([0.2126, 0.7152, 0.0722]) / 255
#: Coded luminance above which a pixel is a highlight.
HIGHLIGHT = 0.95
_SMALLEST_OBJECT_PX = 1000
# Nearer to the rim, shading and the object's edge would count as texture.
_RIM_PX = 6
_HAIR_PX = 5
_SPOT_PX = 4
_SPOT_CONTRAST = 0.3
_GROOVE_CONTRAST = 0.2
_SHADING_PX = 8
# A pattern's period between the finest that pixels hold and what is shading.
_PERIODS_PX = (4.0, 13.0)
# Waves within 8 degrees of an axis run along it.
_ALONG = np.tan(np.radians(8))
_CHECKER_PX = range(8, 41)


@dataclass(frozen=True)
class Properties:
    """Measured properties of an object.

    Attributes:
        area_fraction: The object's share of the image.
        raggedness: Pixels of thin parts that protrude from the outline, by the square root of the area.
        highlight_percent: Share of the object's pixels with a coded luminance above 0.95, in percent.
        spots: Number of small bright spots.
        saturation: Mean of (largest - smallest) / largest channel, 0 to 1.
        gradient: Mean change of coded luminance, percent per px.
        steepest: The same; 95 % of the surface changes less.
        groove_share: Share of the surface in thin dark parts, 0 to 1.
        pattern_percent: Share of the detail's energy in its strongest wave of 4 to 13 px, in percent.
        crossing: The weaker of the strongest waves along the image's two axes, by the strongest of all, 0 to 1.
        checker: How well the tones of the middle change sides like those of a checkerboard, -1/3 to 1.
    """

    area_fraction: float
    raggedness: float
    highlight_percent: float
    spots: int
    saturation: float
    gradient: float
    steepest: float
    groove_share: float
    pattern_percent: float
    crossing: float
    checker: float


def measure_properties(image: Image) -> Properties:
    """Measure the object in an image.

    Args:
        image: uint8 RGB, shape (height, width, 3), at least 64 px a side.

    Raises:
        AfterimageError: The array is no RGB image, or does not show one object on a neutral ground.
    """
    mask = find_object(image)
    luminance = image @ _LUMINANCE
    surface = ndimage.binary_erosion(mask, morphology.disk(_RIM_PX))
    if not surface.any():
        raise AfterimageError(
            "the object is too thin to have a surface; expected a sphere or a tile."
        )
    smooth = ndimage.gaussian_filter(luminance, 1)
    change = 100 * np.hypot(ndimage.sobel(smooth, 0), ndimage.sobel(smooth, 1)) / 8
    detail = _detail(luminance, surface)
    strength, crossing = _strongest_wave(detail)
    return Properties(
        area_fraction=float(mask.mean()),
        raggedness=_raggedness(mask),
        highlight_percent=float(100 * (luminance[mask] > HIGHLIGHT).mean()),
        spots=_spots(luminance, surface),
        saturation=_saturation(image[surface]),
        gradient=float(change[surface].mean()),
        steepest=float(np.quantile(change[surface], 0.95)),
        groove_share=_groove_share(luminance, surface),
        pattern_percent=strength,
        crossing=crossing,
        checker=_checker(luminance, surface),
    )


def find_object(image: Image) -> Mask:
    """Return which pixels belong to the object, shape (height, width).

    Raises:
        AfterimageError: The array is no RGB image, or does not show one object on a neutral ground.
    """
    require_rgb(image)
    border = np.concatenate([image[0], image[-1], image[:, 0], image[:, -1]])
    neutral = border[border.max(axis=1) == border.min(axis=1), 0]
    levels, counts = np.unique(neutral, return_counts=True)
    order = np.argsort(counts, kind="stable")[-2:]
    tones = levels[order]
    # A photograph on white paper has one tone all around.
    two_tones = len(order) == 2 and counts[order].min() >= 0.1 * len(border)
    if not two_tones or counts[order].sum() < 0.95 * len(border):
        raise AfterimageError(
            "the image shows no neutral ground of two tones; expected an object on grey squares."
        )
    is_grey = image.max(axis=2) == image.min(axis=2)
    differs = ~(is_grey & np.isin(image[..., 0], tones))
    mask: Mask = ndimage.binary_fill_holes(differs)
    if mask.sum() < _SMALLEST_OBJECT_PX:
        raise AfterimageError("the image shows nothing on its ground; expected one object.")
    return mask


def _raggedness(mask: Mask) -> float:
    """Measure what an opening takes away: hairs, but not the corners of a tile."""
    opened = morphology.opening(mask, morphology.disk(_HAIR_PX))
    return float((mask & ~opened).sum() / np.sqrt(mask.sum()))


def _spots(luminance: Floats, surface: Mask) -> int:
    peaks = morphology.white_tophat(luminance, morphology.disk(_SPOT_PX))
    return int(ndimage.label((peaks > _SPOT_CONTRAST) & surface)[1])


def _saturation(pixels: NDArray[np.uint8]) -> float:
    largest = pixels.max(axis=1).astype(float)
    return float(((largest - pixels.min(axis=1)) / np.maximum(largest, 1)).mean())


def _groove_share(luminance: Floats, surface: Mask) -> float:
    grooves = morphology.black_tophat(luminance, morphology.disk(_SPOT_PX))
    return float((grooves[surface] > _GROOVE_CONTRAST).mean())


def _detail(luminance: Floats, surface: Mask) -> Floats:
    """Return the luminance without its shading, 0 outside the surface."""
    inside = surface.astype(float)
    blurred = ndimage.gaussian_filter(luminance * inside, _SHADING_PX)
    weight = ndimage.gaussian_filter(inside, _SHADING_PX)
    return np.where(surface, luminance - blurred / np.maximum(weight, 1e-9), 0)


def _strongest_wave(detail: Floats) -> tuple[float, float]:
    """Return the strongest wave's share of the detail's energy in percent, and how well waves cross."""
    energy = np.abs(np.fft.fft2(detail)) ** 2
    total = energy.sum()
    if total < 1e-9:
        return 0.0, 0.0
    rows = np.abs(np.fft.fftfreq(detail.shape[0]))[:, None]
    columns = np.abs(np.fft.fftfreq(detail.shape[1]))[None, :]
    frequency = np.hypot(rows, columns)
    shortest, longest = _PERIODS_PX
    energy = np.where((frequency > 1 / longest) & (frequency < 1 / shortest), energy, 0)
    along = [energy[near].max() for near in (rows < _ALONG * columns, columns < _ALONG * rows)]
    strongest = energy.max()
    return float(100 * strongest / total), float(min(along) / max(strongest, 1e-12))


def _checker(luminance: Floats, surface: Mask) -> float:
    """Return the best agreement with a checkerboard of any size, from the middle of the object.

    Neighbouring squares, right or below, have the other tone; squares that touch at a corner have the same.
    """
    rows, columns = np.nonzero(surface)
    top, bottom = np.quantile(rows, (0.25, 0.75)).astype(int)
    left, right = np.quantile(columns, (0.25, 0.75)).astype(int)
    middle = luminance[top:bottom, left:right]
    sides = np.sign(middle - (middle.max() + middle.min()) / 2)
    scores = [-1 / 3]
    for size in _CHECKER_PX:
        if size >= 0.7 * min(sides.shape):
            break
        here = sides[:-size, :-size]
        horizontal = (here * sides[:-size, size:]).mean()
        below = (here * sides[size:, :-size]).mean()
        across = (here * sides[size:, size:]).mean()
        scores.append((across - horizontal - below) / 3)
    return float(max(scores))
