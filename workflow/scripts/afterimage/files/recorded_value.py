"""Values of others' records, read by their type and never by how Python prints them. Standard library only.

What pandas, Arrow, JSON and workbooks make of a text, a number or nothing comes to the same here: the text, the number,
or no value; what is none of them is one sentence.
"""

import math
import re
from collections.abc import Iterable, Mapping
from datetime import date, time, timedelta
from decimal import Decimal
from typing import Any

from afterimage.errors import AfterimageError, fault
from afterimage.files.written_values import without_point_zero

# Beyond these a double holds no whole number any more, so that digits are lost.
_EXACT = 1 << 53
_LONGEST_SHOWN = 60
_HALF_CHARACTER = re.compile(r"[\ud800-\udfff]")
# Parts of a message that are words of the answer, and those that only led to it.
_TEXT_PARTS = ("text", "output_text")
_OTHER_PARTS = ("reasoning", "thinking", "redacted_thinking")
_NO_VALUES = ("NAType", "NaTType")
# Their numbers count since an epoch.
_NUMPY_TIMES = ("datetime64", "timedelta64")


def text_of(value: Any, where: str) -> str | None:
    """Return a recorded value as text: None for no value, a list of one text or the parts of a message as their text.

    Whole numbers that became doubles are whole numbers again; bytes are UTF-8.

    Args:
        value: As JSON, Arrow, pandas or a workbook hold it.
        where: File, line and field, for the message.

    Raises:
        AfterimageError: It is no text: true or false, a date, several texts, or an object.
    """
    try:
        return _text(value, where)
    except RecursionError:
        raise _no_text("a value that is nested too deeply", where) from None


def _text(value: Any, where: str) -> str | None:
    plain = _plain(value)
    if plain is None or isinstance(plain, str):
        return _whole_characters(plain, where)
    if isinstance(plain, bool):
        raise _no_text("true" if plain else "false", where)
    if isinstance(plain, int | float | Decimal):
        return _number_text(plain, where)
    if isinstance(plain, bytes):
        return _of_bytes(plain, where)
    if isinstance(plain, date | time | timedelta):
        raise fault(
            where,
            f"found the date or time {plain.isoformat() if isinstance(plain, date | time) else plain}; "
            "expected a text (a spreadsheet may have made a date of it: give the column the format Text).",
        )
    if isinstance(plain, Mapping):
        return _of_object(plain, where)
    if isinstance(plain, list | tuple):
        return _of_list(plain, where)
    raise _no_text(f"a value of the type {type(plain).__name__}", where)


def id_of(value: Any, where: str) -> str:
    """Return a recorded value as part of an id: "" for no value; ``3.0`` is 3, true is ``True``.

    Raises:
        AfterimageError: It is no text or number.
    """
    plain = _plain(value)
    if isinstance(plain, bool):
        return str(plain)
    # Unlike the ids that join the rows of one file (files/row_ids.py), which may be numbers here and texts there, this
    # one is compared with names that a study gives, where 007 and 7 may be two; what matches none of them is told.
    return without_point_zero(text_of(plain, where) or "")


def number_of(value: Any, where: str) -> float | None:
    """Return a recorded value as a number, also where it is written as text; None for no value or an empty text.

    Args:
        value: As :func:`text_of` takes it.
        where: File, line and field, for the message.

    Raises:
        AfterimageError: It is no finite number.
    """
    plain = _plain(value)
    if plain is None or plain == "":
        return None
    try:
        if isinstance(plain, bool) or not isinstance(plain, str | int | float | Decimal):
            raise ValueError
        number = float(plain)
        if not math.isfinite(number):
            raise ValueError
    except (ValueError, OverflowError):
        raise fault(where, f"found {shown_value(plain)}; expected a number.") from None
    return number


def count_of(value: Any, where: str) -> int | None:
    """Return a recorded value as a whole number; see :func:`number_of`.

    Raises:
        AfterimageError: It is none, or one of so many digits that some are lost.
    """
    number = number_of(value, where)
    if number is None or (number.is_integer() and abs(number) < _EXACT):
        return None if number is None else int(number)
    raise fault(where, f"found {shown_value(_plain(value))}; expected a number without a fraction.")


def truth_of(value: Any, where: str) -> bool | None:
    """Return a recorded value as true or false, also written as text or as 1 and 0; None for no value.

    Raises:
        AfterimageError: It is neither.
    """
    plain = _plain(value)
    if plain is None or isinstance(plain, bool) or plain == "":
        return plain if isinstance(plain, bool) else None
    if isinstance(plain, str | int | float | Decimal):
        word = without_point_zero(str(plain).strip().lower())
        if word in _TRUTHS:
            return _TRUTHS[word]
    raise fault(where, f"found {shown_value(plain)}; expected {', '.join(_TRUTHS)}.") from None


_TRUTHS = {"true": True, "false": False, "1": True, "0": False}


def shown_value(value: Any) -> str:
    """Return a value as a message shows it: on one line, printable and not too long."""
    text = ascii(value) if isinstance(value, str) and not value.isprintable() else repr(value)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 3]}..."


def _plain(value: Any) -> Any:
    """Return a value as a Python value, a list of one as its element, and missing-value markers as None."""
    if value is None or type(value).__name__ in _NO_VALUES:
        return None
    if isinstance(value, bytearray | memoryview):
        return bytes(value)
    if hasattr(value, "tolist") and type(value).__name__ not in _NUMPY_TIMES:
        # NumPy's numbers and arrays.
        return _plain(value.tolist())
    if isinstance(value, Decimal) and value.is_nan():
        return None
    if isinstance(value, float) and math.isnan(value):
        return None
    if isinstance(value, list | tuple) and len(value) < 2:
        return _plain(value[0]) if value else None
    return value


def _number_text(number: int | float | Decimal, where: str) -> str:
    if isinstance(number, int):
        return str(number)
    is_exact = isinstance(number, Decimal) or abs(number) < _EXACT
    if not (math.isfinite(number) and is_exact):
        raise fault(
            where, f"found the number {number!r}, of which digits are lost; expected a text."
        )
    if number == int(number):
        return str(int(number))
    return f"{number:f}" if isinstance(number, Decimal) else repr(number)


def _of_bytes(data: bytes, where: str) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise _no_text("bytes that are not UTF-8", where) from None


def _of_list(values: Iterable[Any], where: str) -> str:
    parts = list(values)
    if all(isinstance(part, Mapping) and "type" in part for part in parts):
        texts = [text for part in parts if (text := _of_part(part, where)) is not None]
        return "\n".join(texts)
    raise fault(
        where, f"found a list of {len(parts)} values ({shown_value(parts)}); expected one text."
    )


def _of_part(part: Mapping[str, Any], where: str) -> str | None:
    if part["type"] in _TEXT_PARTS:
        return _text(part.get("text"), where)
    if part["type"] in _OTHER_PARTS:
        return None
    raise _no_text(f"a part of the type {shown_value(part['type'])}", where)


def _of_object(value: Mapping[str, Any], where: str) -> str | None:
    if "type" in value and "content" not in value:
        return _of_part(value, where)
    if "content" in value and ("role" in value or value.get("type") == "message"):
        return _text(value["content"], where)
    keys = ", ".join(map(str, list(value)[:5]))
    raise fault(
        where,
        f"found an object with the keys {keys or 'none'}; expected a text (a dot leads into an object: "
        "columns: {text: message.content}).",
    )


def _whole_characters(text: str | None, where: str) -> str | None:
    found = _HALF_CHARACTER.search(text) if text is not None else None
    if found:
        raise fault(
            where,
            f"found half a character (\\u{ord(found[0]):04x}), which no text in UTF-8 can hold; expected "
            "whole characters.",
        )
    return text


def _no_text(found: str, where: str) -> AfterimageError:
    return fault(where, f"found {found}; expected a text.")
