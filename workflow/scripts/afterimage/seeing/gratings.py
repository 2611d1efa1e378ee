"""How much contrast there is in a round field: of stripes at every spatial frequency, or of any pattern."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from afterimage.seeing.image import Floats, Image, require_rgb

#: Levels above and below grey at full contrast.
_REACH = 127.0


class Field(NamedTuple):
    """A round field with a soft edge.

    Attributes:
        x: Of its centre, as a share of the image's width.
        y: The same down, as a share of the height.
        radius: As a share of the width, soft edge included.
        edge: Width of the soft edge, as a share of the width.
    """

    x: float
    y: float
    radius: float
    edge: float


def stripes(image: Image, field: Field) -> dict[str, Floats]:
    """Return the contrast of stripes in a field, by projection on sine and cosine within its soft window.

    Args:
        image: uint8 RGB, shape (height, width, 3), from 64 px a side.
        field: Where to look.

    Returns:
        ``vertical`` and ``horizontal`` (stripes) to contrast in percent at 0, 1, 2, ... cycles per side of the image.
        What is finer than two pixels a cycle is found, if at all, at the coarser frequency that it was folded to.

    Raises:
        AfterimageError: It is no such image.
    """
    require_rgb(image)
    weight = _window(image.shape[0], image.shape[1], field)
    levels = image.mean(axis=2)
    off = weight * (levels - (weight * levels).sum() / weight.sum())
    # A pattern is weighted by the window once where it is drawn and once where it is looked for.
    scale = 2 * 100 / (_REACH * (weight**2).sum())
    return {
        "vertical": scale * np.abs(np.fft.rfft(off.sum(axis=0))),
        "horizontal": scale * np.abs(np.fft.rfft(off.sum(axis=1))),
    }


def contrast_at(spectrum: Floats, cycles: int, pixels: int) -> float:
    """Return a spectrum's contrast at a frequency, in percent, wherever sampling has folded that to.

    Args:
        spectrum: One of those that :func:`stripes` returns.
        cycles: Per side of the image.
        pixels: How long that side is.
    """
    folded = cycles % pixels
    return float(spectrum[min(folded, pixels - folded)])


def more_than(image: Image, field: Field, empty: Field, cycles: int | None = None) -> float:
    """Return the contrast of a grating with the root mean square of what one field has and another has not.

    What both have, such as dither, counts for nothing, since powers of what is independent add up.

    Args:
        image: uint8 RGB, shape (height, width, 3), from 64 px a side.
        field: Where to look.
        empty: Where there is nothing but what is everywhere.
        cycles: Only contrast within an octave around this frequency, cycles per image width; None: all of it.

    Returns:
        Percent; 0 where the other field has more.

    Raises:
        AfterimageError: It is no such image.
    """
    require_rgb(image)
    levels = image.mean(axis=2)
    powers = []
    for which in (field, empty):
        weight = _window(*levels.shape, which)
        off = weight * (levels - (weight * levels).sum() / weight.sum())
        powers.append((_within_octave(off, cycles) ** 2).sum() / (weight**4).sum())
    return float(100 / _REACH * np.sqrt(2 * max(powers[0] - powers[1], 0.0)))


def _within_octave(off: Floats, cycles: int | None) -> Floats:
    """Return amplitudes whose squares add up to the power within an octave, or to that of everything."""
    if cycles is None:
        return off
    down, across = (np.fft.fftfreq(size, 1 / size) for size in off.shape)
    octaves = np.log2(np.maximum(np.hypot(down[:, None], across), 0.5) / cycles)
    amplitudes: Floats = np.abs(np.fft.fft2(off, norm="ortho"))[np.abs(octaves) <= 0.5]
    return amplitudes


@lru_cache
def _window(height: int, width: int, field: Field) -> Floats:
    across, down = ((np.arange(size) + 0.5) / size for size in (width, height))
    distance = np.hypot(across[None, :] - field.x, down[:, None] - field.y)
    inside = np.clip((distance - field.radius + field.edge) / field.edge, 0, 1)
    window: Floats = 0.5 + 0.5 * np.cos(np.pi * inside)
    return window
