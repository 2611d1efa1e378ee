"""The numbers in a reply, and the role of each.

A reply to "how many?" seldom holds one number only. It states a count, and then repeats it, breaks
it down ("one large square and three smaller ones"), describes the scene ("two lines, one red and
one blue") or numbers a list. The role of each number is read from the words next to it, never
from a picture, a question or a key.
"""

import re
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

from afterimage.grading.language import number_words
from afterimage.grading.language.reply_text import sentences


class Weight(IntEnum):
    """The role of a number; only the heaviest numbers of a reply can be the answer.

    ``REFERENCE`` refers to things counted elsewhere ("the three squares"). ``PART`` counts a part of a whole, one item
    of a list, or something per each. ``IMPLIED`` is a zero that follows from a denial ("they do not cross"). ``STATED``
    counts the things as such.
    """

    REFERENCE = 0
    PART = 1
    IMPLIED = 2
    STATED = 3


class Mention(NamedTuple):
    """A number in a plain, lower-case text.

    Attributes:
        value: Decimal digits without leading zeros.
        start: Start of the number, or of the denial that implies it.
        weight: Its role.
    """

    value: str
    start: int
    end: int
    weight: Weight
    in_words: bool


_DIGITS = r"[0-9]{1,3}(?:,[0-9]{3})+(?![0-9])|[0-9]+"
_WORD = rf"{number_words.PATTERN}|once|twice|thrice|none|no|single"
# Neither part of a word, a compound ("single-colored", "2-3"), a decimal, a ratio nor a percentage.
_NUMBER = re.compile(
    rf"(?<![\w\\])(?<!\w-)(?<![\w\u2014]\u2014)(?<![0-9][.,/:])(?<!-)(?<!#)"
    rf"(?:(?P<digits>{_DIGITS})|(?P<word>{_WORD}))"
    rf"(?!\w|-\w|\u2014\w|['/]\w|[.,:][0-9]|\s?%)"
)
_ADVERBS = {"once": "1", "twice": "2", "thrice": "3", "none": "0", "no": "0", "single": "1"}

_DENIAL = re.compile(
    r"\bthere (?:is|are|was|were)(?: not|n't) (?:any|a)\b"
    r"|(?:\bneither(?: \w+){1,3}|\b(?:do|does|did|are|is|were)(?: not|n't)|\bnever)(?: \w+){0,2}? "
    r"(?:intersect|cross|touch|meet|overlap|connect|coincide|share)\w*(?! again\b)"
)
_CROSSING = re.compile(r"\b(?:intersect|cross|touch|meet|overlap)\w*")

# Characters before and after a number in which its role is looked for.
_BEFORE, _NEAR = 60, 120
# Limit of numbers that are read, from the last.
_MAX_NUMBERS = 50


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_EVENT_NOUNS = _words(
    "intersection intersections crossing crossings crossover crossovers point points time times "
    "place places location locations"
)
# Lines make crossings: next to a count of crossings they describe the scene.
_CARRIERS = _words(
    "line lines segment segments plot plots curve curves color colors colour colours set sets "
    "pair pairs"
)
_PART_WORDS = _words(
    "larger largest large big bigger biggest smaller smallest small inner innermost outer "
    "outermost middle central additional more other another extra further individual adjacent remaining "
    "surrounding together combined combining enclosed row rows column columns"
)
# Words that end the noun phrase after a number.
_CLAUSE_ENDS = _words(
    "of in at inside within on with where which that is are was were has have being and or another "
    "to for from by as after before above below around surrounding outside under over it they "
    "formed nested arranged drawn depicted visible shown present containing contained enclosing "
    "between among when while because since so but the a an this these their its intersect "
    "intersects cross crosses meet meets touch touches connecting go going each overlap overlaps"
)

_DEFINITE = re.compile(r"\b(?:the|these|those|all|both|its|their|last|first|next|every)\s$")
_PRONOUN = re.compile(
    r"\b(?:(?<!each )(?<!one an)other|each|this|that|the|no|another|any|every|which"
    r"|first|second|third|(?:four|fif|six|seven|eigh|nin|ten)th|last)\s$"
)
_DENIED = re.compile(r"\b(?:not|instead of|rather than|subtract|deduct)\s$")
_COORDINATE = re.compile(r"\b[a-z]\s?=\s?$")
_INLINE_LIST = re.compile(r"\)\s")
_OF_WHICH = re.compile(r"\bof (?:which|these|them|those),?\s$")
_WITHOUT_NOUN = re.compile(r"\s(?:on|in|at|above|below|inside|within|are|is)\b")
_OF_COUNTED = re.compile(r"\s(?:where|of (?:them|these|those|which|the))\b")
_SAYS_ONE = re.compile(
    r"(?:^|\b(?:is|are|be|say|only|just|exactly|answer|count|total|so)|[:=])\s*[\"']?$"
)
_LABEL = re.compile(r"\b(?:path|route|line|step|option|figure|image|circle|square|pentagon)\s$")
# "One more than three" counts nothing yet; "one might count five" counts nobody.
_DIFFERENCE = re.compile(r"\s(?:more|less|fewer) than\b")
_SOMEBODY = re.compile(r"\s(?:might|may|could|would|can|should|must|turns out)\b")
_BOUND = re.compile(
    r"\b(?:at least|at most|more than|fewer than|less than|up to|over|between(?: \w+ and)?)\s$"
)
_HEDGE = re.compile(r"\b(?:or|maybe|possibly|perhaps|even|versus)\s(?:\w+\s)?$")
_EXISTS = re.compile(
    r"\b(?:there(?:'s| is| are| were)|contains?|has|have|shows?|see|find|found|count|identify)"
    r"(?: \w+)?\s$"
)
_STATED_SINGLE = re.compile(r"\b(?:(?<!not )a|one|just|only|exactly)\s$")
_DISTRIBUTES = re.compile(r"\beach\b(?! other)|\beither of\b|\bper\b")
_LIST_ITEM = re.compile(r"^(?:[-*\u2022+\u2014]|\(?[0-9a-z]{1,2}[.)])\s+")
# Counting up: "1, 2, 3, 4".
_COUNTING = re.compile(r"(?<![\w.])1(?:, (?:and )?[0-9]{1,2}){2,}(?![\w])")
_PLUS = re.compile(r"\+|\bplus\b")
_PLUS_BEFORE = re.compile(r"(?:\+|\bplus)[ (]*$")
_BREAKS_DOWN = re.compile(r":|;| - |\s?\u2014\s?|\(")


@lru_cache(maxsize=32)
def mentions(text: str) -> tuple[Mention, ...]:
    """Find the numbers of a plain, lower-case text, in order.

    Pronouns ("one of them", "each one"), labels ("path 2"), the numbers of a list and bounds ("at
    least 3") are left out, as are counts of lines in a reply about their crossings.
    """
    numbers = list(_NUMBER.finditer(text))
    if len(numbers) > _MAX_NUMBERS:
        begin = numbers[-_MAX_NUMBERS].start()
        text = " " * begin + text[begin:]
    found = [
        mention
        for start, end in sentences(text)
        for mention in _in_sentence(text[start:end], start)
    ]
    counting = [listed.span() for listed in _COUNTING.finditer(text)]
    found = [
        m._replace(weight=min(m.weight, Weight.PART))
        if any(start <= m.start < end for start, end in counting)
        else m
        for m in found
    ]
    if _CROSSING.search(text):
        found = [mention for mention in found if not _counts_carriers(text, mention)]
    return tuple(found)


def _in_sentence(sentence: str, offset: int) -> list[Mention]:
    body, listed = _without_list_mark(sentence)
    found = [mention for match in _NUMBER.finditer(body) if (mention := _mention(body, match))]
    found += [
        Mention("0", match.start(), match.end(), Weight.IMPLIED, True)
        for match in _DENIAL.finditer(body)
    ]
    found.sort(key=lambda mention: mention.start)
    colon = _breakdown_mark(body, found)
    lighter = [
        mention._replace(weight=min(mention.weight, Weight.PART))
        if listed or _breaks_down(body, mention, colon)
        else mention
        for mention in found
    ]
    return [m._replace(start=m.start + offset, end=m.end + offset) for m in lighter]


def _without_list_mark(sentence: str) -> tuple[str, bool]:
    # The offsets must stay those of the text, so the mark is blanked out.
    lead = len(sentence) - len(sentence.lstrip())
    mark = _LIST_ITEM.match(sentence[lead:])
    if mark is None:
        return sentence, False
    length = lead + mark.end()
    return " " * length + sentence[length:], True


def _mention(sentence: str, match: re.Match[str]) -> Mention | None:
    before = sentence[max(0, match.start() - _BEFORE) : match.start()]
    after = sentence[match.end() : match.end() + _NEAR]
    word = match["word"]
    if _BOUND.search(before) or _DENIED.search(before):
        return None
    if word is None and _is_label(before, after):
        return None
    if word is None:
        value = match["digits"].replace(",", "").lstrip("0") or "0"
    else:
        value = _ADVERBS.get(word) or str(number_words.value_of(word))
    weight = _weight(before, after, word)
    if weight is None:
        return None
    return Mention(value, match.start(), match.end(), weight, word is not None)


def _is_label(before: str, after: str) -> bool:
    listed = _INLINE_LIST.match(after) and before.count("(") <= before.count(")")
    return bool(listed or _LABEL.search(before) or _COORDINATE.search(before))


def _weight(before: str, after: str, word: str | None) -> Weight | None:
    noun_phrase = _noun_phrase(after)
    if word == "no":
        return _weight_of_no(before, after, noun_phrase)
    if word == "none":
        return Weight.IMPLIED
    if _DIFFERENCE.match(after) or (word == "one" and _SOMEBODY.match(after)):
        return None
    if word == "single" and not (_STATED_SINGLE.search(before) and noun_phrase):
        return None
    if _OF_COUNTED.match(after) or (word == "one" and _is_pronoun(before, after, noun_phrase)):
        return None
    if _HEDGE.search(before):
        return Weight.STATED
    if _DEFINITE.search(before):
        return Weight.REFERENCE
    if not noun_phrase and (_WITHOUT_NOUN.match(after) or _OF_WHICH.search(before)):
        return Weight.PART
    if _PART_WORDS & set(noun_phrase) or _DISTRIBUTES.search(_clause(before, after)):
        return Weight.PART
    return Weight.STATED


def _weight_of_no(before: str, after: str, noun_phrase: list[str]) -> Weight | None:
    if not before.strip() and not after.strip(".! "):
        return Weight.IMPLIED
    if not noun_phrase or _PART_WORDS & set(noun_phrase):
        return None
    if _EXISTS.search(before) or not before.strip():
        return Weight.STATED
    return Weight.IMPLIED if _EVENT_NOUNS & set(noun_phrase) else None


def _is_pronoun(before: str, after: str, noun_phrase: list[str]) -> bool:
    if _PRONOUN.search(before):
        return True
    if not noun_phrase:
        # "The answer is one." says a number; "one in red" and "the outer one" do not.
        return not _SAYS_ONE.search(before) or bool(re.match(r"\s*\w", after))
    # "One intersection is here, and the other is there" tells apart what was counted before.
    return not before.strip() and bool(re.search(r"\b(?:the |an)other\b", after))


def _clause(before: str, after: str) -> str:
    return re.split(r"[,;:()\u2014]| - ", before)[-1] + re.split(r"[,;:()\u2014]| - ", after)[0]


def _noun_phrase(after: str) -> list[str]:
    """Return the noun phrase after a number: up to six words, to where the clause continues."""
    words: list[str] = []
    for found in re.finditer(r"\s?([^\W\d_]+(?:[-'][^\W\d_]+)*)|(.)", after, re.DOTALL):
        if found[1] is None or found[1] in _CLAUSE_ENDS or len(words) == 6:
            break
        words.append(found[1])
    return words


def _breakdown_mark(sentence: str, found: list[Mention]) -> int | None:
    """Return where a sentence begins to break down a stated number; None if it does not."""
    ends = [mention.end for mention in found if mention.weight >= Weight.IMPLIED]
    if not ends:
        return None
    mark = _BREAKS_DOWN.search(sentence, min(ends))
    return None if mark is None or "=" in sentence[mark.start() :] else mark.start()


def _breaks_down(sentence: str, mention: Mention, mark: int | None) -> bool:
    """Tell whether a number is a term of a sum or follows the colon after a stated count."""
    if _is_term(sentence, mention):
        return True
    hedged = _HEDGE.search(sentence[max(0, mention.start - _NEAR) : mention.start]) is not None
    # A breakdown in brackets ends with them.
    closed = mark is not None and sentence[mark] == "(" and ")" in sentence[mark : mention.start]
    return mark is not None and mention.start > mark and not (hedged or closed)


def _is_term(sentence: str, mention: Mention) -> bool:
    behind, equals, _ = sentence[mention.end : mention.end + _NEAR].partition("=")
    before = sentence[max(0, mention.start - _NEAR) : mention.start]
    added = _PLUS.search(behind) or _PLUS_BEFORE.search(before)
    return bool(equals and added)


def _counts_carriers(text: str, mention: Mention) -> bool:
    if mention.value == "0":
        return False
    words = set(_noun_phrase(text[mention.end : mention.end + _NEAR]))
    return bool(words & _CARRIERS) and not words & _EVENT_NOUNS
