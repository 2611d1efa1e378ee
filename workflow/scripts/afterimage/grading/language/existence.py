"""Whether a statement says that the thing of a question is there: "Is there a red circle in this image?".

A sentence affirms it by saying of the thing together with its quality that it exists, is seen or is somewhere; another
statement about the thing ("the circle appears larger") is no answer. A sentence denies it by a negation, or by leaving
no room for it: "all circles are green", "only squares".
"""

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from afterimage.grading.language.asked_words import STOP, WORD, content, stem
from afterimage.grading.language.evidence import has_negation
from afterimage.grading.language.words import Words, expression, listed, load

_ASKS_WHETHER = re.compile(r"\b(?:is|are) there (?:an?|any|some)\b")
# "I cannot see any car", where it is asked whether there is one.
_ASKS_WHETHER_SEEN = re.compile(
    r"\b(?:is|are) there\b|\b(?:does|do)\b.*\b(?:contain|show|have|include)\b|\bcan you see\b"
)
_UNSEEN = re.compile(
    r"\bi (?:can(?:not|'t| not)|could(?: not|n't)|(?:do|did)(?: not|n't)) (?:\w+ly )?"
    r"(?:see|find|spot|notice|detect|identify|observe|make out|discern) (?:any|an?|the)\b"
)
# Names of kinds, which answers omit: "a T" for "a letter T".
_KINDS = frozenset(map(stem, ("letter", "character", "shape", "object", "symbol", "pattern")))
_NO = re.compile(r"\b(?:no|zero|without|nothing)\b(?! (?:doubt|question))")
_EXISTS = re.compile(
    r"\bthere(?:'s| is| are| appears?| seems?)\b"
    r"|\b(?:contains?|shows?|has|have|includes?|depicts?|features?|displays?)\b"
    r"|\b(?:see|spot|notice|find|found|seen|discerned|make out|identified|detect)\b"
    r"|\b(?:visible|present|shown|located|placed|positioned|situated|hidden|embedded|included|sits|lies)\b"
    r"|\b(?:is|are|appears?) (?:\w+ly )?(?:in|at|near|on|among|between|amid|towards?|to the)\b"
    r"|^\W*(?:an?|one|exactly one|just one)\b(?!.*\b(?:is|are|appears?|looks?|seems?)\b)"
)
_STATES_ONE = re.compile(
    r"\b(?:there(?:'s| is)|i (?:can )?(?:see|spot|find)|i(?:'ve| have)? (?:spotted|found))(?: exactly| just| only)? one"
    r"(?=\W*$|,? (?:in|at|near|on|among|of them|to the)\b)"
)
_ONLY = re.compile(
    r"\b(?:only|nothing but|exclusively|solely|entirely)\b(?! (?:an?|one|two|three|few|some|several|see|\d))"
)
_ALL_ARE = re.compile(r"\b(?:all|every|each)\b.*?\b(?:is|are) (?:\w+ly )?(?P<what>\w+)")
_PREDICATE = r"\b{thing}\w*(?: [\w-]+){{0,5}}? (?:is|are) (?:the )?{quality}\w*\b"
#: Limit of characters of a clause that are read.
_LONGEST = 300


def asks_whether(question: str) -> bool:
    """Tell whether a prepared question asks if something exists."""
    return _ASKS_WHETHER.search(question) is not None


def unseen(reply: str, question: str) -> bool:
    """Tell whether a prepared reply says that it cannot see the thing, with its quality, of a prepared question."""
    found = _UNSEEN.search(reply) if _ASKS_WHETHER_SEEN.search(question) else None
    if found is None:
        return False
    following = re.split(r"[.!?\n]", reply[found.end() :], maxsplit=1)[0]
    wanted = content(question)
    return bool(wanted) and set(wanted) <= set(map(stem, WORD.findall(following)))


def existence(text: str, question: str) -> str | None:
    """Return a clause's answer to whether the thing of a question exists; None without one."""
    text = text[:_LONGEST]
    wanted = content(question)
    wanted = [word for word in wanted if word not in _KINDS] or wanted
    if len(wanted) > 1:
        # "A single red one."
        text = re.sub(rf"\b({re.escape(wanted[-2])}\w*) ones?\b", rf"\1 {wanted[-1]}", text)
    words = [stem(word) for word in WORD.findall(text)]
    whole = bool(wanted) and set(wanted) <= set(words)
    if has_negation(text) or _NO.search(text):
        none_at_all = any(
            before in ("no", "any", "zero") and word == wanted[-1]
            for before, word in pairwise(words)
        )
        return "no" if whole or none_at_all or _is_plain(text) else None
    if _STATES_ONE.search(text):
        return "yes"
    if whole and _is_so(text, wanted):
        return "yes"
    if whole and _side_by_side(words, wanted):
        return "yes" if _EXISTS.search(text) else None
    return "no" if _is_plain(text) or _leaves_no_room(text, words, wanted) else None


def _side_by_side(words: Sequence[str], wanted: Sequence[str]) -> bool:
    """Tell whether all wanted words are adjacent, in any order: "red circle", "striped pattern"."""
    starts = range(len(words) - len(wanted) + 1)
    return any(set(words[start : start + len(wanted)]) == set(wanted) for start in starts)


def _is_so(text: str, wanted: Sequence[str]) -> bool:
    """Tell whether a clause ascribes the wanted quality to the wanted thing: "one of the circles is red"."""
    if len(wanted) != 2:
        return False
    quality, thing = map(re.escape, wanted)
    return re.search(_PREDICATE.format(thing=thing, quality=quality), text) is not None


def _leaves_no_room(text: str, words: Sequence[str], wanted: Sequence[str]) -> bool:
    """Tell whether a clause says that everything is something else: "only green circles", "all circles are green"."""
    every = _ALL_ARE.search(text)
    if every is not None and _other_colours(every["what"], wanted):
        return True
    of_another_kind = wanted[-1] not in words or _of_another_kind(words, wanted)
    return of_another_kind and _ONLY.search(text) is not None


def _of_another_kind(words: Sequence[str], wanted: Sequence[str]) -> bool:
    """Tell whether another word than the wanted quality precedes every mention of the thing."""
    kinds = {before for before, word in pairwise(words) if word == wanted[-1]}
    return bool(kinds) and not kinds & {*wanted, *STOP, "only"}


def _other_colours(text: str, wanted: Sequence[str]) -> bool:
    """Tell whether the question has a colour, and a text names another."""
    sought, named = (_colours(part) for part in (" ".join(wanted), text))
    return bool(sought) and bool(named) and not sought & named


def _colours(text: str) -> set[str]:
    return {name for name, colour in colours().items() if colour.search(text)}


@cache
def colours() -> dict[str, Words]:
    """Return the names of each colour, in all languages."""
    data = load("options")
    return {name: listed("options", "concepts", name) for name in data["colours"]}


def _is_plain(text: str) -> bool:
    """Tell whether a clause says that the image shows nothing at all: "a uniform gray"."""
    return re.search(expression(load("options")["plain"]), text) is not None
