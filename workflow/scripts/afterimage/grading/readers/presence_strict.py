"""Whether a reply says that something is present: three-valued, in whatever words and language.

Order of the rules: yes or no as ``language/affirmation.py`` reads them; else sentences that deny or affirm
existence ("there is no", "does not contain", "there are"), if all of them agree, or if all of those do that name
what was asked about. What hedges ("I cannot see a car", "there might be") says neither.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from afterimage.contract.readings import AMBIGUOUS, EMPTY, OFF_TOPIC, REFUSED
from afterimage.grading.language import affirmation, asked_thing
from afterimage.grading.language.asked_thing import sought_thing, thing_answer
from afterimage.grading.language.asked_words import content, stem
from afterimage.grading.language.denial import Stance, crowd_end, spoken, stance
from afterimage.grading.language.evidence import asserted_text, refuses
from afterimage.grading.language.existence import colours, unseen
from afterimage.grading.language.lexicon import Lexicon
from afterimage.grading.language.relation import relation
from afterimage.grading.language.reply_text import prepared, window
from afterimage.grading.language.words import Words, cue, listed, load

_TAG = re.compile(r"</?[a-z]\w{0,20}>", re.IGNORECASE)
_SENTENCE = re.compile(r"[^.!?;。,\n]+[.!?;。,]?")
# What follows begins at a word or at a sign that is not ASCII: one look instead of one for each alternative.
_BEGINS = r"(?:\b(?=\w)|(?=[^\x00-\x7f]))"
_HEDGE = re.compile(
    rf"{_BEGINS}(?:"
    r"\b(?:cannot|can\s?not|can't|could|couldn't|unable|unsure|unclear|uncertain|not\s+sure|not\s+certain|"
    r"may|maybe|might|possibly|perhaps|probably|if|whether|difficult|hard\s+to|impossible|assum\w+)\b"
    r"|可能|也许|也許|如果|是否|不确定|不清楚|不知道|没有(?:足够|办法|提供)"
    r"|かもしれ|かどうか|もし"
    r")"
)
_BE = r"(?:'s|\s+is|\s+are|\s+was|\s+were)"
_HAVE = r"(?:contain|show|include|have|feature|depict|display)"
_SEEN = r"(?:present|visible|shown|depicted|included|there|in\s+(?:the|this)\s+(?:image|picture|photo|scene)\b)"
_DENIED = re.compile(
    rf"{_BEGINS}(?:"
    rf"\bthere{_BE}?\s*(?:n't|\s+not)\b"
    r"|\bthere\s+(?:does|do)(?:n't|\s+not)\b"
    rf"|\bthere(?:{_BE}|\s+(?:appears?|seems?)\s+to\s+be)(?:\s+\w+ly)?\s+(?:no|zero|neither)\b"
    r"(?!\s+(?:doubt|question|way|need))"
    r"|\b(?:is|are)(?:n't|\s+not)\s+any\b"
    rf"|\b(?:does|do)(?:n't|\s+not)\s+(?:\w+ly\s+)?(?:(?:appear|seem)\s+to\s+)?{_HAVE}\b"
    rf"|\b(?:{_HAVE}s?|has)\s+no\b"
    rf"|\b(?:is|are)(?:n't|\s+not)\s+(?:\w+ly\s+)?{_SEEN}"
    rf"|\bno\s+(?:\w+\s+){{1,4}}(?:is|are)\s+(?:\w+ly\s+)?{_SEEN}"
    rf"|\bi\s+(?:do(?:n't|\s+not)|did(?:n't|\s+not)|can(?:not|'t))\s+(?:\w+ly\s+)?(?:see|find|spot|notice|detect|identify|observe)"
    r"\s+(?:any|a\s+single)\b"
    r"|\bi\s+do(?:n't|\s+not)\s+(?:see|find|spot|notice|detect|observe)\s+(?:an?|the)\b(?!\s+(?:image|picture|photo))"
    r"|\b(?:none|nowhere|absent|lacks?|missing)\b"
    rf"|\bno\s+(?:\w+\s+){{1,4}}(?:can\s+be\s+(?:seen|found|spotted)|to\s+be\s+seen)"
    r"|\bi\s+see\s+no\b|\bzero\s+(?=\w)"
    r")"
)
_AFFIRMED = re.compile(
    rf"{_BEGINS}(?:"
    rf"\bthere{_BE}\b(?!\s+(?:no|not)\b)"
    r"|\bthere\s+(?:appears?|seems?)\s+to\s+be\s+(?!no\b)"
    r"|\b(?:contains?|does\s+(?:contain|include|show))\b"
    rf"|\b(?:is|are)\s+(?:\w+ly\s+)?{_SEEN}"
    rf"|\bcan\s+(?:clearly\s+)?be\s+(?:seen|found|spotted)\b"
    r"|\bi\s+(?:have\s+|can\s+)?(?:\w+ly\s+)?(?:noticed?|spot(?:ted)?|see|found)\s+(?:one|it|some|several)\b"
    r")"
)

# Says so of whatever it shows: counts only where it names what was asked about.
_SHOWN = re.compile(
    r"\bi\s+(?:can\s+)?(?:\w+ly\s+)?(?:see|spot|make\s+out|notice)\b|\b(?:shows|features|includes|depicts|has|with|showing|featuring)\b"
    r"|\b(?:is|are)\s+(?:\w+ing|parked|seated|located|placed|on|in|next|behind|beside|near|under|at)\b"
    r"|\b(?:lies|sits|stands|rests|hangs|walks|runs|sleeps|waits)\b"
)
# Asks where something is, not whether.
_RELATION = re.compile(r"^\W*(?:is|are) the\b")
# Stems of the words with which it is asked whether something is there.
_ASKING = frozenset(map(stem, ("contain", "contains", "notice", "noticed", "show", "include")))
# Determiners that deny; what is denied in a way that is not known; signs behind an affirmation where that may stand.
_DETERMINER, _OPEN, _NEARBY = "none", "open", 14
_LACKS = re.compile(r"absent|lacks?|missing")
_ONLY = re.compile(r"\W*(?:只有|only\b)")
_NONE = re.compile(r"\b(?:none|nothing|neither|no one|nobody)\b")
_ANY_OF_IT = re.compile(r"\b(?:one|none|any|it|they|them|such|some|this|that|object)\b")


class Reading(NamedTuple):
    """What the strict rule makes of a reply.

    Attributes:
        answer: "yes", "no", or "" if the reply says neither.
        whole: Whether the reply is the answer and nothing else.
        reason: Why, in words for a reader of the grades.
        code: Without an answer, one of :data:`afterimage.contract.readings.UNREAD`.
    """

    answer: str
    whole: bool
    reason: str
    code: str


def strict(text: str, question: str = "") -> Reading:
    """Read a reply as "yes", "no" or neither; never raises, whatever the reply.

    Args:
        question: The question; empty to read without it.
    """
    reply = prepared(_TAG.sub(" ", window(text)))
    yes_no = affirmation.read(
        reply, prepared(question) if _RELATION.search(question.lower()) else ""
    )
    sought = sought_thing(prepared(question))
    value = sought and thing_answer(reply, sought)
    # "没有圆锥,但有立方体" begins like an answer, and says what there is.
    joined = value is not None and not yes_no.whole and not affirmation.leads_alone(reply)
    if yes_no.answer is not None and not joined:
        return Reading(yes_no.answer, yes_no.whole, yes_no.why, "")
    if value in (asked_thing.YES, asked_thing.NO):
        return Reading(value, False, "what it says of the thing that was asked for", "")
    if value is not None:
        why = "it leaves open whether there is what was asked for"
        return Reading("", False, why, AMBIGUOUS)
    if yes_no.code in (EMPTY, AMBIGUOUS):
        return Reading("", False, yes_no.why, yes_no.code)
    value = relation(reply, prepared(question))
    if value is not None:
        return Reading(value, False, "what it says of the two things", "")
    if unseen(reply, prepared(question)):
        return Reading("no", False, "it does not see what was asked about", "")
    about = [word for word in content(prepared(question)) if word not in _ASKING]
    reading = _existence(reply, about)
    return _other_colour(reply, prepared(question)) or reading if reading.answer else reading


def _other_colour(reply: str, question: str) -> Reading | None:
    """Read "there is a ball, but it's blue" where it is asked for a red one; None if the colour is not at issue."""
    named = [name for name, colour in colours().items() if colour.search(question)]
    if len(named) != 1:
        return None
    (sought,) = named
    meant = {
        stance(reply, *match.span(), spoken(reply) or ("en",))
        for match in colours()[sought].finditer(reply)
    }
    others = any(colour.search(reply) for name, colour in colours().items() if name != sought)
    if Stance.AFFIRMED in meant or not others:
        return None
    if meant == {Stance.DENIED}:
        return Reading("no", False, "it names another colour than was asked about", "")
    return Reading("", False, "it names another colour than was asked about", AMBIGUOUS)


def _existence(reply: str, about: Sequence[str]) -> Reading:
    sentences = [
        part for part in _SENTENCE.findall(_asserted_with_instead(reply)) if part.strip(" .,\n")
    ]
    # A model that repeats itself says one sentence many times.
    kinds = {
        sentence: ()
        if _HEDGE.search(_DENIED.sub(" ", sentence))
        else _first_kinds(_sentence_kinds(sentence, about))
        for sentence in set(sentences)
    }
    found = [(sentence, kind) for sentence in sentences for kind in kinds[sentence]]
    found = found or [(sentence, "no") for sentence in kinds if _is_denied(sentence, about)]
    # An English question about a car says nothing of the words of a Japanese answer.
    if about and len(sentences) > 1 and "en" in (spoken(reply) or ("en",)):
        found = [
            (sentence, kind)
            for sentence, kind in found
            if any(word in sentence for word in about) or _ANY_OF_IT.search(sentence)
        ]
    if len({kind for _, kind in found}) > 1:
        # "No car, only a bicycle."
        found = [entry for entry in found if not _ONLY.match(entry[0])]
    of_it = [entry for entry in found if any(word in entry[0] for word in about)]
    stated = {kind for _, kind in of_it or found}
    if stated == {_OPEN}:
        return Reading("", False, "it denies in a way that is not known", AMBIGUOUS)
    if len(stated) == 1:
        (answer,) = stated
        verb = "affirms" if answer == "yes" else "denies"
        return Reading(answer, False, f"it {verb} existence", "")
    if stated:
        return Reading("", False, "it both affirms and denies existence", AMBIGUOUS)
    if refuses(reply):
        return Reading("", False, "it gives no answer", REFUSED)
    return Reading("", False, "it neither affirms nor denies existence", OFF_TOPIC)


def _first_kinds(kinds: Iterable[str]) -> tuple[str, ...]:
    """Return what a sentence says, each kind once; where it says two, a third changes nothing and is not read."""
    found: dict[str, None] = {}
    for kind in kinds:
        found[kind] = None
        if len(found) > 1:
            break
    return tuple(found)


def _asserted_with_instead(reply: str) -> str:
    """Return what a reply says, with the words "instead" where they stand: they tell that something else is there."""
    kept = asserted_text(reply)
    for found in cue("instead").finditer(reply):
        kept = kept[: found.start()] + found[0] + kept[found.end() :]
    return kept


def _is_denied(sentence: str, about: Sequence[str]) -> bool:
    """Tell whether an English sentence denies what was asked about, whatever it says of it: "I fail to see a cone"."""
    named = [re.search(rf"\b{re.escape(word)}\w*", sentence) for word in about]
    found = [stance(sentence, *match.span(), ("en",)) for match in named if match]
    return (
        len(found) == len(named) > 0
        and set(found) == {Stance.DENIED}
        and not _HEDGE.search(sentence)
    )


def _sentence_kinds(sentence: str, about: Sequence[str]) -> Iterator[str]:
    if any(
        re.search(
            rf"\b(?:no|(?:not|rather than|instead of|anything but) (?:an?|any|the)) (?:\w+ ){{0,2}}?{re.escape(word)}",
            sentence,
        )
        for word in about
    ):
        yield "no"
        return
    if (denied := _DENIED.search(sentence)) is not None:
        # "It isn't missing" affirms, if anything.
        is_twice = _LACKS.fullmatch(denied[0]) and stance(sentence, *denied.span(), ("en",))
        yield "no" if is_twice in (None, Stance.AFFIRMED) else _OPEN
    remaining = "" if _NONE.search(sentence) else _DENIED.sub(" ", sentence)
    shown = bool(about) and all(word in remaining for word in about) and _SHOWN.search(remaining)
    affirmed = _AFFIRMED.search(remaining) or (shown or None)
    if affirmed is not None:
        meant = stance(remaining, *affirmed.span(), ("en",))
        nearby = stance(remaining, *affirmed.span(), ("en",), near=_NEARBY)
        # "I doubt there is a car" denies; "there is hardly a car" says neither.
        says = {Stance.AFFIRMED: "yes", Stance.DENIED: "no"}.get(meant, _OPEN)
        yield says if meant is nearby else _OPEN
    yield from _in_other_languages(sentence)


def _in_other_languages(sentence: str) -> Iterator[str]:
    # "There are only cats", "a cat instead": no word of an English question tells whether that was asked.
    other = _only().search(sentence) is not None or cue("instead").search(sentence) is not None
    crowd: tuple[int, tuple[str, ...]] = (0, ())
    for found in _presence_lexicon().mentions(sentence, spoken(sentence)):
        if found.key == _DETERMINER:
            yield "no"
            continue
        # One of the mentions among too many denials is enough.
        if found.end <= crowd[0] and found.languages == crowd[1]:
            continue
        crowd = (crowd_end(sentence, found.start, found.end, found.languages), found.languages)
        if crowd[0]:
            yield _OPEN
            continue
        meant = stance(sentence, found.start, found.end, found.languages)
        if meant is Stance.AFFIRMED:
            yield _OPEN if other and found.key == "yes" else found.key
        else:
            yield "no" if (found.key, meant) == ("yes", Stance.DENIED) else _OPEN


@cache
def _only() -> Words:
    return listed("presence", "only")


@cache
def _presence_lexicon() -> Lexicon:
    data = load("presence")
    return Lexicon({kind: data[kind] for kind in (_DETERMINER, "no", "yes")})
