"""Colours as sRGB-coded 8-bit triples, and the arithmetic that figures do with them."""

from typing import NamedTuple

import numpy as np


class Colour(NamedTuple):
    """An sRGB-coded colour, 0..255 per channel."""

    red: int
    green: int
    blue: int

    def hexadecimal(self) -> str:
        """Return the colour as ``#RRGGBB``."""
        return f"#{self.red:02X}{self.green:02X}{self.blue:02X}"


def from_hexadecimal(code: str) -> Colour:
    """Return the colour written ``#RRGGBB``."""
    return Colour(*bytes.fromhex(code.removeprefix("#")))


BLACK = Colour(0, 0, 0)
WHITE = Colour(255, 255, 255)
#: Colours of what a question is about (docs/illusion_figures.md, section 2).
RED = from_hexadecimal("#D62728")
BLUE = from_hexadecimal("#1F5FB4")


def grey(level: int) -> Colour:
    """Return the neutral colour of an sRGB-coded level, 0..255."""
    return Colour(level, level, level)


def grey_pixels(levels: np.ndarray) -> np.ndarray:
    """Turn sRGB-coded levels, shape (rows, columns), into RGB pixels, shape (rows, columns, 3)."""
    return np.repeat(levels[..., None], 3, axis=2)


def to_levels(values: np.ndarray) -> np.ndarray:
    """Round sRGB-coded float64 values to uint8 levels, halves upward."""
    return np.floor(values + 0.5).astype(np.uint8)


def mix(start: Colour, end: Colour, share_of_end: float) -> Colour:
    """Mix two colours in sRGB-coded values; 0 gives ``start``, 1 gives ``end``."""
    levels = to_levels(np.asarray(start) * (1 - share_of_end) + np.asarray(end) * share_of_end)
    return Colour(*levels.tolist())


def linear_from_levels(levels: np.ndarray) -> np.ndarray:
    """Decode sRGB-coded levels (0..255) to linear light (0..1), IEC 61966-2-1."""
    coded = np.asarray(levels, dtype=np.float64) / 255
    return np.where(coded <= 0.04045, coded / 12.92, ((coded + 0.055) / 1.055) ** 2.4)


def levels_from_linear(light: np.ndarray) -> np.ndarray:
    """Encode linear light (0..1) as sRGB-coded uint8 levels, IEC 61966-2-1.

    The coded value is cut to nine decimals before it is rounded to a level, because the last bit of
    a power differs between mathematical libraries.
    """
    light = np.asarray(light, dtype=np.float64)
    coded = np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)
    return to_levels(np.round(coded * 255, 9))
