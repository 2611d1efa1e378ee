"""The warning about a pilot: a study that asks about a part of a suite's images (config key ``limit``)."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from afterimage.note import Note, joined


class Pilot(NamedTuple):
    """The number of images of a suite that a pilot asks about, and of all its images."""

    asked: int
    images: int
    suite: str


def pilot_note(pilots: Iterable[Sequence[Any]], names_key: bool = True) -> Note:
    """Return the warning of tables about pilots.

    Args:
        pilots: A :class:`Pilot` for each suite, or its fields in order, as a job's spec holds them.
        names_key: Whether the config key is named; papers have none.
    """
    suites = joined([Note(_SUITE, **Pilot(*pilot)._asdict()) for pilot in pilots], ", ")
    return Note(_WITH_KEY if names_key else _WITHOUT_KEY, suites=suites)


_SUITE = "{asked} of {images:,} images of {suite}"
_WITH_KEY, _WITHOUT_KEY = "pilot: {suites} (config key 'limit')", "pilot: {suites}"
