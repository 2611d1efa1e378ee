"""One character: alone, in quotes or bold, as "the letter X", or at the end of "... is X".

Case does not matter. Digits and signs such as "@" are characters too, wrong ones where a letter was marked. Two
characters together ("me") are no answer: half of a wrong answer is not right.
"""

import re
import unicodedata
from collections.abc import Sequence

from afterimage.contract.readings import AMBIGUOUS, OFF_TOPIC, REFUSED
from afterimage.grading.language.evidence import (
    after_take_back,
    asserted_text,
    final_answers,
    is_withdrawn,
    refuses,
)
from afterimage.grading.language.reply_text import (
    conclusion_marks,
    plain,
    sentences,
    window,
    without_tables,
)
from afterimage.grading.parsed import NOTHING, TAKEN_BACK, Parsed, unread

_QUOTE = "[\"'`]"
# Plain text has no bold, so bold becomes a quotation first.
_BOLD = re.compile(r"(\*{1,3}|_{1,3})([^\s*_][.,]?)\1(?![\w*])")
_COPYRIGHT = re.compile(rf"(?<={_QUOTE})\(c\)(?=[.,]?{_QUOTE})", re.IGNORECASE)

_ONE = r"(?P<sign>[^\s\"'`.,;:!?(){}\[\]])"
_BRACED = rf"[\[{{]\s?{_ONE.replace('sign', 'braced')}\s?[\]}}]"
_QUOTED = rf"(?:{_QUOTE}{{1,3}}\s?{_ONE}[.,;:!]?\s?{_QUOTE}{{1,3}}|{_BRACED})"
_MENTIONS = tuple(
    re.compile(pattern, re.IGNORECASE | re.MULTILINE)
    for pattern in (
        rf"(?<!\w){_QUOTED}(?!\w)",
        rf"[「『《“\"]{_ONE}[」』》”\"]",
        rf"\b(?:letter|character|symbol|digit|number|uppercase|lowercase|capital)\s+{_ONE}"
        r"(?![\w'-])(?!\s(?:see|can|think|believe|am|would)\b)",
        rf"\b(?:is|was|be)\s*:?\s+(?:an?\s+|the\s+)?{_ONE}(?=\s*(?:[.,;:!?(]|$))",
        rf"\b(?:answer|letter|character)\s*(?:[:=→]|->)\s*{_ONE}(?=\s*(?:[.,;!?(]|$))",
        rf"(?:字母|字符|文字)\s?(?:是|为|は)\s?:?\s?{_ONE}(?=\s?(?:[。.,、，]|です|$))",
        rf"(?:^|\bthe\s+){_ONE}\s+(?:that\s+|which\s+)?(?:is|was)\s+(?:being\s+)?(?:circled|highlighted)",
    )
)
_NEIGHBOUR = re.compile(
    r"\b(?:between|after|before|beside|near|next to|adjacent to|left of|right of|not|unlike|"
    r"follow(?:s|ing|ed by)|preced(?:es|ing|ed by))\s+"
    rf"(?:(?:the|letters?|characters?)\s+)*{_QUOTE}\S[.,]?{_QUOTE}"
    rf"(?:\s+(?:and|or|nor)\s+(?:(?:the|letter|character)\s+)*{_QUOTE}\S[.,]?{_QUOTE})?",
    re.IGNORECASE,
)
_ANNOUNCED = re.compile(
    rf"[\"'`(\[{{]*{_ONE}[\"'`)\]}}]*(?=\s*(?:[.,;:(—-]|$)|\s+(?:in|from|of|which|because|as|since|is)\b)"
)
# "e (the fifth letter)", and nothing else.
_GLOSSED = re.compile(rf"{_QUOTE}?{_ONE}{_QUOTE}?\s*(?:\([^()\n]*\)|[—-]\s[^\n]*)[.!]?$")
_GLOSS = re.compile(r"\([^()]*\)")
_SEVERAL = re.compile(
    rf"{_QUOTE}[^\W_]{{2,3}}[.,]?{_QUOTE}|\b(?:is|letters?)\s+[^\W_]{{2}}(?=[.,;]|$)", re.MULTILINE
)


def parse(text: str, options: Sequence[tuple[str, str]] = ()) -> Parsed:
    """Read a reply as one character; never raises, whatever the reply.

    Returns:
        The character in lower case, with outcome "exact" (the reply is the character) or
        "contained"; or None with outcome "unparsed" and why.
    """
    text = without_tables(window(text))
    reply = _COPYRIGHT.sub("\u00a9", plain(_BOLD.sub(r'"\2"', text)))
    if not reply:
        return NOTHING
    character = _alone(reply)
    if character is not None:
        return Parsed(character, "exact", "the reply is this character")
    # Every character stays one character, so that positions in both texts are the same.
    lower = "".join(map(_folded, reply))
    taken_back = after_take_back(lower)
    if taken_back is not None:
        behind = _described(reply[-len(taken_back[1]) :]) if taken_back[1] else None
        if behind is not None:
            return behind
        if is_withdrawn(taken_back):
            return TAKEN_BACK
    for segment in final_answers(lower):
        line = segment.split("\n")[0]
        announced = _alone(line) or _first(line)
        if announced is not None:
            return Parsed(announced, "contained", "the announced character")
    glossed = _GLOSSED.match(lower)
    if glossed is not None and _is_character(glossed["sign"]):
        return Parsed(glossed["sign"], "contained", "the character that the reply explains")
    last = _alone(reply.rsplit("\n", 1)[-1]) if "\n" in reply else None
    if last is not None:
        return Parsed(last, "contained", "the last line is this character")
    asserted = asserted_text(lower)
    # In capitals where the reply has them.
    asserted = "".join(b if a != " " else " " for a, b in zip(asserted, reply, strict=True))
    return _described(asserted) or _unread(reply, lower)


def _described(reply: str) -> Parsed | None:
    described = _NEIGHBOUR.sub(" ", reply)
    return _read_prose(_GLOSS.sub(" ", described)) or _read_prose(described)


def _alone(line: str) -> str | None:
    """Return the character that is all of a text but for quotes and punctuation."""
    sign = line.strip("\"'`.,!()[]{} \n「」『』。") or line
    return _folded(sign) if len(sign) == 1 and _is_character(sign) else None


def _first(line: str) -> str | None:
    """Return the character before other words, where it is no word itself: "K (uppercase)"."""
    found = _ANNOUNCED.match(line)
    return _folded(found["sign"]) if found and _is_character(found["sign"]) else None


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
    return unread(AMBIGUOUS, f"the reply names several characters: {', '.join(named[:10])}")


def _unread(reply: str, lower: str) -> Parsed:
    if _SEVERAL.search(reply):
        return unread(AMBIGUOUS, "the reply names several characters together")
    if refuses(lower):
        return unread(REFUSED, "the reply gives no answer")
    return unread(OFF_TOPIC, "the reply names no single character")


def _named(reply: str) -> list[str]:
    signs = [
        (found.start(), sign)
        for pattern in _MENTIONS
        for found in pattern.finditer(reply)
        if (sign := next(filter(None, found.groups()))) and _is_character(sign)
    ]
    return list(dict.fromkeys(_folded(sign) for _, sign in sorted(signs)))


def _is_character(sign: str) -> bool:
    return (unicodedata.category(sign)[0] in "LNS" or sign in "@#&%*") and sign not in "→←↑↓⇒➜"


def _folded(sign: str) -> str:
    # Casefold would make two characters of some.
    lower = sign.lower()
    return lower if len(lower) == 1 else sign
