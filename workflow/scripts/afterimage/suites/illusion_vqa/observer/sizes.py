"""Sizes of coloured figures and the place of a dot (specification, section 6, cards 7-9 and 11)."""

import numpy as np

from afterimage.errors import AfterimageError
from afterimage.suites.illusion_vqa.observer.features import (
    Measurement,
    conclude,
    relative_difference,
)
from afterimage.suites.illusion_vqa.observer.segmentation import Target, coverages, targets

# Ink that a resized outline leaves in the row outside of it stays below this.
_LEAST_INK = 0.2
# Rows from an apex, as shares of the figure's height, between which its two sides are read.
_SIDES_READ = (0.05, 0.25)
# Between the first row of an apex that has visible ink and the apex itself, in rows.
_APEX_BLUR = 1.5


def left_to_right(found: list[Target]) -> list[Target]:
    """Sort targets by the x of their centroids."""
    return sorted(found, key=lambda target: target.centre[0])


def measure_circle_size(image: np.ndarray, hues: tuple[str, ...]) -> Measurement:
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


def measure_coloured_figure_size(image: np.ndarray, hues: tuple[str, ...]) -> Measurement:
    """Measure the difference in percent of the areas of two figures named by their colours."""
    covered = coverages(image, hues, "figure")
    areas = [targets(covered[hue], 1, f"one {hue} figure")[0].area for hue in hues]
    signed = relative_difference(*areas)
    parts = {f"{hue}_area_px2": area for hue, area in zip(hues, areas, strict=True)}
    parts[f"{hues[0]}_minus_{hues[1]}_percent"] = signed
    leaning = hues[0] if signed > 0 else hues[1]
    return conclude("coloured_figure_size", abs(signed), leaning, image.shape[1], parts)


def measure_dot_position(image: np.ndarray, hues: tuple[str, ...]) -> Measurement:
    """Measure in percent how much nearer a dot is to the top or the bottom of a black figure."""
    hue = hues[0]
    dot = targets(coverages(image, (hue,), "dot")[hue], 1, f"one {hue} dot")[0]
    lightest = np.maximum(np.maximum(image[..., 0], image[..., 1]), image[..., 2])
    ink = 1.0 - lightest / np.float32(255.0)
    ink[np.floor(dot.y).astype(int), np.floor(dot.x).astype(int)] = 0.0
    if (ink >= 0.5).any(axis=1).sum() < 2:
        raise AfterimageError(
            f"looked for a black figure around the {hue} dot and found no black ink."
        )
    top = _upper_edge(ink)
    bottom = image.shape[0] - _upper_edge(ink[::-1])
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


def _upper_edge(ink: np.ndarray) -> float:
    """Return the y of the topmost ink in px; ink, 0 to 1, has shape (height, width)."""
    darkest = ink.max(axis=1)
    rows = np.flatnonzero(darkest >= _LEAST_INK)
    # A partly covered first row says by how much: a level edge lies that far inside the row.
    level = rows[0] + 1.0 - darkest[rows[0]]
    first, last = (round(rows[0] + share * (rows[-1] - rows[0])) for share in _SIDES_READ)
    widths = np.array([_outer_width(row) for row in ink[first : last + 1]])
    slope, offset = np.polyfit(np.arange(first, last + 1) + 0.5, widths, 1)
    # An apex covers little of its first rows, so it is read where the two sides meet instead.
    meet = -offset / slope if slope > 0.05 else -np.inf
    return float(meet) if abs(meet - level) <= _APEX_BLUR else float(level)


def _outer_width(row: np.ndarray) -> float:
    """Return the distance in px between the outermost half-inked places of a row, 0 without any."""
    dark = np.flatnonzero(row >= 0.5)
    if not len(dark) or dark[0] == 0 or dark[-1] == len(row) - 1:
        return 0.0
    left = dark[0] - (row[dark[0]] - 0.5) / (row[dark[0]] - row[dark[0] - 1])
    right = dark[-1] + (row[dark[-1]] - 0.5) / (row[dark[-1]] - row[dark[-1] + 1])
    return float(right - left)
