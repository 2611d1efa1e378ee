"""The features that the questions ask about, and how sizes and colours are measured."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from skimage.color import deltaE_ciede2000, rgb2lab

from afterimage.errors import AfterimageError, unknown_name
from afterimage.seeing.colours import chromatic_plane, coverages, in_hue, left_to_right, targets
from afterimage.seeing.image import Floats, Image, black_coverage, upper_edge
from afterimage.seeing.patches import (
    ring_around,
    two_large_squares,
    two_sets_of_bars,
    two_small_squares,
    two_squares_on_grounds,
)

#: Side of a stimulus as drawn, px; half-fake differences in px hold at this size.
NATIVE_SIDE_PX = 672


@dataclass(frozen=True)
class Feature:
    """One measurable feature of a figure.

    Attributes:
        unit: Unit of a measurement's value.
        half_fake: Half the fake difference (docs/illusion_figures.md, sections 5 and 6), in ``unit``; of the
            smallest fake if illusions share the question. A smaller difference is reported as
            neutral.
        hues: Hue words that the targets can have; the image decides when none is named.
        options: Regular expressions by option id, in lower case: what an option's text says. Every
            option of a question matches exactly one.
        neutral: Ids of the options that deny a difference.
        undirected: Id of the option that states a difference without its direction, if there is
            one.
        scales: The value is a length in px, so that ``half_fake`` shrinks with the image.
    """

    unit: str
    half_fake: float
    hues: tuple[str, ...]
    options: dict[str, str]
    neutral: tuple[str, ...] = ("same",)
    undirected: str = ""
    scales: bool = False


_LEFT_RIGHT = {
    "left": r"\bleft\b",
    "right": r"\bright\b",
    "same": r"\bsame\b",
}
_NAMED_COLOUR = {"red": r"\bred\b", "green": r"\bgreen\b", "blue": r"\bblue\b", "same": r"\bsame\b"}
_BOWED = {"outward": r"\boutward\b", "inward": r"\binward\b", "straight": r"\bstraight\b"}
_CHROMATIC = ("red", "blue", "green")
# The bars lie between blue and yellow stripes and the squares in a mosaic of all hues, so blue
# cannot be told from the surround by hue alone.
_BETWEEN_FLANKERS = ("red", "green")

#: 16 levels over a stripe of 72 px, on a tenth of the image's width.
FALL_OF_STRIPES = 16 / 72 * NATIVE_SIDE_PX / 10

FEATURES = {
    "parallelism": Feature(
        unit="deg",
        half_fake=3.77 / 2,
        hues=_CHROMATIC,
        options={
            "not_parallel": r"\bnot\b.*\bparallel\b",
            "parallel": r"^(?!.*\bnot\b).*\bparallel\b",
            **_LEFT_RIGHT,
        },
        neutral=("parallel", "same"),
        undirected="not_parallel",
    ),
    "line_length": Feature(
        unit="percent",
        half_fake=20.0 / 2,
        hues=_CHROMATIC,
        options={"upper": r"\bupper\b", "lower": r"\blower\b", **_LEFT_RIGHT},
    ),
    "coloured_line_length": Feature(
        unit="percent", half_fake=19.0 / 2, hues=_CHROMATIC, options=_NAMED_COLOUR
    ),
    "line_straightness": Feature(
        unit="px",
        half_fake=18.0 / 2,
        hues=_CHROMATIC,
        options=_BOWED,
        neutral=("straight",),
        scales=True,
    ),
    "side_straightness": Feature(
        unit="px",
        half_fake=14.0 / 2,
        hues=_CHROMATIC,
        options={**_BOWED, "curved": r"\bcurved\b(?!.*\b(?:inward|outward)\b)"},
        neutral=("straight",),
        undirected="curved",
        scales=True,
    ),
    "circle_size": Feature(
        unit="percent", half_fake=20.0 / 2, hues=_CHROMATIC, options=_LEFT_RIGHT
    ),
    "coloured_figure_size": Feature(
        unit="percent", half_fake=31.8 / 2, hues=_CHROMATIC, options=_NAMED_COLOUR
    ),
    "bar_hue": Feature(
        unit="CIEDE2000", half_fake=15.4 / 2, hues=_BETWEEN_FLANKERS, options=_LEFT_RIGHT
    ),
    "dot_position": Feature(
        unit="percent",
        half_fake=24.6 / 2,
        hues=_CHROMATIC,
        options={
            "top": r"^(?!.*\bhalfway\b).*\btop\b",
            "bottom": r"^(?!.*\bhalfway\b).*\bbottom\b",
            "halfway": r"\bhalfway\b",
        },
        neutral=("halfway",),
    ),
    "square_saturation": Feature(
        unit="CIEDE2000", half_fake=9.0 / 2, hues=_BETWEEN_FLANKERS, options=_LEFT_RIGHT
    ),
    "square_lightness": Feature(
        unit="L*", half_fake=15.9 / 2, hues=_CHROMATIC, options=_LEFT_RIGHT
    ),
    "stroke_alignment": Feature(
        unit="px",
        half_fake=40.0 / 2,
        hues=_CHROMATIC,
        options={
            "high": r"\btoo high\b",
            "low": r"\btoo low\b",
            "line": r"\bone straight line\b",
        },
        neutral=("line",),
        scales=True,
    ),
    "gap_width": Feature(
        unit="percent",
        half_fake=20.0 / 2,
        hues=_CHROMATIC,
        options={**_LEFT_RIGHT, "same": r"\bequally wide\b"},
    ),
    # The cords have no colour, the ground has one.
    "cord_parallelism": Feature(
        unit="deg",
        half_fake=3.8 / 2,
        hues=("blue",),
        options={"top": r"\btop\b", "bottom": r"\bbottom\b", "parallel": r"\bparallel\b"},
        neutral=("parallel",),
    ),
    "place_lightness": Feature(unit="L*", half_fake=15.7 / 2, hues=_CHROMATIC, options=_LEFT_RIGHT),
    # Nothing in the figure has a hue.
    "small_square_lightness": Feature(unit="L*", half_fake=15.7 / 2, hues=(), options=_LEFT_RIGHT),
    "square_size": Feature(unit="percent", half_fake=20.0 / 2, hues=(), options=_LEFT_RIGHT),
    "check_contrast": Feature(unit="percent", half_fake=40.0 / 2, hues=(), options=_LEFT_RIGHT),
    "stripe_evenness": Feature(
        unit="levels",
        half_fake=FALL_OF_STRIPES / 2,
        hues=(),
        options={
            "left": r"\blighter at its left edge\b",
            "right": r"\blighter at its right edge\b",
            "same": r"\bsame\b",
        },
    ),
}


def feature_named(name: str) -> Feature:
    if name not in FEATURES:
        raise unknown_name("feature", name, FEATURES)
    return FEATURES[name]


@dataclass(frozen=True)
class Measurement:
    """The measurement of one feature from the pixels.

    Attributes:
        value: Size of the difference, never negative, in ``unit``.
        unit: ``deg``, ``percent``, ``px`` of the measured image, ``CIEDE2000`` or ``L*``.
        direction: Option id that the value supports: the neutral one when the value is below half
            the fake difference (section 6), else the side, colour or bend that has
            more.
        leaning: Option id to which even the smallest difference points (for lines: the side on
            which they are closer together; for sides: ``inward`` or ``outward``); empty without
            difference.
        parts: Everything else that was measured, by name; the name ends in the unit.
    """

    value: float
    unit: str
    direction: str
    leaning: str
    parts: dict[str, float] = field(default_factory=dict)


def conclude(
    name: str, value: float, leaning: str, side_px: int, parts: dict[str, float]
) -> Measurement:
    """Turn a difference into a measurement, calling it neutral below half the fake difference.

    Args:
        name: Name of the feature.
        value: Size of the difference, >= 0, in the feature's unit.
        leaning: Option id to which the difference points.
        side_px: Width of the measured image.
        parts: What else was measured.
    """
    feature = FEATURES[name]
    threshold = feature.half_fake * (side_px / NATIVE_SIDE_PX if feature.scales else 1.0)
    differs = value >= threshold
    direction = (feature.undirected or leaning) if differs else feature.neutral[0]
    named = {key: float(part) for key, part in parts.items()}
    return Measurement(float(value), feature.unit, direction, leaning if value > 0 else "", named)


def relative_difference(first: float, second: float) -> float:
    """Return the symmetric difference 2(a-b)/(a+b) of two positive sizes in percent, signed."""
    return 200.0 * (first - second) / (first + second)


def measure_circle_size(image: Image, hues: tuple[str, ...]) -> Measurement:
    """Measure the difference in percent of the diameters of two discs, from their covered areas."""
    hue = hues[0]
    discs = targets(coverages(image, (hue,), "circle")[hue], 2, f"two {hue} circles")
    left, right = (float(np.sqrt(4 * disc.area / np.pi)) for disc in left_to_right(discs))
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
