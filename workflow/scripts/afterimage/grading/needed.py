"""What a text must hold for a word of a list to stand in it: a look at these parts instead of a search for the words.

Standard library only.
"""

import re
from collections.abc import Iterable, Iterator

from afterimage.grading.first_signs import ATOMIC, GROUP, MAY_BE_MISSING, alternatives, closing

_LOOK = re.compile(r"\(\?<?[=!]")
_EDGE = re.compile(r"\\[bB]|[\^$]")
_REPEATED = re.compile(r"(?:[*+?]|\{\d*,?\d*\})[?+]?")
_LITERAL = re.compile(r"\\?(?=[^\w\\])(.)|\w", re.DOTALL)
_ANY = "."


def needed(words: Iterable[str]) -> frozenset[str]:
    """Return parts of which every text with one of the words holds at least one; empty where they are not known.

    Args:
        words: Parts of regular expressions.
    """
    found: set[str] = set()
    for alternative in alternatives("|".join(words)):
        # The longest are the rarest.
        own = max(_in_sequence(alternative), key=_length, default=frozenset())
        if not own:
            return frozenset()
        found |= own
    return frozenset(one for one in found if not any(other in one for other in found - {one}))


def _length(parts: frozenset[str]) -> tuple[int, int]:
    return min(map(len, parts), default=0), -len(parts)


def _in_sequence(sequence: str) -> Iterator[frozenset[str]]:
    """Yield for each piece of a sequence that cannot be missing the parts of which it holds one."""
    run = ""
    for atom, is_sure, is_repeated in _atoms(sequence):
        literal = None if atom == _ANY else _LITERAL.fullmatch(atom)
        if literal is not None and is_sure:
            run += literal[1] or literal[0]
        if run and (literal is None or is_repeated):
            yield frozenset([run])
            run = ""
        if atom.startswith(GROUP) and is_sure:
            yield needed([atom[len(GROUP) : -1]])
    if run:
        yield frozenset([run])


def _atoms(sequence: str) -> Iterator[tuple[str, bool, bool]]:
    """Yield what takes room in a sequence, whether it cannot be missing, and whether it may stand there again."""
    at = 0
    while at < len(sequence):
        if _LOOK.match(sequence, at):
            at = closing(sequence, at) + 1
            continue
        edge = _EDGE.match(sequence, at)
        if edge is not None:
            at = edge.end()
            continue
        one = ATOMIC.match(sequence, at)
        end = closing(sequence, at) + 1 if sequence[at] == "(" else one.end() if one else at + 1
        repeated = _REPEATED.match(sequence, end)
        yield sequence[at:end], MAY_BE_MISSING.match(sequence, end) is None, repeated is not None
        at = repeated.end() if repeated else end
