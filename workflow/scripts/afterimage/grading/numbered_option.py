"""Multiple choice by number, options numbered from 0, in Japanese or English.

Order of the rules, the first that applies decides:

1. the whole reply is one number in range, perhaps with a full stop, colon, bracket or quotes;
2. a number in range, a colon and a text; unparsed if the text is another option's;
3. the number of the last phrase such as 答えは 2 or "the answer is 2";
4. the only number in range that is not part of a larger number, of a date, of a count or of a repeated list of options;
5. where the reply holds no such number, the only option whose words it equals or contains, longest first;
6. else unparsed.

0 is a number like any other. Options' ids are the numbers as digits. The reading ``strict_digit`` is rule 1 alone.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence

from afterimage.grading.parsed import Parsed
from afterimage.grading.refusals import is_refusal
from afterimage.grading.word_form import normal_form

_OPENING, _CLOSING = "\"'「『“‘(\\[{<【*`", "\"'」』”’)\\]}>】*`"
_WHOLE = re.compile(rf"[{_OPENING}\s]*(?P<digit>\d+)[{_CLOSING}.。:、\s]*")
_LABELLED = re.compile(
    rf"[{_OPENING}\s]*(?P<digit>\d+)[{_CLOSING}]*\s*:\s*(?P<text>\S.*)", re.DOTALL
)
_LABEL = re.compile(r"(?<![\d.])\d+\s*:")
_ANNOUNCED = re.compile(
    rf"(?:(?:答え|解答|回答|正解)\s*(?:は|:|=)?|\banswer\s*(?:is\b|:|=))[\s:、{_OPENING}]*"
    r"(?P<digit>\d+)(?![\d.]*\d)",
    re.IGNORECASE,
)
# "0か1" and "0 or 1" leave it open.
_ALTERNATIVE = re.compile(
    rf"[{_CLOSING}\s]*(?:か|または|もしくは|と|や|or\b|and\b|[,、/~-])\s*[{_OPENING}]*\d"
)
_DATE = re.compile(
    r"\d+\s*[年/.-]\s*\d+\s*[月/.-]\s*\d+日?|\d+\s*月\s*\d+\s*日|\d+\s*[年月日時分秒]"
)
_LARGER = re.compile(r"(?<!\S)-\d+|\d*[.,/]\d[\d.,/]*|\d{2,}")
# A number of things, not the number of an option.
_COUNT = re.compile(
    r"\d+\s*(?:つ|個|択|種類|通り|枚|本|人|匹|点|回|度|文字|%|割|cm|mm|px|st|nd|rd|th)"
)
_NUMBER = re.compile(r"\d+")


def parse(text: str, options: Sequence[tuple[str, str]]) -> Parsed:
    """Read a reply as one of the options; never raises, whatever the reply.

    Args:
        text: The reply as received.
        options: (number as digits, option's words) as they were offered.

    Returns:
        The option's number with outcome "exact" (rule 1) or "contained" and the rule that fired; or None with
        outcome "unparsed" and one of the reasons conflict, empty, list, none, out_of_range, refusal, several.
        ``readings`` holds ``strict_digit``.
    """
    reply = unicodedata.normalize("NFKC", text).strip()
    words = {number: normal_form(word) for number, word in options}
    parsed = _read(reply, words)
    strict = parsed.answer if parsed.outcome == "exact" else ""
    return parsed._replace(readings={"strict_digit": strict or ""})


def _read(reply: str, words: Mapping[str, str]) -> Parsed:
    if not reply:
        return _unparsed("empty", "the reply is empty")
    whole = _WHOLE.fullmatch(reply)
    if whole:
        return _in_range(whole["digit"], words, "exact", "rule 1: the reply is a number")
    labelled = _LABELLED.fullmatch(reply)
    if labelled and labelled["digit"] in words and not _LABEL.search(labelled["text"]):
        return _labelled(labelled["digit"], labelled["text"], words)
    announced = list(_ANNOUNCED.finditer(reply))
    if announced:
        last = announced[-1]
        if _ALTERNATIVE.match(reply, last.end()):
            return _unparsed("several", "the announced answer leaves a choice")
        return _in_range(last["digit"], words, "contained", "rule 3: the announced number")
    return _read_prose(reply, words)


def _labelled(number: str, text: str, words: Mapping[str, str]) -> Parsed:
    said = normal_form(text.strip("\"'「」『』“”‘’*` \n"))
    others = [other for other, word in words.items() if other != number and word == said]
    if others and said != words[number]:
        return _unparsed("conflict", f"number {number} stands with the words of option {others[0]}")
    return Parsed(number, "contained", "rule 2: a number with a text")


def _read_prose(reply: str, words: Mapping[str, str]) -> Parsed:
    rest, has_list = _without_list(reply, words)
    for pattern in (_DATE, _LARGER, _COUNT):
        rest = pattern.sub(" ", rest)
    numbers = list(dict.fromkeys(_NUMBER.findall(rest)))
    named = [number for number in numbers if number in words]
    if len(named) == 1:
        return Parsed(named[0], "contained", "rule 4: the only number of an option")
    if named:
        return _unparsed("several", f"the reply holds several numbers: {', '.join(named)}")
    if numbers:
        return _unparsed("out_of_range", f"no option has the number {numbers[0]}")
    if has_list:
        return _unparsed("list", "the reply repeats the options and chooses none")
    mentioned = _mentioned(rest, words)
    if len(mentioned) == 1:
        return Parsed(mentioned[0], "contained", "rule 5: the words of one option")
    if mentioned:
        return _unparsed("several", f"the reply holds several options: {', '.join(mentioned)}")
    if is_refusal(reply):
        return _unparsed("refusal", "the reply declines to answer")
    return _unparsed("none", "the reply names no option")


def _without_list(reply: str, words: Mapping[str, str]) -> tuple[str, bool]:
    """Blank out a list of all options with their numbers, and tell whether there is one."""
    spans = []
    for number, word in words.items():
        found = re.search(rf"(?<!\d){number}\s*[:.)、]?\s*{re.escape(word)}", reply)
        if not found:
            return reply, False
        spans.append(found.span())
    for start, end in spans:
        reply = f"{reply[:start]}{' ' * (end - start)}{reply[end:]}"
    return reply, True


def _mentioned(reply: str, words: Mapping[str, str]) -> list[str]:
    """Return the options whose words stand in the reply, none of them only inside a longer one."""
    found = set()
    for number, word in sorted(words.items(), key=lambda entry: -len(entry[1])):
        if word and word in reply:
            found.add(number)
            reply = reply.replace(word, " ")
    return [number for number in words if number in found]


def _in_range(number: str, words: Mapping[str, str], outcome: str, reason: str) -> Parsed:
    if number in words:
        return Parsed(number, outcome, reason)
    return _unparsed("out_of_range", f"no option has the number {number}")


def _unparsed(code: str, reason: str) -> Parsed:
    return Parsed(None, "unparsed", f"{code}: {reason}")
