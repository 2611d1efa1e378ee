"""Text that is translated where it is shown: an English template, and what fills its slots."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Self


class Note(str):
    """English text that remembers its template, so that another language can fill in a template of its own.

    ``Note("{n} of {all} items", n=3, all=12)`` is the text ``3 of 12 items``. Templates are literals, as in gettext:
    ``resources/words/<language>.yaml`` translates them.

    Attributes:
        template: The English, with slots as in :meth:`str.format`.
        slots: Values by slot; a text among them is translated too.
    """

    __slots__ = ("slots", "template")

    template: str
    slots: Mapping[str, Any]

    def __new__(cls, template: str, /, **slots: Any) -> Self:
        """Fill the slots of a template; without slots, braces are letters like others."""
        note = super().__new__(cls, template.format(**slots) if slots else template)
        note.template = template
        note.slots = MappingProxyType(slots)
        return note

    def laid_out(self, text: str) -> "Note":
        """Return the note with other white space in its English, such as line breaks."""
        note = str.__new__(Note, text)
        note.template, note.slots = self.template, self.slots
        return note

    def __str__(self) -> Self:
        """Return the note itself: libraries that ask for a text keep its template."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle a note with its template."""
        return _filled, (self.template, dict(self.slots))


def _filled(template: str, slots: Mapping[str, Any]) -> Note:
    return Note(template, **slots)


def joined(parts: Sequence[str], separator: str = " ") -> Note:
    """Join texts, each of which is translated by itself."""
    names = [f"part{number}" for number in range(len(parts))]
    slots = dict(zip(names, parts, strict=True))
    return Note(separator.join(f"{{{name}}}" for name in names), **slots)
