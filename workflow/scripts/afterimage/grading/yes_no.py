"""Yes or no: the first of the two words that stands by itself.

"No" before a noun ("no gap", "no overlap") denies the noun, not the question, and is not counted; nor
is the repeated choice "yes/no". A reply that describes without either word is unparsed: what "they
are apart" answers depends on the question.
"""

import re
from collections.abc import Sequence

from afterimage.grading.parsed import Parsed
from afterimage.grading.reply_text import plain

_CHOICE = re.compile(r"\byes\s*(?:/|\bor\b)\s*no\b|\bno\s*(?:/|\bor\b)\s*yes\b")
_ANSWER = re.compile(r"(?<![\w'-])(yes|no)(?![\w'-])")
# What may follow an answering "no" without a comma: the start of a clause.
_CLAUSE = re.compile(
    r"\s(?:the|they|it|there|this|that|these|those|both|neither|because|since|as|i|in|not|but)\b"
)


def parse(text: str, options: Sequence[tuple[str, str]] = ()) -> Parsed:
    """Read a reply as "Yes" or "No"; never raises, whatever the reply.

    Args:
        text: The reply as received.
        options: Not used; open questions offer none.

    Returns:
        "Yes" or "No" with outcome "exact" (the reply is the word) or "contained"; or None with
        outcome "unparsed" and why.
    """
    reply = plain(text).lower()
    if not reply:
        return Parsed(None, "unparsed", "the reply is empty")
    word = reply.strip("\"'`.,!()[]{} \n")
    if word in ("yes", "no"):
        return Parsed(word.capitalize(), "exact", "the reply is this word")
    text_without_choice = _CHOICE.sub(" ", reply)
    for found in _ANSWER.finditer(text_without_choice):
        if found[1] == "yes" or not _denies_a_noun(text_without_choice[found.end() :]):
            return Parsed(found[1].capitalize(), "contained", "the first yes or no by itself")
    return Parsed(None, "unparsed", "the reply says neither yes nor no")


def _denies_a_noun(after: str) -> bool:
    return bool(re.match(r"[ ]\w", after)) and not _CLAUSE.match(after)
