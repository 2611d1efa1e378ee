"""What stripes or noise there are in the two fields, from the pixels alone."""

from typing import NamedTuple

from afterimage.seeing.gratings import Field, contrast_at, more_than, stripes
from afterimage.seeing.image import Floats, Image, once
from afterimage.suites.contrast.names import CENTRES, EDGE, RADIUS, SIDES

#: Contrast in percent below which dither alone may lie, with room: half of the weakest pattern's.
NOTHING_BELOW = 0.25
#: Coarser stripes than these cannot be told from a field that is lighter on one side.
_FROM_CYCLES = 2


_FIELDS = {side: Field(*CENTRES[side], RADIUS, EDGE) for side in SIDES}


class Strongest(NamedTuple):
    """The strongest stripes of a field: contrast in percent, cycles per image side, orientation."""

    contrast: float
    cycles: int
    orientation: str


@once
def spectra(image: Image) -> dict[str, dict[str, Floats]]:
    """Return side to orientation to contrast in percent at each frequency."""
    return {side: stripes(image, _FIELDS[side]) for side in SIDES}


def at(image: Image, side: str, orientation: str, cycles: int) -> float:
    """Return the contrast of these stripes in a field, in percent."""
    pixels = image.shape[1] if orientation == "vertical" else image.shape[0]
    return contrast_at(spectra(image)[side][orientation], cycles, pixels)


def strongest(image: Image, side: str) -> Strongest:
    """Return the strongest stripes of a field."""
    found = [
        Strongest(float(spectrum[cycles]), int(cycles), orientation)
        for orientation, spectrum in spectra(image)[side].items()
        for cycles in [_FROM_CYCLES + spectrum[_FROM_CYCLES:].argmax()]
    ]
    return max(found)


def noise(image: Image, side: str, cycles: int | None = None) -> float:
    """Return the contrast of a pattern of any kind in a field, in percent: what the other field does not have.

    Args:
        image: uint8 RGB, shape (height, width, 3).
        side: Of the field.
        cycles: Only what lies within an octave about this frequency; all of it where it is None.
    """
    (opposite,) = set(SIDES) - {side}
    return more_than(image, _FIELDS[side], _FIELDS[opposite], cycles)
