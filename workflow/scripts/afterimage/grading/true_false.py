"""True or false: what a reply says of a statement.

In the order of evidence of :mod:`afterimage.grading.affirmation`, in which true, correct, yes and their like say
that the statement holds; further on, where yes and no mean too much else, the one verdict that the reply gives ("It
is true, because ...", "that is not true"). A reply that gives both verdicts and no conclusion, or none, is unparsed.
"""

import re
from collections.abc import Iterator, Sequence

from afterimage.contract.readings import AMBIGUOUS, OFF_TOPIC, REFUSED
from afterimage.grading.evidence import (
    after_second_look,
    after_take_back,
    clauses,
    conclusions,
    final_answers,
    last_line,
    living,
    refuses,
)
from afterimage.grading.parsed import NOTHING, Parsed, unread
from afterimage.grading.reply_text import prepared
from afterimage.grading.words import expression, load

#: The two answers, as keys spell them.
TRUE, FALSE = "True", "False"

_OPPOSITE = {TRUE: FALSE, FALSE: TRUE}


def _any_of(kind: str, value: str) -> str:
    return expression(load("true_false")[kind][value])


# "I would not call that true": what is denied is the opinion.
_OPINION = r"(?:(?:call|think|believe|say|consider|find|regard|describe)\s+(?:[\w']+\s+){0,3}?)"
_NOT = rf"(?P<negated>(?:\b(?:can)?not|n't)\s+(?:{_OPINION}|\w+\s+)?|\bneither\s+)?"
_WORDS = f"(?P<true>{_any_of('words', 'true')})|(?P<false>{_any_of('words', 'false')})"
_LEADING = re.compile(f"{_NOT}(?:{_WORDS})")
_ALONE = re.compile(
    rf"(?:the |this |that |it |it's |that's |statement |description |claim |is )*{_NOT}(?:{_WORDS})"
)
# A verdict begins at a word, within "isn't", or at a sign that is not ASCII.
_VERDICT = re.compile(
    r"(?:\b(?=\w)|(?=n't)|(?=[^\x00-\x7f]))"
    f"{_NOT}(?:(?P<false>{_any_of('verdicts', 'false')})|(?P<true>{_any_of('verdicts', 'true')}))"
)
_CHOICE = re.compile(_any_of("neither", "any"))
# "Whether the description is true" gives no verdict.
_WRAPPING = "\"'`.,;:!()[]{}<>*_- \n\t。、「」『』"
# What may follow a verdict without a sign: the start of a clause. Before a noun the word describes the
# noun: "no illusion", "the true colour", "the correct answer".
_GOES_ON = re.compile(
    r"\s*(?:$|[^\w\s?]|\n|[^\x00-\x7f])"
    r"|\s+(?:the|they|it|there|this|that|these|those|both|neither|because|since|as|for|in|on|at|with|not|but|and|"
    r"given|based|according|when|here|only|to|of|about|i|so|due|description|statement|claim|assertion)\b"
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
        return unread(AMBIGUOUS, "the reply takes back what it said")
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
    second = after_second_look(reply)
    for part, why in (
        (second or "", "the verdict after a second look"),
        (reply, "the one verdict in the reply"),
        (_firm(reply), "the one verdict of how it is"),
        (conclusions(reply), "the verdict of the conclusion"),
    ):
        verdict = _one_verdict(part)
        if verdict is not None:
            return Parsed(verdict, "contained", why)
    if any(_verdicts(reply)):
        return unread(AMBIGUOUS, "the reply says both true and false")
    if refuses(reply):
        return unread(REFUSED, "the reply gives no answer")
    return unread(OFF_TOPIC, "the reply says neither true nor false")


def _firm(reply: str) -> str:
    """Return what a reply says of how things are, not of how they look or of what is granted."""
    firm = (part for part in clauses(reply) if not (part.looks or part.grants or part.first_look))
    return ". ".join(part.text for part in firm)


def _bare(text: str) -> str | None:
    found = _ALONE.fullmatch(text.strip(_WRAPPING))
    return _value(found) if found else None


def _leading(text: str) -> str | None:
    text = text.lstrip(_WRAPPING)
    if _CHOICE.match(text):
        return None
    found = _LEADING.match(text)
    return _value(found) if found and _GOES_ON.match(text, found.end()) else None


def _one_verdict(text: str) -> str | None:
    values = set(_verdicts(text))
    return values.pop() if len(values) == 1 else None


def _verdicts(reply: str) -> Iterator[str]:
    if not _VERDICT.search(reply):
        return
    said = _CHOICE.sub(" ", living(reply))
    for found in _VERDICT.finditer(said):
        if _GOES_ON.match(said, found.end()):
            yield _value(found)


def _value(found: re.Match) -> str:
    value = TRUE if found["true"] else FALSE
    return _OPPOSITE[value] if found["negated"] else value
