"""The features that the questions ask about, and what a measurement of one of them holds."""

from dataclasses import dataclass, field

from afterimage.errors import unknown_name

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
    """Return a feature by its name.

    Raises:
        AfterimageError: There is no such feature.
    """
    if name not in FEATURES:
        raise unknown_name("feature", name, FEATURES)
    return FEATURES[name]


@dataclass(frozen=True)
class Measurement:
    """What the pixels say about one feature.

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
