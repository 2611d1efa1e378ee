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
    return parse_with_question(text, options, "")


def parse_with_question(text: str, options: Sequence[tuple[str, str]], question: str) -> Parsed:
    reading = affirmation.read(prepared(text), prepared(question))
    if reading.answer is None:
        return unread(reading.code, reading.why)
    return Parsed(
        reading.answer.capitalize(), "exact" if reading.whole else "contained", reading.why
    )
