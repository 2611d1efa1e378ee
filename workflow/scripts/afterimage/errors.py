"""Errors that a user can mend: one clear sentence, no traceback."""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from textwrap import shorten

# So many letters say which name is begun.
_LEAST = 3
# Of a name that is none, so much is shown.
_LONGEST_FOUND = 200
# Of the names that would do, so many letters.
_LONGEST_LIST = 200
# Control characters, those that turn the direction of writing, and half characters.
_ACTED_UPON = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


class AfterimageError(Exception):
    """What was found, where, and what was expected, in one sentence."""

    def __str__(self) -> str:
        """Return the sentence as a terminal can show it, whatever it quotes."""
        return plain(super().__str__(), keep="\n")


def plain(text: str, keep: str = "") -> str:
    """Return a text with every character that a terminal acts upon written out, such as ``\\x1b``; but for ``keep``."""
    return _ACTED_UPON.sub(lambda one: one[0] if one[0] in keep else ascii(one[0])[1:-1], text)


def unknown_name(kind: str, name: object, valid: Iterable[str], where: str = "") -> AfterimageError:
    """Build the error for a name that is not among the valid ones, suggesting the nearest.

    Args:
        kind: What the name should have named, e.g. ``"model"``.
        name: What was found.
        valid: All names that would have been accepted.
        where: The file or key that holds the name, e.g. ``"config.yaml: models[0]"``.
    """
    names = sorted(valid)
    near = nearest(name, names)
    known = shorten(", ".join(names), _LONGEST_LIST, placeholder=f" ... ({len(names)} in all)")
    hint = f"did you mean '{near}'?" if near else f"expected one of: {known or 'none exist'}."
    prefix = f"{where}: " if where else ""
    found = plain(str(name))
    if len(found) > _LONGEST_FOUND:
        found = f"{found[:_LONGEST_FOUND]}..."
    return AfterimageError(f"{prefix}unknown {kind} '{found}': {hint}")


def nearest(name: object, valid: Iterable[str]) -> str | None:
    """Return the valid name that is most like a wrong one, best one that begins with it; None where none is like it.

    Capitals, and what stands between words, tell no names apart: ``POPE``, ``illusion-vqa``.
    """
    spelled = {_spelling(one): one for one in sorted(valid)}
    wanted = _spelling(str(name)[:_LONGEST_FOUND])
    if begun := [one for one in spelled if len(wanted) >= _LEAST and one.startswith(wanted)]:
        return spelled[min(begun, key=lambda one: (len(one), one))]
    near = get_close_matches(wanted, spelled, n=1, cutoff=0.5)
    return spelled[near[0]] if near else None


def _spelling(name: str) -> str:
    return name.casefold().replace("-", "_").replace(" ", "_")


class Faults:
    """What is wrong with something, said together: behind a fault is looked on, as far as that can be done.

    Attributes:
        sentences: The faults, each one line and each once, in order.
    """

    def __init__(self) -> None:
        """Start with none."""
        self.sentences: dict[str, None] = {}

    def add(self, error: AfterimageError) -> None:
        """Add what an error says: a fault in each of its lines."""
        self.sentences.update(dict.fromkeys(str(error).splitlines()))

    @contextmanager
    def noted(self) -> Iterator[None]:
        """Note an error that the block ends with, and go on behind it."""
        try:
            yield
        except AfterimageError as error:
            self.add(error)

    def raise_any(self) -> None:
        """End with all faults, if there are any.

        Raises:
            AfterimageError: A fault in each line.
        """
        if self.sentences:
            raise AfterimageError("\n".join(self.sentences))
