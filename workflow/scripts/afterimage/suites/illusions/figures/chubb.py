"""Chubb (docs/illusion_figures.md, 4.22): checks look weaker in contrast among checks of strong contrast.

Strength: contrast of the checks round about one disc, 112 levels to either side of the middle at 1, on the right in A;
negative ones are on the left. Difference: of the contrast of the discs' own checks, 40 +/- 8 levels at 1, the left
disc's larger in A. Both discs have the same pattern. Strength 0 has plain grounds. B: mirrored.
"""

from typing import Unpack

import numpy as np

from afterimage.contract.stimulus import Drawing
from afterimage.drawing.canvas import mirrored, moved
from afterimage.drawing.colour import grey_pixels, to_levels
from afterimage.suites.illusions.parametric import Look, check, drawn

_SIDE_PX, _CHECK_PX = 672, 16
_CHECKS = _SIDE_PX // _CHECK_PX
_CENTRES_X, _CENTRE_Y, _RADIUS_PX = (168, 504), 336, 80
_MIDDLE, _DISC_LEVELS, _STEP_LEVELS, _GROUND_LEVELS = 128, 40, 8, 112
_DISC_SEED, _GROUND_SEED = 1989, 1991


def draw(strength: float, difference: float, variant: str, **look: Unpack[Look]) -> Drawing:
    """Draw the figure; strength 0 is the two discs on plain grey."""
    strength, difference, nuisance = check("chubb", strength, difference, variant, look)
    signs = np.zeros((_CHECKS, _CHECKS))
    half = slice(_CHECKS // 2, None) if strength > 0 else slice(None, _CHECKS // 2)
    signs[:, half] = _pattern(_CHECKS * _CHECKS // 2, _GROUND_SEED).reshape(_CHECKS, -1)
    levels = _MIDDLE + _GROUND_LEVELS * abs(strength) * signs
    contrasts = [_DISC_LEVELS + side * _STEP_LEVELS * difference for side in (1, -1)]
    for centre, contrast in zip(_CENTRES_X, contrasts, strict=True):
        inside = _inside(centre)
        levels[inside] = _MIDDLE + round(contrast) * _pattern(inside.sum(), _DISC_SEED)
    checks = to_levels(levels).repeat(_CHECK_PX, axis=0).repeat(_CHECK_PX, axis=1)
    pixels = grey_pixels(checks)
    pixels = mirrored(pixels) if nuisance.is_b else pixels
    first, second = map(round, contrasts)
    realised = {
        "ground_levels": _GROUND_LEVELS * strength,
        "contrast_difference_nominal_levels": 2 * _STEP_LEVELS * difference,
        "contrast_difference_realised_levels": float(first - second),
    }
    return drawn("chubb", moved(pixels, nuisance.shift, "edge"), difference, realised)


def _pattern(checks: int, seed: int) -> np.ndarray:
    """Return 1 and -1 in a random order, as many of each as of the other up to one."""
    signs = np.where(np.arange(checks) < checks / 2, 1, -1)
    return np.random.default_rng(seed).permutation(signs)


def _inside(centre_x: int) -> np.ndarray:
    """Mark the checks whose middle lies in a disc, shape (checks, checks)."""
    middles = (np.arange(_CHECKS) + 0.5) * _CHECK_PX
    x, y = middles - centre_x, middles[:, None] - _CENTRE_Y
    return x * x + y * y <= _RADIUS_PX * _RADIUS_PX
