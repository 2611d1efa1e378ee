"""Free descriptions: no rule can score them; a judge does.

The raw answer stays in the responses, and the grade's score stays empty until a judge has read it. A blank or refusing
reply is no description; the reason says so, and there is nothing to score.
"""

import re
from collections.abc import Sequence

from afterimage.contract.readings import EMPTY, REFUSED
from afterimage.grading.language.reply_text import plain
from afterimage.grading.parsed import NOT_JUDGED, Parsed, unread

#: Readings of answers that are no descriptions.
BLANK = unread(EMPTY, "the reply is empty, and there is no description to score")
DECLINED = unread(REFUSED, "the reply refuses, and there is no description to score")
_FREE = Parsed(None, NOT_JUDGED, "a free description: a judge scores it, no rule")

_LONGEST_REFUSAL = 400
# "I cannot see an illusion here" answers the question; "I cannot see images" does not.
_REFUSAL = re.compile(
    r"(?:(?:i'?m|i am|we'?re) (?:very |so |really )?sorry|sorry|i apologi[sz]e|apologies|unfortunately|"
    r"as an ai[^.\n]{0,60})?[^a-z]{0,4}(?:but |however )?(?:i|we)(?: can't| cannot| can not| won't|'m unable to|"
    r" am unable to| am not able to|'m not able to| do not have the ability to| don't have the ability to)\s"
    r"(?:assist|help|comply|fulfil|do that|provide (?:a |any |you )|describe (?:the|this|that|any)|"
    r"(?:see|view|process|access|open|analy[sz]e|interpret|display)(?: or \w+)? (?:the |this |that |any |your )?"
    r"(?:images?|pictures?|photos?|files?))"
)


def parse(text: str, options: Sequence[tuple[str, str]] = ()) -> Parsed:
    """Leave a description to a judge; never raises, whatever the reply.

    Args:
        options: Not used.

    Returns:
        "not_judged", since a judge is needed; "unparsed" with :data:`BLANK` or :data:`DECLINED` where there is nothing
        to judge.
    """
    if not text.strip():
        return BLANK
    return DECLINED if is_refusal(text) else _FREE


def is_refusal(text: str) -> bool:
    """Tell whether a short reply only says that it will not or cannot describe the image."""
    if len(text) > _LONGEST_REFUSAL:
        return False
    return _REFUSAL.match(plain(text).lower().lstrip("\"'")) is not None
