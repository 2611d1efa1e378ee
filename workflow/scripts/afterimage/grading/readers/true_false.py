"""True or false: what a reply says of a statement.

In the order of evidence of ``language/affirmation.py``, in which true, correct, yes and their like say
that the statement holds; further on, where yes and no mean too much else, the one verdict that the reply gives ("It
is true, because ...", "that is not true"). A reply that gives both verdicts and no conclusion, or none, is unparsed.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from afterimage.contract.readings import AMBIGUOUS, OFF_TOPIC, REFUSED
from afterimage.grading.language import affirmation
from afterimage.grading.language.denial import DENIES_BEHIND, Stance, stance
from afterimage.grading.language.evidence import (
    after_second_look,
    after_take_back,
    asserted_text,
    clauses,
    conclusions,
    final_answers,
    last_line,
    refuses,
)
from afterimage.grading.language.lexicon import Lexicon, Mention
from afterimage.grading.language.reply_text import prepared
from afterimage.grading.language.words import Words, load
from afterimage.grading.parsed import NOTHING, TAKEN_BACK, Parsed, unread

#: The two answers, as keys spell them.
TRUE, FALSE = "True", "False"

_OPENED = {affirmation.YES: TRUE, affirmation.NO: FALSE}
_OPPOSITE = {TRUE: FALSE, FALSE: TRUE}


# What may stand before a word at the beginning of an answer.
_NOT = re.compile(r"(?:not (?:\w+ )??|neither )?")
_BEFORE = re.compile(
    r"(?:the |this |that |it |it's |that's |statement |description |claim |is )*"
    r"(?:(?:can)?not (?:\w+ ){0,2}?|neither )?"
)
_WRAPPING = "\"'`.,;:!()[]{}<>*_- \n\t。、「」『』"
# Signs between a denial and a verdict.
_REACH = 30
# The same of the word for what is false: "not parallel as the claim has it, false" says so.
_REACH_OF_FALSE = 8


def parse(text: str, options: Sequence[tuple[str, str]] = ()) -> Parsed:
    """Read a reply as "True" or "False"; never raises, whatever the reply.

    Returns:
        "True" or "False" with outcome "exact" (the reply is the word or its alias) or "contained";
        or None with outcome "unparsed" and why.
    """
    reply = prepared(text)
    if not reply.strip(_WRAPPING):
        return NOTHING
    word = _bare(reply)
    if word is not None:
        return Parsed(word, "exact", "the reply is this word")
    taken_back = after_take_back(reply)
    if taken_back is not None:
        behind = parse(taken_back[1])
        if behind.answer is not None:
            return Parsed(behind.answer, "contained", "what stands behind a take-back")
        return TAKEN_BACK
    for segment in final_answers(reply):
        verdict = _leading(segment)
        if verdict is not None:
            return Parsed(verdict, "contained", "the last answer that the reply states")
    verdict = _bare(last_line(reply)) if "\n" in reply else None
    if verdict is not None:
        return Parsed(verdict, "contained", "the last line is this word")
    return _body(reply)


def _body(reply: str) -> Parsed:
    begins = clauses(reply)
    verdict = None if begins and begins[0].first_look else _leading(reply)
    if verdict is not None:
        return Parsed(verdict, "contained", "the word that the reply begins with")
    verdicts = set(_verdicts(reply))
    for found, why in (
        (_verdicts(after_second_look(reply) or ""), "the verdict after a second look"),
        (verdicts, "the one verdict in the reply"),
        (_verdicts(_firm(reply)), "the one verdict of how it is"),
        (_verdicts(conclusions(reply)), "the verdict of the conclusion"),
    ):
        verdict = _only(found)
        if verdict is not None:
            return Parsed(verdict, "contained", why)
    if verdicts:
        doubtful = "denies a verdict in a way that is not known"
        why = doubtful if None in verdicts else "says both true and false"
        return unread(AMBIGUOUS, f"the reply {why}")
    if refuses(reply):
        return unread(REFUSED, "the reply gives no answer")
    return unread(OFF_TOPIC, "the reply says neither true nor false")


def _firm(reply: str) -> str:
    """Return what a reply says of how things are, not of how they look or of what is granted."""
    firm = (part for part in clauses(reply) if not (part.looks or part.grants or part.first_look))
    return ". ".join(part.text for part in firm)


def _bare(text: str) -> str | None:
    text = text.strip(_WRAPPING)
    found = _word_lexicon().mention_at(text, _end_of(_BEFORE, text)) or _word_lexicon().mention_at(
        text
    )
    return _value(text, found) if found and found.end == len(text) else None


def _end_of(beginning: re.Pattern[str], text: str) -> int:
    found = beginning.match(text)
    return found.end() if found else 0


def _leading(text: str) -> str | None:
    text = affirmation.without_lead_in(text.lstrip(_WRAPPING))
    if _choice().match(text):
        return None
    begins = _end_of(_NOT, text)
    found = _word_lexicon().mention_at(text) or _word_lexicon().mention_at(text, begins)
    if found is None or not _goes_on().match(text, found.end):
        opened = affirmation.opener(text)
        return opened and _OPENED[opened]
    return _value(text, found)


def _only(verdicts: Iterable[str | None]) -> str | None:
    """Return the one verdict that is given, once or often; those behind a second one are not read."""
    remaining = iter(verdicts)
    first = next(remaining, None)
    return first if all(verdict == first for verdict in remaining) else None


def _verdicts(reply: str) -> Iterator[str | None]:
    """Yield each verdict of a reply, None for one that is denied in a way that is not known: it is the last.

    Whatever is said behind it, the reply is in doubt.
    """
    text = _choice().sub(" ", asserted_text(reply))
    for found in _verdict_lexicon().mentions(text):
        if _goes_on().match(text, found.end):
            value = _value(text, found)
            yield value
            if value is None:
                return


def _value(text: str, found: Mention) -> str | None:
    # "The statement that there is no illusion is false" denies no falsehood.
    strays = found.key == FALSE
    reach = _REACH_OF_FALSE if strays else _REACH
    meant = stance(text, found.start, found.end, found.languages, reach=reach, strays=strays)
    if meant is Stance.AFFIRMED:
        return found.key
    return _OPPOSITE[found.key] if meant is Stance.DENIED else None


@cache
def _word_lexicon() -> Lexicon:
    return Lexicon({TRUE: _list("words")["true"], FALSE: _list("words")["false"]})


@cache
def _verdict_lexicon() -> Lexicon:
    return Lexicon({FALSE: _list("verdicts")["false"], TRUE: _list("verdicts")["true"]})


@cache
def _choice() -> Words:
    return Words(_list("neither")["any"])


@cache
def _goes_on() -> re.Pattern[str]:
    """Return what may follow a verdict; before a noun the word describes the noun: "no illusion", "the true colour"."""
    words = "|".join(word for of_language in _list("goes_on").values() for word in of_language)
    signs = r"\s*(?:$|[^\w\s?]|\n|[\u3000-\u9fff\uac00-\ud7af])"
    return re.compile(rf"{signs}|\s+(?:(?:{words})\b|(?:{DENIES_BEHIND.pattern}))")


def _list(name: str) -> Mapping[str, Any]:
    lists: Mapping[str, Any] = load("true_false")[name]
    return lists
