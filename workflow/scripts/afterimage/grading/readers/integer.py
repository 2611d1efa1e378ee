"""A count: in the requested braces, as a number, in a sentence, or in words.

Rules in order, the first that applies decides: the last number in braces; a reply that is a number; the one number that
the reply states (:mod:`afterimage.grading.language.number_mentions`); the number of the concluding sentence; the number
that is the sum of all others; otherwise unparsed. Never the first number that occurs: a reply may count up to the
answer.
"""

import re
from collections.abc import Sequence

from afterimage.contract.readings import AMBIGUOUS, OFF_TOPIC, REFUSED
from afterimage.grading.language.denial import Stance, stance
from afterimage.grading.language.evidence import (
    after_take_back,
    asserted_text,
    clauses,
    final_answers,
    has_negation,
    is_withdrawn,
    refuses,
    without_no,
)
from afterimage.grading.language.number_mentions import Mention, Weight, mentions
from afterimage.grading.language.number_words import in_digits
from afterimage.grading.language.reply_text import (
    conclusion_marks,
    is_repeated_example,
    lowered,
    plain,
    sentences,
    window,
    without_tables,
)
from afterimage.grading.parsed import NOTHING, TAKEN_BACK, Parsed, unread

_BRACES = re.compile(r"(?<![\w}])\{([^{}]*)\}")
_ORDINALS = ("third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_FURTHER = re.compile(
    r"\b(?:there(?:'s| is)|saw|see|found|notice[sd]?|spotted|missed|overlooked|plus) (?:\w+ ){0,2}?"
    rf"an? ({'|'.join(_ORDINALS)})(?: one)?(?=\W*$|[,;]| (?:in|at|on|near|inside|between|hidden)\b)"
)
# Characters before a number in which a denial counts; "no more than 3" denies nothing.
_NEAR = 14
_AT_MOST = re.compile(r"\b(?:more|less|fewer|other|only|just) (?:than )?$")
#: The longest of these words.
_AT_MOST_SIGNS = len("fewer than ")
# Spaces where `evidence.asserted_text` removed something.
_LEFT_OUT = "   "
_TOTAL_BEFORE = re.compile(
    r"\b(?:total|sum|altogether|answer|final count|correct count)\b[^.;,0-9]{0,60}$"
)
_TOTAL_AFTER = re.compile(r"(?:\s[\w-]+){0,5}?\s(?:in total|total|altogether|in all|overall)\b")


def parse(text: str, options: Sequence[tuple[str, str]] = ()) -> Parsed:
    """Read a reply as a whole number; never raises, whatever the reply.

    Returns:
        The number in decimal digits ("2"), with outcome "exact" where it is in braces or alone, "contained" where it
        was read from a sentence, and the rule that applied; or None with outcome "unparsed" and why.
    """
    reply = in_digits(lowered(plain(without_tables(window(text)))))
    if not reply:
        return NOTHING
    taken_back = after_take_back(reply)
    if taken_back is None:
        return _read(reply)
    following = without_no(taken_back[1])
    if mentions(following) or _BRACES.search(following):
        behind = _read(following)
        if behind.answer is None:
            return behind
        return behind._replace(why="what stands behind a take-back")
    return TAKEN_BACK if is_withdrawn(taken_back) else _read(reply)


def _read(reply: str) -> Parsed:
    braced = _last_in_braces(reply)
    if braced is not None:
        return Parsed(braced, "exact", "the last number in braces")
    found = mentions(reply)
    if _is_bare_number(reply, found):
        return Parsed(found[0].value, "exact", "the reply is a number")
    for segment in final_answers(reply):
        stated = _values(_heaviest(mentions(segment.split("\n")[0])))
        if len(stated) == 1:
            return Parsed(stated[0], "contained", "the announced number")
    further = _one_more(reply, found)
    if further is not None:
        return Parsed(further, "contained", "one more than the number before")
    asserted = asserted_text(reply)
    numbers = [mention for mention in mentions(asserted) if not _is_denied(asserted, mention)]
    parsed = _read_prose(asserted, numbers)
    if parsed.answer is None and refuses(reply):
        return unread(REFUSED, "the reply gives no answer")
    return parsed


def _is_denied(reply: str, mention: Mention) -> bool:
    """Tell whether a number is denied: "not 3", "no son 3"."""
    before = max(0, mention.start - _AT_MOST_SIGNS)
    if mention.value == "0" or _AT_MOST.search(reply, before, mention.start):
        return False
    meant = stance(reply, mention.start, mention.end, reach=_NEAR, strays=True)
    return meant in (Stance.DENIED, Stance.OPEN)


def _one_more(reply: str, found: Sequence[Mention]) -> str | None:
    """Return the count that "a fifth one" after a four makes; None if it is denied, supposed or otherwise used."""
    for clause in clauses(reply):
        ordinal = _FURTHER.search(clause.text)
        if ordinal is None or clause.is_open or clause.first_look or has_negation(clause.text):
            continue
        count = _ORDINALS.index(ordinal[1]) + 3
        before = {
            mention.value for mention in found if mention.start < clause.start + len(clause.text)
        }
        if before == {str(count - 1)}:
            return str(count)
    return None


def _read_prose(reply: str, found: Sequence[Mention]) -> Parsed:
    if not found:
        return unread(OFF_TOPIC, "the reply states no number")
    stated = _heaviest(found)
    values = _values(stated)
    if len(values) == 1:
        others = len(_values(found)) > 1
        why = "the one number that the reply states" if others else "the one number in the reply"
        return Parsed(values[0], "contained", why + _spelling(stated))
    concluded = _concluded(reply, found)
    if concluded:
        why = "the number in the concluding sentence" + _spelling(concluded)
        return Parsed(concluded[0].value, "contained", why)
    total = _sum_of_the_others(stated)
    if total is not None:
        return Parsed(total, "contained", "the number that is the sum of the others")
    shown = ", ".join(value[:20] for value in values[:10])
    return unread(AMBIGUOUS, f"the reply states several numbers: {shown}")


def _sum_of_the_others(stated: Sequence[Mention]) -> str | None:
    """Return the first or the last number where all others sum to it: "5, 3 above, 2 below"."""
    values = [mention.value for mention in stated]
    # Nobody counts to a billion, and Python refuses to convert numbers of thousands of digits.
    if len(values) < 3 or any(len(value) > 9 for value in values):
        return None
    for total, *parts in (values, values[::-1]):
        if int(total) == sum(map(int, parts)):
            return total
    return None


def _last_in_braces(reply: str) -> str | None:
    for group in reversed(list(_BRACES.finditer(reply))):
        values = _values(_heaviest(mentions(group[1])))
        if len(values) == 1 and not is_repeated_example(reply[: group.start()]):
            return values[0]
    return None


def _is_bare_number(reply: str, found: Sequence[Mention]) -> bool:
    return (
        len(found) == 1
        and not found[0].in_words
        and not reply[: found[0].start].strip("\"'`([ ")
        and not reply[found[0].end :].strip("\"'`)]. \n")
    )


def _concluded(reply: str, found: Sequence[Mention]) -> list[Mention]:
    """Return the mentions of the last conclusion that names one number."""
    for start, end in reversed(sentences(reply)):
        marks = conclusion_marks(reply[start:end])
        inside = [mention for mention in found if start <= mention.start < end] if marks else []
        if not inside:
            continue
        totals = [m for m in inside if _is_total(reply[start : m.start], reply[m.end : end])]
        behind = [mention for mention in inside if mention.start > start + marks[-1]]
        # "So one would expect 4": the supposition was removed, and nothing is concluded.
        supposed = _LEFT_OUT in reply[start + marks[-1] : end]
        for candidates in (totals, behind, [] if supposed else inside):
            heaviest = _heaviest(candidates)
            if len(_values(heaviest)) == 1:
                return heaviest
    return []


def _is_total(before: str, after: str) -> bool:
    return bool(_TOTAL_BEFORE.search(before) or _TOTAL_AFTER.match(after))


def _heaviest(found: Sequence[Mention]) -> list[Mention]:
    weight = max((mention.weight for mention in found), default=Weight.STATED)
    return [mention for mention in found if mention.weight == weight]


def _values(found: Sequence[Mention]) -> list[str]:
    return list(dict.fromkeys(mention.value for mention in found))


def _spelling(found: Sequence[Mention]) -> str:
    return ", in words" if all(mention.in_words for mention in found) else ""
