"""Whether a reply says yes or no; all readers of yes and no share this order of evidence.

The first that decides: the reply is the word; an announced final answer, or a last line that is the word; the text
after a retraction; the word at the start of the reply; a conclusion; the one of the two words that occurs; and, with
the question at hand, a statement in the question's words (``language/restated.py``). The words are data, in several
languages (``resources/answers/yes_no.yaml``).
"""

import re
from functools import cache
from typing import NamedTuple

from afterimage.contract.readings import AMBIGUOUS, EMPTY, OFF_TOPIC, REFUSED
from afterimage.grading.language.asked_words import content
from afterimage.grading.language.contact import contact
from afterimage.grading.language.denial import Stance, stance
from afterimage.grading.language.evidence import (
    after_second_look,
    after_take_back,
    briefly,
    clauses,
    final_answers,
    has_negation,
    last_line,
    refuses,
)
from afterimage.grading.language.lexicon import Lexicon
from afterimage.grading.language.restated import restated
from afterimage.grading.language.sided import side
from afterimage.grading.language.words import Words, cue, expression, listed, load

YES, NO = "yes", "no"
_WRAPPING = "\"'`.,;:!()[]{}<>*_- \n\t。、「」『』|~"
# A question in the reply that shares this part of its words is the question that was asked.
_SAME_QUESTION = 0.6
# So many sentences after a word may retract it.
_SENTENCES = 8
_SENTENCE_END = re.compile(r"[.!?\n。]")
_LIST_MARK = re.compile(r"(?:[-*•>\s]+|\(?[0-9a-z][.)]\s+)")
# "是不同的", "有未填充的圆": the affirmed statement is a denial.
_JOINED_DENIAL = re.compile(r"[不没沒未无無非错錯假]")
# After a "no" that answers, a clause begins; before any other word, "no" denies a noun: "no gap".
_CLAUSE = re.compile(
    r"\s*(?:$|[^\w\s]|\n)|\s+(?:the|they|it|there|this|that|these|those|both|neither|because|since|as|i|in|not|but|he|she|"
    r"you|we|for|and|so|at|based|when|its|only|with|although|though|while|none|actually|to|here|from)\b"
)

_NOT_A = re.compile(r"\b(?:not|n't)\W+(?:a )?\W*$")


class Reading(NamedTuple):
    """A reply read as yes or no.

    Attributes:
        answer: "yes", "no", or None.
        whole: Whether the reply is the answer and nothing else.
        code: Without an answer, one of :data:`afterimage.contract.readings.UNREAD`.
        why: The reason, in words for readers of the grades.
    """

    answer: str | None
    whole: bool
    code: str
    why: str


def read(reply: str, question: str = "") -> Reading:
    """Read a prepared reply.

    Args:
        question: The question, prepared; empty to read without it.
    """
    if not reply.strip(_WRAPPING):
        return Reading(None, False, EMPTY, "the reply is empty")
    whole = bare(reply)
    if whole is not None:
        return Reading(whole, True, "", "the reply is this word")
    taken_back = after_take_back(reply)
    if taken_back is not None:
        return _after_retraction(*taken_back, question)
    reply = _without_own_questions(reply, question)
    for segment in final_answers(reply):
        value = bare(segment) or leading(segment) or _contact_answer(segment, question)
        value = value or restated(segment, question)
        if value is not None:
            return Reading(value, False, "", "the announced answer")
    value = bare(last_line(reply)) if "\n" in reply else None
    if value is not None:
        return Reading(value, False, "", "the last line is this word")
    return _body(reply, question)


def bare(text: str) -> str | None:
    """Return "yes" or "no" where a prepared text is just that."""
    text = without_lead_in(text.strip(_WRAPPING))
    for value in (YES, NO):
        if _whole(value).fullmatch(text):
            return value
    return None


def leading(text: str) -> str | None:
    """Return the yes or no that a prepared text begins with."""
    text = without_lead_in(text.lstrip(_WRAPPING))
    while (
        shorter := _LIST_MARK.sub("", text, count=1) if _LIST_MARK.match(text) else text
    ) != text:
        text = shorter.lstrip(_WRAPPING)
    if _neither().match(text):
        return None
    for value in (YES, NO):
        found = _words(value).match(text)
        if found and (value == YES or _CLAUSE.match(text, found.end())):
            unsaid = cue("unsaid").match(text, found.end())
            return _reversal(text, found.end()) or (None if unsaid else value)
        found = _leading(value).match(text)
        if found:
            if cue("unsaid").match(text, found.end()):
                return None
            return value if _ends_word(text, found.end()) else _joined_value(text, found, value)
        if found := _phrases(value).match(text) or _existing(value).match(text):
            return _phrase_value(text, found, value)
    return None


def without_lead_in(text: str) -> str:
    """Return a prepared text without a lead-in to the answer: "unfortunately, no"."""
    found = _lead_in().match(text)
    return text[found.end() :] if found else text


def opener(text: str) -> str | None:
    """Return the yes or no of the phrase that a prepared text begins with: "on the contrary", "no doubt"."""
    text = without_lead_in(text.lstrip(_WRAPPING))
    for value in (YES, NO):
        if found := _phrases(value).match(text):
            return _phrase_value(text, found, value)
    return None


def _phrase_value(text: str, found: re.Match[str], value: str) -> str | None:
    # "Indeed, there is no cone", "without a doubt, they do not touch": the word only emphasises what follows.
    following = _SENTENCE_END.split(text[found.end() :], maxsplit=1)[0]
    return None if value == YES and has_negation(following) else value


def leads_alone(reply: str) -> bool:
    """Tell whether no word is joined to the yes or no that a reply begins with."""
    text = reply.lstrip(_WRAPPING)
    found = [match for value in (YES, NO) if (match := _leading(value).match(text))]
    return not found or _ends_word(text, found[0].end())


def brief_answer(reply: str) -> str | None:
    """Return the yes or no at the start of a prepared reply, or in a verb alone: "but they are"."""
    value = leading(reply)
    if value is not None:
        return value
    values = [
        found
        for clause in clauses(reply)
        if not (clause.is_open or clause.first_look or clause.grants)
        and (found := briefly(clause.text)) is not None
    ]
    return values[-1] if values else None


def _contact_answer(text: str, question: str) -> str | None:
    touching = contact(text, question)
    return touching and touching.answer


def _without_own_questions(reply: str, question: str) -> str:
    """Remove the reply's own questions, with their yes or no, if they differ: "It looks bigger? No."."""
    wanted = set(content(question))

    def kept(match: re.Match[str]) -> str:
        words = set(content(match["question"]))
        looks = cue("looks")
        of_looks = looks.search(match["question"]) and not looks.search(question)
        # "It looks larger. Is it? No. They are the same."
        of_before = not words and match.start() > 0 and side(reply[match.end() :], question)
        is_other = len(words & wanted) < _SAME_QUESTION * len(words)
        return " " if of_looks or of_before or is_other else match[0]

    return _own_question().sub(kept, reply) if wanted and "?" in reply else reply


def _after_retraction(before: str, behind: str, mark: str, question: str) -> Reading:
    found = read(behind, question) if behind.strip(_WRAPPING) else None
    value = found.answer if found else None
    if value is None and re.search(r"\bno\b", mark):
        value = NO
    if value is None:
        return Reading(None, False, AMBIGUOUS, "the reply takes back what it said")
    return Reading(value, False, "", "what stands behind a take-back")


def _body(reply: str, question: str) -> Reading:
    second = after_second_look(reply)
    value = leading(second) if second else None
    if value is not None:
        return Reading(value, False, "", "what stands behind a second look")
    value, words = leading(reply), _stated_words(reply)
    touching = contact(reply, question)
    if value is not None and touching is not None and not leads_alone(reply):
        # "存在间隙" begins like an answer, but states a fact.
        if touching.answer is None:
            return Reading(None, False, AMBIGUOUS, "the reply leaves open whether they touch")
        value = touching.answer
    facts = side(reply, question) if len(words) > 1 else None
    if facts is not None and facts.answer is not None:
        return Reading(facts.answer, False, "", "what the reply says to be so, beside both words")
    if value is not None:
        return Reading(value, False, "", "the word that the reply begins with")
    concluded = [match for match in _concluding().finditer(reply) if _answers(reply, match)]
    if concluded:
        return Reading(_value(concluded[-1]), False, "", "the last conclusion")
    if touching is not None and touching.answer is not None:
        return Reading(touching.answer, False, "", "what the reply says of whether they touch")
    if touching is not None and touching.is_open:
        return Reading(None, False, AMBIGUOUS, "the reply leaves open whether they touch")
    if len(words) == 1:
        return Reading(words.pop(), False, "", "the one of the two words that is said")
    if words:
        return Reading(None, False, AMBIGUOUS, "the reply says both yes and no")
    if touching is not None:
        return Reading(None, False, AMBIGUOUS, "the reply leaves open whether they touch")
    value = restated(reply, question)
    if value is not None:
        verb = "affirms" if value == YES else "denies"
        return Reading(value, False, "", f"the reply {verb} what was asked")
    if refuses(reply):
        return Reading(None, False, REFUSED, "the reply gives no answer")
    return Reading(None, False, OFF_TOPIC, "the reply says neither yes nor no")


def _joined_value(text: str, found: re.Match[str], value: str) -> str | None:
    """Return the answer of a word that is joined to others: "存在しない", "是错误的"."""
    meant = stance(text, *found.span())
    if value == YES and _JOINED_DENIAL.match(text, found.end()):
        return None
    if meant is Stance.AFFIRMED:
        return value
    return NO if (meant, value) == (Stance.DENIED, YES) else None


def _ends_word(text: str, end: int) -> bool:
    return re.match(r"\W|$", text[end:]) is not None


def _reversal(text: str, end: int) -> str | None:
    """Return the answer after a concession: "yes at first glance, but actually no", "Yes, it looks so. But no, ..."."""
    first, *others = re.split(r"[.!?\n]", text[end:], maxsplit=_SENTENCES)
    turns = [(first.lstrip(), _contrast().search(first.lstrip()))]
    turns += [(other.lstrip(), _contrast().match(other.lstrip())) for other in others]
    values = [_value(found) for part, found in turns if found and _CLAUSE.match(part, found.end())]
    return values[-1] if values else None


def _stated_words(reply: str) -> set[str]:
    """Return which of the two words the reply states, not asks, supposes, denies or refuses."""
    found = set()
    for clause in clauses(_neither().sub(lambda other: " " * len(other[0]), reply)):
        if clause.is_open or clause.first_look:
            continue
        position = reply.find(clause.text[:1], clause.start) if clause.text else clause.start
        if YES not in found and _says_yes(clause.text, reply, position):
            found.add(YES)
        if NO not in found and _says_no(clause.text):
            found.add(NO)
    return found


def _says_yes(text: str, reply: str, position: int) -> bool:
    """Tell whether a clause at a position of a reply says yes: not "nobody says yes"."""
    return any(
        _words(YES).match(text, mention.start)
        # "Sie berühren sich ja nicht".
        and stance(reply, position + mention.start, position + mention.end, mention.languages)
        is Stance.AFFIRMED
        for mention in _yes().mentions(text)
    )


def _says_no(text: str) -> bool:
    return any(
        _CLAUSE.match(text, match.end()) and not _NOT_A.search(text[: match.start()])
        for match in _words(NO).finditer(text)
    )


def _answers(reply: str, found: re.Match[str]) -> bool:
    line = reply[: found.start()].rsplit("\n", 1)[-1]
    before = re.split(r"[.!?]", line)[-1]
    # "If they met, I'd say yes", "normally I'd say yes".
    supposed = cue("condition").search(before) or cue("first_look").search(before)
    return not supposed and (_value(found) == YES or _CLAUSE.match(reply, found.end()) is not None)


def _value(found: re.Match[str]) -> str:
    groups = found.groupdict()
    return YES if groups["yes"] or groups.get("yes_said") else NO


@cache
def _words(value: str) -> re.Pattern[str]:
    return re.compile(f"(?:{expression(load('yes_no')['words'][value])})(?!-\\w|\\?)")


@cache
def _yes() -> Lexicon:
    return Lexicon({YES: load("yes_no")["words"][YES]})


@cache
def _leading(value: str) -> re.Pattern[str]:
    return re.compile(expression(load("yes_no")["leading"][value]))


@cache
def _phrases(value: str, kind: str = "phrases") -> re.Pattern[str]:
    phrases = expression(load("yes_no")[kind][value])
    return re.compile(rf"(?:{phrases})(?=\s*(?:$|[.,;:!。、\n—-]))")


def _existing(value: str) -> re.Pattern[str]:
    return _phrases(value, "existing")


@cache
def _lead_in() -> re.Pattern[str]:
    return re.compile(rf"(?:{expression(load('yes_no')['lead_ins'])})\s*[,:、]?\s*(?=\w)")


@cache
def _whole(value: str) -> re.Pattern[str]:
    kinds = ("words", "leading", "phrases")
    return re.compile("|".join(expression(load("yes_no")[kind][value]) for kind in kinds))


@cache
def _own_question() -> re.Pattern[str]:
    return re.compile(rf"(?P<question>[^.!?\n]*\?)[\s\"']*{_either()}[\s\"'.,:;!—]*")


@cache
def _neither() -> Words:
    return listed("yes_no", "neither")


def _either() -> str:
    return f"(?:(?P<yes>{_words(YES).pattern})|(?P<no>{_words(NO).pattern}))"


@cache
def _concluding() -> re.Pattern[str]:
    marks = expression(load("yes_no")["concluding"])
    phrases = "|".join(
        f"(?P<{value}_said>{_phrases(value).pattern})(?!-\\w)" for value in (YES, NO)
    )
    return re.compile(
        rf"(?:{marks})\s*[,:—-]?\s*[\"'*]*(?:{phrases}|(?:the answer is |it is |it's )?(?:a )?{_either()})"
    )


@cache
def _contrast() -> re.Pattern[str]:
    marks = expression(load("yes_no")["contrast"])
    return re.compile(
        rf"(?:{marks})\s*,?\s*(?:(?:actually|in fact|really|in reality|then)\s*,?\s*)?{_either()}"
    )
