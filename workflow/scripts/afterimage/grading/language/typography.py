"""Numbers, signs and units in one form, for both sides of a comparison: what is only typography decides nothing.

Digits of other scripts and widths, minus signs and dashes, thousands separators, the zeros that a spreadsheet puts
behind a number, a blank before a unit. Standard library only.
"""

import re
import unicodedata
from functools import lru_cache

_UNIT = (
    "px|pixels?|cm|mm|km|nm|µm|μm|m|in|inch(?:es)?|ft|kg|mg|g|s|sec|ms|min|h|hz|khz|mhz|ml|l|"
    "deg|degrees?|rad|dpi|pt|mb|gb|kb"
)
# A minus sign of any kind, and a dash that begins a number.
_MINUS = re.compile(r"[\u2212\ufe63\uff0d](?=\s?\d)|(?:(?<=[\s(\[:=])|^)[\u2010-\u2015](?=\d)")
_BETWEEN = re.compile(r"(?<=[^\W_])[\u2010-\u2015\u2212](?=[^\W_])")
_TIMES = re.compile(r"(?<=\d)(\s?)[\u00d7\u2715\u2a09](\s?)(?=\d)")
_FRACTION = str.maketrans({"\u2044": "/", "\u2215": "/"})
# Turkish writes its capital i with a dot; in small letters, as programs make them, that would be two signs.
_DOTTED = re.compile("\u0130|[Ii]\u0307")
_GROUPED = re.compile(
    r"(?<![\d.,'])([1-9]\d{0,2})((?:,\d{3})+|(?:['\u2019]\d{3})+|(?:[\u00a0\u2009\u202f]\d{3})+)(?!\d)"
)
_SEPARATORS = re.compile(r"\D")
_ZEROS = re.compile(r"(?<![\d.,])(\d+)\.(\d*?)0+(?![\d]|[.,]\d)")
_JOINED_UNIT = re.compile(rf"(?<=\d)(?=[^\W\d_])(?=(?:{_UNIT})(?![^\W_]))", re.IGNORECASE)
_PARTED_SIGN = re.compile(r"(?<=\d)\s+(?=[%\u2030\u00b0])")
# A text that is a number and nothing else may be written as in countries with a decimal comma.
_WHOLE = re.compile(
    rf"([+-]?)((?:[1-9]\d{{0,2}}(?: \d{{3}})+)|\d+)(?:,(\d{{1,2}}))?(\s?(?:{_UNIT})|[%\u00b0][a-z]?)?",
    re.IGNORECASE,
)

_NUMBER = re.compile(rf"[+-]?\d+(?:[.,/x:-]\d+)*\s?(?:{_UNIT}|[%\u00b0][a-z]?)?", re.IGNORECASE)


@lru_cache(maxsize=64)
def levelled(text: str) -> str:
    """Return a text with plain digits, signs, thousands and units; one that holds none of them as it is."""
    if not text.isascii():
        text = _plain_signs(text)
    if not any(sign.isdigit() for sign in set(text)):
        return text
    text = _GROUPED.sub(lambda found: found[1] + _SEPARATORS.sub("", found[2]), text)
    text = _ZEROS.sub(_without_zeros, text)
    return _PARTED_SIGN.sub("", _JOINED_UNIT.sub(" ", text))


def is_number(text: str) -> bool:
    """Tell whether a levelled text is one number, with or without its unit, and nothing else."""
    return _NUMBER.fullmatch(text) is not None


def levelled_number(text: str) -> str:
    """Return a text that is one number (and its unit) in one form, also ``1 200`` and ``3,5``; any other as it is."""
    whole = _WHOLE.fullmatch(text)
    if whole is None:
        return text
    sign, digits, decimals, unit = whole.groups(default="")
    number = digits.replace(" ", "") + (f".{decimals}" if decimals else "")
    return f"{'' if sign == '+' else sign}{_ZEROS.sub(_without_zeros, number)}{unit}"


def _plain_signs(text: str) -> str:
    if any(unicodedata.category(sign) == "Nd" and not sign.isascii() for sign in set(text)):
        text = "".join(
            str(unicodedata.decimal(sign)) if unicodedata.category(sign) == "Nd" else sign
            for sign in text
        )
    text = _DOTTED.sub("i", text)
    text = _BETWEEN.sub("-", _MINUS.sub("-", text)).translate(_FRACTION)
    return _TIMES.sub(r"\1x\2", text)


def _without_zeros(found: re.Match[str]) -> str:
    return f"{found[1]}.{found[2]}" if found[2] else found[1]


# ---- the normal form of a Japanese word ----
#
# What two spellings of one word have in common. Compatibility characters are folded (half-width and full-width signs;
# the Kangxi radicals that text taken from a PDF has in the place of characters), blanks at the ends and one final 。
# go. No stemming, no synonyms: ふわふわ and ふんわり are two words.


def normal_form(word: str) -> str:
    """Return a word's normal form; two words are the same exactly when theirs are."""
    return unicodedata.normalize("NFKC", word).strip().removesuffix("。").strip()
