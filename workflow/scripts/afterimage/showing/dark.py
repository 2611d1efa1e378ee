"""Charts for a dark ground: every colour keeps its hue and changes its lightness, white to near black and ink to white.

In OKLab (Ottosson 2020), where equal steps of lightness look equal. A page's style has the same colours
(:data:`showing.looks.COLOURS`), so that a model looks alike in a chart and beside it.
"""

import numpy as np

# Lightness of the ground that white becomes, and of what black becomes.
_GROUND, _INK = 0.2, 0.95
# Below 1 middle tones get lighter, as they have to be on a dark ground.
_LIFT = 0.6
_TO_LMS = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)
# Where red, green and blue stand in a colour that is packed into one number.
_SHIFTS = np.array([16, 8, 0], np.uint32)


def on_dark(pixels: np.ndarray) -> np.ndarray:
    """Return an image for a dark ground.

    Args:
        pixels: uint8, shape (height, width, 3 or 4); transparency stays.
    """
    shown = np.array(pixels)
    colours = shown[..., :3]
    packed = np.bitwise_or.reduce(colours.astype(np.uint32) << _SHIFTS, axis=2).ravel()
    # A chart has millions of pixels, in runs of some thousand colours.
    starts = np.flatnonzero(np.diff(packed, prepend=~packed[:1]))
    distinct, which = np.unique(packed[starts], return_inverse=True)
    levels = (distinct[:, None] >> _SHIFTS) & 255
    dark = np.rint(255 * _darkened(levels / 255)).astype(np.uint8)
    lengths = np.diff(starts, append=len(packed))
    colours[:] = np.repeat(dark[which], lengths, axis=0).reshape(colours.shape)
    return shown


def _darkened(colours: np.ndarray) -> np.ndarray:
    """Return sRGB colours from 0 to 1 with their lightness turned round, shape (..., 3)."""
    linear = np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)
    lab = np.cbrt(linear @ _TO_LMS.T) @ _TO_LAB.T
    lab[..., 0] = _GROUND + (_INK - _GROUND) * np.clip(1 - lab[..., 0], 0, 1) ** _LIFT
    light = (lab @ np.linalg.inv(_TO_LAB).T) ** 3 @ np.linalg.inv(_TO_LMS).T
    light = np.clip(light, 0, 1)
    encoded: np.ndarray = np.where(
        light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055
    )
    return encoded
