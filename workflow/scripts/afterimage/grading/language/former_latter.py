"""Resolves "the former" and "the latter" in a reply to the two options that it named just before.

Resolved where the sentence, or else the one before it, names exactly two options; otherwise the words stay, and mean
nothing.
"""

import re
from collections.abc import Sequence
from functools import cache
from itertools import groupby

from afterimage.grading.language.known_options import Options
from afterimage.grading.language.option_words import NEITHER
from afterimage.grading.language.reply_text import sentences
from afterimage.grading.language.words import expression, load

# Limit of resolved words, for replies that repeat themselves.
_MAXIMUM = 8


def resolved(text: str, known: Options) -> str:
    """Return a prepared reply with the option's name in place of each "the former" and "the latter"."""
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
    """Return the names of the two options before a position, in order; empty if there are not exactly two."""
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
