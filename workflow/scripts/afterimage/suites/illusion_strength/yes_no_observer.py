"""The ideal observer's answer to yes-or-no questions: which feature a question is about, and which answer it calls yes.

It knows the words alone; what the image shows is measured by whoever asks.
"""

import re
from typing import NamedTuple

from afterimage.seeing.hues import HUE_RANGES

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


class Asked(NamedTuple):
    """A yes-or-no question.

    Attributes:
        feature: What is to be measured.
        hues: Of the targets, in the order of the question.
        reversed: Whether yes says that the targets differ.
    """

    feature: str
    hues: tuple[str, ...]
    reversed: bool


def yes_no_question(text: str) -> Asked | None:
    """Return what a request asks to be answered yes or no; None where it asks nothing of the kind."""
    lowered = " ".join(text.lower().split())
    for feature, pattern in _STEMS.items():
        if found := re.search(pattern, lowered):
            return Asked(
                feature, tuple(filter(None, found.groups())), bool(_REVERSED.search(lowered))
            )
    return None
