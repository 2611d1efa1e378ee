"""Multiple choice by number, options numbered from 0, in Japanese or English.

Order of the rules, the first that applies decides:

1. the whole reply is one number in range, perhaps with a full stop, colon, bracket or quotes;
2. a number in range, a colon and a text;
3. the number of the last phrase such as 答えは 2 or "the answer is 2";
4. the only number in range that is not part of a larger number, of a date, of a count or of a repeated list of options;
5. where the reply holds no such number, the only option whose words it equals or contains, longest first;
6. else unparsed.

A number beside the words of another option than its own ("2. smooth", "smooth (2)") is a contradiction and unparsed,
whatever rule read it. 0 is a number like any other. Options' ids are the numbers as digits. The reading
``strict_digit`` is rule 1 alone.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence

from afterimage.contract.readings import AMBIGUOUS, OFF_TOPIC, REFUSED
from afterimage.grading.language.denial import Stance, stance
from afterimage.grading.language.evidence import (
    after_take_back,
    asserted_text,
    clauses,
    final_answers,
    has_negation,
    refuses,
)
from afterimage.grading.language.reply_text import prepared, window
from afterimage.grading.language.typography import normal_form
from afterimage.grading.language.words import is_refusal
from afterimage.grading.parsed import NOTHING, Ambiguity, Outcome, Parsed, unread

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
_CHOSEN = re.compile(r"(?<!\d)(?P<digit>\d)\s*番?」?を(?:選び|選択し|選ん)")
# "0か1" and "0 or 1" leave it open.
_ALTERNATIVE = re.compile(
    rf"[{_CLOSING}\s]*(?:か|または|もしくは|と|や|or\b|and\b|[,、/~-])\s*[{_OPENING}]*\d"
)
_DATE = re.compile(
    r"(?<!\d)\d{1,4}\s*[年/.-]\s*\d+\s*[月/.-]\s*\d+日?|(?<!\d)\d{1,4}\s*月\s*\d+\s*日|(?<!\d)\d{1,4}\s*[年月日時分秒]"
)
_LARGER = re.compile(r"(?<!\S)-\d+|(?<!\d)\d*[.,/]\d[\d.,/]*|\d{2,}")
# A number of things, not the number of an option.
_COUNT = re.compile(
    r"(?<!\d)\d{1,9}\s*(?:つ|個|択|種類|通り|枚|本|人|匹|点|回|度|文字|%|割|cm|mm|px|st|nd|rd|th)"
)
_NUMBER = re.compile(r"\d+")
# Characters between a number and its option's words.
_JOINS = rf"(?:[\s.:、,(\[{_OPENING}{_CLOSING}-]|番目?|です|である|の|は|=){{0,6}}?"
# Of the words of options.
_LANGUAGES = ("ja",)


def parse(text: str, options: Sequence[tuple[str, str]]) -> Parsed:
    """Read a reply as one of the options; never raises, whatever the reply.

    Args:
        options: (number as digits, option's words) as they were offered.

    Returns:
        The option's number with outcome "exact" (rule 1) or "contained" and the rule that fired; or None with
        outcome "unparsed" and why.
        ``readings`` holds ``strict_digit``.
    """
    reply = prepared(unicodedata.normalize("NFKC", window(text)))
    words = {number: normal_form(word).lower() for number, word in options}
    parsed = _read(reply, words)
    if parsed.outcome == "contained":
        parsed = _contradicted(parsed, reply, words)
    strict = parsed.answer if parsed.outcome == "exact" else ""
    return parsed._replace(readings={"strict_digit": strict or ""})


def _read(reply: str, words: Mapping[str, str]) -> Parsed:
    if not reply:
        return NOTHING
    whole = _WHOLE.fullmatch(reply)
    if whole:
        return _in_range(whole["digit"], words, "exact", "rule 1: the reply is a number")
    taken_back = after_take_back(reply)
    if taken_back is not None:
        behind = _read(taken_back[1], words)
        if behind.answer is not None:
            return behind._replace(outcome="contained", why="what stands behind a take-back")
        return unread(AMBIGUOUS, "the reply takes back what it said and names no other option")
    announced = list(_CHOSEN.finditer(reply)) or list(_ANNOUNCED.finditer(asserted_text(reply)))
    if announced:
        last = announced[-1]
        if _ALTERNATIVE.match(reply, last.end()):
            return unread(AMBIGUOUS, "the announced answer leaves a choice")
        return _in_range(last["digit"], words, "contained", "rule 3: the announced number")
    labelled = _LABELLED.fullmatch(reply)
    if labelled and labelled["digit"] in words and not _LABEL.search(labelled["text"]):
        return Parsed(labelled["digit"], "contained", "rule 2: a number with a text")
    for segment in final_answers(reply):
        parsed = _read_prose(segment.split("\n")[0], words)
        if parsed.answer is not None:
            return parsed._replace(why=f"the announced answer ({parsed.why})")
    last_line = _WHOLE.fullmatch(reply.rsplit("\n", 1)[-1])
    if last_line:
        return _in_range(last_line["digit"], words, "contained", "the last line is a number")
    parsed = _read_prose(_without_denied(reply), words)
    if parsed.answer is None and (is_refusal(reply) or refuses(reply)):
        return unread(REFUSED, "the reply declines to answer")
    return parsed


def _without_denied(reply: str) -> str:
    """Blank out the clauses that deny an option, or only say what seemed so at first."""
    kept = asserted_text(reply)
    for clause in clauses(reply):
        if has_negation(clause.text) and _NUMBER.search(clause.text):
            end = clause.start + clause.length
            kept = kept[: clause.start] + " " * (end - clause.start) + kept[end:]
    return kept


def _contradicted(parsed: Parsed, reply: str, words: Mapping[str, str]) -> Parsed:
    """Return a reading, unless the words of another option stand beside the number that was read."""
    number, prose = parsed.answer, _without_list(reply, words)[0]
    assert number is not None
    number_words = words[number]
    if number_words and re.search(rf"{re.escape(number_words)}{_JOINS}{number}(?!\d)", prose):
        return parsed
    for other, word in words.items():
        if other == number or not word or word == number_words or word in number_words:
            continue
        pattern = rf"(?<![\d.]){number}{_JOINS}{re.escape(word)}|{re.escape(word)}\s*[(「『\[]\s*{number}(?!\d)"
        found = re.search(pattern, prose)
        if (
            found is None
            or (number_words and number_words in found[0])
            or _goes_beyond(prose, found, other, words)
        ):
            continue
        start = prose.index(word, found.start())
        if stance(prose, start, start + len(word), _LANGUAGES) is Stance.AFFIRMED:
            why = f"conflict: number {number} stands with the words of option {other}"
            return unread(AMBIGUOUS, why, Ambiguity.CONFLICT)
    return parsed


def _goes_beyond(text: str, found: re.Match[str], other: str, words: Mapping[str, str]) -> bool:
    """Tell whether the words found are only the beginning of a longer option's."""
    start = found.end() - len(words[other])
    return any(
        len(word) > len(words[other]) and text.startswith(word, start) for word in words.values()
    )


def _read_prose(reply: str, words: Mapping[str, str]) -> Parsed:
    prose, has_list = _without_list(reply, words)
    for pattern in (_DATE, _LARGER, _COUNT):
        prose = pattern.sub(" ", prose)
    numbers = list(dict.fromkeys(_NUMBER.findall(prose)))
    named = [number for number in numbers if number in words]
    if len(named) == 1:
        return Parsed(named[0], "contained", "rule 4: the only number of an option")
    if named:
        why = f"the reply holds several numbers: {', '.join(named)}"
        return unread(AMBIGUOUS, why, Ambiguity.SEVERAL)
    if numbers:
        return unread(OFF_TOPIC, f"no option has the number {numbers[0]}")
    if has_list:
        return unread(AMBIGUOUS, "the reply repeats the options and chooses none")
    mentioned = _mentioned(prose, words)
    if len(mentioned) == 1:
        return Parsed(mentioned[0], "contained", "rule 5: the words of one option")
    if mentioned:
        why = f"the reply holds several options: {', '.join(mentioned)}"
        return unread(AMBIGUOUS, why, Ambiguity.SEVERAL)
    return unread(OFF_TOPIC, "the reply names no option")


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


def _in_range(number: str, words: Mapping[str, str], outcome: Outcome, why: str) -> Parsed:
    if number in words:
        return Parsed(number, outcome, why)
    return unread(OFF_TOPIC, f"no option has the number {number[:20]}")
