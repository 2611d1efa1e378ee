"""Multiple choice by Roman numeral: which of the offered options a reply names.

A reply that is a numeral, in whatever dress (Unicode's Ⅲ, brackets, "Option", "Answer:"), is that option. In a
longer one :mod:`afterimage.grading.readers.labels` says where a numeral counts; I counts only where it cannot be the
pronoun. At last a digit or a letter alone is read as the option's place, flagged :data:`OTHER_NUMBERING`.

Numerals beyond the options are never cut to shorter ones. "ll" typed for "II" is read where it is the whole reply or
begins it, flagged :data:`TYPED_L`.
"""

import re
from collections.abc import Sequence

from afterimage.contract.readings import AMBIGUOUS, OFF_TOPIC
from afterimage.grading.language.evidence import after_take_back
from afterimage.grading.language.reply_text import plain, prepared
from afterimage.grading.parsed import NOTHING, Ambiguity, Outcome, Parsed, unread
from afterimage.grading.readers import choice
from afterimage.grading.readers.labels import Labels, read

#: The numerals of the options, in the order in which these are shown.
NUMERALS = ("I", "II", "III", "IV")
#: Flags that a grade's reason ends in.
OTHER_NUMBERING = "[other_numbering]"
TYPED_L = "[typed_l]"
CONFLICT = "[conflict]"

_OPENS = r"[\s\"'`(\[{<*#>-]*"
_CLOSES = r"[\s\"'`)\]}>.:;,!*]*"
_PREFIX = re.compile(
    r"(?:(?:the|my|final|correct|right|best)\s+)*"
    r"(?:answer|option|choice)(?:\s+(?:is|would be|should be))?\s*[:=]?\s*[\"'(\[{]*(?=\S)"
    r"(?:(?:option|choice)\s*[:=]?\s*[\"'(\[{]*)?",
    re.IGNORECASE,
)
# An l among capitals stands for an I; "ill" is a word.
_ANY_NUMERAL = r"(?:[IVX]+|I?[ivx]+|[Il]V|[Il]+)"
_WHOLE = re.compile(rf"{_OPENS}(?P<numeral>{_ANY_NUMERAL}){_CLOSES}")
_WITH_TEXT = re.compile(
    rf"[\s\"'`(\[{{]*(?P<numeral>{_ANY_NUMERAL})"
    r"(?:[\"'`)\]}]*\s*[.):,;=\u2014-]+[\"'`)\]}]*\s*|[ \t]*\n\s*)(?P<text>\S.*)",
    re.DOTALL,
)
_BEFORE_TEXT = re.compile(r"(?P<numeral>II|III|IV)\s+(?P<text>\S.*)", re.IGNORECASE | re.DOTALL)
# Behind I, what no pronoun is followed by.
_NO_PRONOUN = re.compile(
    r"\s*(?:$|[.):;,\"'\]}\u2014!。、，」]|\n)|\s+(?:is|because|since|as|and|or)\b", re.IGNORECASE
)
_ABBREVIATION = re.compile(r"\.\s?e\.", re.IGNORECASE)
_DIGIT_OR_LETTER = re.compile(rf"{_OPENS}(?P<name>[1-9]|[A-Za-z]){_CLOSES}")


def parse(text: str, options: Sequence[tuple[str, str]]) -> Parsed:
    """Read a reply as one of the options; never raises, whatever the reply.

    Args:
        options: (option id, option text) in the order in which they were shown: the first is I.

    Returns:
        The option id with outcome "exact" (the reply is the numeral, or another name of the option) or
        "contained"; or None with outcome "unparsed". The reason may end in one of the flags.
    """
    reply = plain(text)
    if not reply:
        return NOTHING
    bare = _without_prefix(reply)
    short = (
        _whole(bare, options)
        or (None if after_take_back(reply.lower()) else _typed(bare, options))
        or _other_numbering(bare, options)
    )
    if short is not None:
        return short
    parsed = read(prepared(text), options, _ROMAN)
    if parsed.ambiguity is Ambiguity.CONFLICT:
        return parsed._replace(why=f"{parsed.why} {CONFLICT}")
    return parsed


def _without_prefix(reply: str) -> str:
    found = _PREFIX.match(reply.lstrip("\"'([{ "))
    return reply.lstrip("\"'([{ ")[found.end() :] if found else reply


def _whole(reply: str, options: Sequence[tuple[str, str]]) -> Parsed | None:
    found = _WHOLE.fullmatch(reply)
    return found and _read(found["numeral"], options, "exact", "the reply is this numeral")


def _typed(reply: str, options: Sequence[tuple[str, str]]) -> Parsed | None:
    """Read a numeral with text behind it: with an l typed for an I, or before the text of an option."""
    found = _WITH_TEXT.match(reply) or _BEFORE_TEXT.match(reply)
    if found is None or _ABBREVIATION.match(reply[found.end("numeral") :]):
        return None
    by_text = choice.exact(found["text"], options)
    if "l" not in found["numeral"] and by_text is None:
        return None
    parsed = _read(found["numeral"], options, "contained", "the numeral that the reply begins with")
    if (
        parsed is None
        or parsed.answer is None
        or by_text is None
        or by_text.answer in (None, parsed.answer)
    ):
        return parsed
    return unread(
        AMBIGUOUS,
        f"the numeral is that of option {parsed.answer}, the text that of option {by_text.answer} {CONFLICT}",
        Ambiguity.CONFLICT,
    )


def _other_numbering(reply: str, options: Sequence[tuple[str, str]]) -> Parsed | None:
    found = _DIGIT_OR_LETTER.fullmatch(reply)
    if found is None:
        return None
    name = found["name"].upper()
    index = "123456789".find(name) if name.isdigit() else ord(name) - ord("A")
    if index >= len(options):
        return None
    return Parsed(
        options[index][0], "exact", f"the option's place in another numbering {OTHER_NUMBERING}"
    )


def _read(
    numeral: str, options: Sequence[tuple[str, str]], outcome: Outcome, why: str
) -> Parsed | None:
    """Return the option that a numeral names; None for what is no numeral at all."""
    typed = numeral.replace("l", "I").upper()
    flag = f" {TYPED_L}" if "l" in numeral else ""
    if typed in NUMERALS[: len(options)]:
        return Parsed(options[NUMERALS.index(typed)][0], outcome, why + flag)
    if flag:
        return None
    return unread(OFF_TOPIC, f"numeral {typed} is beyond the {len(options)} options")


def _option_index(numeral: str) -> int | None:
    """Return the place of a numeral; -1 beyond the options, None for what is no numeral of theirs in lower case."""
    if numeral.upper() in NUMERALS:
        return NUMERALS.index(numeral.upper())
    return None if numeral in ("v", "x") else -1


def _is_pronoun(numeral: str, behind: str) -> bool:
    return numeral == "i" and _NO_PRONOUN.match(behind) is None


_ROMAN = Labels("[ivx]+", _option_index, _is_pronoun)
