"""The signs that words of a list may begin with: one look at a sign instead of one at each word.

Standard library only.
"""

import re
from collections.abc import Iterable, Iterator

# What takes no room: a look ahead or behind without groups of its own, a boundary.
_LOOK = re.compile(r"\(\?<?[=!][^()]*\)|\\b|\^")
_SIGN = re.compile(r"\\[dsw]|\\[^\w\s]|[^\\()\[\]{}.*+?|^$]")
_CLASS = re.compile(r"\[(?!\^)((?:\\.|[^\]\\])+)\]")
GROUP = "(?:"
_NOTHING = ""
ATOMIC = re.compile(r"\[\^?\]?(?:\\.|[^\]\\])*\]|\\.")
MAY_BE_MISSING = re.compile(r"(?:[?*]|\{0?,\d*\})[?+]?")
# What would mean something else within a class.
_SPECIAL = re.compile(r"([\[\]^\\&~|-])")


def ahead(words: Iterable[str]) -> str:
    """Return a look ahead at the first sign of any of the words; empty where one may begin with anything.

    Args:
        words: Parts of regular expressions.
    """
    found: set[str] = set()
    for word in words:
        own = _begins(word)
        if own is None or _NOTHING in own:
            return ""
        found |= own
    return f"(?=[{''.join(sorted(found))}])" if found else ""


def _begins(part: str) -> set[str] | None:
    """Return what a part may begin with, as content of a class, ``_NOTHING`` too if it may be empty; None: unknown."""
    found: set[str] = set()
    for alternative in alternatives(part):
        own = _sequence(alternative)
        if own is None:
            return None
        found |= own
    return found


def _sequence(part: str) -> set[str] | None:
    found: set[str] = set()
    at = 0
    while at < len(part):
        look = _LOOK.match(part, at)
        if look is not None:
            at = look.end()
            continue
        own, at = _atom(part, at)
        if own is None:
            return None
        found |= own - {_NOTHING}
        missing = MAY_BE_MISSING.match(part, at)
        if missing is None and _NOTHING not in own:
            return found
        at = missing.end() if missing else at
    return found | {_NOTHING}


def _atom(part: str, at: int) -> tuple[set[str] | None, int]:
    """Return what the atom at a place may begin with, and where it ends."""
    if part.startswith(GROUP, at):
        end = closing(part, at)
        return _begins(part[at + len(GROUP) : end]), end + 1
    own = _CLASS.match(part, at)
    if own is not None:
        return {own[1]}, own.end()
    sign = _SIGN.match(part, at)
    if sign is None:
        return None, at
    return {sign[0] if len(sign[0]) > 1 else _SPECIAL.sub(r"\\\1", sign[0])}, sign.end()


def alternatives(part: str) -> Iterator[str]:
    """Yield the alternatives of a part of a regular expression."""
    begin = 0
    for at, sign, depth in _walk(part):
        if sign == "|" and depth == 0:
            yield part[begin:at]
            begin = at + 1
    yield part[begin:]


def closing(part: str, begin: int) -> int:
    """Return where the group that begins at a place is closed."""
    return next(at for at, sign, depth in _walk(part, begin) if sign == ")" and depth == 0)


def _walk(part: str, begin: int = 0) -> Iterator[tuple[int, str, int]]:
    """Yield the place of each sign outside of classes, and in how many groups it stands; a bracket stands outside."""
    depth, at = 0, begin
    while at < len(part):
        own = ATOMIC.match(part, at)
        if own is not None:
            at = own.end()
            continue
        depth -= part[at] == ")"
        yield at, part[at], depth
        depth += part[at] == "("
        at += 1
