"""Yes or no out of a statement, with the question at hand: what the reply says of the question's own words.

A clause answers that holds three quarters of the question's content words, in their order, or that says of "them" what
the question asks last: denied it is a no, else a yes. In another order around a comparison ("the right line is longer
than the left") it is a no. Of sameness the question and the reply need not have a word in common: who is asked whether
one thing is larger and says that they are the same says no.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from afterimage.grading.language.asked_words import STOP, WORD, content, main_question, stem
from afterimage.grading.language.denial import Stance, stance, without_spared
from afterimage.grading.language.evidence import (
    Clause,
    briefly,
    clauses,
    has_negation,
    is_set_against,
    is_supposed,
)
from afterimage.grading.language.existence import asks_whether, existence, unseen
from afterimage.grading.language.number_mentions import mentions
from afterimage.grading.language.reply_text import sentences
from afterimage.grading.language.sided import side
from afterimage.grading.language.words import Words, cue, listed, load

_PRONOUNS = re.compile(r"\b(?:it|they|he|she|both|this|these|those)\b")
_VERB = re.compile(
    r"\b(?:is|are|was|were|does|do|did|don't|isn't|aren't|there's|has|have|had|shows?|ranges?|remains?|appears?|seems?|contains?|consists?|"
    r"\w+(?:ed|ing|s))\b"
)
_THAN = re.compile(
    r"\b(?:\w{2,}er|more|less) (?:\w+ ){0,4}?than\b|[<>]|"
    r"\b(?:larger|longer|bigger|shorter|smaller|taller|darker|brighter|lighter|wider|thicker)\b|"
    r"\b(?:(?:left|right)\b.*\bof|above|below|under|inside|behind|in front of)\b"
)
# "The same colour" does not say which is larger, or where it is.
_SAME_IN = re.compile(
    r"\bsame (?:\w+ )?(?:(?P<colour>colou?rs?|shades?|hues?|brightness|lightness)|"
    r"(?P<form>shapes?|patterns?|kinds?|types?|styles?)|(?P<size>sizes?|lengths?|widths?|areas?|diameters?))\b"
)
_COLOURS_COMPARED = re.compile(r"\b(?:darker|brighter|lighter)\b")
_SIZES_COMPARED = re.compile(r"\b(?:\w{2,}er|more|less)\b.*\bthan\b|[<>]")
_DIFFERENT = re.compile(
    r"\b(?:different|differ|differs|unequal|unequally|not the same|not equal|not identical)\b"
)
_EQUATION = re.compile(r"(?<![<>!])=|\bexactly\b|\bequals?\b")
_ASKS_OF_THIS = re.compile(r"\W*is (?:this|it)\b")
_THIS_IS_NOT = re.compile(r"\W*(?:it|this|that)(?:'s not| is not| isn't)\b")
_IT = re.compile(r"\W*it(?:'s| is| was)\b")
_NO = re.compile(r"\bno\b")
_HEDGE = re.compile(
    r"\b(?:cannot|can't|could|couldn't|would|might|may|unless|without|unable|difficult|hard to|"
    r"do(?:es)? not have|don't have|"
    r"not possible|unclear|need to|consult|refer to|recommend|in the process)\b"
)
_HAVE = re.compile(r"\bdo(?:es)?(?: not|n't) have\b")
_ASKS_HAVE = re.compile(r"\bdo(?:es)?\b.*\bhave\b")
_WITHOUT = re.compile(r"\bwithout(?! (?:an? |the |seeing )?(?:image|picture|photo))\b")
_CONTACT = re.compile(r"\b(?:overlap|touch|intersect|meet|connect|tangent|in contact)")
_WITHOUT_ANY = (
    r"(?:\bno|n't any|\bwithout(?: any)?|\black(?:s|ing)?(?: any)?|\bfree of|"
    r"\bfail(?:s|ed)? to (?:make|have))"
)
# Without contact nothing overlaps; without overlap things may touch.
_NO_CONTACT = re.compile(rf"{_WITHOUT_ANY} (?:\w+ ){{0,2}}(?:contact|touching|intersections?)\b")
_NO_OVERLAP = re.compile(
    rf"{_WITHOUT_ANY} (?:\w+ )?(?:overlap\w*|contact|touching|intersections?)\b"
)
_INSIDE = re.compile(
    r"\b(?:inside|cover(?:s|ed|ing)?|intersects?|shared? (?:an? )?(?:\w+ )?(?:area|region))\b"
)
_APART = re.compile(
    r"\b(?:separate[sd]?|apart|disjoint|gap|space between|"
    r"distance between(?! (?:the |their |its )?(?:two )?cent))\b"
)
_SEPARATE = re.compile(r"separate|apart|disjoint")
_RANK = r"(?P<place>first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last)"
_RANK_ASKED = re.compile(rf"(?P<who>\w+) (?:is )?(?:ranked|ranks?|placed) {_RANK}\b")
_RANK_STATED = re.compile(
    r"\b(?:ranks?|ranked|placed|is|comes?|came|takes|holds|occupies)(?: in| at| the| as)* "
    rf"{_RANK}(?=\W*$| (?:place|position|rank|spot|in|on|with|after|behind|among|overall)\b)"
)
# "It is behind the chair, not to the left of it."
_NOT_SO = re.compile(r"\W*not (?=\w)")
# Words that stand for whatever a sentence is about.
_ANY_SUBJECT = frozenset(
    {"it", "they", "this", "these", "is", "are", "does", "do", "that", "there"}
)
# How strongly something is said that is only said to look so.
_LOOKS = 1
_SHORTEST_PREDICATE, _LONGEST_PREDICATE = 3, 6
_FEWEST = 0.75
_MAX_WORDS = 40


def restated(reply: str, question: str) -> str | None:
    """Return a prepared reply's answer, "yes" or "no", to a prepared question; None if it states none."""
    wanted = content(question)
    if not wanted:
        return None
    if unseen(reply, question):
        return "no"
    contrary = side(reply, question)
    if contrary is not None:
        return contrary.answer
    parts = clauses(reply)
    firm = [clause for clause in parts if not (clause.is_open or clause.first_look)]
    # A repetitive reply has one clause many times.
    values = {
        text: _read_clause(text, wanted, question) for text in {clause.text for clause in firm}
    }
    found = [
        (_weight(clause), clause.start, value)
        for clause in firm
        if (value := values[clause.text]) is not None
    ]
    value = (
        None
        if asks_whether(question)
        else _read_predicate(reply, WORD.findall(main_question(question)))
    )
    if value is not None:
        return value
    if not found:
        return None
    heaviest, last, value = max(found)
    if heaviest == _LOOKS and any(c.start > last and is_set_against(c) for c in parts):
        return None
    return value


def _read_clause(text: str, wanted: Sequence[str], question: str) -> str | None:
    text = without_spared(text, "en")
    if asks_whether(question):
        # "Without any stripes" denies; "without an image" hedges.
        text = _WITHOUT.sub("no", text)
        return None if _HEDGE.search(text) else briefly(text) or existence(text, question)
    # "It does not have four legs" answers where that is asked.
    hedges = _HAVE.sub(" ", text) if _ASKS_HAVE.search(question) else text
    if _HEDGE.search(hedges) or cue("resembles").search(text):
        return None
    meant = _question_stance(text, wanted)
    if meant is Stance.OPEN:
        return None
    if meant is Stance.NEARLY and _CONTACT.search(question):
        return "no"
    return (
        briefly(text)
        or _read_identity(text, wanted, question)
        or _read_sameness(text, question)
        or _read_contact(text, question)
        or _read_comparison(text, question)
        or _read_rank(text, question)
        or _read_words(text, wanted, question)
        or _read_negation(text, wanted, question)
    )


def _question_stance(text: str, wanted: Sequence[str]) -> Stance | None:
    """Return the stance towards the question's last word: "they don't avoid touching" leaves it open."""
    mentions = [word for word in WORD.finditer(text) if stem(word[0]) == wanted[-1]]
    return stance(text, *mentions[-1].span(), ("en",)) if mentions else None


def _read_identity(text: str, wanted: Sequence[str], question: str) -> str | None:
    """Read "it isn't the Greek flag" for questions of what this is: a denial of any of the question's words counts."""
    if not _ASKS_OF_THIS.match(main_question(question)) or not _THIS_IS_NOT.match(text):
        return None
    return "no" if set(wanted) & set(map(stem, WORD.findall(text))) else None


def _weight(clause: Clause) -> int:
    if clause.grants:
        return 0
    if clause.concludes or clause.actual:
        return 3
    return _LOOKS if clause.looks else 2


def _read_sameness(text: str, question: str) -> str | None:
    if re.search("[<>]", question) and _EQUATION.search(text):
        return "no"
    says_same = _same().search(text)
    rest = _same().sub(" ", text)
    denied = has_negation(rest)
    says_other = _DIFFERENT.search(text) is not None or (says_same is not None and denied)
    if says_other and not (denied and _DIFFERENT.search(rest)):
        says_same = None
    elif says_same is None:
        bigger = _same().search(question) and _THAN.search(text) and not denied
        return "no" if bigger else None
    if _DIFFERENT.search(question):
        return "no" if says_same else "yes"
    if _same().search(question):
        return "yes" if says_same else "no"
    if _THAN.search(question) and says_same and _bears_on(text, question):
        return "no"
    return None


def _bears_on(text: str, question: str) -> bool:
    """Tell whether things are called the same in the property that a question compares: colour, size, or neither."""
    named = _SAME_IN.search(text)
    if named is None:
        return True
    compared = "size" if _SIZES_COMPARED.search(question) else None
    return named.lastgroup == ("colour" if _COLOURS_COMPARED.search(question) else compared)


def _read_contact(text: str, question: str) -> str | None:
    """Read that things are apart, for questions of whether they meet."""
    if not _CONTACT.search(question):
        return None
    if (_NO_OVERLAP if "overlap" in question else _NO_CONTACT).search(text):
        return "no"
    gap = _APART.search(text)
    if gap is None:
        meets = _CONTACT if "touch" in question else _INSIDE if "overlap" in question else None
        found = meets and meets.search(text)
        if not found:
            return None
        meant = stance(text, *found.span(), ("en",))
        return {Stance.NEARLY: "no", Stance.AFFIRMED: "yes"}.get(meant)
    before = text[: gap.start()]
    if not has_negation(before) and not _NO.search(before):
        return "no"
    # Without a gap they touch; whether they overlap is another matter, and what is not separate may do either.
    return "yes" if "touch" in question and not _SEPARATE.match(gap[0]) else None


def _read_rank(text: str, question: str) -> str | None:
    """Read "China is in second place", for the question whether China is ranked first."""
    rank_asked, rank_stated = _RANK_ASKED.search(main_question(question)), _RANK_STATED.search(text)
    if rank_asked is None or rank_stated is None or has_negation(text):
        return None
    if rank_asked["who"] not in WORD.findall(text[: rank_stated.start()]):
        return None
    return "yes" if rank_stated["place"] == rank_asked["place"] else "no"


def _contrary(text: str, question: str) -> bool:
    """Tell whether a clause makes the contrary comparison: smaller, for a question of larger."""
    return any(
        _sides(entry, question) in (("more",), ("less",))
        and _sides(entry, text) in (("more",), ("less",))
        and _sides(entry, text) != _sides(entry, question)
        for entry in _oppositions()
    )


def _has_asked_direction(text: str, question: str) -> bool:
    """Tell whether a clause is about the question's direction, or its contrary: fell, for rose."""
    return any(
        _sides(entry, question) and _sides(entry, text) for entry in load("options")["directions"]
    )


def _oppositions() -> list[Mapping[str, Any]]:
    data = load("options")
    return [*data["comparisons"], *data["directions"]]


def _sides(entry: Mapping[str, Any], text: str) -> tuple[str, ...]:
    return tuple(side for side in ("more", "less") if _side(tuple(entry[side]["en"])).search(text))


@cache
def _side(words: tuple[str, ...]) -> Words:
    return Words({"en": words})


def _read_comparison(text: str, question: str) -> str | None:
    """Read which thing is larger, for questions of whether one is larger than another."""
    comparison = re.search(
        r"(?:is|are|was|were|does|do) (.*?)\bthan\b(.*)", main_question(question)
    )
    stated = _THAN.search(text)
    if comparison is None or stated is None or has_negation(text):
        return None
    first, second = (set(content(part)) for part in comparison.groups())
    subject = {stem(word) for word in WORD.findall(text[: stated.start()])}
    about_first, about_second = bool(subject & (first - second)), bool(subject & (second - first))
    # "The other one is larger": not the question's subject.
    about_second = about_second or (not about_first and "the other" in text[: stated.start()])
    # "It is larger" is about the question's subject.
    about_first = about_first or (not about_second and _IT.match(text) is not None)
    if about_first == about_second:
        return None
    return "no" if about_second != _contrary(text, question) else "yes"


def _read_words(text: str, wanted: Sequence[str], question: str) -> str | None:
    words = [stem(word) for word in WORD.findall(text)[:_MAX_WORDS]]
    shared = [word for word in wanted if word in words]
    contrary = _contrary(text, question)
    # A word of the same direction stands for the question's own: fell, where rise is asked.
    covered = min(1, (len(shared) + _has_asked_direction(text, question)) / len(wanted))
    about_them = _PRONOUNS.search(text) is not None or len(wanted) <= 2
    tail = wanted[-1] in words and (about_them and (covered >= 0.34 or len(wanted) <= 3))
    content_words = {word for word in words if word not in STOP and not has_negation(word)}
    alone = len(content_words) > 1 and content_words <= set(wanted) and wanted[-1] in content_words
    if covered < _FEWEST and not tail and not alone:
        return None
    if not (_VERB.search(text) or _PRONOUNS.search(text)):
        return None
    if has_negation(text) or _NO.search(text):
        return None if contrary else "no"
    if not _THAN.search(question):
        return "no" if contrary or _other_number(text, question) else "yes"
    if not (_THAN.search(text) or wanted[-1] in words):
        return None
    positions = [words.index(word) for word in shared]
    # "The right line is longer than the left" where the left one is asked about; "below the book is a cup" says the
    # comparison first, and turns nothing.
    before = _THAN.split(text, maxsplit=1)[0]
    leads = not set(shared).intersection(map(stem, WORD.findall(before)))
    turned = (
        covered >= _FEWEST - 0.1 and len(shared) > 1 and positions[0] > positions[-1] and not leads
    )
    return "no" if turned != contrary else "yes"


def _other_number(text: str, question: str) -> bool:
    """Tell whether a clause has another number than the question: five legs, not four."""
    asked_numbers, stated_numbers = (
        {mention.value for mention in mentions(part)} - {"0"}
        for part in (main_question(question), text)
    )
    return bool(asked_numbers) and bool(stated_numbers) and not asked_numbers & stated_numbers


def _read_negation(text: str, wanted: Sequence[str], question: str) -> str | None:
    """Read "not to the left of it", which denies just the question's predicate."""
    if not _NOT_SO.match(text) or (_THAN.search(question) and not _THAN.search(text)):
        return None
    content_words = {stem(word) for word in WORD.findall(text) if word not in STOP} - {"not"}
    return "no" if content_words and content_words <= set(wanted[1:]) else None


def _read_predicate(reply: str, question_words: Sequence[str]) -> str | None:
    """Read the last sentence with the question's last words as a predicate of the question's subject."""
    value = None
    for start, end in sentences(reply):
        sentence = reply[start:end]
        if (
            _HEDGE.search(sentence)
            or cue("resembles").search(sentence)
            or sentence.rstrip().endswith("?")
            or is_supposed(sentence)
        ):
            continue
        words = WORD.findall(sentence)
        for count in range(
            min(_LONGEST_PREDICATE, len(question_words)), _SHORTEST_PREDICATE - 1, -1
        ):
            predicate = list(question_words[-count:])
            if "than" in question_words and "than" not in predicate[1:]:
                # Without the comparison it does not answer the question.
                continue
            stated = _predicate_value(words, predicate, question_words[-count - 1 : -count])
            if stated is not None:
                value = stated
                break
    return value


def _predicate_value(
    words: Sequence[str], predicate: Sequence[str], subject: Sequence[str]
) -> str | None:
    count = len(predicate)
    for start in range(len(words) - count, -1, -1):
        before = words[:start]
        if words[start : start + count] != predicate:
            continue
        if subject and subject[0] not in _ANY_SUBJECT | STOP and subject[0] not in before:
            continue
        if has_negation(" ".join(before)):
            return "no"
        return "yes" if _VERB.search(" ".join(before)) else None
    return None


@cache
def _same() -> Words:
    return listed("options", "concepts", "same")
