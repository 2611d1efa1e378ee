"""Advance widths and ink boxes of three sans-serif faces, for the letters of the circled words.

Thousandths of the em, measured from the faces themselves: Liberation Sans (the widths of Helvetica and
Arial), Open Sans, DejaVu Sans; all regular.
"""

from collections.abc import Mapping
from typing import NamedTuple


class Glyph(NamedTuple):
    """A glyph: how far it advances, and the box of its ink from its origin on the base line, y upwards."""

    advance: int
    left: int
    right: int
    bottom: int
    top: int


#: Faces by name, glyphs by letter.
FACES: Mapping[str, Mapping[str, Glyph]] = {
    "liberation_sans": {
        "A": Glyph(667, 2, 665, 0, 688),
        "H": Glyph(722, 82, 641, 0, 688),
        "K": Glyph(667, 82, 656, 0, 688),
        "M": Glyph(833, 82, 751, 0, 688),
        "N": Glyph(722, 82, 641, 0, 688),
        "O": Glyph(778, 47, 730, -10, 698),
        "R": Glyph(722, 82, 676, 0, 688),
        "S": Glyph(667, 45, 621, -10, 698),
        "U": Glyph(722, 77, 645, -10, 688),
        "W": Glyph(944, 4, 940, 0, 688),
        "X": Glyph(667, 22, 646, 0, 688),
        "Z": Glyph(611, 32, 580, 0, 688),
        "a": Glyph(556, 42, 556, -10, 538),
        "b": Glyph(556, 64, 514, -10, 725),
        "c": Glyph(500, 42, 474, -10, 538),
        "d": Glyph(556, 42, 492, -10, 725),
        "e": Glyph(556, 42, 512, -10, 538),
        "g": Glyph(556, 42, 492, -208, 537),
        "h": Glyph(556, 69, 491, 0, 725),
        "i": Glyph(222, 67, 155, 0, 725),
        "k": Glyph(500, 67, 501, 0, 725),
        "l": Glyph(222, 67, 155, 0, 725),
        "m": Glyph(833, 66, 767, 0, 538),
        "n": Glyph(556, 66, 491, 0, 538),
        "o": Glyph(556, 42, 514, -10, 538),
        "p": Glyph(556, 64, 514, -208, 538),
        "q": Glyph(556, 42, 492, -208, 538),
        "r": Glyph(333, 66, 316, 0, 538),
        "t": Glyph(278, 15, 271, -8, 646),
        "u": Glyph(556, 65, 490, -10, 528),
        "v": Glyph(500, 3, 497, 0, 528),
        "w": Glyph(722, -1, 725, 0, 528),
        "y": Glyph(500, 2, 498, -208, 528),
    },
    "open_sans": {
        "A": Glyph(633, 0, 633, 0, 717),
        "H": Glyph(738, 98, 640, 0, 714),
        "K": Glyph(614, 98, 614, 0, 714),
        "M": Glyph(903, 98, 805, 0, 714),
        "N": Glyph(754, 98, 656, 0, 714),
        "O": Glyph(779, 61, 718, -10, 725),
        "R": Glyph(618, 98, 601, 0, 714),
        "S": Glyph(549, 52, 501, -10, 724),
        "U": Glyph(728, 91, 637, -10, 714),
        "W": Glyph(926, 13, 912, 0, 714),
        "X": Glyph(577, 4, 573, 0, 714),
        "Z": Glyph(571, 40, 531, 0, 714),
        "a": Glyph(556, 46, 475, -10, 544),
        "b": Glyph(613, 86, 557, -10, 760),
        "c": Glyph(476, 56, 443, -10, 545),
        "d": Glyph(613, 56, 527, -10, 760),
        "e": Glyph(561, 56, 509, -10, 545),
        "g": Glyph(548, 19, 524, -240, 545),
        "h": Glyph(614, 86, 533, 0, 760),
        "i": Glyph(253, 79, 175, 0, 734),
        "k": Glyph(525, 86, 514, 0, 760),
        "l": Glyph(253, 86, 167, 0, 760),
        "m": Glyph(930, 86, 849, 0, 545),
        "n": Glyph(614, 86, 533, 0, 545),
        "o": Glyph(604, 56, 548, -10, 545),
        "p": Glyph(613, 86, 557, -240, 545),
        "q": Glyph(613, 56, 527, -240, 545),
        "r": Glyph(408, 86, 394, 0, 545),
        "t": Glyph(353, 15, 332, -10, 659),
        "u": Glyph(614, 80, 528, -10, 535),
        "v": Glyph(501, 0, 501, 0, 535),
        "w": Glyph(778, 11, 767, 0, 535),
        "y": Glyph(504, 1, 503, -240, 535),
    },
    "dejavu_sans": {
        "A": Glyph(684, 8, 676, 0, 729),
        "H": Glyph(752, 98, 654, 0, 729),
        "K": Glyph(656, 98, 677, 0, 729),
        "M": Glyph(863, 98, 765, 0, 729),
        "N": Glyph(748, 98, 650, 0, 729),
        "O": Glyph(787, 56, 731, -14, 742),
        "R": Glyph(695, 98, 666, 0, 729),
        "S": Glyph(635, 66, 579, -14, 742),
        "U": Glyph(732, 87, 645, -14, 729),
        "W": Glyph(989, 33, 956, 0, 729),
        "X": Glyph(685, 30, 654, 0, 729),
        "Z": Glyph(685, 45, 640, 0, 729),
        "a": Glyph(613, 60, 522, -14, 560),
        "b": Glyph(635, 91, 580, -14, 760),
        "c": Glyph(550, 55, 488, -14, 560),
        "d": Glyph(635, 55, 544, -14, 760),
        "e": Glyph(615, 55, 562, -14, 560),
        "g": Glyph(635, 55, 544, -208, 560),
        "h": Glyph(634, 91, 549, 0, 760),
        "i": Glyph(278, 94, 184, 0, 760),
        "k": Glyph(579, 91, 576, 0, 760),
        "l": Glyph(278, 94, 184, 0, 760),
        "m": Glyph(974, 91, 889, 0, 560),
        "n": Glyph(634, 91, 549, 0, 560),
        "o": Glyph(612, 55, 557, -14, 560),
        "p": Glyph(635, 91, 580, -208, 560),
        "q": Glyph(635, 55, 544, -208, 560),
        "r": Glyph(411, 91, 411, 0, 560),
        "t": Glyph(392, 27, 368, 0, 702),
        "u": Glyph(634, 85, 543, -14, 560),
        "v": Glyph(592, 30, 562, 0, 547),
        "w": Glyph(818, 42, 776, 0, 547),
        "y": Glyph(592, 30, 562, -208, 547),
    },
}
