"""A stimulus before it is an image, and an image as questions see it. Standard library only."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

#: Plain values, as they stand in JSON.
Json = Mapping[str, Any]

_NONE: Mapping[str, str] = MappingProxyType({})
#: The factor and its value of somebody else's image that is named and not there: nobody is asked about it.
IMAGE, MISSING = "image", "missing"


class StimulusSpec(NamedTuple):
    """One stimulus before it is drawn.

    Attributes:
        stimulus_id: Its name, also of its file; one of a kind in the suite.
        parameters: What its ``draw`` takes by name, as plain JSON.
        factors: What tables group by. ``truth`` is what a ``measure`` that returns a text has to find.
    """

    stimulus_id: str
    parameters: Json
    factors: Mapping[str, str] = _NONE


class Shown(NamedTuple):
    """One image as questions see it. Where it is somebody else's, the suite's reader makes it.

    Attributes:
        stimulus_id: Its name.
        file: The path of somebody else's image, or of the archive that holds it; None for one that is drawn, and where
            questions come without one.
        factors: What tables group by.
        questions: What its source asks about it, as plain JSON; nothing for one that is drawn.
        figure: The figure that it belongs to.
        parameters: What else ``draw`` takes by name to make the image from the file, as plain JSON.
    """

    stimulus_id: str
    file: str | None = None
    factors: Mapping[str, str] = _NONE
    questions: tuple[Any, ...] = ()
    figure: str = ""
    parameters: Json = _NONE


def is_missing(factors: Mapping[str, str]) -> bool:
    """Tell from an image's factors whether it is named and not there."""
    return factors.get(IMAGE) == MISSING
