"""Colours of bars and squares (docs/illusion_figures.md, section 5)."""

import numpy as np
from numpy.typing import NDArray
from skimage.color import deltaE_ciede2000, rgb2lab

from afterimage.seeing.hues import coverages, left_to_right, targets
from afterimage.seeing.image import Floats, Image
from afterimage.seeing.patches import (
    ring_around,
    two_large_squares,
    two_sets_of_bars,
    two_small_squares,
)
from afterimage.suites.illusions.observer.features import (
    Measurement,
    conclude,
    relative_difference,
)


def _compare(
    left: NDArray[np.uint8], right: NDArray[np.uint8]
) -> tuple[Floats, float, dict[str, float]]:
    """Compare the pixels of two targets, uint8 of shape (n, 3) each, by their median colours.

    Returns:
        L*a*b* of both, shape (2, 3); their CIEDE2000 difference; and the parts of a measurement.
        The uniform share is that of the pixels which have exactly their target's median colour.
    """
    colours = np.stack([np.median(left, axis=0), np.median(right, axis=0)])
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


def measure_bar_hue(image: Image, hues: tuple[str, ...]) -> Measurement:
    """Measure the CIEDE2000 difference of two sets of bars; the larger b* is more yellowish."""
    left, right = two_sets_of_bars(image, hues[0])
    lab, value, parts = _compare(left, right)
    parts |= {
        "left_b_star": lab[0, 2],
        "right_b_star": lab[1, 2],
        "left_minus_right_b_star": lab[0, 2] - lab[1, 2],
    }
    leaning = "left" if lab[0, 2] > lab[1, 2] else "right"
    return conclude("bar_hue", value, leaning, image.shape[1], parts)


def measure_square_saturation(image: Image, hues: tuple[str, ...]) -> Measurement:
    """Measure the CIEDE2000 difference of two large squares; the larger C*ab is more vivid."""
    left, right = two_large_squares(image, hues)
    lab, value, parts = _compare(left, right)
    chroma = np.hypot(lab[:, 1], lab[:, 2])
    parts |= {
        "left_c_star": chroma[0],
        "right_c_star": chroma[1],
        "c_star_ratio": chroma.max() / chroma.min(),
    }
    leaning = "left" if chroma[0] > chroma[1] else "right"
    return conclude("square_saturation", value, leaning, image.shape[1], parts)


def measure_square_lightness(image: Image, hues: tuple[str, ...]) -> Measurement:
    """Measure the L* difference between the gray squares around two dots."""
    return _compare_lightness("square_lightness", image, _around_dots(image, hues[0]))


def measure_place_lightness(image: Image, hues: tuple[str, ...]) -> Measurement:
    """Measure the L* difference between the gray places around two dots."""
    return _compare_lightness("place_lightness", image, _around_dots(image, hues[0]))


def measure_small_square_lightness(image: Image, hues: tuple[str, ...]) -> Measurement:
    """Measure the L* difference between two small flat squares, whatever their color."""
    return _compare_lightness("small_square_lightness", image, two_small_squares(image))


def _around_dots(image: Image, hue: str) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    dots = targets(coverages(image, (hue,), "dot")[hue], 2, f"two {hue} dots")
    left, right = (ring_around(image, dot) for dot in left_to_right(dots))
    return left, right


def _compare_lightness(
    feature: str, image: Image, pixels: tuple[NDArray[np.uint8], NDArray[np.uint8]]
) -> Measurement:
    lab, _, parts = _compare(*pixels)
    signed = lab[0, 0] - lab[1, 0]
    parts |= {
        "left_l_star": lab[0, 0],
        "right_l_star": lab[1, 0],
        "left_minus_right_l_star": signed,
    }
    leaning = "left" if signed > 0 else "right"
    return conclude(feature, abs(signed), leaning, image.shape[1], parts)
