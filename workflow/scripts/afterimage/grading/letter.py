"""One character: alone, in quotes or bold, as "the letter X", or at the end of "... is X".

Case does not matter. Digits and signs such as "@" are characters too, wrong ones where a letter was
marked. Two characters together ("me") are none: half of a wrong answer is not right.
"""

import re
import unicodedata
from collections.abc import Sequence

from afterimage.grading.parsed import Parsed
from afterimage.grading.reply_text import conclusion_marks, plain, sentences

_QUOTE = "[\"'`]"
# Bold is gone from a plain text, so it is made a quotation before.
_BOLD = re.compile(r"(\*{1,3}|_{1,3})([^\s*_][.,]?)\1(?![\w*])")
_COPYRIGHT = re.compile(rf"(?<={_QUOTE})\(c\)(?=[.,]?{_QUOTE})", re.IGNORECASE)

_ONE = r"(?P<sign>[^\s\"'`.,;:!?(){}\[\]])"
_BRACED = rf"[\[{{]\s?{_ONE.replace('sign', 'braced')}\s?[\]}}]"
_QUOTED = rf"(?:{_QUOTE}+\s?{_ONE}[.,;:!]?\s?{_QUOTE}+|{_BRACED})"
_MENTIONS = tuple(
    re.compile(pattern, re.IGNORECASE | re.MULTILINE)
    for pattern in (
        rf"(?<!\w){_QUOTED}(?!\w)",
        rf"\b(?:letter|character|symbol|digit|number|uppercase|lowercase|capital)\s+{_ONE}"
        r"(?![\w'-])(?!\s(?:see|can|think|believe|am|would)\b)",
        rf"\b(?:is|was|be)\s*:?\s+(?:an?\s+)?{_ONE}(?=\s*(?:[.,;:!?(]|$))",
        rf"\b(?:answer|letter|character)\s*:\s*{_ONE}(?=\s*(?:[.,;!?(]|$))",
        rf"^{_ONE}\s+(?:is|was)\s+(?:being\s+)?(?:circled|highlighted)",
    )
)
_NEIGHBOUR = re.compile(
    r"\b(?:between|after|before|beside|near|next to|adjacent to|left of|right of|not|unlike|"
    r"follow(?:s|ing|ed by)|preced(?:es|ing|ed by))\s+"
    rf"(?:(?:the|letters?|characters?)\s+)*{_QUOTE}\S[.,]?{_QUOTE}"
    rf"(?:\s+(?:and|or|nor)\s+(?:(?:the|letter|character)\s+)*{_QUOTE}\S[.,]?{_QUOTE})?",
    re.IGNORECASE,
)
_GLOSS = re.compile(r"\([^()]*\)")
_SEVERAL = re.compile(
    rf"{_QUOTE}[^\W_]{{2,3}}[.,]?{_QUOTE}|\b(?:is|letters?)\s+[^\W_]{{2}}(?=[.,;]|$)", re.MULTILINE
)


def parse(text: str, options: Sequence[tuple[str, str]] = ()) -> Parsed:
    """Read a reply as one character; never raises, whatever the reply.

    Args:
        text: The reply as received.
        options: Not used; open questions offer none.

    Returns:
        The character in lower case, with outcome "exact" (the reply is the character) or
        "contained"; or None with outcome "unparsed" and why.
    """
    reply = _COPYRIGHT.sub("\u00a9", plain(_BOLD.sub(r'"\2"', text)))
    if not reply:
        return Parsed(None, "unparsed", "the reply is empty")
    alone = reply.strip("\"'`.,!()[]{} \n") or reply
    if len(alone) == 1 and _is_character(alone):
        return Parsed(_folded(alone), "exact", "the reply is this character")
    described = _NEIGHBOUR.sub(" ", reply)
    return _read_prose(_GLOSS.sub(" ", described)) or _read_prose(described) or _unread(reply)


def _read_prose(reply: str) -> Parsed | None:
    named = _named(reply)
    if len(named) == 1:
        return Parsed(named[0], "contained", "the one character that the reply names")
    if not named:
        return None
    for start, end in reversed(sentences(reply)):
        sentence = reply[start:end]
        concluded = _named(sentence) if conclusion_marks(sentence.lower()) else []
        if len(concluded) == 1:
            return Parsed(concluded[0], "contained", "the character in the concluding sentence")
    return Parsed(None, "unparsed", f"the reply names several characters: {', '.join(named)}")


def _unread(reply: str) -> Parsed:
    if _SEVERAL.search(reply):
        return Parsed(None, "unparsed", "the reply names several characters together")
    return Parsed(None, "unparsed", "the reply names no single character")


def _named(reply: str) -> list[str]:
    signs = [
        (found.start(), sign)
        for pattern in _MENTIONS
        for found in pattern.finditer(reply)
        if (sign := next(filter(None, found.groups()))) and _is_character(sign)
    ]
    return list(dict.fromkeys(_folded(sign) for _, sign in sorted(signs)))


def _is_character(sign: str) -> bool:
    return unicodedata.category(sign)[0] in "LNS" or sign in "@#&%*"


def _folded(sign: str) -> str:
    # One character must stay one: casefold would make two of some.
    lower = sign.lower()
    return lower if len(lower) == 1 else sign
