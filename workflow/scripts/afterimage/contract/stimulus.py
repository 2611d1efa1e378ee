"""A stimulus before it is drawn, what drawing gives and measuring finds, and an image as questions see it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

#: Plain JSON values.
Json = Mapping[str, Any]

_NONE: Mapping[str, str] = MappingProxyType({})
#: The factor and value that mark an external image as missing: it is not asked about.
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
    """One image as questions see it. External images come from the suite's Reader.

    Attributes:
        stimulus_id: Its name.
        file: The path of an external image, or of the archive that holds it; None for a drawn image, and if
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
    """Tell from an image's factors whether it is missing."""
    return factors.get(IMAGE) == MISSING


if TYPE_CHECKING:
    import numpy as np

#: Key of ``realised`` for an external image that cannot be decoded: which one, and why.
UNREADABLE = "unreadable"


@dataclass(frozen=True)
class Drawing:
    """A drawn figure.

    Attributes:
        pixels: Shape (height, width, 3), uint8.
        realised: Sizes as drawn, after rounding to attainable rasters, with units in the names.
        factors: What tables group by and only the finished drawing knows.
    """

    pixels: "np.ndarray"
    realised: Json = field(default_factory=dict)
    factors: Mapping[str, str] = field(default_factory=dict)


class Measured(NamedTuple):
    """What was measured on an image.

    Attributes:
        value: What was found; empty if nothing could be measured.
        expected: What had to be found.
        holds: Whether the one is the other, or close enough.
        remark: What is wrong where it does not hold.
        columns: The columns of ``measured.csv`` behind id and figure, in order, where they are others than the size
            of the image and the four above.
        stops: Whether the workflow stops where it does not hold, before anybody is asked.
    """

    value: object
    expected: str = ""
    holds: bool = True
    remark: str = ""
    columns: Mapping[str, object] | None = None
    stops: bool = True
