"""Typefaces for all characters of models' texts, and wrapping of text to a width.

matplotlib's own typeface has no Japanese characters, and would draw empty boxes. Models' texts are printed as they are;
unprintable characters and those that no typeface has are escaped."""

import logging
import re
import textwrap
from bisect import bisect_right
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from unicodedata import east_asian_width

import matplotlib as mpl
from matplotlib import font_manager
from matplotlib.font_manager import FontProperties, findfont, fontManager, get_font
from matplotlib.textpath import text_to_path

from afterimage.errors import AfterimageError

_LOGGER = logging.getLogger(__name__)

# The package carries IPAexGothic; importing it would change matplotlib's settings, so only its file is used.
_PACKAGE, _FILE = "matplotlib_fontja", "fonts/ipaexg.ttf"
#: Typefaces that may be installed.
_INSTALLED = (
    "IPAexGothic",
    "Noto Sans CJK JP",
    "Noto Sans JP",
    "Hiragino Sans",
    "Yu Gothic",
    "Meiryo",
)


def use_japanese_font() -> str:
    """Let charts fall back to a Japanese typeface for missing characters; call after ``figure_style.apply``.

    Returns:
        The typeface's name.

    Raises:
        AfterimageError: There is none.
    """
    name = japanese_font()
    families = [family for family in mpl.rcParams["font.sans-serif"] if family != name]
    # The chart's own typeface comes first, so that Latin letters look the same in all charts.
    current = [family for family in mpl.rcParams["font.family"] if family != name]
    mpl.rcParams["font.sans-serif"] = [*families, name]
    mpl.rcParams["font.family"] = [*current, name]
    return name


def japanese_font() -> str:
    """Return the name of a typeface with Japanese characters that matplotlib can use.

    Raises:
        AfterimageError: There is none.
    """
    package = find_spec(_PACKAGE)
    if package is not None and package.origin is not None:
        path = Path(package.origin).parent / _FILE
        font_manager.fontManager.addfont(path)
        return font_manager.FontProperties(fname=path).get_name()
    known = set(font_manager.fontManager.get_font_names())
    for name in _INSTALLED:
        if name in known:
            return name
    # matplotlib caches the installed typefaces; later ones are not among them.
    found = {_family(path): path for path in font_manager.findSystemFonts()}
    for name in _INSTALLED:
        if name in found:
            font_manager.fontManager.addfont(found[name])
            return name
    raise AfterimageError(
        f"charts with Japanese words need a Japanese typeface; expected the Python package "
        f"{_PACKAGE.replace('_', '-')}, or one of these installed: {', '.join(_INSTALLED)}."
    )


def _family(path: str) -> str:
    try:
        return font_manager.get_font(path).family_name
    except (OSError, RuntimeError):
        return ""


# ---- lines of text ----

#: Points.
FONT_SIZE = 9
ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"
#: Typefaces with simplified Chinese characters that may be installed.
_CHINESE = (
    *("Noto Sans CJK SC", "Noto Sans SC", "WenQuanYi Micro Hei", "WenQuanYi Zen Hei"),
    *("PingFang SC", "Microsoft YaHei", "SimHei"),
)
#: A line may break after a word with its space, or after one Japanese character with what may not begin a line.
_WORD = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff][、。，．）」』？！ー]*|[^\s\u3040-\u30ff\u3400-\u9fff]*\s+|[^\s\u3040-\u30ff\u3400-\u9fff]+"
)
# More than fits anywhere, and few enough to measure quickly.
_MAX_CHARACTERS = 4000


def lines_within(text: str, inches: float) -> list[str]:
    """Return a text as lines no wider than ``inches``, its own line breaks kept; one empty line where it is empty.

    Lines break between words, and within a word that is wider than a line or in Japanese, which has no spaces. Only a
    text too long for any page is cut, and ends in an ellipsis.
    """
    lines: list[str] = []
    kept = text if len(text) <= _MAX_CHARACTERS else text[: _MAX_CHARACTERS - 1] + ELLIPSIS
    for part in kept.splitlines():
        line = ""
        for word in _WORD.findall(literal(part)):
            if inches_of((line + word).rstrip()) <= inches:
                line += word
                continue
            if line:
                lines.append(line.rstrip())
            while inches_of(word.rstrip()) > inches and len(word) > 1:
                room = bisect_right(range(1, len(word)), inches, key=lambda n: inches_of(word[:n]))
                lines.append(word[: max(1, room)])
                word = word[max(1, room) :]
            line = word
        lines += [line.rstrip()] if line.strip() else []
    # A note that fits on one line stays a note, which can be translated.
    return [text] if lines == [text] else lines or [""]


def wrapped(text: str, inches: float, font_size: float) -> list[str]:
    """Return a text as lines of about so many inches; none where it is empty."""
    line = literal(text)
    # Japanese characters are one em wide; others on average a little less than 0.62 em.
    em = 1.0 if any(east_asian_width(character) in "WF" for character in line) else 0.62
    return textwrap.wrap(line, int(inches * 72 / (em * font_size)), break_on_hyphens=False)


def literal(text: str) -> str:
    """Return a text as one line; unprintable characters and those that no font has are escaped."""
    line = " ".join(text[:_MAX_CHARACTERS].split())
    return "".join(
        character if _printable(character) else character.encode("unicode_escape").decode()
        for character in line
    )


def can_print(text: str) -> bool:
    return all(map(_printable, "".join(text.split())))


@cache
def _printable(character: str) -> bool:
    return character.isprintable() and any(_has(family, character) for family in families())


def _has(family: str, character: str) -> bool:
    font = get_font(findfont(FontProperties(family=family)))
    return bool(font.get_char_index(ord(character)))


@lru_cache(maxsize=4096)
def inches_of(text: str) -> float:
    width, _, _ = text_to_path.get_text_width_height_descent(text, _properties(), ismath=False)
    return width / 72


@cache
def _properties() -> FontProperties:
    return FontProperties(family=families(), size=FONT_SIZE)


@cache
def families() -> list[str]:
    """Return the charts' typeface and, for what it lacks, one with Japanese and one with Chinese characters.

    A Chinese one has to be installed on this machine; without one, characters that Japanese lacks are escaped.
    """
    installed = set(fontManager.get_font_names())
    chinese = [name for name in _CHINESE if name in installed][:1]
    try:
        return ["DejaVu Sans", japanese_font(), *chinese]
    except AfterimageError as missing:
        _LOGGER.warning("Japanese characters are written as escapes: %s", missing)
        return ["DejaVu Sans", *chinese]
