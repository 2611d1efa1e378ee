"""What the pixels of the grid show: the true difference that each image must measure, and the answer to a question.

The shared observer measures each illusion in a unit of its own. Here these become the axis that all illusions share: 0
is no difference, 1 the fake figure's, positive where the illusion of positive strength points. The fake's size and its
colours are those of the cards (section 4) and not the drawing's. The ideal observer reports every step of the grid, so
what it calls neutral is smaller than half of the smallest step (an eighth of the fake's difference).
"""

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np

from afterimage.contract.stimulus import Measured
from afterimage.errors import AfterimageError
from afterimage.items.wording import headed_options
from afterimage.seeing.colours import HUE_RANGES
from afterimage.seeing.image import Image
from afterimage.suites.illusion_strength.questions import NO, YES
from afterimage.suites.illusions.names import require_illusion
from afterimage.suites.illusions.observer import (
    Measurement,
    choose,
    feature_of_question,
    measure,
    option_meanings,
)
from afterimage.suites.illusions.seeing import (
    FALL_OF_STRIPES,
    FEATURES,
    NATIVE_SIDE_PX,
    relative_difference,
)

#: Card 10: the fake's more yellowish bars and the others, by hue.
_FAKE_BARS = {
    "A": ((0xE0, 0x5A, 0x34), (0xD7, 0x2D, 0x5A)),
    "B": ((0x5A, 0xA0, 0x3C), (0x2D, 0x9B, 0x78)),
}
#: Card 13: the hues that are mixed with this grey, and the step of the mix that is the fake's.
_SQUARE_HUES = {"A": (0xE0, 0x3C, 0x31), "B": (0x5A, 0xB4, 0x32)}
_SQUARE_GREY, _MIX_STEP = 0x90, 0.14

#: Signed size of a difference in the scale's unit: (measurement, first option, variant).
Signed = Callable[[Measurement, str, str], float]


@dataclass(frozen=True)
class Scale:
    """How an illusion's feature becomes a fraction of its fake's difference.

    Attributes:
        feature: What the observer measures.
        first: Option id that is true at a positive difference, per variant.
        full: The fake's difference in ``unit``.
        unit: Unit of ``full`` and of the signed measurement.
        signed: Returns the signed measurement; positive means ``first``.
    """

    feature: str
    first: Mapping[str, str]
    full: float
    unit: str
    signed: Signed

    def fraction(self, measurement: Measurement, variant: str, side_px: int) -> float:
        """Return the measured difference as a signed fraction of the fake's.

        Args:
            measurement: What the observer measured.
            variant: ``A`` or ``B``.
            side_px: Width of the measured image; lengths shrink with it.
        """
        full = self.full * (side_px / NATIVE_SIDE_PX if FEATURES[self.feature].scales else 1.0)
        return self.signed(measurement, self.first[variant], variant) / full


def _leaning(measurement: Measurement, first: str, variant: str) -> float:
    return measurement.value if measurement.leaning == first else -measurement.value


def _bend(positive: str) -> Signed:
    def signed(measurement: Measurement, first: str, variant: str) -> float:
        mean = measurement.parts["mean_sagitta_px"]
        return mean if first == positive else -mean

    return signed


def _linear_scale(measurement: Measurement, first: str, variant: str) -> float:
    # Areas are what is seen; the fake is stated as a ratio of lengths.
    other = {"red": "blue", "blue": "red"}[first]
    sides = [np.sqrt(measurement.parts[f"{hue}_area_px2"]) for hue in (first, other)]
    return relative_difference(*sides)


def _colour_step(measurement: Measurement, first: str) -> np.ndarray:
    """Return the colour of the first side minus the other's, 8-bit RGB, shape (3,)."""
    left, right = (
        np.array(
            [measurement.parts[f"{side}_{channel}_8bit"] for channel in ("red", "green", "blue")]
        )
        for side in ("left", "right")
    )
    step: np.ndarray = left - right if first == "left" else right - left
    return step


def _along(step: np.ndarray, whole: np.ndarray) -> float:
    """Return a colour step as a share of ``whole``."""
    return float(step @ whole / (whole @ whole))


def _bars(measurement: Measurement, first: str, variant: str) -> float:
    yellowish, other = (np.array(colour, dtype=float) for colour in _FAKE_BARS[variant])
    return _along(_colour_step(measurement, first), yellowish - other)


def _mix(measurement: Measurement, first: str, variant: str) -> float:
    whole = np.array(_SQUARE_HUES[variant], dtype=float) - _SQUARE_GREY
    return _along(_colour_step(measurement, first) / 2, whole)


def _grey(measurement: Measurement, first: str, variant: str) -> float:
    return float(_colour_step(measurement, first).mean() / 2)


def _first(a: str, b: str) -> dict[str, str]:
    return {"A": a, "B": b}


SCALES = {
    # Both lines rise by 10 px over 304 px.
    "cafe_wall": Scale(
        "parallelism", _first("right", "left"), 2 * np.degrees(np.arctan(10 / 304)), "deg", _leaning
    ),
    "zoellner": Scale("parallelism", _first("right", "right"), 5.0, "deg", _leaning),
    "mueller_lyer": Scale("line_length", _first("upper", "right"), 20.0, "percent", _leaning),
    "fick": Scale("coloured_line_length", _first("red", "blue"), 20.0, "percent", _leaning),
    "hering": Scale(
        "line_straightness", _first("outward", "outward"), 18.0, "px", _bend("outward")
    ),
    "orbison": Scale("side_straightness", _first("inward", "inward"), 14.0, "px", _bend("inward")),
    # 106 and 86 px.
    "ebbinghaus": Scale(
        "circle_size", _first("left", "right"), relative_difference(106, 86), "percent", _leaning
    ),
    "jastrow": Scale("coloured_figure_size", _first("blue", "red"), 16.0, "percent", _linear_scale),
    "delboeuf": Scale("circle_size", _first("left", "right"), 20.0, "percent", _leaning),
    "munker": Scale("bar_hue", _first("left", "right"), 1.0, "of the fake's step", _bars),
    # 292 and 228 px.
    "triangle_bisection": Scale(
        "dot_position", _first("top", "bottom"), relative_difference(292, 228), "percent", _leaning
    ),
    # The diagonals reach 208 px up and 256 or 176 px sideways.
    "sander": Scale(
        "coloured_line_length",
        _first("red", "blue"),
        relative_difference(np.hypot(256, 208), np.hypot(176, 208)),
        "percent",
        _leaning,
    ),
    "saturation_constancy": Scale(
        "square_saturation", _first("left", "right"), _MIX_STEP, "of the mix", _mix
    ),
    "lightness_constancy": Scale(
        "square_lightness", _first("right", "left"), 20.0, "levels", _grey
    ),
    "ponzo": Scale("line_length", _first("upper", "lower"), 20.0, "percent", _leaning),
    "poggendorff": Scale("stroke_alignment", _first("high", "low"), 40.0, "px", _leaning),
    "oppel_kundt": Scale("gap_width", _first("left", "right"), 20.0, "percent", _leaning),
    "twisted_cord": Scale("cord_parallelism", _first("top", "bottom"), 3.8, "deg", _leaning),
    # 148 and 108.
    "cornsweet": Scale("place_lightness", _first("left", "right"), 20.0, "levels", _grey),
    "surround_contrast": Scale(
        "small_square_lightness", _first("left", "right"), 20.0, "levels", _grey
    ),
    "irradiation": Scale("square_size", _first("left", "right"), 20.0, "percent", _leaning),
    "chubb": Scale("check_contrast", _first("left", "right"), 40.0, "percent", _leaning),
    "mach_bands": Scale(
        "stripe_evenness", _first("left", "right"), FALL_OF_STRIPES, "levels", _leaning
    ),
}

# ---- What each illusion must measure ----

#: Greatest distance between the measured difference and the realised one, as a fraction of the fake's: an eighth of
#: the smallest step of the grid (1/8).
TOLERANCE = 1 / 64


def measure_value(figure: str, image: np.ndarray) -> float:
    """Return how much an image differs in the observer's unit, never negative, rounded to 4 decimals.

    Args:
        figure: Name of the illusion.
        image: uint8 RGB, shape (height, width, 3), any size from 64 px.

    Raises:
        AfterimageError: The illusion is unknown, or the image does not contain what it is about.
    """
    return round(_measured(figure, image).value, 4)


def measure_fraction(figure: str, variant: str, image: np.ndarray) -> float:
    """Return the signed true difference as a fraction of the fake's; ``variant`` decides which way is positive.

    Image and errors are those of :func:`measure_value`.
    """
    measurement = _measured(figure, image)
    return SCALES[figure].fraction(measurement, variant, image.shape[1])


def measure_stimulus(figure: str, pixels: np.ndarray, factors: Mapping[str, str]) -> Measured:
    """Measure a stimulus and compare what it shows with what was drawn.

    Args:
        figure: Name of the illusion.
        pixels: As drawn or as a model's processor hands them on.
        factors: ``variant``, ``strength``, ``difference`` and ``realised``; without them the value alone is measured.

    Returns:
        Columns: ``strength``, ``difference`` (nominal), ``realised`` (as drawn), ``measured`` (from the pixels; not a
        number where nothing could be measured), ``direction`` (``first``, ``second`` or ``neutral``: the option that is
        true by the measurement), ``size_px``, ``limit``, ``holds`` and ``remark`` (empty if the limit holds).

    Raises:
        AfterimageError: The illusion is unknown.
    """
    if not factors:
        return Measured(measure_value(figure, pixels))
    require_illusion(figure)
    realised = float(factors["realised"])
    limit = f"difference {realised:.4g} +/- {TOLERANCE:.4g} of the fake's"
    try:
        fraction = measure_fraction(figure, factors["variant"], pixels)
    except AfterimageError as error:
        fraction, remark = float("nan"), str(error)
    else:
        remark = "" if abs(fraction - realised) <= TOLERANCE else f"found {fraction:.4g}"
    columns = {
        "strength": factors["strength"],
        "difference": factors["difference"],
        "realised": factors["realised"],
        "measured": round(fraction, 4) + 0.0,
        "direction": _direction(fraction),
        "size_px": pixels.shape[1],
        "limit": limit,
        "holds": not remark,
        "remark": remark,
    }
    return Measured(fraction, limit, not remark, remark, columns)


def _measured(figure: str, image: np.ndarray) -> Measurement:
    require_illusion(figure)
    return measure(image, SCALES[figure].feature)


def _direction(fraction: float) -> str:
    if np.isnan(fraction):
        return ""
    if abs(fraction) <= TOLERANCE:
        return "neutral"
    return "first" if fraction > 0 else "second"


#: The part ``measure`` of each illusion.
MEASURES = {figure: partial(measure_stimulus, figure) for figure in SCALES}


_HUE = "|".join(HUE_RANGES)
#: What a question must say to be about a feature; none of these is said by a question with options.
_STEMS = {
    "parallelism": rf"two (?P<hue>{_HUE}) lines (?:parallel|come closer together)",
    "line_length": rf"two (?P<hue>{_HUE}) lines (?:the same|differ in) length",
    "coloured_line_length": (
        rf"the (?P<hue>{_HUE}) line and the (?P<other>{_HUE}) line (?:the same|differ in) length"
    ),
    "line_straightness": rf"two (?P<hue>{_HUE}) lines (?:straight|curved)\?",
    "side_straightness": rf"four sides of the (?P<hue>{_HUE}) figure (?:straight|curved)\?",
    "circle_size": rf"two (?P<hue>{_HUE}) circles (?:the same|differ in) size",
    "coloured_figure_size": (
        rf"the (?P<hue>{_HUE}) figure and the (?P<other>{_HUE}) figure (?:the same|differ in) size"
    ),
    "bar_hue": rf"the (?P<hue>{_HUE}) bars on the left and on the right (?:the same|differ in) color",
    "dot_position": rf"the (?P<hue>{_HUE}) dot (?:halfway between|closer to one end)",
    "square_saturation": rf"two large (?P<hue>{_HUE}) squares (?:the same|differ in) color",
    "square_lightness": rf"two squares marked with a (?P<hue>{_HUE}) dot (?:the same|differ in) shade",
    "stroke_alignment": rf"two (?P<hue>{_HUE}) lines parts of|one (?P<turned>{_HUE}) line out of line",
    "gap_width": rf"two gaps between neighboring (?P<hue>{_HUE}) strokes (?:equally|differ in)",
    "cord_parallelism": r"two cords (?:parallel|come closer together)",
    "place_lightness": (
        rf"two places marked with a (?P<hue>{_HUE}) dot (?:the same|differ in) shade"
    ),
    "small_square_lightness": r"two small squares (?:the same|differ in) shade",
    "square_size": r"two squares (?:the same|differ in) size",
    "check_contrast": r"two discs of checks (?:the same|differ) in contrast",
    "stripe_evenness": r"each gray stripe (?:the same gray from|lighter at one) edge",
}
#: Words of the questions to which yes says that there is a difference.
_REVERSED = re.compile(r"\b(?:differ in|closer|lighter at one|curved\?|out of line)")


class YesNoQuestion(NamedTuple):
    """A yes-or-no question.

    Attributes:
        feature: What is to be measured.
        hues: Of the targets, in the order of the question.
        reversed: Whether yes says that the targets differ.
    """

    feature: str
    hues: tuple[str, ...]
    reversed: bool


def yes_no_question(text: str) -> YesNoQuestion | None:
    """Return the yes-or-no question of a request; None if it has none."""
    lowered = " ".join(text.lower().split())
    for feature, pattern in _STEMS.items():
        if match := re.search(pattern, lowered):
            return YesNoQuestion(
                feature, tuple(filter(None, match.groups())), bool(_REVERSED.search(lowered))
            )
    return None


# ---- Options ----

#: Half of the smallest step of the grid, in units of half the fake's difference.
_SMALLEST = 1 / 8

#: A question that no other suite asks: where straight is no option, it is not in the question either.
_FORCED_BEND = re.compile(
    rf"\btwo (?P<hue>{'|'.join(HUE_RANGES)}) lines\b.*\bbowed outward or inward\b"
)


def answer(image: Image, text: str) -> str:
    """Answer a request by what the image shows, with the full text of one of its options, or "Yes" or "No".

    Without a difference, and without a neutral option, it guesses: by the image and the question, so that the same
    request always gets the same answer.

    Args:
        image: uint8 RGB, shape (height, width, 3).
        text: The request: ``Question: <stem>``, ``Options:`` and one option per line, in any order; or a question to be
            answered yes or no.

    Raises:
        AfterimageError: The text asks about nothing that can be measured, an option says nothing about the feature, or
            the image does not contain what the question is about.
    """
    yes_no = yes_no_question(text)
    if yes_no is not None:
        measurement = measure(image, yes_no.feature, yes_no.hues)
        return (
            YES if _differs(yes_no.feature, measurement, image.shape[1]) == yes_no.reversed else NO
        )
    question, options = headed_options(text)
    feature, hues = _feature(question)
    measurement = measure(image, feature, hues)
    neutral = FEATURES[feature].neutral
    if not _differs(feature, measurement, image.shape[1]):
        offered = sorted(option_meanings(feature, options).items())
        denying = [option for name, option in offered if name in neutral]
        return (denying or _shuffled(image, question, [option for _, option in offered]))[0]
    return choose(feature, replace(measurement, direction=measurement.leaning), options)


def _feature(question: str) -> tuple[str, tuple[str, ...]]:
    forced = _FORCED_BEND.search(question.lower())
    return ("line_straightness", (forced["hue"],)) if forced else feature_of_question(question)


def _differs(name: str, measurement: Measurement, side_px: int) -> bool:
    feature = FEATURES[name]
    threshold = feature.half_fake * _SMALLEST
    return measurement.value >= threshold * (side_px / NATIVE_SIDE_PX if feature.scales else 1.0)


def _shuffled(image: Image, question: str, options: list[str]) -> list[str]:
    identity = hashlib.sha256(image.tobytes() + question.encode()).digest()
    generator = np.random.default_rng(int.from_bytes(identity))
    return [options[index] for index in generator.permutation(len(options))]
