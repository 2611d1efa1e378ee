"""What the pixels of a drawn scene show: an observer, and what each scene must measure."""

import colorsys
import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from afterimage.contract.parts import CANNOT_TELL
from afterimage.contract.stimulus import Measured, is_missing
from afterimage.errors import AfterimageError
from afterimage.seeing.image import Image, Mask, once, require_rgb
from afterimage.seeing.pieces import Piece, likeness, pieces
from afterimage.suites.pope.language import shipped_chinese

# Pictures of the 16 classes on squared paper; the observer's only knowledge of them.
#
# Each picture fills its square: an object is compared after it is stretched to one, whatever its width and height.
# Lines finer than a dot, the seams of a ball, are left out.

_PICTURES = """
ball                box                 cone                star
......######......  ......#########...  ..................  ..................
....##########....  ......#########...  ........##........  ..................
...############...  ..##..#########..#  ........##........  ........##........
..##############..  .###..###########.  .......####.......  ........##........
.################.  #################.  ......######......  ........##........
.################.  ####..........###.  ......######......  .......####.......
##################  .################.  .....########.....  .......####.......
##################  .################.  .....########.....  .################.
##################  .#..........#.###.  ....##########....  ..##############..
##################  .#..........#.###.  ....##########....  ...############...
##################  .#..........#.###.  ...############...  .....########.....
##################  .#..........#.###.  ..##############..  .....########.....
.################.  .#..........#.###.  ..##############..  .....########.....
.################.  .#..........#.###.  .################.  .....########.....
..##############..  .#..........#.###.  .################.  ....####..####....
...############...  .#..........#.###.  ##################  ....###....###....
....##########....  .#..........###...  .################.  ....#........#....
......######......  .#############....  ...############...  ..................

heart               moon                cup                 house
...###......###...  ........########..  ##############....  ........##........
.#######..#######.  .....###########..  ##############....  .......####..##...
.#######..#######.  ....##########....  ##############....  ......######.##...
##################  ...#########......  ##############....  .....##########...
##################  ..#########.......  ################..  ....###########...
##################  .#########........  .################.  ..##############..
##################  ##########........  .############..###  .################.
.################.  #########.........  .############...##  .################.
.################.  #########.........  .############...##  ..##############..
..##############..  #########.........  .############...##  ..##############..
...############...  #########.........  .############..###  ..##....##....##..
....##########....  ##########........  .############.###.  ..##....##....##..
.....########.....  .#########........  .###############..  ..##....##....##..
......######......  ..#########.......  .##############...  ..########....##..
.......####.......  ...#########......  .############.....  ..########....##..
........##........  ....##########....  ..###########.....  ..########....##..
........##........  .....###########..  ..##########......  ..########....##..
..................  ........########..  ..##########......  ..########....##..

tree                flower              car                 boat
.......####.......  ....####..####....  .....########.....  ........#.........
.....########.....  ...############...  .....########.....  ........#.........
....##########....  ...############...  .....#..#...#.....  ........##........
....##########....  ...############...  ....##..#....#....  ........###.......
...############...  .######....######.  ....#...#....#....  .......####.......
.################.  ######......######  ....#...##...##...  ......######......
##################  #######....#######  .################.  ......#######.....
##################  ..######..######..  ##################  .....#########....
##################  ...############...  ##################  ....##########....
##################  ...############...  ##################  ....###########...
.################.  ....##########....  ##################  ...#############..
....#..####..#....  ........##........  ##################  ........#.........
.......####.......  ........##........  ###..########..###  ........#.........
.......####.......  ........##....###.  ###..########..###  ##################
.......####.......  ........##..####..  ..#..#......#..#..  .################.
.......####.......  ........##.#####..  ..####......####..  ..##############..
.......####.......  ........####......  ...###......###...  ..#############...
.......####.......  ........##........  ...##........##...  ...############...

ladder              umbrella            scissors            glasses
###............###  ......######......  ......#....#......  ...##........##...
###............###  ....##########....  ......##..##......  ..####......####..
##################  ...############...  ......######......  ..##.##....##.##..
###............###  ..##############..  .......####.......  ###...#....#...###
###............###  .################.  .......####.......  ##....#....#....##
##################  .################.  ........##........  ##....######....##
###............###  ##################  .......####.......  .#.....####.....#.
###............###  #..###..##..###..#  ......######......  .#.....#..#.....#.
##################  ........##........  ......######......  .#.....#..#.....#.
##################  ........##........  .....###..###.....  .#.....#..#.....#.
###............###  ........##........  .....###..###.....  .#.....#..#.....#.
###............###  ........##........  ...####....####...  .#.....#..#.....#.
##################  ........##........  .#######..#######.  .#....##..##....#.
###............###  ........##........  ##....##..##....##  .#....#....#....#.
###............###  ........##........  ##....##..##....##  .##...#....#...##.
##################  ........##........  ##....##..##....##  ..##.##....##.##..
###............###  .....#..#.........  .##..###..###..##.  ..####......####..
###............###  ......###.........  ..####......####..  ...##........##...
"""


@cache
def pictures() -> Mapping[str, Mask]:
    """Return each class's picture, bool, shape (18, 18): True where there is ink."""
    masks = {}
    for block in _PICTURES.strip().split("\n\n"):
        names, *rows = (line.split() for line in block.split("\n"))
        for name, picture in zip(names, zip(*rows, strict=True), strict=True):
            masks[name] = np.array([[sign == "#" for sign in row] for row in picture])
    return masks


# Objects out of pixels: each piece on the paper, its colour, its box and which class it looks like.

_MIN_SIDE_PX = 128
#: Minimum fit of a piece to a picture, and minimum lead over the next one (intersection over union).
_MIN_LIKENESS, _MIN_LEAD = 0.6, 0.1

#: Words that a question may use; not every one of them is the colour of an object.
COLOUR_WORDS = (
    *("red", "orange", "yellow", "green", "blue", "purple"),
    *("pink", "brown", "black", "white", "grey"),
)

#: Below this value a colour is black.
_BLACK = 0.25
#: Below this saturation it has no hue: white if light.
_COLOURLESS, _WHITE = 0.12, 0.9
#: Upper ends of the ranges of hue, degrees.
_HUES = (
    (14, "red"),
    (41, "brown"),
    (70, "yellow"),
    (170, "green"),
    (255, "blue"),
    (320, "purple"),
    (361, "red"),
)
#: What is dark orange is brown; what is bright is orange, which no object is.
_BROWN = 0.65


class Seen(NamedTuple):
    """One object in an image.

    Attributes:
        colour: The name of its colour.
        bbox: Left, top, width, height, px.
        ink: Pixels that it covers.
    """

    name: str
    colour: str
    bbox: tuple[float, float, float, float]
    ink: float


def look(image: Image) -> tuple[Seen, ...]:
    """Return all objects of an image, from left to right.

    Args:
        image: uint8 RGB, shape (height, width, 3), at least 128 px a side.

    Raises:
        AfterimageError: The array is no such image, or something in it looks like none of the classes.
    """
    require_rgb(image, _MIN_SIDE_PX)
    return _seen(image)


def inventory(seen: Sequence[Seen]) -> str:
    """Return the objects as a text that can be compared: ``2 red ball; 1 blue car``, sorted by name."""
    counts = Counter((item.name, item.colour) for item in seen)
    return "; ".join(f"{count} {colour} {name}" for (name, colour), count in sorted(counts.items()))


@once
def _seen(image: Image) -> tuple[Seen, ...]:
    items = [
        Seen(_sight_class(piece), colour_name(piece.colour), piece.bbox, piece.ink)
        for piece in pieces(image)
    ]
    return tuple(sorted(items, key=lambda item: item.bbox[:2]))


def _sight_class(piece: Piece) -> str:
    """Return the class whose picture a piece is most like."""
    (best, like), (second, less) = likeness(piece.coverage, pictures())[:2]
    if like < _MIN_LIKENESS or like - less < _MIN_LEAD:
        left, top = (int(value) for value in piece.bbox[:2])
        raise AfterimageError(
            f"found something at ({left}, {top}) that is no class for certain: nearest is '{best}' "
            f"({like:.2f}), then '{second}' ({less:.2f})."
        )
    return best


def colour_name(levels: np.ndarray) -> str:
    """Return the name of an sRGB-coded colour, 0 to 255 per channel; "other" for greys and orange."""
    red, green, blue = (float(level) / 255 for level in np.clip(levels, 0, 255))
    hue, saturation, value = colorsys.rgb_to_hsv(red, green, blue)
    if value < _BLACK:
        return "black"
    if saturation < _COLOURLESS:
        return "white" if value >= _WHITE else "other"
    name = next(name for end, name in _HUES if 360 * hue < end)
    return "other" if name == "brown" and value > _BROWN else name


# An observer of drawn scenes that has nothing but the pixels.
#
# It separates pieces from the paper, compares each with a small picture of every class, names its colour and measures
# its box. It knows no parameters of a drawing. It proves that the scenes show what their keys say, and it is the
# ideal observer among the reference responders. Of photographs it says that it cannot tell.

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
        question: The question; further lines are about the form of the answer.
    """
    text = " ".join(question.strip().split("\n")[0].lower().rstrip(_QUESTION_MARKS).split())
    for pattern in _EXISTENCE:
        match = re.fullmatch(pattern, text)
        if match:
            named = match.groupdict()
            holds = _exists(seen, match["thing"], exactly=named.get("exactly") is not None)
            return _yes_or_no(holds, in_chinese=False)
    if match := re.fullmatch(_IN_CHINESE, text):
        read = shipped_chinese().read(match["thing"])
        # The blog's own way puts English words into the Chinese question.
        thing = " ".join((*read[0], read[1])) if read else match["thing"]
        exactly = match["exactly"] is not None
        return _yes_or_no(_exists(seen, thing, exactly), in_chinese=True)
    return _answer_relation(seen, text)


def _answer_relation(seen: Sequence[Seen], text: str) -> str:
    for pattern in (_RELATION, *_RELATIONS_IN_CHINESE):
        match = re.fullmatch(pattern, text)
        if match is None:
            continue
        in_chinese = pattern != _RELATION
        names = [match["first"], match["second"]]
        if in_chinese:
            known = [shipped_chinese().read(name) for name in names]
            names = [named[1] if named else "" for named in known]
        first, second = (_only(seen, name) for name in names)
        if first is None or second is None:
            return CANNOT_TELL
        return _yes_or_no(_RELATIONS[match["relation"]](first, second), in_chinese)
    return CANNOT_TELL


def _yes_or_no(holds: bool | None, in_chinese: bool) -> str:
    if holds is None:
        return CANNOT_TELL
    yes, no = ("是", "否") if in_chinese else ("Yes", "No")
    return yes if holds else no


def _exists(seen: Sequence[Seen], thing: str, exactly: bool) -> bool | None:
    """Tell whether there are as many things of this kind; None if the words name nothing that can be seen."""
    *described, noun = thing.split()
    name = _observer_class(noun)
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
    count = sum(item.name == name and colour in (None, item.colour) for item in seen)
    return count == wanted if exactly else count >= wanted


def _only(seen: Sequence[Seen], thing: str) -> Seen | None:
    """Return the one object of a class; None if there is none or several."""
    matches = [item for item in seen if item.name == _observer_class(thing)]
    return matches[0] if len(matches) == 1 else None


def _observer_class(noun: str) -> str | None:
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


# What each drawn scene must measure: every object that its annotations name, found in its pixels alone.
#
# An object that the observer does not find, or finds in another colour or position, is a wrong key or a wrong drawing;
# either stops the workflow before anybody is asked about the image. Photographs have no key that pixels could prove.

#: How far a measured box may lie from the drawn one, px: tips of stars and hearts cover little of their pixels.
TOLERANCE_PX = 3.0


def scene(pixels: np.ndarray, factors: Mapping[str, str]) -> Measured:
    """Name all objects of a scene (``1 blue car; 2 red ball``) and compare them with its annotations.

    Args:
        pixels: uint8 RGB, shape (height, width, 3), of any size from 128 px.
        factors: ``truth`` and ``boxes`` (see ``figures.py``); none for an image without annotations.

    Raises:
        AfterimageError: The image shows something else than objects of the 16 classes on paper of one colour.
    """
    seen = look(pixels)
    found = inventory(seen)
    if not factors:
        return Measured(found)
    remark = _difference(seen, found, factors)
    return Measured(found, factors["truth"], not remark, remark)


def photograph(pixels: np.ndarray, factors: Mapping[str, str]) -> Measured:
    """Note that nothing is measured of a photograph, or that there is none (``image`` is "missing")."""
    return Measured("image_missing" if is_missing(factors) else "photograph")


def _difference(seen: Sequence[Seen], found: str, factors: Mapping[str, str]) -> str:
    """Say what differs from the annotations; empty if nothing does."""
    if found != factors["truth"]:
        return f"found {found}"
    remaining = list(seen)
    for name, *bbox in json.loads(factors["boxes"]):
        nearest = min(
            (item for item in remaining if item.name == name),
            key=lambda item: _distance(item.bbox, bbox),
        )
        remaining.remove(nearest)
        if _distance(nearest.bbox, bbox) > TOLERANCE_PX:
            shown = ", ".join(f"{value:g}" for value in nearest.bbox)
            return f"found the {name} at ({shown}) and not at ({', '.join(f'{value:g}' for value in bbox)})"
    return ""


def _distance(first: Sequence[float], second: Sequence[float]) -> float:
    return max(abs(a - b) for a, b in zip(first, second, strict=True))
