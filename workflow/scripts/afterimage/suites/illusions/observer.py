"""An observer of illusion figures that has nothing but the pixels.

It measures the features that the questions ask about (docs/illusion_figures.md, section 5) without the parameters of
the drawing and without knowing which illusion it sees; no module of it imports drawing code. It proves that the
stimuli are what they claim to be, and it is the ideal observer among the reference responders (section 6): it reports
a difference that is below half the fake difference as neutral.
"""

import re

from afterimage.errors import AfterimageError
from afterimage.items.wording import headed_options, headed_question
from afterimage.seeing.colours import HUE_RANGES, chromatic_plane, strongest_hue
from afterimage.seeing.image import Image, once, require_rgb
from afterimage.suites.illusions import seeing, seeing_strokes
from afterimage.suites.illusions.seeing import FEATURES, NATIVE_SIDE_PX, Measurement, feature_named

#: Names of a hue, to its English name.
HUES = {"赤い": "red", "青い": "blue", "緑の": "green"}

_HUE_IN_JAPANESE = "|".join(HUES)

#: Name of a feature to what a question about it says.
STEMS = {
    "parallelism": rf"2本の(?P<hue>{_HUE_IN_JAPANESE})線は平行",
    "line_length": rf"どちらの(?P<hue>{_HUE_IN_JAPANESE})線が長",
    "coloured_line_length": rf"(?P<hue>{_HUE_IN_JAPANESE})線と(?P<other>{_HUE_IN_JAPANESE})線では、どちらが長",
    "line_straightness": rf"2本の(?P<hue>{_HUE_IN_JAPANESE})線は、まっすぐ",
    "side_straightness": rf"(?P<hue>{_HUE_IN_JAPANESE})図形の4つの辺は",
    "circle_size": rf"どちらの(?P<hue>{_HUE_IN_JAPANESE})円が大き",
    "coloured_figure_size": rf"(?P<hue>{_HUE_IN_JAPANESE})図形と(?P<other>{_HUE_IN_JAPANESE})図形では、どちらが大き",
    "bar_hue": rf"(?P<hue>{_HUE_IN_JAPANESE})棒が、より黄色み",
    "dot_position": rf"(?P<hue>{_HUE_IN_JAPANESE})点は、黒い図形の上端と下端",
    "square_saturation": rf"2つの大きな(?P<hue>{_HUE_IN_JAPANESE})正方形では、どちらの色が鮮やか",
    "square_lightness": rf"(?P<hue>{_HUE_IN_JAPANESE})点の付いた2つの正方形では、どちらが明る",
    "stroke_alignment": rf"右の(?P<hue>{_HUE_IN_JAPANESE})線は、左の.*線の延長",
    "gap_width": rf"隣り合う(?P<hue>{_HUE_IN_JAPANESE})線の間隔",
    "cord_parallelism": r"2本の紐",
    "place_lightness": rf"(?P<hue>{_HUE_IN_JAPANESE})点の付いた2つの場所では、どちらが明る",
    "square_size": r"どちらの正方形が大き",
    "check_contrast": r"市松模様の2つの円板では、どちらのコントラストが強",
    "stripe_evenness": r"灰色の縞は",
    "small_square_lightness": r"2つの小さな正方形では、どちらが明る",
}

_NOT_PARALLEL = r"平行(?:では|には見え)ない"
#: Option id to what its text says.
OPTIONS = {
    "left": r"^左(?!右)|より左",
    "right": r"^右|より右",
    "same": r"同じ",
    "upper": r"^上の",
    "lower": r"^下の",
    "red": r"赤い",
    "green": r"緑の",
    "blue": r"青い",
    "parallel": rf"^(?!.*{_NOT_PARALLEL}).*平行",
    "not_parallel": _NOT_PARALLEL,
    "outward": r"外側",
    "inward": r"内側",
    "straight": r"まっすぐ",
    "curved": r"^(?!.*[外内]側).*曲が",
    "top": r"上端に近|上の方で",
    "bottom": r"下端に近|下の方で",
    "halfway": r"中間",
    "high": r"上にずれ",
    "low": r"下にずれ",
    "line": r"一直線",
}


_HUE = "|".join(HUE_RANGES)

# What a question must say to be about a feature. Illusions that share a question (cafe wall and
# Zoellner, Mueller-Lyer and Ponzo, Fick and Sander, Ebbinghaus and Delboeuf) share a feature.
_STEMS = {
    "parallelism": rf"\btwo (?P<hue>{_HUE}) lines\b.*\b(?:parallel|closer together)\b",
    "line_length": rf"\bwhich (?P<hue>{_HUE}) line\b.*\blonger\b",
    "coloured_line_length": (
        rf"\bwhich line\b.*\blonger\b.*\b(?P<hue>{_HUE}) line\b.*\b(?P<other>{_HUE}) line\b"
    ),
    "line_straightness": rf"\btwo (?P<hue>{_HUE}) lines\b.*\bstraight or curved\b",
    "side_straightness": rf"\bfour sides of the (?P<hue>{_HUE}) figure\b.*\b(?:straight|curved)\b",
    "circle_size": rf"\bwhich (?P<hue>{_HUE}) circle\b.*\bbigger\b",
    "coloured_figure_size": (
        rf"\bwhich figure\b.*\bbigger\b.*\b(?P<hue>{_HUE}) one\b.*\b(?P<other>{_HUE}) one\b"
    ),
    "bar_hue": rf"\bwhich (?P<hue>{_HUE}) bars\b.*\bmore yellowish\b",
    "dot_position": rf"\b(?P<hue>{_HUE}) dot\b.*\bcloser to the top or to the bottom\b",
    "square_saturation": rf"\btwo large (?P<hue>{_HUE}) squares\b.*\bmore vivid\b",
    "square_lightness": rf"\btwo squares marked with a (?P<hue>{_HUE}) dot\b.*\blighter gr[ae]y\b",
    "stroke_alignment": rf"\bright (?P<hue>{_HUE}) line\b.*\bcontinuation of the left one\b",
    "gap_width": rf"\bgap between neighboring (?P<hue>{_HUE}) strokes\b.*\bwider\b",
    "cord_parallelism": r"\btwo cords\b.*\bcloser together\b",
    "place_lightness": rf"\btwo places marked with a (?P<hue>{_HUE}) dot\b.*\blighter gr[ae]y\b",
    "square_size": r"\bwhich square\b.*\bbigger\b",
    "check_contrast": r"\bwhich disc of checks\b.*\bstronger contrast\b",
    "stripe_evenness": r"\beach gr[ae]y stripe\b.*\bfrom edge to edge\b",
    "small_square_lightness": r"\btwo small squares\b.*\blighter gr[ae]y\b",
}


def feature_of_question(text: str) -> tuple[str, tuple[str, ...]]:
    """Work out which feature a question asks about, and the hues it names.

    Args:
        text: A question, or a whole request of which the last ``Question:`` line counts.

    Returns:
        Name of the feature, and the hue words in the order of the question: two, one, or none where the targets have
        no colour.

    Raises:
        AfterimageError: The question asks about nothing that can be measured.
    """
    question = headed_question(text)
    if question is None:
        question = " ".join(line.strip() for line in text.splitlines()).strip()
    for name, pattern in _STEMS.items():
        match = re.search(pattern, question.lower()) or re.search(STEMS[name], question)
        if match:
            hues = (HUES.get(hue, hue) for hue in match.groups())
            return name, tuple(dict.fromkeys(hues))
    raise AfterimageError(
        f"the question '{question}' names no feature that can be measured "
        f"(known: {', '.join(FEATURES)}) of a {' or '.join(HUE_RANGES)} target."
    )


def option_meanings(name: str, options: list[str]) -> dict[str, str]:
    """Return each option's text by its option id.

    Raises:
        AfterimageError: An option says none or several of the things that can be said about the
            feature, or two options say the same.
    """
    meanings: dict[str, str] = {}
    for option in options:
        matches = [
            identifier
            for identifier, pattern in feature_named(name).options.items()
            if re.search(pattern, option.lower()) or re.search(OPTIONS[identifier], option)
        ]
        if len(matches) != 1:
            raise AfterimageError(
                f"the option '{option}' says {' and '.join(matches) or 'nothing'} about {name}: "
                f"expected one of {', '.join(FEATURES[name].options)}."
            )
        if matches[0] in meanings:
            raise AfterimageError(
                f"the options '{meanings[matches[0]]}' and '{option}' both say {matches[0]}."
            )
        meanings[matches[0]] = option
    return meanings


def choose(name: str, measurement: Measurement, options: list[str]) -> str:
    """Choose the option that a measurement supports.

    Where the question offers no neutral option (a forced choice), or directions in place of the
    option that merely denies neutrality, the side of the difference decides.

    Raises:
        AfterimageError: No option says what was measured.
    """
    meanings = option_meanings(name, options)
    neutral = FEATURES[name].neutral
    wanted = neutral if measurement.direction in neutral else (measurement.direction,)
    for identifier in (*wanted, measurement.leaning):
        if identifier in meanings:
            return meanings[identifier]
    raise AfterimageError(
        f"measured {' or '.join(wanted)} {name} ({measurement.value:.3g} {measurement.unit}) "
        f"and found no option that says so among: {', '.join(meanings)}."
    )


__all__ = ["FEATURES", "NATIVE_SIDE_PX", "Measurement", "answer", "feature_of_question", "measure"]

_MEASURES = {
    "parallelism": seeing_strokes.measure_parallelism,
    "line_length": seeing_strokes.measure_line_length,
    "coloured_line_length": seeing_strokes.measure_coloured_line_length,
    "line_straightness": seeing_strokes.measure_line_straightness,
    "side_straightness": seeing_strokes.measure_side_straightness,
    "circle_size": seeing.measure_circle_size,
    "coloured_figure_size": seeing.measure_coloured_figure_size,
    "bar_hue": seeing.measure_bar_hue,
    "dot_position": seeing.measure_dot_position,
    "square_saturation": seeing.measure_square_saturation,
    "square_lightness": seeing.measure_square_lightness,
    "stroke_alignment": seeing_strokes.measure_stroke_alignment,
    "gap_width": seeing_strokes.measure_gap_width,
    "cord_parallelism": seeing_strokes.measure_cord_parallelism,
    "place_lightness": seeing.measure_place_lightness,
    "small_square_lightness": seeing.measure_small_square_lightness,
    "square_size": seeing.measure_square_size,
    "check_contrast": seeing_strokes.measure_check_contrast,
    "stripe_evenness": seeing_strokes.measure_stripe_evenness,
}
_NAMED_BY_COLOUR = ("coloured_line_length", "coloured_figure_size")


def measure(image: Image, feature: str, hues: tuple[str, ...] = ()) -> Measurement:
    """Measure a feature of a figure from its pixels.

    Args:
        image: uint8 RGB, shape (height, width, 3), at least 64 px a side.
        feature: Name of a feature, one of ``FEATURES``.
        hues: Hue words of the targets as the question names them; without them red against blue for
            the features whose targets are named by colour, else the hue that most of the image's
            colour has.

    Returns:
        The measurement; lengths in it are px of this image.

    Raises:
        AfterimageError: The feature or a hue is unknown, the array is no RGB image, or the image
            does not contain what the feature is about.
    """
    require_rgb(image)
    return _measured(image, feature, hues)


@once
def _measured(image: Image, feature: str, hues: tuple[str, ...]) -> Measurement:
    candidates = feature_named(feature).hues
    if not hues and feature in _NAMED_BY_COLOUR:
        hues = ("red", "blue")
    if not hues and feature == "square_saturation":
        hues = candidates
    if not hues and candidates:
        hues = (strongest_hue(chromatic_plane(image), candidates),)
    return _MEASURES[feature](image, hues)


def answer(image: Image, text: str) -> str:
    """Answer a request as the ideal observer: the measured feature, whatever the question calls it.

    Args:
        image: uint8 RGB, shape (height, width, 3).
        text: The request: ``Question: <stem>``, ``Options:`` and one option per line, in any order.

    Returns:
        The full text of one of the options.

    Raises:
        AfterimageError: The text asks about nothing that can be measured, an option says nothing
            about the feature, or the image does not contain what the question is about.
    """
    question, options = headed_options(text)
    feature, hues = feature_of_question(question)
    return choose(feature, measure(image, feature, hues), options)
