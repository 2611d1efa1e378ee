"""Aids over finished figures (docs/illusion_strength.md): what the first target measures, laid at the second.

The first target is the upper or left one in A, the lower or right one in B. An aid is drawn from it alone, so that it
shows a true difference and no illusion. It is no part of the figure: where it comes within 4 px of a target it is left
out, and no pixel of a target changes. Targets are found in the pixels, as the observer finds them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from afterimage.contract.stimulus import Drawing
from afterimage.drawing.canvas import Canvas
from afterimage.drawing.colour import BLACK, WHITE, Colour, from_hexadecimal, to_levels
from afterimage.drawing.geometry import snap
from afterimage.drawing.shapes import Strokes
from afterimage.seeing.colours import Target, coverages, targets
from afterimage.seeing.image import black_coverage
from afterimage.seeing.patches import grey_stripes, two_squares_on_grounds
from afterimage.seeing.strokes import fit_stroke
from afterimage.suites.illusions.figures.curves import hering, orbison
from afterimage.suites.illusions.figures.directions import (
    cafe_wall,
    poggendorff,
    twisted_cord,
    zoellner,
)
from afterimage.suites.illusions.figures.lengths import (
    fick,
    mueller_lyer,
    oppel_kundt,
    ponzo,
    sander,
    triangle_bisection,
)
from afterimage.suites.illusions.figures.shades import (
    MACH_BOTTOM_PX,
    chubb,
    cornsweet,
    lightness_constancy,
    mach_bands,
    munker,
    saturation_constancy,
    surround_contrast,
)
from afterimage.suites.illusions.figures.sizes import delboeuf, ebbinghaus, irradiation, jastrow
from afterimage.suites.illusions.observer import measure

#: Coverage from which a pixel is a target's.
_MIN_COVERAGE = 0.02


class Seen(NamedTuple):
    """The targets of a figure.

    Attributes:
        ordered: The targets, the first one first.
        covered: The pixels that no aid may come near, bool, shape (height, width).
    """

    ordered: list[Target]
    covered: np.ndarray


def _hue(variant: str) -> str:
    return "blue" if variant == "B" else "red"


def _in_order(items: Sequence[Target], variant: str) -> list[Target]:
    """Sort from left to right, or from top to bottom where the targets are farther apart that way; B in reverse."""
    centres = np.array([target.centre for target in items])
    axis = int(np.ptp(centres[:, 0]) <= np.ptp(centres[:, 1]))
    return sorted(items, key=lambda target: target.centre[axis], reverse=variant == "B")


def coloured(count: int, pixels: np.ndarray, variant: str) -> Seen:
    """Find targets that share the variant's colour."""
    covered = coverages(pixels, (_hue(variant),), "target")[_hue(variant)]
    pair = targets(covered, count, f"{count} targets")
    return Seen(_in_order(pair, variant), covered > _MIN_COVERAGE)


def red_and_blue(pixels: np.ndarray, variant: str) -> Seen:
    covered = coverages(pixels, ("red", "blue"), "target")
    pair = [targets(coverage, 1, "one target")[0] for coverage in covered.values()]
    return Seen(_in_order(pair, variant), np.maximum(*covered.values()) > _MIN_COVERAGE)


def cords(pixels: np.ndarray, variant: str) -> Seen:
    """Find two cords on a blue ground."""
    covered = 1.0 - coverages(pixels, ("blue",), "ground")["blue"]
    return Seen(targets(covered, 2, "two cords"), covered > _MIN_COVERAGE)


def squares(pixels: np.ndarray, variant: str) -> Seen:
    """Find two squares on darker or lighter grounds."""
    pair = two_squares_on_grounds(pixels)
    covered = np.zeros(pixels.shape[:2], dtype=bool)
    for square in pair:
        inside = square.coverage > _MIN_COVERAGE
        covered[square.y[inside].astype(int), square.x[inside].astype(int)] = True
    return Seen(_in_order(pair, variant), covered)


def dot_in_outline(pixels: np.ndarray, variant: str) -> Seen:
    """Find a dot; what is black about it counts as covered, too."""
    seen = coloured(1, pixels, variant)
    return Seen(seen.ordered, seen.covered | (black_coverage(pixels) > _MIN_COVERAGE))


# ---- Aids over finished figures (docs/perceive_recall.md): what the first target measures, laid at the second ----

GREEN = from_hexadecimal("#008000")
_LINE_PX, _DASH_PX = 2, 12
#: Minimum distance of an aid from a target, and the distance of a chord or a bar.
CLEAR_PX, _ASIDE_PX = 4, 8
_BAR_PX = 24
#: Longer than any line across the canvas, px.
_ACROSS_PX = 1000.0

#: Ends of a line, shape (2, 2), px.
Segment = np.ndarray


def _points(target: Target) -> np.ndarray:
    """Return the pixels of a target, shape (n, 2)."""
    inside = target.coverage > 0.5
    return np.stack([target.x[inside], target.y[inside]], axis=1)


def _normal(along: np.ndarray) -> np.ndarray:
    return np.array([-along[1], along[0]])


def _through(point: np.ndarray, along: np.ndarray) -> Segment:
    """Return a line across the canvas."""
    return np.array([point - _ACROSS_PX * along, point + _ACROSS_PX * along])


def _lengths(seen: Seen, variant: str) -> list[Segment]:
    """Return lines across the second target, as far apart as the first is long, about its middle."""
    first, second = map(fit_stroke, seen.ordered)
    return [
        _through(second.centre + side * first.length / 2 * second.along, _normal(second.along))
        for side in (-1, 1)
    ]


def _sizes(seen: Seen, variant: str) -> list[Segment]:
    """Return the two lines that touch the first target and run toward the second."""
    first, second = seen.ordered
    distance = np.abs(np.subtract(first.centre, second.centre))
    across = int(distance[0] > distance[1])
    along = np.eye(2)[1 - across]
    positions = _points(first)[:, across]
    ends = (positions.min() - 0.5, positions.max() + 0.5)
    return [_through(end * np.eye(2)[across], along) for end in ends]


def _gaps(seen: Seen, variant: str) -> list[Segment]:
    """Return the first of two gaps, laid off again across the second beside the strokes."""
    first, middle, _ = (np.array(target.centre) for target in seen.ordered)
    top = min(_points(target)[:, 1].min() for target in seen.ordered) - 0.5
    xs = (middle[0], 2 * middle[0] - first[0])
    return [np.array([(x, top - _ASIDE_PX) for x in xs])]


def _heights(seen: Seen, variant: str) -> list[Segment]:
    """Return the way from the apex to the dot, laid off again beyond the dot and beside it."""
    (dot,) = seen.ordered
    rows = np.flatnonzero(seen.covered.any(axis=1))
    apex = rows[0] if variant == "A" else rows[-1] + 1
    x, y = _points(dot)[:, 0].max() + 0.5 + _ASIDE_PX, dot.centre[1]
    return [np.array([(x, y), (x, 2 * y - apex)])]


def _parallel(seen: Seen, variant: str) -> list[Segment]:
    """Return a line parallel to the first, beside the second where the two are nearest."""
    (first, second), points = map(fit_stroke, seen.ordered), _points(seen.ordered[1])
    toward = _normal(first.along)
    toward = toward * np.sign(toward @ (first.centre - second.centre))
    aside = (points @ toward).max() + 0.5 + _ASIDE_PX
    positions = points @ first.along
    return [aside * toward + np.outer([positions.min(), positions.max()], first.along)]


def _chord(seen: Seen, variant: str) -> list[Segment]:
    """Return the chord between the ends of the first of two lines, beside it toward the other."""
    first, second = map(fit_stroke, seen.ordered)
    points = _points(seen.ordered[0])
    toward = _normal(first.along)
    toward = toward * np.sign(toward @ (second.centre - first.centre))
    positions = points @ first.along
    ends = [points[positions == positions.min()], points[positions == positions.max()]]
    aside = max((end @ toward).max() for end in ends) + 0.5 + _ASIDE_PX
    return [aside * toward + np.outer([positions.min(), positions.max()], first.along)]


def _chords(seen: Seen, variant: str) -> list[Segment]:
    """Return the chords between the corners of the first outline, outside of it."""
    points = _points(seen.ordered[0])
    centre = (points.min(axis=0) + points.max(axis=0)) / 2
    corner = max(points - centre, key=lambda point: point @ point)
    corners = [corner := _normal(corner) for _ in range(4)]
    chords = []
    for start, end in zip(corners, corners[1:] + corners[:1], strict=True):
        outward = (start + end) / np.linalg.norm(start + end)
        chords.append(centre + np.array([start, end]) + _ASIDE_PX * outward)
    return chords


def _prolonged(seen: Seen, variant: str) -> list[Segment]:
    """Return the continuation of the left one of two oblique lines over the width of the right one."""
    left, right = sorted(seen.ordered, key=lambda target: target.centre[0])
    stroke = fit_stroke(left)
    over = np.array([left.x.max(), right.x.max()]) - stroke.centre[0]
    return [stroke.centre + np.outer(over / stroke.along[0], stroke.along)]


def _dashed(segments: Sequence[Segment]) -> np.ndarray:
    """Return how much of each pixel dashed lines cover, 0 to 1; a line begins and ends with a dash."""
    canvas = Canvas(WHITE)
    for start, end in segments:
        length = float(np.linalg.norm(end - start))
        along = (end - start) / length
        dashes = round((length + _DASH_PX) / (2 * _DASH_PX))
        starts = snap(start + np.linspace(0, length - _DASH_PX, dashes)[:, None] * along)
        canvas.paint(Strokes(starts, starts + _DASH_PX * along, _LINE_PX), BLACK)
    return 1 - canvas.pixels()[..., 0] / 255


def _near(covered: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> NDArray[np.bool_]:
    """Tell which pixels lie within :data:`CLEAR_PX` of covered ones, their centres apart."""
    padded = np.pad(covered, CLEAR_PX)
    down, right = np.indices((2 * CLEAR_PX + 1,) * 2).reshape(2, -1)
    within = np.hypot(down - CLEAR_PX, right - CLEAR_PX) <= CLEAR_PX
    disc = padded[rows[:, None] + down[within], columns[:, None] + right[within]]
    near: NDArray[np.bool_] = np.any(disc, axis=1)
    return near


def _lines(
    find: Callable[[np.ndarray, str], Seen],
    lay: Callable[[Seen, str], list[Segment]],
    pixels: np.ndarray,
    variant: str,
    shift: Sequence[int],
) -> np.ndarray:
    """Draw dashed green lines."""
    seen = find(pixels, variant)
    share = _dashed(lay(seen, variant))
    rows, columns = np.nonzero(share)
    clear = ~_near(seen.covered, rows, columns)
    near_line = rows[clear], columns[clear]
    part = share[near_line][:, None]
    aided = pixels.copy()
    aided[near_line] = to_levels(pixels[near_line] * (1 - part) + np.array(GREEN) * part)
    return aided


def _colour(parts: Mapping[str, float], side: str) -> np.ndarray:
    """Return the fill of a bar: one colour, or of checks the light and the dark one above each other."""
    if f"{side}_light_8bit" not in parts:
        return np.array([round(parts[f"{side}_{name}_8bit"]) for name in Colour._fields])
    levels = [round(parts[f"{side}_{name}_8bit"]) for name in ("light", "dark")]
    return np.repeat(levels, _BAR_PX // 2)[:, None, None]


def _edge_bars(pixels: np.ndarray, variant: str, shift: Sequence[int]) -> np.ndarray:
    """Draw a bar below every stripe, in the level of its left edge in A and of its right one in B."""
    barred = pixels.copy()
    top = MACH_BOTTOM_PX + _ASIDE_PX + shift[1]
    for start, end in grey_stripes(pixels)[1]:
        edge = pixels[pixels.shape[0] // 2, end - 1 if variant == "B" else start]
        barred[top : top + _BAR_PX, start:end] = edge
    return barred


def _bar(
    feature: str,
    half_gap: dict[str, int],
    middle: dict[str, int],
    pixels: np.ndarray,
    variant: str,
    shift: Sequence[int],
) -> np.ndarray:
    """Draw a bar of the first target's colour between two targets side by side.

    Args:
        feature: What the observer measures, which tells the colours of both targets.
        half_gap: By variant, from the middle of the figure to a target, px.
        middle: By variant, the y of the targets' middles.
        pixels: The image.
        variant: ``A`` or ``B``.
        shift: Where the figure was moved to, px right and down.
    """
    parts = measure(pixels, feature).parts
    side = "right" if variant == "B" else "left"
    colour = _colour(parts, side)
    reach, (right, down) = half_gap[variant] - _ASIDE_PX, shift
    top = middle[variant] - _BAR_PX // 2 + down
    centre = pixels.shape[1] // 2 + right
    barred = pixels.copy()
    barred[top : top + _BAR_PX, centre - reach : centre + reach] = colour
    return barred


def _always(value: int) -> dict[str, int]:
    return {"A": value, "B": value}


_TWO, _ONE = partial(coloured, 2), partial(coloured, 1)

_Aid = Callable[[np.ndarray, str, Sequence[int]], np.ndarray]

#: By illusion: the function that draws it, and how its aid is drawn.
_AIDS: dict[str, tuple[Callable[..., Drawing], _Aid]] = {
    "cafe_wall": (cafe_wall, partial(_lines, _TWO, _parallel)),
    "zoellner": (zoellner, partial(_lines, _TWO, _parallel)),
    "mueller_lyer": (mueller_lyer, partial(_lines, _TWO, _lengths)),
    "fick": (fick, partial(_lines, red_and_blue, _lengths)),
    "hering": (hering, partial(_lines, _TWO, _chord)),
    "orbison": (orbison, partial(_lines, _ONE, _chords)),
    "ebbinghaus": (ebbinghaus, partial(_lines, _TWO, _sizes)),
    "jastrow": (jastrow, partial(_lines, red_and_blue, _sizes)),
    "delboeuf": (delboeuf, partial(_lines, _TWO, _sizes)),
    "munker": (munker, partial(_bar, "bar_hue", _always(48), _always(336))),
    "triangle_bisection": (triangle_bisection, partial(_lines, dot_in_outline, _heights)),
    "sander": (sander, partial(_lines, red_and_blue, _lengths)),
    "saturation_constancy": (
        saturation_constancy,
        partial(_bar, "square_saturation", _always(112), _always(336)),
    ),
    "lightness_constancy": (
        lightness_constancy,
        partial(_bar, "square_lightness", {"A": 84, "B": 112}, {"A": 294, "B": 280}),
    ),
    "ponzo": (ponzo, partial(_lines, _TWO, _lengths)),
    "poggendorff": (poggendorff, partial(_lines, _TWO, _prolonged)),
    "oppel_kundt": (oppel_kundt, partial(_lines, partial(coloured, 3), _gaps)),
    "twisted_cord": (twisted_cord, partial(_lines, cords, _parallel)),
    # The measured areas around the dots end 38 px from their middles.
    "cornsweet": (cornsweet, partial(_bar, "place_lightness", _always(176), _always(336))),
    "surround_contrast": (
        surround_contrast,
        partial(_bar, "small_square_lightness", _always(112), _always(336)),
    ),
    "irradiation": (irradiation, partial(_lines, squares, _sizes)),
    "chubb": (chubb, partial(_bar, "check_contrast", _always(80), _always(336))),
    "mach_bands": (mach_bands, _edge_bars),
}


def _draw(
    figure: str,
    strength: float,
    difference: float,
    variant: str,
    shift: Sequence[int] = (0, 0),
    guide: bool = False,
) -> Drawing:
    draw, aid = _AIDS[figure]
    plain = draw(strength, difference, variant, shift=shift)
    return replace(plain, pixels=aid(plain.pixels, variant, shift)) if guide else plain


#: The part ``draw`` of each illusion, with its aid where ``guide`` is true.
DRAWS = {figure: partial(_draw, figure) for figure in _AIDS}
