"""Single lines of anybody's text: what fits into a place, in typefaces that have the characters.

Texts that models wrote are set as they are; what no typeface here has, or does not print, is written as an escape.
"""

import logging
import textwrap
from bisect import bisect_right
from functools import cache, lru_cache
from unicodedata import east_asian_width

from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.textpath import text_to_path

from afterimage.errors import AfterimageError
from afterimage.showing.japanese_font import japanese_font

_LOGGER = logging.getLogger(__name__)

#: In points.
FONT_SIZE = 9
ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"
# More than any place takes, less than takes time to measure.
_MOST_CHARACTERS = 4000


def fitted(text: str, inches: float) -> str:
    """Return ``text`` as one line no wider than ``inches``; what is cut off becomes an ellipsis."""
    line = literal(text)
    if inches_of(line) <= inches:
        return line
    kept = bisect_right(
        range(len(line)), inches, key=lambda length: inches_of(line[:length] + ELLIPSIS)
    )
    return line[: max(0, kept - 1)].rstrip() + ELLIPSIS


def wrapped(text: str, inches: float, font_size: float) -> list[str]:
    """Return a text as lines of about so many inches; none where it is empty."""
    line = literal(text)
    # Japanese characters are as wide as high; of the others the average is a little narrower than 0.62 em.
    em = 1.0 if any(east_asian_width(character) in "WF" for character in line) else 0.62
    return textwrap.wrap(line, int(inches * 72 / (em * font_size)), break_on_hyphens=False)


def literal(text: str) -> str:
    """Return a text as one line; what no font here has, or does not print, is written as an escape."""
    line = " ".join(text[:_MOST_CHARACTERS].split())
    return "".join(
        character if _printable(character) else character.encode("unicode_escape").decode()
        for character in line
    )


@cache
def _printable(character: str) -> bool:
    return character.isprintable() and any(_has(family, character) for family in families())


def _has(family: str, character: str) -> bool:
    font = get_font(findfont(FontProperties(family=family)))
    return bool(font.get_char_index(ord(character)))


@lru_cache(maxsize=4096)
def inches_of(text: str) -> float:
    """Return how wide a line is."""
    width, _, _ = text_to_path.get_text_width_height_descent(text, _properties(), ismath=False)
    return width / 72


@cache
def _properties() -> FontProperties:
    return FontProperties(family=families(), size=FONT_SIZE)


@cache
def families() -> list[str]:
    """Return the charts' typeface and, for what it lacks, one with Japanese characters where there is one."""
    try:
        return ["DejaVu Sans", japanese_font()]
    except AfterimageError as missing:
        _LOGGER.warning("Japanese characters are written as escapes: %s", missing)
        return ["DejaVu Sans"]
