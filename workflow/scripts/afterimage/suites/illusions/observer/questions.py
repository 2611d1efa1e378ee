"""Working out from a request's text alone what to measure, and which of its options to choose."""

import re

from afterimage.errors import AfterimageError
from afterimage.items.wording import headed_question
from afterimage.seeing.hues import HUE_RANGES
from afterimage.suites.illusions.observer import japanese
from afterimage.suites.illusions.observer.features import FEATURES, Measurement, feature_named

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
        match = re.search(pattern, question.lower()) or re.search(japanese.STEMS[name], question)
        if match:
            hues = (japanese.HUES.get(hue, hue) for hue in match.groups())
            return name, tuple(dict.fromkeys(hues))
    raise AfterimageError(
        f"the question '{question}' names no feature that can be measured "
        f"(known: {', '.join(FEATURES)}) of a {' or '.join(HUE_RANGES)} target."
    )


def option_meanings(name: str, options: list[str]) -> dict[str, str]:
    """Return each option's text by its option id.

    Args:
        name: Name of the feature that the question asks about.
        options: Texts of the options, in any order.

    Raises:
        AfterimageError: An option says none or several of the things that can be said about the
            feature, or two options say the same.
    """
    meanings: dict[str, str] = {}
    for option in options:
        said = [
            identifier
            for identifier, pattern in feature_named(name).options.items()
            if re.search(pattern, option.lower()) or re.search(japanese.OPTIONS[identifier], option)
        ]
        if len(said) != 1:
            raise AfterimageError(
                f"the option '{option}' says {' and '.join(said) or 'nothing'} about {name}: "
                f"expected one of {', '.join(FEATURES[name].options)}."
            )
        if said[0] in meanings:
            raise AfterimageError(
                f"the options '{meanings[said[0]]}' and '{option}' both say {said[0]}."
            )
        meanings[said[0]] = option
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
