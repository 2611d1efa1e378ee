"""What a training picture is: the random choices behind it, the shapes it is drawn from, and how it is mirrored."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from afterimage.drawing.canvas import Canvas, Shape, flipped
from afterimage.drawing.colour import Colour
from afterimage.drawing.polygons import Outline, Region
from afterimage.drawing.shapes import Arch, Discs, Polyline, Strokes

#: Coordinates of kinds and pictures: the side of every picture is this long, whatever its pixels.
SIDE = 224.0
MIDDLE = SIDE / 2

#: What is true of the two targets: the first of them (left, upper, outward, top) has more, the second, or neither.
FIRST, SECOND, NEITHER = 0, 1, 2

#: Most categories of a kind: letters.
CATEGORIES = 26


@dataclass(frozen=True)
class Picture:
    """Targets on a plain ground, with what is true of them.

    Attributes:
        pixels: Shape (side, side, 3), uint8.
        kind: Name of the kind (``kinds.KINDS``).
        category: ``FIRST``, ``SECOND`` or ``NEITHER``; where something is named, the place of its name in ``names``.
        difference: Signed difference in the kind's unit; 0 exactly where neither has more or nothing is compared.
        places: Where the two targets are and what is measured of them, four numbers each, about -1..1: what the eye
            is taught together with the answer.
        words: What questions call things: ``colour``, ``first`` and ``second`` (colours of the targets), ``noun``.
        asked: Names of the question forms that fit (``resources/prompts/sprout.yaml``).
        unmirrored: Forms that fit as long as the picture is as drawn.
        sideways, upright: Whether the targets change their order when the picture is mirrored left to right, or
            top to bottom.
        in_order: Whether ``places`` keeps its order all the same, where it is not that of two equal targets.
        names: What the categories are called, where nothing is compared.
        mirrors: Whether the picture may be mirrored: a letter would be another, or none.
    """

    pixels: np.ndarray
    kind: str
    category: int
    difference: float
    places: np.ndarray
    words: dict[str, str]
    asked: tuple[str, ...]
    sideways: bool = False
    upright: bool = False
    in_order: bool = False
    unmirrored: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    mirrors: bool = True


def mirrored(picture: Picture, axis: int) -> Picture:
    """Return a picture mirrored left to right (``axis`` 1) or top to bottom (0), with what is then true.

    A letter is returned as it is.
    """
    if not picture.mirrors:
        return picture
    sign = np.ones(8, np.float32)
    sign[[0, 4] if axis == 1 else [1, 5]] = -1
    points, pixels = picture.places * sign, np.flip(picture.pixels, axis)
    if not (picture.sideways if axis == 1 else picture.upright):
        return replace(picture, pixels=pixels, places=points, unmirrored=())
    words = dict(picture.words)
    words["first"], words["second"] = words["second"], words["first"]
    return replace(
        picture,
        pixels=pixels,
        category={FIRST: SECOND, SECOND: FIRST}.get(picture.category, NEITHER),
        difference=-picture.difference,
        places=points if picture.in_order else np.roll(points, 4),
        words=words,
        unmirrored=(),
    )


COLOURS = {
    "red": (214, 39, 40),
    "blue": (31, 95, 180),
    "green": (44, 150, 60),
    "orange": (240, 140, 20),
    "purple": (130, 60, 170),
    "black": (10, 10, 10),
    "brown": (130, 80, 40),
    "pink": (235, 120, 180),
}

#: How often the first has more, the second, neither.
_CHANCES = {FIRST: 0.3, SECOND: 0.3, NEITHER: 0.4}


@dataclass(frozen=True)
class Case:
    """One picture's choices, and the generator of all others.

    Attributes:
        random: Generator; the same state gives the same picture.
        category: What is true: ``FIRST``, ``SECOND`` or ``NEITHER``.
        difference: Signed, in the kind's unit.
        names: What the colours of the two targets are called.
    """

    random: np.random.Generator
    category: int
    difference: float
    names: tuple[str, str]
    colours: tuple[Colour, Colour]
    ground: Colour

    def between(self, low: float, high: float) -> float:
        return float(self.random.uniform(low, high))

    def about(self, reach: float) -> float:
        return float(self.random.uniform(-reach, reach))

    def chance(self, share: float) -> bool:
        return bool(self.random.random() < share)

    def named(self, both: bool) -> dict[str, str]:
        """Return what questions call the targets: by two colours, or by the first one's."""
        second = self.names[1] if both else self.names[0]
        return {"colour": self.names[0], "first": self.names[0], "second": second}


def new_case(random: np.random.Generator, differences: tuple[float, float]) -> Case:
    """Choose what pictures of every kind have.

    Args:
        differences: Smallest and largest difference, in the kind's unit; drawn evenly on a logarithmic scale.
    """
    category = int(random.choice(list(_CHANCES), p=list(_CHANCES.values())))
    size = float(np.exp(random.uniform(*np.log(differences))))
    difference = {FIRST: size, SECOND: -size, NEITHER: 0.0}[category]
    names = _names(random)
    colours = (_shade(random, names[0]), _shade(random, names[1]))
    return Case(random, category, difference, names, colours, _ground(random))


def _names(random: np.random.Generator) -> tuple[str, str]:
    if random.random() < 0.75:
        return ("red", "blue") if random.random() < 0.5 else ("blue", "red")
    first, second = random.permutation(list(COLOURS))[:2]
    return str(first), str(second)


def _shade(random: np.random.Generator, name: str) -> Colour:
    values = np.array(COLOURS[name]) + random.uniform(-18, 18) + random.uniform(-14, 14, 3)
    return rounded_colour(values)


def _ground(random: np.random.Generator) -> Colour:
    kind = random.random()
    if kind < 0.6:
        return Colour(255, 255, 255)
    if kind < 0.8:
        return rounded_colour(np.full(3, random.uniform(200, 255)))
    return rounded_colour(random.uniform(190, 255, 3))


def rounded_colour(values: np.ndarray) -> Colour:
    """Return a colour from three numbers, rounded and kept within 0..255."""
    red, green, blue = np.clip(np.rint(values), 0, 255).astype(int).tolist()
    return Colour(red, green, blue)


def scaled_places(found: Sequence[tuple[float, float, float, float]]) -> np.ndarray:
    """Return two targets' x, y and two measures each as eight numbers about -1..1, float32."""
    return np.array(found, dtype=np.float32).ravel() / 112 - 1


#: Pieces of a bowed line: its bends stay below a tenth of a pixel at 112 px.
_PIECES = 14


class Sketch:
    """Draws on a square of ``side`` px; lengths and places are given as if it had 224.

    Angles in radians, clockwise from rightward, as y runs down.
    """

    def __init__(self, side: int, ground: Colour) -> None:
        self._canvas, self._scale = Canvas(ground, side, side), side / SIDE

    def disc(self, x: float, y: float, diameter: float, colour: Colour) -> None:
        self._paint(Discs(self._px([(x, y)]), diameter * self._scale), colour)

    def square(self, x: float, y: float, width: float, colour: Colour) -> None:
        """Fill an upright square centred on (x, y)."""
        self.bar(x, y, width, width, 0.0, colour)

    def bar(
        self, x: float, y: float, length: float, width: float, angle: float, colour: Colour
    ) -> None:
        """Draw a straight line centred on (x, y)."""
        half = np.array([math.cos(angle), math.sin(angle)]) * length / 2
        ends = np.array([(x, y)])
        strokes = Strokes(self._px(ends - half), self._px(ends + half), width * self._scale)
        self._paint(strokes, colour)

    def stripes(
        self, x: float, y: float, diameter: float, half_period: float, colour: Colour
    ) -> None:
        """Draw level stripes, cut to a circle."""
        count = int(diameter / (4 * half_period))
        rows = (np.arange(-count, count + 1) * 2) * half_period
        reach = np.sqrt(np.maximum(diameter * diameter / 4 - rows * rows, 0.25))
        starts = np.stack([x - reach, y + rows], axis=-1)
        ends = np.stack([x + reach, y + rows], axis=-1)
        width = half_period * self._scale
        self._paint(Strokes(self._px(starts), self._px(ends), width), colour)

    def path(self, points: np.ndarray, width: float, colour: Colour, closed: bool = False) -> None:
        """Draw a line through points, shape (n, 2)."""
        self._paint(Polyline(self._px(points), width * self._scale, closed), colour)

    def frame(
        self, x: float, y: float, half: tuple[float, float], width: float, colour: Colour
    ) -> None:
        """Draw the outline of a rectangle centred on (x, y), from half its width and height."""
        (dx, dy), corners = half, np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
        vertices = np.array([(x, y)]) + corners * np.array([(dx, dy)])
        self._paint(Outline(self._px(vertices), width * self._scale), colour)

    def region(self, polygons: Sequence[np.ndarray], colour: Colour) -> None:
        """Fill what closed polygons wind round, each of shape (n, 2): a glyph."""
        self._paint(Region([self._px(polygon) for polygon in polygons]), colour)

    def arch(
        self, centre: tuple[float, float], radii: tuple[float, float], half: float, colour: Colour
    ) -> None:
        """Fill a sector of an annulus, symmetric about the vertical; ``half``: half its opening, radians."""
        x, y = self._px([centre])[0]
        inner, outer = (radius * self._scale for radius in radii)
        self._paint(Arch((x, y), inner, outer, math.degrees(half)), colour)

    def pixels(self, upside_down: bool = False) -> np.ndarray:
        """Return the picture, shape (side, side, 3), uint8."""
        pixels = self._canvas.pixels()
        return flipped(pixels) if upside_down else pixels

    def _px(self, points: object) -> np.ndarray:
        return np.asarray(points, dtype=np.float64) * self._scale

    def _paint(self, shape: Shape, colour: Colour) -> None:
        self._canvas.paint(shape, colour)


def bowed(middle: tuple[float, float], length: float, angle: float, sagitta: float) -> np.ndarray:
    """Return points of a parabola with fixed ends, shape (n, 2); positive sagittae rise where the line runs right."""
    at = np.linspace(-1, 1, _PIECES + 1)
    along, across = at * length / 2, -sagitta * (1 - at * at)
    x = middle[0] + along * math.cos(angle) - across * math.sin(angle)
    y = middle[1] + along * math.sin(angle) + across * math.cos(angle)
    return np.stack([x, y], axis=-1)
