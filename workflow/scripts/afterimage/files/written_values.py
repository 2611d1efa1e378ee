"""Numbers and times as people and spreadsheets write them."""

import math
import re
import unicodedata
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from typing import NamedTuple

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
    """Return the whole number that a text is, however it was written; None if it is none.

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


# Times as people's spreadsheets write them, read where they are certain. Standard library only.
#
# The order of day and month is that of the whole column: one date that can be read in one way only tells it.

_LONGEST = 80
_DATE = re.compile(
    r"(\d{1,4})\s*([./年-])\s*(\d{1,2})\s*(?:\2|月)\s*(\d{1,4})\s*[.日]?(?=\D|$)[,T]?"
)
_KOREAN = re.compile(r"(\d{4})\s*년\s*(\d{1,2})\s*월\s*(\d{1,2})\s*일")
_NAMED = re.compile(
    r"(?:[a-z]{3,9}\.?,?\s+)??(?:(\d{1,2})(?:st|nd|rd|th)?[\s.-]+)?"
    r"(jan|feb|mar(?!r)|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[\s.,-]+"
    r"(?:(\d{1,2})(?:st|nd|rd|th)?,?\s+)?(\d{4})\b,?(?:\s+at\b)?"
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_CLOCK = re.compile(
    r"(\d{1,2})\s*[:時시点.h]\s*(\d{1,2})(?:\s*[:分분.]\s*(\d{1,2})(?:[.,](\d+))?)?\s*[秒초분分]?"
)
# Google's forms write the hours alone: "GMT+9".
_ZONE = re.compile(r"(?:z|utc|gmt)?\s*([+-])(\d{1,2})(?::?(\d{2}))?(?:\s+utc)?|z|utc|gmt|uhr")
# Behind a time the name of its zone, behind a date the day of the week.
_IN_BRACKETS = re.compile(r"\s*\([^()]*\)(?=\s|$)")
_YEARS = range(1970, 2101)
_BEFORE_NOON = ("am", "a.m.", "午前", "上午", "오전")
_AFTER_NOON = ("pm", "p.m.", "午後", "下午", "오후")
# Seconds since 1970 from 2001 on, and thousandths of these.
_SECONDS, _THOUSANDTHS = range(10**9, 10**10), range(10**12, 10**13)
# Days since the end of 1899, from 1982 to 2091.
_SERIALS = range(30_000, 70_000)
_FIRST_DAY = datetime(1899, 12, 30, tzinfo=UTC)


class WrittenTime(NamedTuple):
    """What a text says about a time.

    Attributes:
        moment: In UTC, where no zone is written; None if there is none or where it is ambiguous.
        either: The moments of a date that can be read with the day or with the month first; none otherwise.
    """

    moment: datetime | None
    either: tuple[datetime, ...] = ()


def read_times(texts: Iterable[str]) -> list[WrittenTime]:
    """Read the times of one column, in their order.

    Args:
        texts: Cells of one file, which one program wrote. Empty ones say nothing.
    """
    read = [_readings(text) for text in texts]
    orders = {each[0].order for each in read if len(each) == 1} - {""}
    found = []
    for readings in read:
        moments = list(dict.fromkeys(reading.moment for reading in readings))
        if len(moments) > 1 and len(orders) == 1:
            moments = [each.moment for each in readings if each.order in orders]
        found.append(
            WrittenTime(moments[0]) if len(moments) == 1 else WrittenTime(None, tuple(moments))
        )
    return found


class _Reading(NamedTuple):
    moment: datetime
    order: str = ""


def _readings(text: str) -> list[_Reading]:
    """Return all moments that a text may mean, several of an ambiguous date, none where it is no time."""
    plain = " ".join(unicodedata.normalize("NFKC", text[: _LONGEST + 1]).lower().split())
    if not plain or len(plain) > _LONGEST:
        return []
    number = _of_number(plain)
    if number is not None:
        return [_Reading(number)]
    try:
        # Other calendars count other years.
        moment = _in_utc(datetime.fromisoformat(plain.upper()))
        return [_Reading(moment)] if moment.year in _YEARS else []
    except (ValueError, OverflowError):
        pass
    found = []
    for year, month, day, rest, order in _dates(_IN_BRACKETS.sub("", plain)):
        try:
            clock = _clock(rest)
            if clock is not None and year in _YEARS:
                since_midnight, zone = clock
                moment = datetime(year, month, day, tzinfo=zone) + since_midnight
                found.append(_Reading(_in_utc(moment), order))
        except (ValueError, OverflowError):
            continue
    return found


def _of_number(plain: str) -> datetime | None:
    """Return the time of seconds or thousandths since 1970, or of a spreadsheet's days since 1899."""
    if not re.fullmatch(r"\d{5,13}([.,]\d+)?", plain):
        return None
    value = float(plain.replace(",", "."))
    whole = math.floor(value)
    if whole in _SECONDS:
        return datetime.fromtimestamp(value, UTC)
    if whole in _THOUSANDTHS:
        return datetime.fromtimestamp(value / 1000, UTC)
    return _FIRST_DAY + timedelta(seconds=round(value * 86_400)) if whole in _SERIALS else None


def _dates(plain: str) -> list[tuple[int, int, int, str, str]]:
    """Return year, month, day and the rest, with their order if several are in use."""
    named = _NAMED.match(plain)
    if named:
        days = [day for day in (named[1], named[3]) if day]
        month = _MONTHS.index(named[2]) + 1
        rest = plain[named.end() :]
        return [(int(named[4]), month, int(days[0]), rest, "")] if len(days) == 1 else []
    korean = _KOREAN.match(plain)
    if korean:
        year, month, day = map(int, korean.groups())
        return [(year, month, day, plain[korean.end() :], "")]
    date = _DATE.match(plain)
    if not date:
        return []
    first, mark, second, third = date.groups()
    rest = plain[date.end() :]
    if len(first) == 4:
        return [(int(first), int(second), int(third), rest, "")]
    if len(first) > 2 or len(third) not in (2, 4):
        return []
    first_number, second_number, third_number = int(first), int(second), int(third)
    year = third_number if len(third) == 4 else 2000 + third_number
    found = [(year, second_number, first_number, rest, "day first")]
    # Nobody writes the month first between periods.
    if mark != ".":
        found.append((year, first_number, second_number, rest, "month first"))
    if len(third) == 2:
        found.append((2000 + first_number, second_number, third_number, rest, "year first"))
    return found


def _clock(rest: str) -> tuple[timedelta, timezone] | None:
    """Return the time since midnight and the zone of what follows a date; None of anything else."""
    words, half = rest.strip(), None
    for hours, names in ((0, _BEFORE_NOON), (12, _AFTER_NOON)):
        for name in names:
            if re.search(rf"(?<![a-z]){re.escape(name)}(?![a-z])", words):
                words, half = words.replace(name, " ", 1).strip(), hours
    if not words:
        return (timedelta(), UTC) if half is None else None
    found = _CLOCK.match(words)
    if not found:
        return None
    hour, minute, second = (int(part or 0) for part in found.groups()[:3])
    zone = _zone(words[found.end() :].strip())
    if minute > 59 or second > 59 or hour > 23 or zone is None:
        return None
    if half is not None:
        if not 1 <= hour <= 12 and not (half == 0 and hour == 0):
            return None
        hour = hour % 12 + half
    fraction = float(f"0.{found[4]}") if found[4] else 0.0
    return timedelta(hours=hour, minutes=minute, seconds=second + fraction), zone


def _zone(text: str) -> timezone | None:
    if not text:
        return UTC
    found = _ZONE.fullmatch(text)
    if not found:
        return None
    if not found[1]:
        return UTC
    distance = timedelta(hours=int(found[2]), minutes=int(found[3] or 0))
    return timezone(distance if found[1] == "+" else -distance)


def _in_utc(moment: datetime) -> datetime:
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
