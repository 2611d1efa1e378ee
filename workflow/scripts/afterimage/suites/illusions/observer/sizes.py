"""Sizes of coloured figures and the place of a dot (docs/illusion_figures.md, section 5)."""

import numpy as np

from afterimage.errors import AfterimageError
from afterimage.seeing.hues import chromatic_plane, coverages, in_hue, left_to_right, targets
from afterimage.seeing.image import Image, black_coverage, upper_edge
from afterimage.seeing.patches import two_squares_on_grounds
from afterimage.suites.illusions.observer.features import (
    Measurement,
    conclude,
    relative_difference,
)


def measure_circle_size(image: Image, hues: tuple[str, ...]) -> Measurement:
    """Measure the difference in percent of the diameters of two discs, from their covered areas."""
    hue = hues[0]
    found = targets(coverages(image, (hue,), "circle")[hue], 2, f"two {hue} circles")
    left, right = (float(np.sqrt(4 * disc.area / np.pi)) for disc in left_to_right(found))
    signed = relative_difference(left, right)
    parts = {
        "left_diameter_px": left,
        "right_diameter_px": right,
        "left_minus_right_percent": signed,
    }
    leaning = "left" if signed > 0 else "right"
    return conclude("circle_size", abs(signed), leaning, image.shape[1], parts)


def measure_coloured_figure_size(image: Image, hues: tuple[str, ...]) -> Measurement:
    """Measure the difference in percent of the areas of two figures named by their colours."""
    covered = coverages(image, hues, "figure")
    areas = [targets(covered[hue], 1, f"one {hue} figure")[0].area for hue in hues]
    signed = relative_difference(*areas)
    parts = {f"{hue}_area_px2": area for hue, area in zip(hues, areas, strict=True)}
    parts[f"{hues[0]}_minus_{hues[1]}_percent"] = signed
    leaning = hues[0] if signed > 0 else hues[1]
    return conclude("coloured_figure_size", abs(signed), leaning, image.shape[1], parts)


def measure_dot_position(image: Image, hues: tuple[str, ...]) -> Measurement:
    """Measure in percent how much nearer a dot is to the top or the bottom of a black figure."""
    hue = hues[0]
    dot = targets(coverages(image, (hue,), "dot")[hue], 1, f"one {hue} dot")[0]
    ink = black_coverage(image)
    # A green line is none of the figure's.
    ink[in_hue(chromatic_plane(image), "green")] = 0.0
    ink[np.floor(dot.y).astype(int), np.floor(dot.x).astype(int)] = 0.0
    if (ink >= 0.5).any(axis=1).sum() < 2:
        raise AfterimageError(
            f"looked for a black figure around the {hue} dot and found no black ink."
        )
    top = upper_edge(ink)
    bottom = image.shape[0] - upper_edge(ink[::-1])
    height = dot.centre[1]
    if not top < height < bottom:
        raise AfterimageError(
            f"looked for a {hue} dot between the top and the bottom of a black figure "
            "and found it outside."
        )
    above, below = height - top, bottom - height
    parts = {
        "to_top_px": above,
        "to_bottom_px": below,
        "difference_px": abs(above - below),
        "bottom_minus_top_percent": relative_difference(below, above),
    }
    value = abs(parts["bottom_minus_top_percent"])
    return conclude(
        "dot_position", value, "top" if above < below else "bottom", image.shape[1], parts
    )


def measure_square_size(image: Image, hues: tuple[str, ...]) -> Measurement:
    """Measure the difference in percent of the sides of two squares, each darker or lighter than its ground."""
    left, right = (float(np.sqrt(square.area)) for square in two_squares_on_grounds(image))
    signed = relative_difference(left, right)
    parts = {"left_side_px": left, "right_side_px": right, "left_minus_right_percent": signed}
    leaning = "left" if signed > 0 else "right"
    return conclude("square_size", abs(signed), leaning, image.shape[1], parts)
