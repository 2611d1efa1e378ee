"""Yes or no out of a statement, with the question at hand: what the reply says of the question's own words.

A clause answers that holds three quarters of the question's content words, in their order, or that says of "them" what
the question asks last: denied it is a no, else a yes. In another order around a comparison ("the right line is longer
than the left") it is a no. Of sameness the question and the reply need not have a word in common: who is asked whether
one thing is larger and says that they are the same says no.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise

from afterimage.grading.evidence import Clause, clauses, has_negation, is_supposed
from afterimage.grading.reply_text import sentences
from afterimage.grading.words import expression, load

_WORD = re.compile(r"[^\W_]+(?:['.-][^\W_]+)*")
# What says nothing of what is asked.
_STOP = frozenset(
    _WORD.findall(
        "a an the is are was were be been do does did has have had of in on at to for by with from and or it "
        "its this that these those there any some all as into image picture figure photo given shown "
        "according based can could you see which whether answer please yes no using above below map chart "
        "table one two three four each other "
    )
)
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
_DIFFERENT = re.compile(
    r"\b(?:different|differ|differs|unequal|unequally|not the same|not equal|not identical)\b"
)
_EQUATION = re.compile(r"(?<![<>!])=|\bexactly\b|\bequals?\b")
# "It looks like they touch, but they don't": the verb alone stands for all that was asked.
_BRIEF = re.compile(
    # "Measuring shows they are not": what a look or a thought brings to light.
    r"(?:.*\b(?:shows?|reveals?|proves?|confirms?|suggests?|indicates?|means?|see|think|believe)"
    r"(?: me| us)?(?: that)? )?"
    r"\W*(?:(?:they|it|he|she|both|there|this|these|those|that) )?"
    r"(?:\w+ly |really |in fact |indeed |both |all |in reality )*"
    r"(?:do|does|did|are|is|was|were|have|has)(?P<denied>n't| not)?(?: \w+ly| at all| indeed| really| so)?\W*"
)
_IT = re.compile(r"\W*it(?:'s| is| was)\b")
_NO = re.compile(r"\bno\b(?! (?:doubt|question))")
_HEDGE = re.compile(
    r"\b(?:cannot|can't|could|couldn't|would|might|may|unless|without|unable|difficult|hard to|"
    r"do(?:es)? not have|don't have|"
    r"not possible|unclear|need to|consult|refer to|recommend|in the process)\b"
)
_CONTACT = re.compile(r"\b(?:overlap|touch|intersect|meet|connect|tangent|in contact)")
# Without contact nothing overlaps; without overlap things may touch.
_NO_CONTACT = re.compile(
    r"(?:\bno|n't any|\bwithout(?: any)?) (?:\w+ )?(?:contact|touching|intersections?)\b"
)
_NO_OVERLAP = re.compile(
    r"(?:\bno|n't any|\bwithout(?: any)?) (?:\w+ )?(?:overlap\w*|contact|touching|intersections?)\b"
)
_INSIDE = re.compile(
    r"\b(?:inside|cover(?:s|ed|ing)?|intersects?|shared? (?:an? )?(?:\w+ )?(?:area|region))\b"
)
_APART = re.compile(r"\b(?:separated?|apart|disjoint|gap|space between|distance between)\b")
# What comes before the verb of a question only says where to look: "According to the map, is ...".
_PREAMBLE = re.compile(r"^.*,\s*(?=(?:is|are|was|were|does|do|did|has|have|can|will)\b)", re.DOTALL)
# "I cannot see any car", where it is asked whether there is one.
_EXISTENCE = re.compile(
    r"\b(?:is|are) there\b|\b(?:does|do)\b.*\b(?:contain|show|have|include)\b|\bcan you see\b"
)
_UNSEEN = re.compile(
    r"\bi (?:can(?:not|'t| not)|could(?: not|n't)|(?:do|did)(?: not|n't)) (?:\w+ly )?"
    r"(?:see|find|spot|notice|detect|identify|observe|make out|discern) (?:any|an?|the)\b"
)
# "It is behind the chair, not to the left of it."
_NOT_SO = re.compile(r"\W*not (?=\w)")
# Words that stand for whatever a sentence is about.
_ANY_SUBJECT = frozenset(
    {"it", "they", "this", "these", "is", "are", "does", "do", "that", "there"}
)
_SHORTEST_PREDICATE, _LONGEST_PREDICATE = 3, 6
_FEWEST = 0.75
_MOST_WORDS = 40


def restated(reply: str, asked: str) -> str | None:
    """Return "yes" or "no" as a prepared reply says of what a prepared question asks; None where it does not say."""
    wanted = content(asked)
    if not wanted:
        return None
    if unseen(reply, asked):
        return "no"
    found: list[tuple[int, str]] = []
    for clause in clauses(reply):
        if clause.is_open or clause.first_look or _HEDGE.search(clause.text):
            continue
        value = (
            briefly(clause.text)
            or _of_sameness(clause.text, asked)
            or _of_contact(clause.text, asked)
            or _of_comparison(clause.text, asked)
            or _of_words(clause.text, wanted, asked)
            or _not_so(clause.text, wanted, asked)
        )
        if value is not None:
            found.append((_weight(clause), value))
    value = _of_predicate(reply, _WORD.findall(_main(asked)))
    if value is not None:
        return value
    if not found:
        return None
    heaviest = max(weight for weight, _ in found)
    return [value for weight, value in found if weight == heaviest][-1]


def unseen(reply: str, asked: str) -> bool:
    """Tell whether a prepared reply says that all of what a prepared question looks for is not to be seen."""
    found = _UNSEEN.search(reply) if _EXISTENCE.search(asked) else None
    if found is None:
        return False
    behind = re.split(r"[.!?\n]", reply[found.end() :], maxsplit=1)[0]
    wanted = content(asked)
    return bool(wanted) and set(wanted) <= set(map(_stem, _WORD.findall(behind)))


def briefly(text: str) -> str | None:
    """Return what a clause says by its verb alone: "they are" is a yes."""
    found = _BRIEF.fullmatch(text)
    return None if found is None else "no" if found["denied"] else "yes"


def content(asked: str) -> list[str]:
    """Return the stems of a question's content words, in their order, each once."""
    words = [word for word in _WORD.findall(_main(asked)) if word not in _STOP]
    return list(dict.fromkeys(map(_stem, words)))


def _weight(clause: Clause) -> int:
    if clause.grants:
        return 0
    if clause.concludes or clause.actual:
        return 3
    return 1 if clause.looks else 2


def _of_sameness(text: str, asked: str) -> str | None:
    if re.search("[<>]", asked) and _EQUATION.search(text):
        return "no"
    says_same = _same().search(text)
    rest = _same().sub(" ", text)
    denied = has_negation(rest)
    says_other = _DIFFERENT.search(text) is not None or (says_same is not None and denied)
    if says_other and not (denied and _DIFFERENT.search(rest)):
        says_same = None
    elif says_same is None:
        bigger = _same().search(asked) and _THAN.search(text) and not denied
        return "no" if bigger else None
    if _DIFFERENT.search(asked):
        return "no" if says_same else "yes"
    if _same().search(asked):
        return "yes" if says_same else "no"
    if _THAN.search(asked) and says_same:
        return "no"
    return None


def _of_contact(text: str, asked: str) -> str | None:
    """Read that things are apart where it is asked whether they meet."""
    if not _CONTACT.search(asked):
        return None
    if (_NO_OVERLAP if "overlap" in asked else _NO_CONTACT).search(text):
        return "no"
    apart = _APART.search(text)
    if apart is None:
        meets = _CONTACT if "touch" in asked else _INSIDE if "overlap" in asked else None
        return "yes" if meets and meets.search(text) and not has_negation(text) else None
    before = text[: apart.start()]
    if not has_negation(before) and not re.search(r"\bno\b", before):
        return "no"
    # Without a gap they touch; whether they overlap is another matter.
    return "yes" if "touch" in asked else None


def _contrary(text: str, asked: str) -> bool:
    """Tell whether a clause makes the contrary comparison: smaller, where larger is asked."""
    return any(
        _sides(entry, asked) in (("more",), ("less",))
        and _sides(entry, text) in (("more",), ("less",))
        and _sides(entry, text) != _sides(entry, asked)
        for entry in _oppositions()
    )


def _as_asked(text: str, asked: str) -> bool:
    """Tell whether a clause speaks of the direction that is asked about, or of its contrary: fell, for rose."""
    return any(
        _sides(entry, asked) and _sides(entry, text) for entry in load("options")["directions"]
    )


def _oppositions() -> list[Mapping]:
    data = load("options")
    return [*data["comparisons"], *data["directions"]]


def _sides(entry: Mapping, text: str) -> tuple[str, ...]:
    return tuple(side for side in ("more", "less") if _side(tuple(entry[side]["en"])).search(text))


@cache
def _side(words: tuple[str, ...]) -> re.Pattern:
    return re.compile(expression({"en": words}))


def _of_comparison(text: str, asked: str) -> str | None:
    """Read who is said to be larger, where it is asked whether one is larger than another."""
    question = re.search(r"(?:is|are|was|were|does|do) (.*?)\bthan\b(.*)", _main(asked))
    said = _THAN.search(text)
    if question is None or said is None or has_negation(text):
        return None
    one, other = (set(content(part)) for part in question.groups())
    subject = {_stem(word) for word in _WORD.findall(text[: said.start()])}
    about_one, about_other = bool(subject & (one - other)), bool(subject & (other - one))
    # "The other one is larger": not what was asked about, which comes first.
    about_other = about_other or (not about_one and "the other" in text[: said.start()])
    # "It is larger" is said of what was asked about.
    about_one = about_one or (not about_other and _IT.match(text) is not None)
    if about_one == about_other:
        return None
    return "no" if about_other != _contrary(text, asked) else "yes"


def _of_words(text: str, wanted: Sequence[str], asked: str) -> str | None:
    words = [_stem(word) for word in _WORD.findall(text)[:_MOST_WORDS]]
    there = [word for word in wanted if word in words]
    contrary = _contrary(text, asked)
    # A word of the same direction stands for the question's own: fell, where rise is asked.
    covered = min(1, (len(there) + _as_asked(text, asked)) / len(wanted))
    about_them = _PRONOUNS.search(text) is not None or len(wanted) <= 2
    tail = wanted[-1] in words and (about_them and (covered >= 0.34 or len(wanted) <= 3))
    if tail and _EXISTENCE.search(asked) and _of_another_kind(words, wanted):
        return None
    own = {word for word in words if word not in _STOP and not has_negation(word)}
    alone = len(own) > 1 and own <= set(wanted) and wanted[-1] in own
    if covered < _FEWEST and not tail and not alone:
        return None
    if not (_VERB.search(text) or _PRONOUNS.search(text)):
        return None
    if has_negation(text) or _NO.search(text):
        return None if contrary else "no"
    if not _THAN.search(asked):
        return "no" if contrary else "yes"
    if not (_THAN.search(text) or wanted[-1] in words):
        return None
    places = [words.index(word) for word in there]
    # "The right line is longer than the left" where the left one is asked about.
    turned = covered >= _FEWEST - 0.1 and len(there) > 2 and places[0] > places[-1]
    return "no" if turned != contrary else "yes"


def _of_another_kind(words: Sequence[str], wanted: Sequence[str]) -> bool:
    """Tell whether a clause names others than what is looked for: green circles and red squares, for a red circle."""
    pairs = list(pairwise(words))
    kinds = {before for before, word in pairs if word == wanted[-1]}
    elsewhere = {after for word, after in pairs if word in wanted[:-1]}
    others = {*wanted, *_STOP}
    if not kinds or kinds & others:
        return False
    return not set(wanted) <= set(words) or bool(elsewhere - others)


def _not_so(text: str, wanted: Sequence[str], asked: str) -> str | None:
    """Read "not to the left of it", which denies what the question asks of its subject and nothing else."""
    if not _NOT_SO.match(text) or (_THAN.search(asked) and not _THAN.search(text)):
        return None
    own = {_stem(word) for word in _WORD.findall(text) if word not in _STOP} - {"not"}
    return "no" if own and own <= set(wanted[1:]) else None


def _of_predicate(reply: str, asked: Sequence[str]) -> str | None:
    """Read the last sentence that says the question's own last words of the question's own subject."""
    value = None
    for start, end in sentences(reply):
        sentence = reply[start:end]
        if _HEDGE.search(sentence) or sentence.rstrip().endswith("?") or is_supposed(sentence):
            continue
        words = _WORD.findall(sentence)
        for count in range(min(_LONGEST_PREDICATE, len(asked)), _SHORTEST_PREDICATE - 1, -1):
            predicate = list(asked[-count:])
            if "than" in asked and "than" not in predicate[1:]:
                # Without the comparison it says nothing of what was asked.
                continue
            said = _says(words, predicate, asked[-count - 1 : -count])
            if said is not None:
                value = said
                break
    return value


def _says(words: Sequence[str], predicate: Sequence[str], subject: Sequence[str]) -> str | None:
    count = len(predicate)
    for place in range(len(words) - count, -1, -1):
        before = words[:place]
        if words[place : place + count] != predicate:
            continue
        if subject and subject[0] not in _ANY_SUBJECT | _STOP and subject[0] not in before:
            continue
        if has_negation(" ".join(before)):
            return "no"
        return "yes" if _VERB.search(" ".join(before)) else None
    return None


def _main(asked: str) -> str:
    """Return what a question asks, without what it says before: its last sentence that asks, from the verb on."""
    parts = [part for part in re.split(r"(?<=[.!?])\s+|\n", asked.strip()) if part.strip()]
    questions = [part for part in parts if part.rstrip().endswith("?")]
    return _PREAMBLE.sub("", (questions or parts or [""])[-1])


def _stem(word: str) -> str:
    for ending in ("ping", "ting", "ing", "ed", "es", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word.removesuffix(ending)
    return word


@cache
def _same() -> re.Pattern:
    return re.compile(expression(load("options")["concepts"]["same"]))
