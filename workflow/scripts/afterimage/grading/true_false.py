"""True or false: what a reply says of a statement.

Order of the rules, the first that applies decides: the word that the reply begins with; the last "the
answer is ..." or "answer: ..."; the one verdict that the reply gives anywhere ("It is true, because
...", "that is not true"). Yes and no, and 对, 错, 正确, 错误 stand for the two words at the beginning
and after "answer"; further on they mean too much else. A reply that gives both verdicts or none is
unparsed, as is one that repeats the choice ("True or False").
"""

import re
from collections.abc import Iterator, Sequence

from afterimage.grading.parsed import Parsed
from afterimage.grading.reply_text import plain

#: The two answers, as keys spell them.
TRUE, FALSE = "True", "False"

_ENGLISH = {
    "true": TRUE,
    "yes": TRUE,
    "correct": TRUE,
    "false": FALSE,
    "no": FALSE,
    "incorrect": FALSE,
    "untrue": FALSE,
}
_CHINESE = {
    "对": TRUE,
    "正确": TRUE,
    "是": TRUE,
    "错": FALSE,
    "错误": FALSE,
    "不对": FALSE,
    "不正确": FALSE,
    "否": FALSE,
}
_VALUES = _ENGLISH | _CHINESE
_OPPOSITE = {TRUE: FALSE, FALSE: TRUE}


def _any_of(words: Sequence[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


# Chinese is written without spaces: there a word counts only before a sign, a space or the end.
_WORD = (
    rf"(?:(?<![\w'-])(?P<english>{_any_of(list(_ENGLISH))})(?![\w'-])"
    rf"|(?P<chinese>{_any_of(list(_CHINESE))})(?![^\W]))"
)
_NOT = r"(?P<negated>\b(?:can)?not\s+(?:\w+\s+)?|n't\s+(?:\w+\s+)?)?"
_LEADING = re.compile(rf"[\W_]*(?P<negated>not\s+)?{_WORD}")
_ANSWER = re.compile(
    rf"(?:\banswer\b[\"']?(?:\s+(?:is|would be|should be|must be))?|答案(?:是|为)?)"
    rf"\s*[:=]?\s*[\"'({{\[]*{_NOT}{_WORD}"
)
_VERDICT = re.compile(
    rf"{_NOT}(?<![\w'-])(?P<english>true|false|correct|incorrect|untrue)(?![\w'-])"
)
_YES, _NO = r"[\"']?\b(?:true|yes|correct)\b[\"']?", r"[\"']?\b(?:false|no|incorrect)\b[\"']?"
_BETWEEN = r"\s*(?:/|\||,?\s*\b(?:or|and|nor)\b)\s*"
_CHOICE = re.compile(
    rf"{_YES}{_BETWEEN}{_NO}|{_NO}{_BETWEEN}{_YES}|\btrue[\s,]+false\b|\bfalse[\s,]+true\b"
)
# "Whether the description is true" gives no verdict.
_OPEN = re.compile(r"\b(?:whether|if)\b[^.,;:!?\n]*")
# What may follow a verdict without a sign: the start of a clause. Before a noun the word describes the
# noun: "no illusion", "the true colour", "the correct answer".
_GOES_ON = re.compile(
    r"\s*(?:$|[^\w\s]|\n)"
    r"|\s+(?:the|they|it|there|this|that|these|those|both|neither|because|since|as|for|in|on|at|with|not|but|and|"
    r"given|based|according|when|here|only|to|of|about|i)\b"
)


def parse(text: str, options: Sequence[tuple[str, str]] = ()) -> Parsed:
    """Read a reply as "True" or "False"; never raises, whatever the reply.

    Args:
        text: The reply as received.
        options: Not used; there are always two.

    Returns:
        "True" or "False" with outcome "exact" (the reply is the word or its alias) or "contained";
        or None with outcome "unparsed" and why.
    """
    reply = plain(text).lower()
    if not reply:
        return Parsed(None, "unparsed", "the reply is empty")
    word = re.sub(r"^[\W_]+|[\W_]+$", "", reply)
    if word in _VALUES:
        return Parsed(_VALUES[word], "exact", "the reply is this word")
    verdict = _leading(reply)
    if verdict is not None:
        return Parsed(verdict, "contained", "the word that the reply begins with")
    reply = _CHOICE.sub(" ", reply)
    stated = list(_verdicts(_ANSWER, reply))
    if stated:
        return Parsed(stated[-1], "contained", "the last answer that the reply states")
    values = set(_verdicts(_VERDICT, reply))
    if len(values) == 1:
        return Parsed(values.pop(), "contained", "the one verdict in the reply")
    if values:
        return Parsed(None, "unparsed", "the reply says both true and false")
    return Parsed(None, "unparsed", "the reply says neither true nor false")


def _leading(reply: str) -> str | None:
    start = re.match(r"[\W_]*", reply).end()
    if _CHOICE.match(reply, start):
        return None
    found = _LEADING.match(reply)
    return _value(found) if found and _GOES_ON.match(reply, found.end()) else None


def _verdicts(pattern: re.Pattern, reply: str) -> Iterator[str]:
    open_parts = [found.span() for found in _OPEN.finditer(reply)]
    for found in pattern.finditer(reply):
        is_open = any(start <= found.start() < end for start, end in open_parts)
        if not is_open and _GOES_ON.match(reply, found.end()):
            yield _value(found)


def _value(found: re.Match) -> str:
    groups = found.groupdict()
    value = _VALUES[groups["english"] or groups["chinese"]]
    return _OPPOSITE[value] if groups["negated"] else value
