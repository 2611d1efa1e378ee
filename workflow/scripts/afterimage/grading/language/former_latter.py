"""What a reply means by "the former" and "the latter": the one of two options that it named just before.

Resolved where the sentence, or else the one before it, names two options, the one and then the other; otherwise it
stays as it is, and says nothing.
"""

import re
from collections.abc import Sequence
from functools import cache
from itertools import groupby

from afterimage.grading.language.known_options import Options
from afterimage.grading.language.option_words import NEITHER
from afterimage.grading.language.reply_text import sentences
from afterimage.grading.language.words import expression, load

# Of a reply that goes round in circles so many are resolved.
_MAXIMUM = 8


def resolved(text: str, known: Options) -> str:
    """Return a prepared reply with the option's name in the place of each "the former" and "the latter"."""
    marks = list(_meant().finditer(text))[:_MAXIMUM]
    if not marks:
        return text
    bounds, kept, position = sentences(text), "", 0
    for mark in marks:
        two = _two_before(text, mark.start(), bounds, known)
        if two:
            name = two[mark["latter"] is not None]
            kept += text[position : mark.start()] + (f"the {name} one" if name.isascii() else name)
            position = mark.end()
    return kept + text[position:]


def _two_before(
    text: str, end: int, bounds: Sequence[tuple[int, int]], known: Options
) -> list[str]:
    """Return the names of the two options before a place, in their order; none where they are not two."""
    for start in reversed([start for start, _ in bounds if start <= end][-2:]):
        found = [
            match
            for match in known.names.finditer(text, start, end)
            if known.named(match).concept not in NEITHER
        ]
        if found:
            names = [next(same)[0] for _, same in groupby(found, lambda match: match.lastgroup)]
            return names if len(names) == 2 else []
        end = start
    return []


@cache
def _meant() -> re.Pattern[str]:
    pair = load("options")["pair"]
    return re.compile(
        "|".join(f"(?P<{which}>{expression(pair[which])})" for which in ("former", "latter"))
    )
