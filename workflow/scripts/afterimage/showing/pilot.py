"""What readers are told of a pilot: a study that asks about a part of a suite's images (config key ``limit``)."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from afterimage.note import Note, joined


class Pilot(NamedTuple):
    """How many images of a suite a pilot asks about, and how many there are."""

    asked: int
    images: int
    suite: str


def pilot_note(pilots: Iterable[Sequence[Any]], names_key: bool = True) -> Note:
    """Return the warning of tables about pilots.

    Args:
        pilots: Of each suite a :class:`Pilot`, or its fields in the same order, as a job's spec holds them.
        names_key: Whether the key of the study is named; papers have none.
    """
    suites = joined([Note(_SUITE, **Pilot(*one)._asdict()) for one in pilots], ", ")
    return Note(_OF_STUDY if names_key else _OF_PAPER, suites=suites)


_SUITE = "{asked} of {images:,} images of {suite}"
_OF_STUDY, _OF_PAPER = "pilot: {suites} (config key 'limit')", "pilot: {suites}"
