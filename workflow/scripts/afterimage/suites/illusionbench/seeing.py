"""What the pixels of the drawn set show: the classical figures and the colour plates."""

from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont
from scipy import ndimage
from skimage.color import deltaE_ciede2000

from afterimage.seeing.image import Image, Mask, window_of
from afterimage.seeing.marks import find_plate, precedence, read_glyph
from afterimage.seeing.pieces import Area, is_black, is_coloured, lightness
from afterimage.suites.illusionbench.names import listed

# What the observer sees in an image.

#: Below this difference, in percent, two sizes or shades are the same: a third of the smallest drawn one.
SAME_BELOW_PERCENT = 5.0


@dataclass(frozen=True)
class Seen:
    """An image as seen.

    Attributes:
        kind: ``mueller_lyer``, ``plain_scene``, ``colour_plate``, ...
        facts: What the image shows, by name.
        difference_percent: Of the two sizes or shades that the figure is about, how much the larger exceeds the
            smaller; None if it is about none.
        numbers: Everything else that was measured; the name ends in the unit.
    """

    kind: str
    facts: dict[str, str]
    difference_percent: float | None = None
    numbers: dict[str, float] = field(default_factory=dict)


def figure(kind: str, relation: str, first: float, second: float) -> Seen:
    """Describe a classical figure or its trap.

    Args:
        kind: Its name.
        relation: Which is the larger one, if they differ: the name of the first.
        first: Size or shade of the first.
        second: Of the second; where it is the larger one, the relation is the opposite of the first's.
    """
    larger, smaller = max(first, second), min(first, second)
    difference = 100.0 * (larger / smaller - 1) if smaller > 0 else float("inf")
    is_same = difference < SAME_BELOW_PERCENT
    direction = relation if first >= second else _OPPOSITE.get(relation, relation)
    facts = {
        "kind": kind,
        "illusion": "present",
        "relation": "same" if is_same else direction,
        "cause": "inducer" if is_same else "real",
    }
    return Seen(kind, facts, difference, {"first": float(first), "second": float(second)})


_OPPOSITE = {
    "upper": "lower",
    "left": "right",
    "right": "left",
    "vertical": "horizontal",
}


# Classical figures, which one it is and by how much what it is about differs; and plain scenes of coloured things.

# A line is at least so many times as long as it is thick.
_LINE_RATIO = 8
_MIN_LINES = 3
_MIN_BLOCKS = 9

_MAX_THINGS = 8
# Share of its box that a thing fills.
_FILLS = {"square": 1.0, "circle": np.pi / 4, "triangle": 0.5}
_LARGEST_DEVIATION = 0.1


def grey_figure(image: Image) -> Seen | None:
    """See a figure without colours: a grid of black squares, or two squares on two grounds."""
    return _hermann_grid(image) or _simultaneous_contrast(image)


def coloured_figure(image: Image, areas: list[Area]) -> Seen | None:
    """See a figure whose targets are coloured, from its coloured areas."""
    hues = sorted(area.hue for area in areas)
    black = float(is_black(image).mean())
    lines = [area for area in areas if _is_line(area)]
    if hues == ["blue", "red"] and len(lines) == 2 and black < 0.001:
        return _vertical_horizontal(areas)
    if hues == ["orange", "orange"] and _has_grey_discs(image):
        return _ebbinghaus(areas)
    if set(hues) == {"red"} and len(lines) >= _MIN_LINES and black > 0.001:
        return _zoellner(lines)
    if hues == ["red", "red"] and len(lines) == 2 and black > 0.001:
        return _two_bars(areas, "mueller_lyer")
    if hues == ["blue", "blue"] and len(lines) == 2 and black > 0.001:
        return _two_bars(areas, "ponzo")
    return None


def _is_line(area: Area) -> bool:
    longer, thickness = max(area.width, area.height), area.area_px / max(area.width, area.height)
    return longer >= _LINE_RATIO * thickness


def _two_bars(areas: list[Area], kind: str) -> Seen:
    upper, lower = sorted(areas, key=lambda area: area.top)
    return figure(kind, "upper", _extent(upper, axis=0), _extent(lower, axis=0))


def _vertical_horizontal(areas: list[Area]) -> Seen:
    vertical, horizontal = sorted(areas, key=lambda area: area.width)
    lengths = _extent(vertical, axis=1), _extent(horizontal, axis=0)
    return figure("vertical_horizontal", "vertical", *lengths)


def _extent(area: Area, axis: int) -> float:
    """Return the length along rows (axis 0) or columns (axis 1) from how much of each is covered."""
    profile = area.coverage.sum(axis=axis)
    return float((profile / np.median(profile)).clip(0, 1).sum())


def _ebbinghaus(areas: list[Area]) -> Seen:
    left, right = (float(np.sqrt(4 * area.area_px / np.pi)) for area in areas)
    return figure("ebbinghaus", "left", left, right)


def _has_grey_discs(image: Image) -> bool:
    level = lightness(image)
    grey = (level > 80) & (level < 200) & ~is_coloured(image)
    labels, _ = ndimage.label(ndimage.binary_opening(grey, iterations=3))
    return len(ndimage.find_objects(labels)) >= 6


def _zoellner(lines: list[Area]) -> Seen:
    """Compare the gaps of neighbouring lines at their two ends; the mean ratio over all pairs counts."""
    fits = sorted((_line(area) for area in lines), key=lambda fit: fit[0] + fit[1])
    left = np.array([first for first, _ in fits])
    right = np.array([last for _, last in fits])
    gaps = np.stack([np.diff(left), np.diff(right)])
    wide, narrow = float(gaps.max(axis=0).mean()), float(gaps.min(axis=0).mean())
    return figure("zoellner", "different", wide, narrow)


def _line(area: Area) -> tuple[float, float]:
    """Return the height of a line at its left and its right end, px from the top."""
    # Where only a corner of the line's end lies in a column, its middle is not the line's.
    whole = area.coverage.sum(axis=0) > 0.9 * np.median(area.coverage.sum(axis=0))
    columns = np.flatnonzero(whole)
    rows = np.arange(area.height)[:, None] + 0.5
    weights = area.coverage[:, columns]
    middles = (rows * weights).sum(axis=0) / weights.sum(axis=0)
    slope, offset = np.polyfit(columns + 0.5, middles, 1)
    return area.top + offset, area.top + offset + slope * area.width


def _hermann_grid(image: Image) -> Seen | None:
    black = is_black(image)
    labels, _ = ndimage.label(black)
    boxes = ndimage.find_objects(labels)
    sizes = {(rows.stop - rows.start, columns.stop - columns.start) for rows, columns in boxes}
    if len(boxes) < _MIN_BLOCKS or len(sizes) != 1:
        return None
    tops = sorted({rows.start for rows, _ in boxes})
    lefts = sorted({columns.start for _, columns in boxes})
    height, width = sizes.pop()
    if len(boxes) != len(tops) * len(lefts):
        return None
    level = lightness(image)
    rows = [(top + height + below) // 2 for top, below in pairwise(tops)]
    columns = [(left + width + right) // 2 for left, right in pairwise(lefts)]
    crossings = level[np.ix_(rows, columns)]
    streets = level[np.ix_(rows, [left + width // 2 for left in lefts])]
    return figure("hermann_grid", "different", float(streets.mean()), float(crossings.mean()))


def _simultaneous_contrast(image: Image) -> Seen | None:
    """See a square in the middle of each half, on ground of another shade."""
    level = lightness(image)
    middle = level.shape[1] // 2
    halves = level[:, :middle], level[:, middle:]
    grounds = [float(np.median(half)) for half in halves]
    if abs(grounds[0] - grounds[1]) < 60:
        return None
    patches = []
    for half, ground in zip(halves, grounds, strict=True):
        labels, count = ndimage.label(np.abs(half - ground) > 10)
        if count != 1:
            return None
        patches.append(float(np.median(half[labels == 1])))
    return figure("simultaneous_contrast", "left", *patches)


def plain_scene(image: Image, areas: list[Area]) -> Seen | None:
    """See a scene: a few things of simple shape that stand on one line, nothing black."""
    if not 2 <= len(areas) <= _MAX_THINGS or is_black(image).any():
        return None
    feet = {area.bottom for area in areas}
    shapes = [_shape(area) for area in areas]
    if max(feet) - min(feet) > 1 or None in shapes:
        return None
    names = [f"{area.hue} {shape}" for area, shape in zip(areas, shapes, strict=True)]
    heights = sorted(area.height for area in areas)
    facts = {
        "kind": "plain_scene",
        "illusion": "absent",
        "cause": "none",
        "count": str(len(areas)),
        "leftmost": names[0],
        "rightmost": names[-1],
        "largest": max(zip(areas, names, strict=True), key=lambda thing: thing[0].height)[1],
        "listed": listed(names),
    }
    return Seen("plain_scene", facts, 100.0 * (heights[-1] / heights[-2] - 1))


def _shape(area: Area) -> str | None:
    fills = area.area_px / (area.width * area.height)
    shape = min(_FILLS, key=lambda name: abs(_FILLS[name] - fills))
    return shape if abs(_FILLS[shape] - fills) <= _LARGEST_DEVIATION else None


# Colour plates: two kinds of dots, and the digit that one of them forms.

_FONT = Path(__file__).resolve().parents[5] / "resources" / "fonts" / "LiberationSans-Bold.ttf"
_DIGITS = "123456789"
_TEMPLATE_PX = 240
# How often, of all pairs of a dot of the digit and one of the ground, the former is the lighter (or larger) one; equal
# distributions give about a half.
_EVEN = (0.35, 0.65)


def colour_plate(image: Image) -> Seen | None:
    """See a plate of many dots of two hues on white."""
    plate = find_plate(image)
    if plate is None:
        return None
    digit, fit = read_glyph(plate, _templates())
    means = [plate.lab[kind].mean(axis=0) for kind in (plate.of_glyph, ~plate.of_glyph)]
    lighter = precedence(plate.lab[:, 0], plate.of_glyph)
    larger = precedence(plate.sizes, plate.of_glyph)
    facts = {
        "kind": "colour_plate",
        "illusion": "absent",
        "cause": _cause(lighter, larger),
        "digit": digit,
    }
    # Hue and chroma alone: the mean lightness of the two kinds is set equal.
    even = [np.array([means[0][0], *mean[1:]]) for mean in means]
    numbers = {
        "colour_difference_ciede2000": float(deltaE_ciede2000(*even)),
        "lighter_share": lighter,
        "larger_share": larger,
        "fit": fit,
    }
    return Seen("colour_plate", facts, None, numbers)


@cache
def _templates() -> dict[str, Mask]:
    return {digit: _template(digit) for digit in _DIGITS}


def _template(digit: str) -> Mask:
    """Return the pixels that a bold digit covers, cut to its own box, bool."""
    font = ImageFont.truetype(str(_FONT), _TEMPLATE_PX)
    canvas = Pillow.new("L", (2 * _TEMPLATE_PX, 2 * _TEMPLATE_PX), 0)
    ImageDraw.Draw(canvas).text((_TEMPLATE_PX // 2, 0), digit, fill=255, font=font)
    covered = np.asarray(canvas) > 127
    return covered[window_of(covered, f"the font holds no glyph of {digit}.")]


def _cause(lighter: float, larger: float) -> str:
    if not _EVEN[0] <= lighter <= _EVEN[1]:
        return "brightness"
    return "hue" if _EVEN[0] <= larger <= _EVEN[1] else "size"
