"""Names of colours, by hue, saturation and value."""

import colorsys

import numpy as np

#: Words that a question may use; not every one of them is the colour of an object.
COLOUR_WORDS = (
    *("red", "orange", "yellow", "green", "blue", "purple"),
    *("pink", "brown", "black", "white", "grey"),
)

#: Below this value a colour is black.
_BLACK = 0.25
#: Below this saturation it has no hue: white if light.
_COLOURLESS, _WHITE = 0.12, 0.9
#: Upper ends of the ranges of hue, degrees.
_HUES = (
    (14, "red"),
    (41, "brown"),
    (70, "yellow"),
    (170, "green"),
    (255, "blue"),
    (320, "purple"),
    (361, "red"),
)
#: What is dark orange is brown; what is bright is orange, which no object is.
_BROWN = 0.65


def colour_name(levels: np.ndarray) -> str:
    """Return the name of an sRGB-coded colour, 0 to 255 per channel; "other" for greys and orange."""
    red, green, blue = (float(level) / 255 for level in np.clip(levels, 0, 255))
    hue, saturation, value = colorsys.rgb_to_hsv(red, green, blue)
    if value < _BLACK:
        return "black"
    if saturation < _COLOURLESS:
        return "white" if value >= _WHITE else "other"
    name = next(name for end, name in _HUES if 360 * hue < end)
    return "other" if name == "brown" and value > _BROWN else name
