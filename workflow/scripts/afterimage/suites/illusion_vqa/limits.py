"""What each illusion's stimuli must measure, per size in px (docs/illusion_figures.md, section 5).

Limits at 672 px, the size the stimuli are drawn at, are requirements. Those of the other sizes follow from them and
from measurement; they tell which values to flag.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from afterimage.suites.illusions.names import VARIANTS
from afterimage.suites.illusions.observer import NATIVE_SIDE_PX, Measurement
from afterimage.suites.illusions.seeing import FALL_OF_STRIPES

_INFINITY = float("inf")


@dataclass(frozen=True)
class Bound:
    """An interval for one measured quantity.

    Attributes:
        quantity: ``"value"`` or the name of a part of the measurement.
        label: What the quantity is, in words.
        unit: Its unit; limits in ``px`` are those at native size and shrink with the image.
    """

    quantity: str
    label: str
    unit: str
    low: float = -_INFINITY
    high: float = _INFINITY

    def at(self, size: float) -> "Bound":
        """Return the bound for an image of another side in px."""
        if self.unit != "px":
            return self
        scale = size / NATIVE_SIDE_PX
        return Bound(self.quantity, self.label, self.unit, self.low * scale, self.high * scale)

    def of(self, measurement: Measurement) -> float:
        return measurement.value if self.quantity == "value" else measurement.parts[self.quantity]

    def in_words(self) -> str:
        unit = f" {self.unit}" if self.unit else ""
        if self.low == self.high:
            return f"{self.label} {self.low:.4g}{unit}"
        if self.low == -_INFINITY:
            return f"{self.label} <= {self.high:.4g}{unit}"
        if self.high == _INFINITY:
            return f"{self.label} >= {self.low:.4g}{unit}"
        return f"{self.label} {self.low:.4g} to {self.high:.4g}{unit}"


@dataclass(frozen=True)
class Invariant:
    """What the eight stimuli of an illusion must measure.

    Attributes:
        feature: What the observer measures.
        illusory: Option id that the illusion suggests, per variant (docs/illusion_figures.md,
            section 1).
        neutral: Bounds of the genuine image and its control, by side in px; those in px are of native size.
        fake: Bounds of the fake and its control, likewise.
        leaning: The direction in which a fake must lean where ``illusory`` does not name it, per variant: the side on
            which lines come closer together, or the bend of sides.
    """

    feature: str
    illusory: Mapping[str, str]
    neutral: Mapping[int, tuple[Bound, ...]]
    fake: Mapping[int, tuple[Bound, ...]]
    leaning: Mapping[str, str] | None = None


def _sizes(
    native: tuple[Bound, ...],
    from_448: tuple[Bound, ...] | None = None,
    from_336: tuple[Bound, ...] | None = None,
    at_224: tuple[Bound, ...] | None = None,
) -> dict[int, tuple[Bound, ...]]:
    """Return bounds by size, in px of native size; a size without bounds of its own has the next larger one's."""
    from_448 = from_448 or native
    from_336 = from_336 or from_448
    at_224 = at_224 or from_336
    steps = {672: native, 768: from_448, 512: from_448, 448: from_448}
    steps |= {384: from_336, 336: from_336, 224: at_224}
    return steps


def _variants(a: str, b: str) -> dict[str, str]:
    return dict(zip(VARIANTS, (a, b), strict=True))


def _angle(
    fake_deg: float, feature: str = "parallelism", neutral_deg: float = 0.1
) -> dict[str, Any]:
    """Bounds of an angle between lines; resizing changed it by at most 0.01 deg."""

    def within(low: float, high: float) -> tuple[Bound, ...]:
        return (Bound("value", "angle", "deg", low, high),)

    return {
        "feature": feature,
        "neutral": _sizes(within(-_INFINITY, neutral_deg)),
        "fake": _sizes(within(fake_deg - 0.1, fake_deg + 0.1)),
    }


def _relative(
    feature: str,
    label: str,
    neutral: tuple[float, ...],
    fake: float,
    fake_tolerance: tuple[float, ...],
) -> dict[str, Any]:
    """Bounds of a difference d = 2(a-b)/(a+b) in percent: native, from 448, from 336, at 224 px, as :func:`_sizes`."""

    def within(low: float, high: float) -> tuple[Bound, ...]:
        return (Bound("value", f"{label} difference", "percent", low, high),)

    return {
        "feature": feature,
        "neutral": _sizes(*(within(-_INFINITY, limit) for limit in neutral)),
        "fake": _sizes(*(within(fake - limit, fake + limit) for limit in fake_tolerance)),
    }


def _sagitta(feature: str, label: str, fake_px: float, tolerance_px: float) -> dict[str, Any]:
    """Bounds of a sagitta in px at native size; of every line or side, not of their mean."""
    low, high = fake_px - tolerance_px, fake_px + tolerance_px
    return {
        "feature": feature,
        "neutral": _sizes((Bound("value", "largest sagitta", "px", high=0.5),)),
        "fake": _sizes(
            (
                Bound("least_sagitta_px", f"least {label} sagitta", "px", low, high),
                Bound("greatest_sagitta_px", f"greatest {label} sagitta", "px", low, high),
            )
        ),
    }


# Without these a median would tolerate a minority of recoloured bars or pixels.
_UNIFORM = (
    Bound("least_uniform_share", "share of pixels with the median colour", "", low=0.999),
    Bound("area_difference_percent", "difference of areas", "percent", high=3.0),
)
_IDENTICAL = (
    Bound("largest_channel_difference_8bit", "difference of RGB medians", "levels", 0, 0),
    *_UNIFORM,
)


def _difference_to(label: str, high: float) -> Bound:
    return Bound("value", label, "", high=high)


def _difference_from(label: str, low: float) -> Bound:
    return Bound("value", label, "", low=low)


_MORE_VIVID = (
    _difference_from("CIEDE2000", 8.0),
    Bound("c_star_ratio", "C*ab ratio", "", low=1.8),
)


def _lightness(feature: str, fake: float) -> dict[str, Any]:
    """Bounds of the difference in L* of two flat greys."""
    lighter = Bound("value", "L* difference", "", fake - 0.5, fake + 0.5)
    return {
        "feature": feature,
        "neutral": _sizes(_IDENTICAL, (_difference_to("L* difference", 0.5),)),
        "fake": _sizes((lighter, *_UNIFORM), (lighter,)),
    }


def _within_fall(low: float, high: float) -> tuple[Bound, ...]:
    """Bounds of the fall of every stripe, as fractions of the fake's."""
    lowest, highest = low * FALL_OF_STRIPES, high * FALL_OF_STRIPES
    return tuple(
        Bound(name, f"{name.partition('_')[0]} fall of a stripe", "levels", lowest, highest)
        for name in ("least_fall_levels", "greatest_fall_levels")
    )


# "Equal" (docs/illusion_figures.md, section 5): identical rasters measure 0, one px of 160 to 360 measures
# 0.3 % or more, so that 0.01 % leaves room for nothing but rounding.
_EQUAL = 0.01

INVARIANTS = {
    "cafe_wall": Invariant(
        illusory=_variants("not_parallel", "not_parallel"),
        leaning=_variants("right", "left"),
        **_angle(3.77),
    ),
    "zoellner": Invariant(
        illusory=_variants("not_parallel", "not_parallel"),
        leaning=_variants("right", "right"),
        **_angle(5.0),
    ),
    "mueller_lyer": Invariant(
        illusory=_variants("upper", "right"),
        # Ringing of the black fins at the ends of the shafts.
        **_relative("line_length", "length", (_EQUAL, 0.2, 0.3, 0.5), 20.0, (0.5, 0.5, 0.6, 0.8)),
    ),
    "fick": Invariant(
        illusory=_variants("red", "blue"),
        **_relative("coloured_line_length", "length", (_EQUAL, 0.1), 20.0, (0.5,)),
    ),
    "hering": Invariant(
        illusory=_variants("outward", "outward"),
        **_sagitta("line_straightness", "outward", 18.0, 0.6),
    ),
    "orbison": Invariant(
        illusory=_variants("curved", "curved"),
        leaning=_variants("inward", "inward"),
        **_sagitta("side_straightness", "inward", 14.0, 0.5),
    ),
    "ebbinghaus": Invariant(
        illusory=_variants("left", "right"),
        **_relative("circle_size", "diameter", (0.25,), 20.8, (0.5,)),
    ),
    "jastrow": Invariant(
        illusory=_variants("blue", "red"),
        **_relative("coloured_figure_size", "area", (0.5,), 31.8, (1,)),
    ),
    "delboeuf": Invariant(
        illusory=_variants("left", "right"),
        **_relative("circle_size", "diameter", (0.25,), 20.0, (0.5,)),
    ),
    "munker": Invariant(
        feature="bar_hue",
        illusory=_variants("left", "right"),
        # The lower end of what is conventionally just noticeable (section 5).
        neutral=_sizes(_IDENTICAL, (_difference_to("CIEDE2000", 1.0),)),
        fake=_sizes(
            (_difference_from("CIEDE2000", 14.0), *_UNIFORM),
            (_difference_from("CIEDE2000", 14.0),),
            (_difference_from("CIEDE2000", 13.0),),
        ),
    ),
    "triangle_bisection": Invariant(
        feature="dot_position",
        illusory=_variants("top", "bottom"),
        neutral=_sizes((Bound("difference_px", "difference of distances", "px", high=2.0),)),
        fake=_sizes((Bound("value", "distance difference", "percent", 24.6 - 0.5, 24.6 + 0.5),)),
    ),
    "sander": Invariant(
        illusory=_variants("red", "blue"),
        **_relative("coloured_line_length", "length", (0.5,), 19.0, (0.5, 0.5, 0.5, 0.7)),
    ),
    "saturation_constancy": Invariant(
        feature="square_saturation",
        illusory=_variants("left", "right"),
        neutral=_sizes(_IDENTICAL, (_difference_to("CIEDE2000", 0.5),)),
        fake=_sizes((*_MORE_VIVID, *_UNIFORM), _MORE_VIVID),
    ),
    "lightness_constancy": Invariant(
        illusory=_variants("right", "left"), **_lightness("square_lightness", 15.9)
    ),
    "ponzo": Invariant(
        illusory=_variants("upper", "lower"),
        **_relative("line_length", "length", (_EQUAL, 0.1), 20.0, (0.5,)),
    ),
    "poggendorff": Invariant(
        feature="stroke_alignment",
        illusory=_variants("high", "low"),
        neutral=_sizes((Bound("value", "offset", "px", high=0.5),)),
        fake=_sizes((Bound("value", "offset", "px", 40.0 - 0.7, 40.0 + 0.7),)),
    ),
    "oppel_kundt": Invariant(
        illusory=_variants("left", "right"),
        **_relative("gap_width", "gap", (_EQUAL, 0.1), 20.0, (0.3,)),
    ),
    "twisted_cord": Invariant(
        illusory=_variants("top", "bottom"), **_angle(3.8, "cord_parallelism", 0.05)
    ),
    "cornsweet": Invariant(
        illusory=_variants("left", "right"), **_lightness("place_lightness", 15.7)
    ),
    "surround_contrast": Invariant(
        illusory=_variants("left", "right"), **_lightness("small_square_lightness", 15.7)
    ),
    "irradiation": Invariant(
        illusory=_variants("left", "right"),
        **_relative("square_size", "side", (_EQUAL, 0.1), 20.0, (0.3,)),
    ),
    "chubb": Invariant(
        illusory=_variants("left", "right"),
        **_relative("check_contrast", "contrast", (_EQUAL, 0.5), 40.0, (0.5,)),
    ),
    "mach_bands": Invariant(
        feature="stripe_evenness",
        illusory=_variants("left", "right"),
        neutral=_sizes(_within_fall(0.0, 0.0), _within_fall(-0.5, 0.5)),
        fake=_sizes(_within_fall(0.97, 1.03), _within_fall(0.9, 1.1)),
    ),
}

#: Known violations after resizing (docs/illusion_figures.md, 4.10), by figure and side in px.
KNOWN_AFTER_RESIZING = {
    ("munker", 336): "known: stripes of 4 px mix with their flankers at the edges",
    ("munker", 224): "known: stripes of 2.7 px mix with their flankers, a physical difference",
}
