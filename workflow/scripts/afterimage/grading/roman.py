"""Multiple choice by Roman numeral: which of the offered options a reply names.

Order of the rules, the first that applies decides:

1. what surrounds an answer is taken off: Unicode forms (Ⅲ is III), emphasis, brackets, "Option",
   "Answer:", signs at the end;
2. the whole reply is a numeral, or a numeral with text behind it, which must then not be the text of
   another option;
3. the last "answer", "option" or "choice" with a numeral;
4. the one numeral that stands in the reply by itself; I counts there only before . ) or : (else it is
   the pronoun);
5. the one option whose text the reply contains;
6. a digit or a letter alone, flagged :data:`OTHER_NUMBERING`.

Numerals beyond the options are never cut to shorter ones. "ll" typed for "II" is read where it is the
whole reply or begins it, flagged :data:`TYPED_L`.
"""

import re
from collections.abc import Sequence

from afterimage.grading import choice
from afterimage.grading.parsed import Outcome, Parsed
from afterimage.grading.reply_text import plain

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
_NAMED = re.compile(
    r"\b(?P<word>answer|option|choice)\b[\"']?(?P<link>\s+(?:is|would be|should be|must be)|\s*[:=])*\s*"
    r"(?:option|choice|number|numeral)?\s*[\"'(\[{]*(?P<numeral>[IVX]+)(?![\w'-])(?=(?P<after>.{0,12}))",
    re.IGNORECASE | re.DOTALL,
)
# Behind I, what no pronoun is followed by.
_NO_PRONOUN = re.compile(
    r"\s*(?:$|[.):;,\"'\]}\u2014!]|\n)|\s+(?:is|because|since|as|and|or)\b", re.IGNORECASE
)
_TOKEN = re.compile(r"(?<![\w'-])(?P<numeral>[IVX]+)(?![\w'-])(?P<after>\s*[.):]?)", re.IGNORECASE)
_ABBREVIATION = re.compile(r"\.\s?e\.", re.IGNORECASE)
_DIGIT_OR_LETTER = re.compile(rf"{_OPENS}(?P<name>[1-9]|[A-Za-z]){_CLOSES}")


def parse(text: str, options: Sequence[tuple[str, str]]) -> Parsed:
    """Read a reply as one of the options; never raises, whatever the reply.

    Args:
        text: The reply as received.
        options: (option id, option text) in the order in which they were shown: the first is I.

    Returns:
        The option id with outcome "exact" (the reply is the numeral, or another name of the option) or
        "contained"; or None with outcome "unparsed". The reason may end in one of the flags.
    """
    reply = plain(text)
    if not reply:
        return Parsed(None, "unparsed", "the reply is empty")
    bare = _without_prefix(reply)
    for rule in (_whole, _with_text, _before_text):
        parsed = rule(bare, options)
        if parsed is not None:
            return parsed
    for rule in (_named, _only_numeral, _option_text):
        parsed = rule(reply, options)
        if parsed is not None:
            return parsed
    return _other_numbering(bare, options) or Parsed(
        None, "unparsed", "the reply names no option, or several"
    )


def _without_prefix(reply: str) -> str:
    found = _PREFIX.match(reply.lstrip("\"'([{ "))
    return reply.lstrip("\"'([{ ")[found.end() :] if found else reply


def _whole(reply: str, options: Sequence[tuple[str, str]]) -> Parsed | None:
    found = _WHOLE.fullmatch(reply)
    return found and _read(found["numeral"], options, "exact", "the reply is this numeral")


def _with_text(reply: str, options: Sequence[tuple[str, str]]) -> Parsed | None:
    found = _WITH_TEXT.match(reply)
    if found is None or _ABBREVIATION.match(reply[found.end("numeral") :]):
        return None
    parsed = _read(found["numeral"], options, "contained", "the numeral that the reply begins with")
    return parsed and _unless_contradicted(parsed, found["text"], options)


def _before_text(reply: str, options: Sequence[tuple[str, str]]) -> Parsed | None:
    """Read "II The option's text", without a sign between: only where the text is an option's."""
    found = _BEFORE_TEXT.match(reply)
    if found is None or choice.parse(found["text"], options).outcome != "exact":
        return None
    parsed = _read(found["numeral"], options, "contained", "the numeral that the reply begins with")
    return parsed and _unless_contradicted(parsed, found["text"], options)


def _unless_contradicted(parsed: Parsed, text: str, options: Sequence[tuple[str, str]]) -> Parsed:
    if parsed.answer is None:
        return parsed
    said = choice.parse(text, options)
    if said.answer is None or said.answer == parsed.answer:
        return parsed
    return Parsed(
        None,
        "unparsed",
        f"the numeral is that of option {parsed.answer}, the text that of option {said.answer} {CONFLICT}",
    )


def _named(reply: str, options: Sequence[tuple[str, str]]) -> Parsed | None:
    named = [
        found["numeral"]
        for found in _NAMED.finditer(reply)
        if len(found["numeral"]) > 1 or _NO_PRONOUN.match(found["after"])
    ]
    return (
        _read(named[-1], options, "contained", "the last numeral called the answer")
        if named
        else None
    )


def _only_numeral(reply: str, options: Sequence[tuple[str, str]]) -> Parsed | None:
    tokens = [found for found in _TOKEN.finditer(reply) if _is_numeral(found, reply)]
    numerals = {found["numeral"].upper() for found in tokens}
    if len(numerals) != 1:
        return None
    return _read(numerals.pop(), options, "contained", "the one numeral in the reply")


def _is_numeral(found: re.Match, reply: str) -> bool:
    numeral = found["numeral"]
    if numeral.upper() == "I":
        marked = found["after"].strip() != ""
        return marked and not _ABBREVIATION.match(reply[found.end("numeral") :])
    # In lower case, v and x are letters and "vi" is no numeral of these options.
    return numeral.upper() in NUMERALS or numeral.isupper()


def _option_text(reply: str, options: Sequence[tuple[str, str]]) -> Parsed | None:
    parsed = choice.parse(reply, options)
    return parsed if parsed.answer is not None else None


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
    numeral: str, options: Sequence[tuple[str, str]], outcome: Outcome, reason: str
) -> Parsed | None:
    """Return the option that a numeral names; None for what is no numeral at all."""
    typed = numeral.replace("l", "I").upper()
    flag = f" {TYPED_L}" if "l" in numeral else ""
    if typed in NUMERALS[: len(options)]:
        return Parsed(options[NUMERALS.index(typed)][0], outcome, reason + flag)
    if flag:
        return None
    return Parsed(None, "unparsed", f"numeral {typed} is beyond the {len(options)} options")
