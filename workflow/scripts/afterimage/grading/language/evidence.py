"""Which parts of a reply count as statements, and how strongly: final answers, retractions, impressions.

All readers use this before they look for words. Evidence in order: an announced final answer; the text after the last
retraction; statements that are not asked, supposed, refused, or mere impressions. The cues are data
(``resources/answers/cues.yaml``), in several languages.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from afterimage.grading.language.denial import has_denial
from afterimage.grading.language.reply_text import sentences
from afterimage.grading.language.words import cue, expression, load

# Limit of announcements that are read, from the last.
_MAX_ANNOUNCED = 8

_MARKED_RIGHT = re.compile(r"[✓✔✅☑]|\(correct\)|\[x\]|←|<--|<=|[:)—] ?(?:yes|correct|true)\W*$")
_MARKED_WRONG = re.compile(r"[✗✘❌✕☒]|\[ ?\]|[:)—] ?(?:no|incorrect|false|wrong)\W*$")
_LIST_MARK = re.compile(r"^\s*(?:[-*•+]|\(?[0-9a-z]{1,2}[.)])\s+")
# "Left: 30 px" is a measurement, "Answer: left" an announcement.
# Nor does the colon of "Left: bigger" separate the subject from its comparison.
_BETWEEN_CLAUSES = (
    r"[;,()—、]|\.\.\.|(?<=[a-z]) - (?=[a-z])|"
    r":(?!\s*[~≈#]?\s*[0-9]|\s*#|\s*(?:\w+ly |much )?(?:bigg|larg|small|long|short|clos|light|dark|bright)er\W*$)"
)
_FOLLOWS = re.compile(r"(?:, | )?(?:so|but|however|therefore|thus|hence|yet)")
_SUPPOSES = re.compile(r"\b(?:would|could|if|unless|whether)\b")
_FOLLOWS_FROM = re.compile(r"(?:, | )?(?:so|therefore|thus|hence)")
# "The two are the same, aren't they?" says so; "it seems longer, doesn't it?" does not.
_TAG = re.compile(r", (?:is|are)n't (?:it|they)\?\s*$")
_REASONS = ("since", "because")
# Words of an introduction such as "at first glance".
_INTRODUCES = 5
# "3.1 cm and 3.4 cm → lower", at the end.
_ARROW = re.compile(r"(?:→|->|=>|⇒) *([a-z\ue000-\uf8ff][^→⇒>\n0-9]{0,40}?)[\s.!\"')]*$")
# Marks, quotes and brackets after the announcement of a final answer.
_LEAD = " \t\"'`([{*:=>-—"
# "The answer is not left" announces nothing; "not parallel" may be an option.
_DENIED = re.compile(
    r"(?:definitely |certainly |clearly |probably )?(?:not|cannot)\b"
    r"(?! (?:the same|different|parallel|straight|equal|true|correct|curved|touching|overlapping))"
)

# "It looks like they touch, but they don't": the verb alone repeats the question.
_BRIEF = re.compile(
    # "Measuring shows they are not": a verb of finding out.
    r"(?:.*\b(?:shows?|reveals?|proves?|confirms?|suggests?|indicates?|means?|see|think|believe)"
    r"(?: me| us)?(?: that)? )?"
    r"\W*(?:(?:they|it|he|she|both|there|this|these|those|that) )?"
    r"(?:\w+ly |in fact |indeed |both |all |in reality )*+"
    r"(?:do|does|did|are|is|was|were|have|has)(?P<denied>n't| not)?(?: \w+ly| at all| indeed| really| so)?\W*"
)


# A measurement, however it is written.
_FIGURES = re.compile(r"\d\d")
# "It looks smaller than it actually is" states nothing else.
_THAN_IT_IS = re.compile(r"\bthan (?:it|they|one|both) (?:\w+ly )?(?:is|are)\b")
_CONFIRMS = re.compile(r"\bconfirm|\b(?:bears?|bore) (?:it|that|this) out")

# "They're not."
_SHORTENED = re.compile(r"(?<=\w)'(?:re|s)(?= (?:\w+ )?not\b)")

# Readers process the same reply several times, and only a few at once.
_remember = lru_cache(maxsize=32)
_remember_sentence = lru_cache(maxsize=1024)


class Clause(NamedTuple):
    """A part of a reply that makes one statement.

    Attributes:
        text: Its words, lower case.
        sentence: Number of its sentence.
        is_open: Whether it asks, supposes or refuses, and so states nothing.
        first_look: Whether it says how things seem at first, to others, or because of a trick.
        looks: Whether it says how things look rather than how they are.
        actual: Whether it says how things are in contrast to how they look.
        grants: Whether it concedes something before another statement.
        concludes: Whether its sentence is a conclusion.
        length: Its characters in the reply, including spaces around it.
        is_whole: Whether it is the whole sentence.
        contrasts: Whether it begins with a word such as "but".
    """

    text: str
    start: int
    sentence: int
    is_open: bool
    first_look: bool
    looks: bool
    actual: bool
    grants: bool
    concludes: bool
    length: int
    is_whole: bool
    contrasts: bool


@_remember
def final_answers(reply: str) -> tuple[str, ...]:
    """Return the announced answers of a prepared reply, the last first.

    An announcement under a condition, in a question or with a negation ("the answer is not left") does not count. Only
    the last ``_MAX_ANNOUNCED`` are returned, so that endless repetition is read in bounded time.
    """
    found = []
    for start, end in sentences(reply):
        sentence = reply[start:end]
        marks = list(cue("final").finditer(sentence))[-_MAX_ANNOUNCED:]
        for mark in marks if marks and not is_supposed(sentence) else ():
            # "In the usual figure the answer would be yes."
            if "would be" in mark[0] and cue("first_look").search(sentence, 0, mark.start()):
                continue
            following = reply[start + mark.end() :]
            line = _first_line(following)
            if line and not _DENIED.match(line):
                found.append((start + mark.start(), line))
    for start, end in sentences(reply)[-2:]:
        arrow = _ARROW.search(reply, start, end)
        if arrow is not None:
            found.append((arrow.start(), arrow[1]))
    found.extend(_marked_options(reply))
    return tuple(text for _, text in sorted(found, reverse=True)[:_MAX_ANNOUNCED])


def after_take_back(reply: str) -> tuple[str, str, str] | None:
    """Return the text before and after the last retraction of a prepared reply, and its words; None without one."""
    marks = list(cue("take_back").finditer(reply))
    if not marks:
        return None
    following = reply[marks[-1].end() :].lstrip(" ,.!:—-\n")
    return reply[: marks[-1].start()], following, marks[-1][0]


# In "wait, no." the second word belongs to the retraction; "no circles" and "no, 4" state something.
_ENDS = re.compile(r"\s*(?:[.,;:!。、！，—-][ ,.;:!。、！，—-]*|$)")


def without_no(behind: str) -> str:
    """Return the text after a retraction without a "no" that belongs to the retraction."""
    behind = behind.lstrip("、，。 ")
    no = next(cue("no_more").finditer(behind), None)
    end = None if no is None or no.start() else _ENDS.match(behind, no.end())
    return behind if end is None else behind[end.end() :]


def is_withdrawn(taken_back: tuple[str, str, str]) -> bool:
    """Tell whether a reply replaces its retracted statement by nothing, or only denies the number.

    Words that may also admit an earlier mistake ("There are 5. My apologies.") withdraw nothing.
    """
    _, following_text, mark = taken_back
    following = without_no(following_text)
    if re.search(r"\w", following) is None:
        return next(cue("admits").finditer(mark), None) is None
    return re.search("[0-9]", following) is not None and has_negation(following)


def after_second_look(reply: str) -> str | None:
    """Return the text of a prepared reply after a second look; None without one."""
    marks = list(cue("second_look").finditer(reply))
    return reply[marks[-1].end() :].lstrip(" ,.!:—-\n") if marks else None


@_remember
def clauses(reply: str) -> tuple[Clause, ...]:
    """Return the clauses of a prepared reply."""
    return tuple(
        Clause(clause.text, start + clause.start, number, *clause[3:])
        for number, (start, end) in enumerate(sentences(reply))
        for clause in _clauses_of(reply[start:end])
    )


def without_wrong(reply: str) -> str:
    """Return a prepared reply without lines and sentences that are marked as wrong: "- left ✗", "Left: no."."""
    kept, position = "", 0
    for start, end in sentences(reply):
        if _MARKED_WRONG.search(reply[start:end]):
            kept, position = kept + reply[position:start], end
    return kept + reply[position:]


@_remember
def conclusions(reply: str) -> str:
    """Return the last conclusion of a prepared reply, to the end of its sentence; empty without one."""
    for start, end in reversed(sentences(reply)):
        marks = list(cue("concludes").finditer(reply[start:end]))
        if marks:
            return reply[start + marks[-1].start() : end].strip()
    return ""


def asserted_text(reply: str) -> str:
    """Return a prepared reply with spaces in place of questions, suppositions, refusals and first impressions."""
    kept = list(reply)
    for clause in clauses(reply):
        if clause.is_open or clause.first_look:
            for position in range(clause.start, clause.start + clause.length):
                if kept[position] not in "\n.":
                    kept[position] = " "
    return "".join(kept)


@_remember
def refuses(reply: str) -> bool:
    """Tell whether a prepared reply says that it gives no answer."""
    return any(_refuses(reply[start:end]) for start, end in sentences(reply))


def has_illusion(reply: str) -> bool:
    """Tell whether a prepared reply says that an impression is false."""
    return cue("illusory").search(reply) is not None or is_dismissed(reply)


def is_dismissed(reply: str) -> bool:
    """Tell whether a prepared reply calls its impression a mere illusion: "but that is just the effect"."""
    return cue("dismissed").search(reply) is not None


def has_negation(text: str) -> bool:
    """Tell whether a part of a prepared reply denies something."""
    return has_denial(text)


def is_set_against(clause: Clause) -> bool:
    """Tell whether a clause contradicts an impression: "but ...", "in truth ...", a measurement."""
    if clause.is_open or _CONFIRMS.search(clause.text) or briefly(clause.text):
        return False
    actual = clause.actual and cue("actual").search(_THAN_IT_IS.sub(" ", clause.text)) is not None
    return actual or clause.contrasts or _FIGURES.search(clause.text) is not None


def briefly(text: str) -> str | None:
    """Return the answer of a clause with a verb alone: "they are" is a yes."""
    found = _BRIEF.fullmatch(_SHORTENED.sub(" is", text))
    return None if found is None else "no" if found["denied"] else "yes"


def last_line(reply: str) -> str:
    """Return the last line of a prepared reply, without a mark of a list."""
    return _LIST_MARK.sub("", reply.rsplit("\n", 1)[-1])


@_remember_sentence
def _clauses_of(sentence: str) -> tuple[Clause, ...]:
    """Return the clauses of a sentence, as if it were the whole reply."""
    return tuple(_split_clauses(sentence))


def _split_clauses(sentence: str) -> Iterator[Clause]:
    is_question = sentence.rstrip().endswith("?") and _TAG.search(sentence) is None
    supposed = is_supposed(sentence)
    refused = _refuses(sentence)
    concludes = cue("concludes").search(sentence) is not None
    introduced = looking = seems = False
    for start, end, granted, denied, mark in _parts(sentence):
        text = sentence[start:end]
        if not text.strip(" ,;"):
            # "However, ...": nothing is between a turn and its comma.
            introduced = introduced and mark in (",", ":", "、", "")
            continue
        first_look, looks, actual = _tone(text)
        # "They would meet if extended, so they are not parallel": the conclusion is no supposition.
        follows = _FOLLOWS.fullmatch(mark) is not None and not _SUPPOSES.search(text)
        # "At first glance, ..." applies until something else begins.
        # A reason for a first impression is one, too: "one might say 5, since there are 5 rings".
        is_reason = mark.strip(" ,") in _REASONS
        seems = first_look or (introduced and mark in (",", ":", "、")) or (seems and is_reason)
        is_short = len(text.split()) <= _INTRODUCES
        introduced = seems and not granted and (introduced or is_short)
        # So does "visually, ...", to the end of its part.
        looks_on = looks or (looking and mark in (",", ":", "—"))
        looking = looks and is_short and not granted
        yield Clause(
            text.strip(),
            start,
            0,
            is_question
            or denied
            or (supposed and not follows)
            or (refused and _refuses_here(sentence, start, end, mark)),
            seems and (first_look or not actual),
            looks_on,
            actual,
            granted,
            concludes,
            end - start,
            end - start == len(sentence),
            cue("contrast").fullmatch(mark.strip(" ,")) is not None,
        )


@_remember_sentence
def _tone(text: str) -> tuple[bool, ...]:
    """Tell whether a clause says how things seem at first, how they look, and how they are."""
    return tuple(cue(name).search(text) is not None for name in ("first_look", "looks", "actual"))


def _parts(sentence: str) -> Iterator[tuple[int, int, bool, bool, str]]:
    """Yield start and end of each clause, whether it concedes, whether "instead" follows, and the mark before it."""
    position, granted, before = 0, False, ""
    for mark in _turns().finditer(sentence):
        yield position, mark.start(), granted, cue("instead").fullmatch(mark[0]) is not None, before
        position, before = mark.end(), mark[0]
        if cue("concession").fullmatch(mark[0].strip(" ,")):
            granted = True
        elif mark[0] != ",":
            granted = False
        elif granted and position:
            # A concession ends at the comma.
            granted = False
    yield position, len(sentence), granted, False, before


@cache
def _turns() -> re.Pattern[str]:
    # A turn includes the comma or the space before its word.
    turn = expression(load("cues")["turn"], before=r"(?:,? |^)(?=\w)")
    return re.compile(f"{turn}|{cue('instead').pattern}|{_BETWEEN_CLAUSES}")


@_remember_sentence
def is_supposed(sentence: str) -> bool:
    """Tell whether a sentence is a supposition."""
    return cue("condition").search(cue("no_condition").sub(" ", sentence)) is not None


@_remember_sentence
def _refuses(sentence: str) -> bool:
    return cue("refusal").search(cue("no_refusal").sub(" ", sentence)) is not None


@_remember_sentence
def _where_it_may_refuse(sentence: str) -> str:
    """Return a sentence of the same length without words that only look like a refusal."""
    return cue("no_refusal").sub(lambda found: " " * len(found[0]), sentence)


def _refuses_here(sentence: str, start: int, end: int, mark: str) -> bool:
    """Tell whether a clause belongs to its sentence's refusal; "hard to say, but I believe ..." answers."""
    meant = _where_it_may_refuse(sentence)
    refusal = cue("refusal").search(meant)
    if refusal is None or end <= refusal.start():
        return False
    commits = _FOLLOWS_FROM.fullmatch(mark) or cue("commits").search(meant, start, end)
    return (
        start <= refusal.start() or not commits or cue("refusal").search(meant, start) is not None
    )


def _first_line(text: str) -> str:
    for line in text.split("\n", 3)[:3]:
        stripped = line.strip(_LEAD)
        if stripped.strip(".!?,;:)]}\"'"):
            return stripped
    return ""


def _marked_options(reply: str) -> Iterator[tuple[int, str]]:
    """Yield lines with a tick, where others of the reply have none: "- left ✗", "- same ✓"."""
    position = 0
    marked, lines = [], 0
    for line in reply.split("\n"):
        lines += 1
        if _MARKED_RIGHT.search(line) and not _MARKED_WRONG.search(line):
            marked.append(
                (position, _LIST_MARK.sub("", _MARKED_RIGHT.sub(" ", line)).strip(_LEAD + " ."))
            )
        position += len(line) + 1
    if len(marked) == 1 and lines > 1:
        yield marked[0]
