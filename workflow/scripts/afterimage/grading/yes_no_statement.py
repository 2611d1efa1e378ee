"""Yes or no from free text: the word itself, the conclusion, or the question's own predicate affirmed or denied.

Read in this order, the first that applies decides:

1. The answer begins with "yes" or "no".
2. It concludes so: "So, yes, ...", "Therefore no", "the answer is no"; the last conclusion counts.
3. One of its sentences says the question's predicate, its last words ("larger than 5", "in the correct order"), of the
   question's own subject, with or without a negation before them; the last such sentence counts.

A sentence that hedges ("cannot confirm", "would", "if") decides nothing under 3. In all other cases the reader
abstains: what "they are the same" answers depends on what was asked.
"""

import re
from collections.abc import Sequence

from afterimage.grading.parsed import Parsed
from afterimage.grading.reply_text import plain, sentences

_LEADING = re.compile(r"^\W*(yes|no)\b")
_CONCLUDING = re.compile(
    r"\b(?:(?:so|therefore|thus|hence|consequently|in conclusion|overall)\s*[,:]?\s*|"
    r"(?:the|my)?\s*(?:final\s+)?answer(?:\s+is)?\s*:?\s*[\"']?)(yes|no)\b(?!\s+(?:one|longer|more|other)\b)"
)
_HEDGE = re.compile(
    r"\b(?:cannot|can't|could|couldn't|would|might|may|if|unless|whether|without|unable|difficult|hard to|"
    r"do(?:es)? not have|don't have|not possible|unclear|illusion|appear different|in the process)\b"
)
_NEGATION = re.compile(r"\b(?:not|never|neither|nor|isn't|aren't|doesn't|don't|wasn't|didn't)\b")
_WORD = re.compile(r"[^\W_]+(?:['.-][^\W_]+)*")
_VERB = re.compile(
    r"\b(?:is|are|was|were|does|do|did|has|have|shows?|ranges?|remains?|appears?|seems?)\b"
)
# Words that stand for whatever the sentence is about.
_ANY_SUBJECT = frozenset(
    {"it", "they", "this", "these", "is", "are", "does", "do", "that", "there"}
)
# Fewer last words say too little: "the same" is said of everything.
_FEWEST_WORDS = 3
_MOST_WORDS = 6


def parse(text: str, options: Sequence[tuple[str, str]] = ()) -> Parsed:
    """Read a reply by rules 1 and 2, which need no question; never raises, whatever the reply."""
    said = read(text, "")
    if said is None:
        return Parsed(None, "unparsed", "the reply says neither yes nor no where an answer stands")
    exact = _WORD.findall(plain(text).lower()) == [said]
    return Parsed(
        said.capitalize(),
        "exact" if exact else "contained",
        "the reply is this word" if exact else "the reply begins or concludes with this word",
    )


def read(response: str, question: str) -> str | None:
    """Read a free answer to a question.

    Args:
        response: The answer as received.
        question: The question that it answers; empty to do without rule 3.

    Returns:
        "yes", "no", or None where the reader abstains.
    """
    reply = plain(response).lower()
    leading = _LEADING.match(reply)
    if leading:
        return leading[1]
    concluding = _CONCLUDING.findall(reply)
    if concluding:
        return concluding[-1]
    return _restated(reply, question)


def _restated(reply: str, question: str) -> str | None:
    asked = _WORD.findall(plain(question).lower())
    said = None
    for start, end in sentences(reply):
        sentence = reply[start:end]
        if _HEDGE.search(sentence):
            continue
        affirmed = _affirms(sentence, asked)
        if affirmed is not None:
            said = "yes" if affirmed else "no"
    return said


def _affirms(sentence: str, asked: Sequence[str]) -> bool | None:
    """Tell whether a sentence affirms (True) or denies (False) the longest predicate it repeats; None without one."""
    words = _WORD.findall(sentence)
    for count in range(min(_MOST_WORDS, len(asked)), _FEWEST_WORDS - 1, -1):
        predicate = list(asked[-count:])
        for place in range(len(words) - count, -1, -1):
            if words[place : place + count] == predicate and _is_about(
                asked[-count - 1 : -count], words[:place]
            ):
                return _has_verb_without_negation(words[:place])
    return None


def _is_about(subject: Sequence[str], before: Sequence[str]) -> bool:
    """Tell whether the words before a predicate speak of what the question's predicate is asked of."""
    return not subject or subject[0] in _ANY_SUBJECT or subject[0] in before


def _has_verb_without_negation(before: Sequence[str]) -> bool | None:
    clause = " ".join(before)
    verbs = list(_VERB.finditer(clause))
    if _NEGATION.search(clause):
        return False
    return True if verbs else None
