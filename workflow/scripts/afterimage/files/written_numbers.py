"""Numbers as spreadsheets and data frames write them: 3 as ``3.0``, ``3,0`` or ``3E+00``. Standard library only."""

import re
import unicodedata
from decimal import Decimal

# Three zeros may be the thousands of some countries.
_POINT_ZERO = re.compile(r"([+-]?\d+)[.,](?:00?|0{4,})")
_DECIMAL = re.compile(r"[+-]?\d+(?:[.,]\d+)?(?:[eE][+-]?\d{1,2})?")
# Three digits after each: a comma or a period, but one kind; a blank, or an apostrophe as in Switzerland.
_GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}(?:([.,' ])\d{3})(?:\1\d{3})*")
_SIGNS = str.maketrans({"\u2212": "-", "\u2019": "'", "\u066b": ".", "\u066c": ","})
_LARGEST = 10**18


class AmbiguousNumberError(ValueError):
    """A number that is one whole number in some countries and another one in others: ``1,000`` is 1 or 1000."""


def without_point_zero(text: str) -> str:
    """Return a text, and of a whole number that was written as a fraction (``12.0``) the whole number.

    For names and ids: anything else, leading zeros included, stays as it is.
    """
    found = _POINT_ZERO.fullmatch(text)
    return found[1] if found else text


def whole_number_in(text: str) -> int | None:
    """Return the whole number that a text is, however it was written; None where it is none.

    Raises:
        AmbiguousNumberError: It is two, depending on the country.
    """
    plain = _plain(text)
    grouped = int(re.sub(r"[.,' ]", "", plain)) if _GROUPED.fullmatch(plain) else None
    value = Decimal(plain.replace(",", ".")) if _DECIMAL.fullmatch(plain) else None
    decimal = int(value) if value is not None and value == value.to_integral_value() else None
    if grouped is not None and decimal is not None and grouped != decimal:
        raise AmbiguousNumberError(
            f"'{text}', which is {decimal} in some countries and {grouped} in others"
        )
    found = grouped if decimal is None else decimal
    return None if found is None or abs(found) > _LARGEST else found


def _plain(text: str) -> str:
    """Return a text with plain digits, signs and blanks, whatever the width or script of its digits."""
    signs = unicodedata.normalize("NFKC", text).translate(_SIGNS)
    digits = (
        str(unicodedata.decimal(sign)) if unicodedata.category(sign) == "Nd" else sign
        for sign in signs
    )
    return " ".join("".join(digits).split())
