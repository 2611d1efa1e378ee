"""The ideal observer of the grid: the true difference as it is measured, whatever the question calls it.

It has nothing but the pixels and the question. It reports every step of the grid, so what it calls neutral is smaller
than half of the smallest step (an eighth of the fake's difference).

Yes-or-no questions are understood by their words alone.
"""

import hashlib
import re
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from afterimage.items.wording import headed_options
from afterimage.seeing.hues import HUE_RANGES
from afterimage.seeing.image import Image
from afterimage.suites.illusion_strength.questions import NO, YES
from afterimage.suites.illusions.observer import (
    Measurement,
    choose,
    feature_of_question,
    measure,
    option_meanings,
)
from afterimage.suites.illusions.seeing import FEATURES, NATIVE_SIDE_PX

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


# ---- Options ----

#: Half of the smallest step of the grid, in units of half the fake's difference.
_SMALLEST = 1 / 8

#: A question that no other suite asks: where straight is no option, it is not in the question either.
_FORCED_BEND = re.compile(
    rf"\btwo (?P<hue>{'|'.join(HUE_RANGES)}) lines\b.*\bbowed outward or inward\b"
)


def answer(image: Image, text: str) -> str:
    """Answer a request by what the image shows.

    Without a difference, and without a neutral option, it guesses: by the image and the question, so that the same
    request always gets the same answer.

    Args:
        image: uint8 RGB, shape (height, width, 3).
        text: The request: ``Question: <stem>``, ``Options:`` and one option per line, in any order; or a question to be
            answered yes or no.

    Returns:
        The full text of one of the options; "Yes" or "No".

    Raises:
        AfterimageError: The text asks about nothing that can be measured, an option says nothing about the feature, or
            the image does not contain what the question is about.
    """
    asked = yes_no_question(text)
    if asked is not None:
        found = measure(image, asked.feature, asked.hues)
        return YES if _differs(asked.feature, found, image.shape[1]) == asked.reversed else NO
    question, options = headed_options(text)
    feature, hues = _feature(question)
    found = measure(image, feature, hues)
    neutral = FEATURES[feature].neutral
    if not _differs(feature, found, image.shape[1]):
        offered = sorted(option_meanings(feature, options).items())
        denying = [option for name, option in offered if name in neutral]
        return (denying or _shuffled(image, question, [option for _, option in offered]))[0]
    return choose(feature, replace(found, direction=found.leaning), options)


def _feature(question: str) -> tuple[str, tuple[str, ...]]:
    forced = _FORCED_BEND.search(question.lower())
    return ("line_straightness", (forced["hue"],)) if forced else feature_of_question(question)


def _differs(name: str, found: Measurement, side_px: int) -> bool:
    feature = FEATURES[name]
    threshold = feature.half_fake * _SMALLEST
    return found.value >= threshold * (side_px / NATIVE_SIDE_PX if feature.scales else 1.0)


def _shuffled(image: Image, question: str, options: list[str]) -> list[str]:
    identity = hashlib.sha256(image.tobytes() + question.encode()).digest()
    generator = np.random.default_rng(int.from_bytes(identity))
    return [options[place] for place in generator.permutation(len(options))]
