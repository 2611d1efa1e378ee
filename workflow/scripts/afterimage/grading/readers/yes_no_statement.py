"""Yes or no from free text, with or without its question; where neither is said the reader abstains.

In the order of evidence of :mod:`afterimage.grading.language.affirmation`.
"""

from collections.abc import Sequence

from afterimage.grading.language import affirmation
from afterimage.grading.language.reply_text import prepared
from afterimage.grading.parsed import Parsed
from afterimage.grading.readers import yes_no


def parse(text: str, options: Sequence[tuple[str, str]] = ()) -> Parsed:
    """Read a reply without its question; never raises, whatever the reply."""
    return yes_no.parse(text, options)


def read(response: str, question: str) -> str | None:
    """Read a free answer to a question.

    Returns:
        "yes", "no", or None if the reader abstains.
    """
    return affirmation.read(prepared(response), prepared(question)).answer
