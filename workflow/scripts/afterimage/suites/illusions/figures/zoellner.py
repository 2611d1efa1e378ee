"""Zoellner (docs/illusion_figures.md, 4.2): six lines with oblique hatches, the middle two are the targets.

Strength: length of the hatches, 72 px in A and 64 px in B at 1; negative hatches lean the other
way. Difference: convergence of the targets, 5 deg at 1; every line turns by half of it about its
own middle and takes its hatches along. Positive is convergence toward the right in A. B turns the
figure by 45 deg.
"""

from dataclasses import dataclass
from typing import Unpack

import numpy as np

from afterimage.contract.stimulus import Drawing
from afterimage.drawing.canvas import ZoomedCanvas, moved
from afterimage.drawing.colour import BLACK, WHITE
from afterimage.drawing.geometry import cosine, signed_angle_deg, sine, snap, turned
from afterimage.drawing.shapes import Strokes
from afterimage.suites.illusions.parametric import Look, check, drawn

_CENTRE = (336.0, 336.0)
_LINES = 6
_TARGETS = (2, 3)
_LINE_PX, _HATCH_PX = 5, 4
_PITCH_PX = 32
_HATCH_DEG = 25.0
_FULL_DEG = 5.0


@dataclass(frozen=True)
class _Layout:
    line_length_px: float
    spacing_px: float
    hatches: int
    hatch_length_px: float
    turn_deg: float


_LAYOUTS = {"A": _Layout(544, 96, 16, 72, 0.0), "B": _Layout(448, 80, 13, 64, 45.0)}


def draw(strength: float, difference: float, variant: str, **look: Unpack[Look]) -> Drawing:
    """Draw the figure; strength 0 is the two targets alone."""
    strength, difference, nuisance = check(
        "zoellner", strength, difference, variant, look, sized=True
    )
    layout = _LAYOUTS[nuisance.variant]
    middles = (np.arange(_LINES) - (_LINES - 1) / 2) * layout.spacing_px
    # In screen coordinates a positive angle falls to the right; hatches of the first line rise.
    lean = np.where(np.arange(_LINES) % 2 == 0, 1.0, -1.0)
    tilts_deg = lean * _FULL_DEG / 2 * difference
    starts, ends = _strokes(0.0, middles, tilts_deg, layout.line_length_px, layout)
    targets = list(_TARGETS)
    canvas = ZoomedCanvas(WHITE, nuisance.size)
    if strength:
        others = np.setdiff1d(np.arange(_LINES), targets)
        canvas.paint(Strokes(starts[others], ends[others], _LINE_PX), BLACK)
        canvas.paint(_hatches(middles, tilts_deg, -lean, strength, layout), BLACK)
    canvas.paint(Strokes(starts[targets], ends[targets], _LINE_PX), nuisance.colour)
    upper, lower = (snap([starts[line], ends[line]]) for line in targets)
    realised = {
        "hatch_length_px": layout.hatch_length_px * nuisance.size * abs(strength),
        "convergence_nominal_deg": _FULL_DEG * difference,
        "convergence_realised_deg": signed_angle_deg(lower, upper),
    }
    return drawn("zoellner", moved(canvas.pixels(), nuisance.shift, "edge"), difference, realised)


def _hatches(
    middles: np.ndarray, tilts_deg: np.ndarray, lean: np.ndarray, strength: float, layout: _Layout
) -> Strokes:
    """Return all hatches: each crosses its line at its own midpoint."""
    offsets = (np.arange(layout.hatches) - (layout.hatches - 1) / 2) * _PITCH_PX
    line, along = (grid.ravel() for grid in np.meshgrid(np.arange(_LINES), offsets, indexing="ij"))
    tilt = tilts_deg[line]
    x, y = along * cosine(tilt), middles[line] + along * sine(tilt)
    angle = tilt + lean[line] * np.copysign(_HATCH_DEG, strength)
    starts, ends = _strokes(x, y, angle, layout.hatch_length_px * abs(strength), layout)
    return Strokes(starts, ends, _HATCH_PX)


def _strokes(
    x: np.ndarray | float, y: np.ndarray, angle_deg: np.ndarray, length_px: float, layout: _Layout
) -> tuple[np.ndarray, np.ndarray]:
    """Return the ends of segments about (x, y), px from the figure's centre before its turn."""
    half = length_px / 2
    dx, dy = half * cosine(angle_deg), half * sine(angle_deg)
    ends = [np.stack([x + side * dx, y + side * dy], axis=-1) + _CENTRE for side in (-1, 1)]
    if layout.turn_deg:
        ends = [turned(points, layout.turn_deg, _CENTRE) for points in ends]
    return ends[0], ends[1]
