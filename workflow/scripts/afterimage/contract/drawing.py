"""What drawing gives and measuring finds. Imports nothing, so that every drawing may depend on it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np

#: In ``realised`` of somebody else's image that cannot be decoded: which it is, and why.
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
    realised: Mapping[str, float | str] = field(default_factory=dict)
    factors: Mapping[str, str] = field(default_factory=dict)


class Measured(NamedTuple):
    """What was measured on an image.

    Attributes:
        value: What was found; empty where nothing could be measured.
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
