"""Yes or no, in whatever words and language, in the order of evidence of ``language/affirmation.py``.

"No" before a noun ("no gap", "no overlap") denies the noun, not the question, and is not counted; nor is the repeated
choice "yes/no". What a description without either word answers depends on the question: it is read with that at hand.
"""

from collections.abc import Sequence

from afterimage.grading.language import affirmation
from afterimage.grading.language.reply_text import prepared
from afterimage.grading.parsed import Parsed, unread


def parse(text: str, options: Sequence[tuple[str, str]] = ()) -> Parsed:
    """Read a reply as "Yes" or "No" without its question; never raises, whatever the reply.

    Returns:
        "Yes" or "No" with outcome "exact" (the reply is the word) or "contained"; or None with
        outcome "unparsed" and why.
    """
    return parse_asked(text, options, "")


def parse_asked(text: str, options: Sequence[tuple[str, str]], asked: str) -> Parsed:
    said = affirmation.read(prepared(text), prepared(asked))
    if said.answer is None:
        return unread(said.code, said.why)
    return Parsed(said.answer.capitalize(), "exact" if said.whole else "contained", said.why)
