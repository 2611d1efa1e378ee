"""An observer of drawn scenes that has nothing but the pixels.

It separates pieces from the paper, compares each with a small picture of every class, names its colour and measures
its box. It knows no parameters of a drawing. It proves that the scenes show
what their keys say, and it is the ideal observer among the reference responders. Of photographs it says that it
cannot tell.
"""

import re
from collections.abc import Callable, Mapping, Sequence

from afterimage.errors import AfterimageError
from afterimage.seeing.image import Image
from afterimage.suites.pope.language.shipped import shipped_chinese
from afterimage.suites.pope.observer.pictures import pictures
from afterimage.suites.pope.observer.sight import COLOUR_WORDS, Seen, inventory, look

__all__ = ["CANNOT_TELL", "Seen", "answer", "inventory", "look"]

#: What is said where the question, or the image, is beyond the observer.
CANNOT_TELL = "I cannot tell."

_QUESTION_MARKS = "?\N{FULLWIDTH QUESTION MARK}"
_THING = r"(?P<thing>[\w -]+?)"
_EXISTENCE = (
    rf"(?:is|are) there (?:an?|any) {_THING} in the image",
    rf"(?:is|are) there (?P<exactly>exactly) {_THING} in the image",
    rf"does the image contain (?:an?|any) {_THING}",
    rf"have you noticed (?:an?|any) {_THING} in the image",
    rf"can you see (?:an?|any) {_THING} in the image",
)
_IN_CHINESE = r"图像中是否(?:存在|(?P<exactly>正好)?有)\s?(?P<thing>.+)"
_RELATIONS_IN_CHINESE = (
    r"图像中的(?P<first>.+)是否在(?P<second>.+?)的?(?P<relation>左边|上方|里面)",
    r"图像中的(?P<first>.+)是否比(?P<second>.+)(?P<relation>大)",
)
_RELATION = (
    r"(?:is|are) the (?P<first>[\w -]+?) (?P<relation>to the left of|above|inside|larger than) "
    r"the (?P<second>[\w -]+?) in the image"
)
_NUMBER_WORDS = "zero one two three four five six seven eight nine ten"
_NUMBERS = {name: value for value, name in enumerate(_NUMBER_WORDS.split())}


def answer(image: Image, text: str) -> str:
    """Answer a question as the ideal observer: "Yes", "No", or that it cannot tell.

    Args:
        image: uint8 RGB, shape (height, width, 3).
        text: The question, in any wording of the suite.
    """
    try:
        seen = look(image)
    except AfterimageError:
        return CANNOT_TELL
    return answer_from(seen, text)


def answer_from(seen: Sequence[Seen], question: str) -> str:
    """Return "Yes" or "No" ("是" or "否" to a Chinese question), or :data:`CANNOT_TELL`.

    Args:
        seen: All objects of the image.
        question: The question; what stands in further lines is about the form of the answer.
    """
    asked = " ".join(question.strip().split("\n")[0].lower().rstrip(_QUESTION_MARKS).split())
    for pattern in _EXISTENCE:
        found = re.fullmatch(pattern, asked)
        if found:
            named = found.groupdict()
            holds = _exists(seen, found["thing"], exactly=named.get("exactly") is not None)
            return _said(holds, in_chinese=False)
    if found := re.fullmatch(_IN_CHINESE, asked):
        named = shipped_chinese().read(found["thing"])
        # The blog's own way puts English words into the Chinese question.
        thing = " ".join((*named[0], named[1])) if named else found["thing"]
        exactly = found["exactly"] is not None
        return _said(_exists(seen, thing, exactly), in_chinese=True)
    return _relation_said(seen, asked)


def _relation_said(seen: Sequence[Seen], asked: str) -> str:
    for pattern in (_RELATION, *_RELATIONS_IN_CHINESE):
        found = re.fullmatch(pattern, asked)
        if found is None:
            continue
        in_chinese = pattern != _RELATION
        names = [found["first"], found["second"]]
        if in_chinese:
            known = [shipped_chinese().read(name) for name in names]
            names = [named[1] if named else "" for named in known]
        first, second = (_only(seen, name) for name in names)
        if first is None or second is None:
            return CANNOT_TELL
        return _said(_RELATIONS[found["relation"]](first, second), in_chinese)
    return CANNOT_TELL


def _said(holds: bool | None, in_chinese: bool) -> str:
    if holds is None:
        return CANNOT_TELL
    yes, no = ("是", "否") if in_chinese else ("Yes", "No")
    return yes if holds else no


def _exists(seen: Sequence[Seen], thing: str, exactly: bool) -> bool | None:
    """Tell whether there are as many things of this kind; None where the words say nothing that can be looked for."""
    *described, noun = thing.split()
    name = _class(noun)
    if name is None:
        return None
    wanted, colour = 1, None
    for word in described:
        if word in _NUMBERS:
            wanted = _NUMBERS[word]
        elif word in COLOUR_WORDS:
            colour = word
        else:
            return None
    count = sum(one.name == name and colour in (None, one.colour) for one in seen)
    return count == wanted if exactly else count >= wanted


def _only(seen: Sequence[Seen], thing: str) -> Seen | None:
    """Return the one object of a class; None where there is none or several."""
    found = [one for one in seen if one.name == _class(thing)]
    return found[0] if len(found) == 1 else None


def _class(noun: str) -> str | None:
    """Return the class that a noun names, in the singular or the plural."""
    known = pictures()
    for form in (noun, noun.removesuffix("s"), noun.removesuffix("es")):
        if form in known:
            return form
    return None


def _is_left(first: Seen, second: Seen) -> bool:
    return first.bbox[0] + first.bbox[2] <= second.bbox[0]


def _is_above(first: Seen, second: Seen) -> bool:
    return first.bbox[1] + first.bbox[3] <= second.bbox[1]


def _is_inside(first: Seen, second: Seen) -> bool:
    return all(
        second.bbox[side] <= first.bbox[side]
        and first.bbox[side] + first.bbox[side + 2] <= second.bbox[side] + second.bbox[side + 2]
        for side in (0, 1)
    )


def _is_larger(first: Seen, second: Seen) -> bool:
    return first.bbox[2] * first.bbox[3] > second.bbox[2] * second.bbox[3]


_RELATIONS: Mapping[str, Callable[[Seen, Seen], bool]] = {
    "to the left of": _is_left,
    "above": _is_above,
    "inside": _is_inside,
    "larger than": _is_larger,
    "左边": _is_left,
    "上方": _is_above,
    "里面": _is_inside,
    "大": _is_larger,
}
