"""An observer of the drawn set, what each image must measure, and a describer of known errors."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from afterimage.contract.parts import CANNOT_TELL
from afterimage.contract.stimulus import Measured
from afterimage.errors import AfterimageError
from afterimage.items.wording import marked_options
from afterimage.seeing.image import Image, once, require_rgb
from afterimage.seeing.pieces import coloured_areas, is_coloured
from afterimage.suites.illusionbench import seeing
from afterimage.suites.illusionbench.designs import TRAPS
from afterimage.suites.illusionbench.names import (
    ILLUSION,
    KINDS,
    SEMANTIC,
    STEP_BY_STEP,
    STEP_ONE,
    format_facts,
    parse_facts,
)
from afterimage.suites.illusionbench.seeing import Seen

# Working out from a request's text alone what it asks, and what a sentence claims about an image.

#: A line with an option: its numeral and its text.
OPTION = re.compile(r"^\s*\(?(iv|iii|ii|i)[.)]\s+(.+?)\s*$", re.IGNORECASE | re.MULTILINE)
_STATEMENT = re.compile(r"\bDescription:\s*(.+?)\s*$", re.DOTALL)
_NUMBERS = {"two": "2", "three": "3", "four": "4", "five": "5", "six": "6"}
_THING = r"(?P<value>(?:red|orange|yellow|green|blue|purple) (?:circle|square|triangle))"

#: What a sentence must say to make a claim, tried in this order: fact, pattern, value (None: the group "value").
_CLAIMS: tuple[tuple[str, str, str | None], ...] = (
    ("illusion", r"\bthere is no visual illusion\b", "absent"),
    ("illusion", r"\bthere is (?:a )?visual illusion\b", "present"),
    ("kind", r"\bshort oblique strokes across them\b", "zoellner"),
    ("kind", r"\bbars between converging\b", "ponzo"),
    ("kind", r"\bsquares with light streets\b", "hermann_grid"),
    ("kind", r"\blines with fins\b", "mueller_lyer"),
    ("kind", r"\bupright line on the middle\b", "vertical_horizontal"),
    ("kind", r"\bdiscs among grey circles\b", "ebbinghaus"),
    ("kind", r"\bsquare on dark ground\b", "simultaneous_contrast"),
    ("kind", r"\bplate of many coloured dots\b", "colour_plate"),
    ("kind", r"\bobjects on a floor\b", "plain_scene"),
    ("leftmost", rf"\bleftmost object is an? {_THING}", None),
    ("digit", r"\bdigit (?P<value>\d)\b", None),
    ("count", r"\b(?P<value>\d+|two|three|four|five|six) objects\b", None),
    ("cause", r"^only (?:the|because)\b", "inducer"),
    ("cause", r"^(?:it|they) really (?:is|are)\b", "real"),
    ("cause", r"^nothing: it is a plain scene", "none"),
    ("cause", r"^their (?P<value>hue|size|brightness|shape)\b", None),
    ("relation", r"\b(?:same (?:length|size|shade)|equally|parallel|as light as)\b", "same"),
    ("relation", r"\bcloser together\b|\bgrey dots\b", "different"),
    ("relation", r"\b(?P<value>curved|rounded)\b", None),
    (
        "relation",
        r"\b(?P<value>upper|lower|left|right|vertical|horizontal)\b.*\b(?:longer|larger|lighter)\b",
        None,
    ),
)
# What an option that names a thing claims depends on the question.
_NAMED_THING = re.compile(rf"^an? {_THING}")


class Claim(NamedTuple):
    """What a sentence says about an image: that a fact has a value."""

    fact: str
    value: str

    def holds(self, facts: Mapping[str, str]) -> bool:
        return facts.get(self.fact) == self.value


def kind_of_request(text: str) -> str:
    """Tell what a request asks for: ``true_false``, ``multiple_choice``, ``semantic`` or ``illusion``.

    Only the last line counts where an earlier exchange precedes it.

    Raises:
        AfterimageError: It asks for none of them.
    """
    if statement_of(text) is not None:
        return "true_false"
    if len(OPTION.findall(text)) >= 2:
        return "multiple_choice"
    last = text.strip().splitlines()[-1] if text.strip() else ""
    if "description of the content" in last:
        return "semantic"
    if "visual illusion" in last:
        return "illusion"
    raise AfterimageError(f"the request '{text.strip()[:80]}' asks nothing that can be answered.")


def statement_of(text: str) -> str | None:
    """Return the statement that a request asks to check; None if it asks for something else."""
    match = _STATEMENT.search(text)
    return None if match is None else match[1]


def claim_of(sentence: str, question: str = "") -> Claim | None:
    """Return what a sentence claims; None if it claims nothing that can be measured.

    Args:
        sentence: A statement, or an option.
        question: The question that the option answers.
    """
    words = " ".join(sentence.casefold().split())
    for fact, pattern, value in _CLAIMS:
        match = re.search(pattern, words)
        if match:
            named = match["value"] if value is None else value
            return Claim(fact, _NUMBERS.get(named, named))
    thing = _NAMED_THING.match(words)
    if thing and "left" in question.casefold():
        return Claim("leftmost", thing["value"])
    return None


# Saying what was seen, in the observer's own words.

NO_ILLUSION = "There is no visual illusion in the image."

#: What a figure shows, what it is about, and what makes it deceptive.
_FIGURES = {
    "zoellner": (
        "several long red lines run side by side, each crossed by short oblique black strokes",
        "the long lines",
        "the oblique strokes make parallel lines look tilted",
    ),
    "vertical_horizontal": (
        "a blue vertical line stands on a red horizontal line",
        "the two lines",
        "an upright line that divides another looks longer than it is",
    ),
    "hermann_grid": (
        "black squares stand in rows and columns with light streets between them",
        "the crossings and the streets",
        "contrast with the black squares makes dark spots appear at the crossings",
    ),
    "mueller_lyer": (
        "there are two red horizontal lines, one above the other, with black fins at their ends",
        "the two red lines",
        "fins that point outward make a line look longer than fins that point inward",
    ),
    "ebbinghaus": (
        "there are two orange discs, the left one among large and the right one among small grey circles",
        "the two orange discs",
        "a disc looks larger among small circles than among large ones",
    ),
    "ponzo": (
        "two blue horizontal bars lie between two black lines that converge upward",
        "the two blue bars",
        "converging lines suggest depth, so that the upper bar looks longer",
    ),
    "simultaneous_contrast": (
        "there is a small grey square on dark ground on the left and one on light ground on the right",
        "the two small squares",
        "a square looks lighter on dark ground than on light ground",
    ),
}
_SAME = {
    "zoellner": "{} are parallel",
    "hermann_grid": "{} are equally light",
    "ebbinghaus": "{} are of the same size",
    "simultaneous_contrast": "{} have the same shade of grey",
}
_DIFFERENT = {
    "zoellner": "{} really come closer together at their ends",
    "hermann_grid": "darker grey dots are really drawn at the crossings",
    "ebbinghaus": "the {direction} one really is larger",
    "simultaneous_contrast": "the {direction} one really is lighter",
}


def content(seen: Seen) -> str:
    if seen.kind == "plain_scene":
        return f"In this picture, {seen.facts['listed']} stand side by side on a floor in front of a wall."
    if seen.kind == "colour_plate":
        return (
            "In this picture, a round plate is filled with many coloured dots. Dots of one hue among dots of another "
            f"form the digit {seen.facts['digit']}."
        )
    shown, _, _ = _FIGURES[seen.kind]
    return f"In this picture, {shown}. {_measured_words(seen)}."


def illusion(seen: Seen) -> str:
    """Say whether an image holds a visual illusion, and what causes it."""
    if seen.kind not in _FIGURES:
        return NO_ILLUSION
    _, _, cause = _FIGURES[seen.kind]
    if seen.facts["relation"] == "same":
        return f"There is a visual illusion in the image: {cause}. In fact, {_measured_words(seen, False)}."
    return (
        f"There is a visual illusion in the image. It recalls a figure in which {cause}; here, however, "
        f"{_measured_words(seen, False)}."
    )


def _measured_words(seen: Seen, starts: bool = True) -> str:
    _, targets, _ = _FIGURES[seen.kind]
    direction = seen.facts["relation"]
    if direction == "same":
        sentence = _SAME.get(seen.kind, "{} are equally long").format(targets)
    else:
        form = _DIFFERENT.get(seen.kind, "the {direction} one really is longer")
        sentence = form.format(targets, direction=direction)
    return sentence[0].upper() + sentence[1:] if starts else sentence


# An observer of the drawn set that has nothing but the pixels.
#
# It finds out which kind of image it sees, measures what the image is about, and answers the suite's questions from
# that; it knows no parameter of a drawing. It proves that the images show what their keys say, and it is the ideal
# observer among the reference responders. Of photographs it says that it cannot tell.


def measure(image: Image) -> Seen:
    """Tell what an image shows.

    Args:
        image: uint8 RGB, shape (height, width, 3), at least 64 px a side.

    Raises:
        AfterimageError: The array is no RGB image, or the image is none of the kinds that the suite draws.
    """
    require_rgb(image)
    return _measured_facts(image)


def answer(image: Image, text: str) -> str:
    """Answer a request as the ideal observer, in the form that it asks for.

    Args:
        image: uint8 RGB, shape (height, width, 3).

    Returns:
        "True" or "False", a numeral as the request writes it, or a description; :data:`CANNOT_TELL` for an image or a
        sentence that the observer does not know.
    """
    try:
        return answer_from(measure(image), text)
    except AfterimageError:
        return CANNOT_TELL


def answer_from(seen: Seen, text: str) -> str:
    """Answer a request from what is known of an image, as :func:`answer` does.

    Raises:
        AfterimageError: It asks nothing that can be answered.
    """
    kind, statement = kind_of_request(text), statement_of(text)
    if statement is not None:
        claim = claim_of(statement)
        # A statement on a fact that the image does not have is false; one that is not understood is another matter.
        return CANNOT_TELL if claim is None else str(claim.holds(seen.facts))
    if kind == "multiple_choice":
        return _choose(seen, text)
    return content(seen) if kind == "semantic" else illusion(seen)


def _choose(seen: Seen, text: str) -> str:
    question, options = marked_options(text, OPTION)
    claims = {numeral: claim_of(option, question) for numeral, option in options}
    right = [numeral for numeral, claim in claims.items() if claim and claim.holds(seen.facts)]
    return right[0] if len(right) == 1 else CANNOT_TELL


@once
def _measured_facts(image: Image) -> Seen:
    seen = seeing.colour_plate(image)
    if seen is None and not is_coloured(image).any():
        seen = seeing.grey_figure(image)
    elif seen is None:
        areas = coloured_areas(image)
        seen = seeing.coloured_figure(image, areas) or seeing.plain_scene(image, areas)
    if seen is None:
        raise AfterimageError(
            "the image is none that the observer knows: expected a classical figure, a plain scene or a colour plate "
            "as this suite draws them."
        )
    return seen


# What each drawn stimulus must measure: what its questions take for true, found in its pixels alone.
#
# A fact that the observer does not find is a wrong drawing or a wrong key; either stops the workflow before anybody
# is asked about the image. Of a user's images only the size can be told; what is on them stands in their annotations.

#: By how much the two sizes or shades of an image may differ, percent: equal by construction; really different by 15 to
#: 25 percent, up to half a percent that rounding to whole pixels and the measuring take.
_DIFFERENCE = {"classical": (0.0, 0.5), "trap": (14.5, 25.5)}
#: By how much the largest thing of a scene may exceed the next, percent: what the scene's difficulty says.
_SCENE_DIFFERENCE = {"easy": (25.0, 60.0), "neutral": (18.0, 25.0), "hard": (14.5, 18.0)}
#: Of a colour plate: the colour difference of its two kinds of dots, and that neither brightness nor size tells them
#: apart.
_PLATE = {
    "colour_difference_ciede2000": (14.0, 45.0),
    "lighter_share": (0.4, 0.6),
    "larger_share": (0.4, 0.6),
}


def drawn(pixels: np.ndarray, factors: Mapping[str, str]) -> list[Measured]:
    """Measure an image of the drawn set and compare it with what its questions take for true.

    Args:
        pixels: uint8 RGB, shape (height, width, 3).
        factors: ``category``, ``difficulty``, and ``facts`` that the image has to show; nothing if only its facts
            are wanted.

    Raises:
        AfterimageError: Nothing is expected of the image, and it is none that the suite draws.
    """
    if not factors:
        return [Measured(format_facts(measure(pixels).facts))]
    return list(_compared(pixels, factors))


def size(pixels: np.ndarray, factors: Mapping[str, str]) -> Measured:
    """Note the size of a user's image, for which nothing is expected."""
    height, width, _ = pixels.shape
    return _measured_proof(factors, "size_px", f"{width}x{height}", "none: not drawn here", True)


def _compared(pixels: np.ndarray, factors: Mapping[str, str]) -> Iterator[Measured]:
    expected = parse_facts(factors["facts"])
    try:
        seen = measure(pixels)
    except AfterimageError:
        yield _measured_proof(factors, "shows", "", format_facts(expected), False)
        return
    # Some facts cannot be seen: what else a question offers, how it is worded.
    wanted = {name: value for name, value in expected.items() if name in seen.facts}
    shown = {name: seen.facts[name] for name in wanted}
    yield _measured_proof(
        factors, "shows", format_facts(shown), format_facts(wanted), shown == wanted
    )
    for name, value, (low, high) in _limited(factors, seen):
        limit = f"{low:g} to {high:g}"
        yield _measured_proof(factors, name, f"{value:.4f}", limit, low <= value <= high)


def _limited(
    factors: Mapping[str, str], seen: Seen
) -> Iterator[tuple[str, float, tuple[float, float]]]:
    if seen.difference_percent is not None:
        is_scene = factors["category"] == "no_illusion"
        limits = (
            _SCENE_DIFFERENCE[factors["difficulty"]]
            if is_scene
            else _DIFFERENCE[factors["category"]]
        )
        yield "difference_percent", seen.difference_percent, limits
    for name, limits in _PLATE.items():
        if name in seen.numbers:
            yield name, seen.numbers[name], limits


def _measured_proof(
    factors: Mapping[str, str], feature: str, value: str, limit: str, holds: bool
) -> Measured:
    remark = "" if holds else f"found {value or 'nothing that can be measured'}"
    columns = {
        "category": factors["category"],
        "feature": feature,
        "value": value,
        "limit": limit,
        "holds": holds,
        "remark": remark,
    }
    return Measured(value, limit, holds, f"{feature}: {remark}", columns)


# Answers of a responder that knows an image's facts and errs about some images in a known way.
#
# The knowledge behind the reference responder ``describer``. Kinds of errors, each of which a judge has to rate:
# ``content`` (another image is described), ``detail`` (which target is larger, or a scene's leftmost thing; a plate
# has none), ``presence`` (of an illusion) and ``cause`` (of one that is there).

_PRESENT, _ABSENT = "There is a visual illusion in the image.", NO_ILLUSION


def describe(item: Mapping[str, Any], text: str, errs: Callable[..., bool]) -> str:
    """Answer a request: a description with its errors, anything else right.

    Args:
        item: Its ``question``, and ``factors`` with ``facts`` for drawn images; of others nothing is known.
        text: The request.
        errs: Takes a kind of error and whether a first step came before; tells whether it is made about this image.
    """
    facts = parse_facts(item["factors"].get("facts", ""))
    question = item["question"]
    if not facts:
        return CANNOT_TELL
    if question in (ILLUSION, STEP_ONE):
        return _illusion(facts, errs)
    if question in (SEMANTIC, STEP_BY_STEP):
        return _content(facts, lambda kind: errs(kind, question == STEP_BY_STEP))
    return answer_from(_seen(facts), text)


def _content(facts: Mapping[str, str], errs: Callable[[str], bool]) -> str:
    if errs("content"):
        return content(_seen(_other_image(facts)))
    return content(_seen(_other_detail(facts) if errs("detail") else facts))


def _illusion(facts: Mapping[str, str], errs: Callable[..., bool]) -> str:
    is_present = facts["illusion"] == "present"
    if errs("presence"):
        return _ABSENT if is_present else _PRESENT
    is_wrong = is_present and errs("cause")
    return illusion(_seen(_other_detail(facts) if is_wrong else facts))


def _other_image(facts: Mapping[str, str]) -> Mapping[str, str]:
    kind = facts["kind"]
    if kind == "colour_plate":
        return {**facts, "digit": facts["other_1"]}
    other = KINDS[(KINDS.index(kind) + 1) % len(KINDS)] if kind in KINDS else KINDS[0]
    return {"kind": other, "relation": "same"}


def _other_detail(facts: Mapping[str, str]) -> Mapping[str, str]:
    if "listed" in facts:
        listed = facts["listed"].replace(facts["leftmost"], facts["absent"], 1)
        return {**facts, "listed": listed}
    if "relation" not in facts:
        return facts
    is_same = facts["relation"] == "same"
    return {**facts, "relation": TRAPS[facts["kind"]][1] if is_same else "same"}


def _seen(facts: Mapping[str, str]) -> Seen:
    return Seen(facts["kind"], dict(facts))
