"""A drawn scene, and the 16 classes as outlines."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from afterimage.contract.stimulus import Json
from afterimage.drawing.canvas import Canvas
from afterimage.drawing.colour import Colour
from afterimage.drawing.geometry import cosine, sine
from afterimage.drawing.polygons import Region

# The 16 classes as outlines: polygons of ink, and of paper for what one can look through.
#
# A class is drawn in one colour and is one connected piece. Coordinates are those of its own box, x to the right and
# y down.

#: Corners of the polygon that stands for a full circle; at 120 px across it departs by 0.03 px from one.
_CORNERS = 96


class Part(NamedTuple):
    """A polygon of a class.

    Attributes:
        outline: Shape (n, 2); of a silhouette fractions of the class's box.
        is_ink: Whether it is inked; otherwise it shows the paper.
    """

    outline: np.ndarray
    is_ink: bool


class Silhouette(NamedTuple):
    """A class's outline.

    Attributes:
        aspect: Width over height.
        parts: From the first drawn to the last.
    """

    aspect: float
    parts: tuple[Part, ...]


@cache
def silhouette(name: str) -> Silhouette:
    """Return the outline of a class, one of :data:`CLASSES`."""
    parts = _DRAWN[name]
    inked = np.concatenate([outline for outline, is_ink in parts if is_ink])
    low, high = inked.min(axis=0), inked.max(axis=0)
    width, height = high - low
    scaled = tuple(Part((outline - low) / (high - low), is_ink) for outline, is_ink in parts)
    return Silhouette(float(width / height), scaled)


def _ink(*points: tuple[float, float]) -> Part:
    return Part(np.array(points, dtype=float), is_ink=True)


def _paper(*points: tuple[float, float]) -> Part:
    return Part(np.array(points, dtype=float), is_ink=False)


def _rectangle(x0: float, y0: float, x1: float, y1: float) -> list[tuple[float, float]]:
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]


def _arc(
    cx: float, cy: float, rx: float, ry: float, start: float = 0.0, stop: float = 360.0
) -> list[tuple[float, float]]:
    """Return points of an ellipse from angle to angle, degrees clockwise on the screen from the right."""
    count = max(3, round(_CORNERS * abs(stop - start) / 360))
    whole = abs(stop - start) == 360
    angles = np.linspace(start, stop, count, endpoint=not whole)
    return list(zip(cx + rx * cosine(angles), cy + ry * sine(angles), strict=True))


def _band(
    cx: float, cy: float, radius: float, start: float, stop: float, width: float
) -> list[tuple[float, float]]:
    """Return a part of a circle's line, of some width; angles as those of an arc."""
    outer, inner = radius + width / 2, radius - width / 2
    return [*_arc(cx, cy, outer, outer, start, stop), *_arc(cx, cy, inner, inner, stop, start)]


def _star() -> list[Part]:
    angles = np.arange(10) * 36.0 - 90
    radii = np.where(np.arange(10) % 2, 0.2, 0.5)
    corners = zip(angles, radii, strict=True)
    return [_ink(*((r * float(cosine(a)), r * float(sine(a))) for a, r in corners))]


def _heart() -> list[Part]:
    angles = np.linspace(0, 360, _CORNERS, endpoint=False)
    x = 16 * sine(angles) ** 3
    y = -(
        13 * cosine(angles) - 5 * cosine(2 * angles) - 2 * cosine(3 * angles) - cosine(4 * angles)
    )
    return [_ink(*zip(x.tolist(), y.tolist(), strict=True))]


#: Every class in its own measure: what is inked, and what shows the paper, from the first drawn to the last.
_DRAWN = {
    # With the seams of a basketball, which end before the rim: without them it is a disc.
    "ball": [
        _ink(*_arc(0.5, 0.5, 0.5, 0.5)),
        _paper(*_rectangle(0.48, 0.07, 0.52, 0.93)),
        _paper(*_rectangle(0.07, 0.48, 0.93, 0.52)),
        _paper(*_band(-0.04, 0.5, 0.33, -52, 52, 0.04)),
        _paper(*_band(1.04, 0.5, 0.33, 128, 232, 0.04)),
    ],
    # A carton seen from above and the left, its flaps up, its front cut away: what lies in it can be seen.
    "box": [
        _ink((0.04, 0.37), (0.26, 0.25), (0.94, 0.25), (0.94, 0.86), (0.72, 1.0), (0.04, 1.0)),
        _ink((0.04, 0.38), (0.26, 0.26), (0.2, 0.1), (0.0, 0.21)),
        _ink((0.3, 0.26), (0.88, 0.26), (0.84, 0.0), (0.34, 0.0)),
        _ink((0.72, 0.38), (0.94, 0.26), (1.0, 0.1), (0.85, 0.2)),
        _paper((0.17, 0.345), (0.3, 0.275), (0.82, 0.275), (0.69, 0.345)),
        _paper(*_rectangle(0.722, 0.42, 0.748, 0.94)),
        _paper(*_rectangle(0.09, 0.42, 0.67, 0.95)),
    ],
    "cone": [_ink((0.45, 0.0), (0.9, 0.92), *_arc(0.45, 0.92, 0.45, 0.13, 0, 180), (0.0, 0.92))],
    "star": _star(),
    "heart": _heart(),
    "moon": [_ink(*_arc(0.5, 0.5, 0.5, 0.5, 60, 300), *_arc(0.82, 0.5, 0.44, 0.44, 259, 101))],
    "cup": [
        _ink(*_arc(0.78, 0.45, 0.24, 0.27)),
        _paper(*_arc(0.78, 0.45, 0.13, 0.16)),
        _ink((0.0, 0.0), (0.8, 0.0), (0.7, 0.95), (0.1, 0.95)),
    ],
    "house": [
        _ink((0.5, 0.0), (1.0, 0.42), (0.0, 0.42)),
        _ink(*_rectangle(0.12, 0.4, 0.88, 1.0)),
        _ink(*_rectangle(0.74, 0.04, 0.86, 0.34)),
        _paper(*_rectangle(0.22, 0.54, 0.42, 0.74)),
        _paper(*_rectangle(0.56, 0.56, 0.76, 1.01)),
    ],
    "tree": [
        _ink(*_rectangle(0.42, 0.55, 0.58, 1.0)),
        _ink(*_arc(0.26, 0.44, 0.23, 0.2)),
        _ink(*_arc(0.74, 0.44, 0.23, 0.2)),
        _ink(*_arc(0.5, 0.26, 0.27, 0.26)),
        _ink(*_arc(0.5, 0.46, 0.25, 0.2)),
    ],
    "flower": [
        _ink(*_rectangle(0.465, 0.5, 0.535, 1.15)),
        _ink((0.5, 1.1), (0.72, 0.84), (0.86, 0.86), (0.78, 1.0)),
        *(
            _ink(*_arc(0.5 + 0.25 * float(cosine(a)), 0.38 + 0.25 * float(sine(a)), 0.135, 0.135))
            for a in range(0, 360, 60)
        ),
        _ink(*_arc(0.5, 0.38, 0.25, 0.25)),
        _paper(*_arc(0.5, 0.38, 0.12, 0.12)),
    ],
    "car": [
        _ink(
            *((0.0, 0.3), (0.1, 0.26), (0.32, 0.24), (0.5, 0.0), (1.1, 0.0)),
            *((1.3, 0.24), (1.6, 0.3), (1.6, 0.58), (0.0, 0.58)),
        ),
        _ink(*_arc(0.36, 0.58, 0.18, 0.18)),
        _ink(*_arc(1.24, 0.58, 0.18, 0.18)),
        _paper((0.45, 0.24), (0.56, 0.07), (0.75, 0.07), (0.75, 0.24)),
        _paper((0.84, 0.24), (0.84, 0.07), (1.06, 0.07), (1.19, 0.24)),
        _paper(*_arc(0.36, 0.58, 0.075, 0.075)),
        _paper(*_arc(1.24, 0.58, 0.075, 0.075)),
    ],
    "boat": [
        _ink((0.0, 0.72), (1.1, 0.72), (0.88, 1.0), (0.2, 1.0)),
        _ink(*_rectangle(0.48, 0.0, 0.54, 0.75)),
        _ink((0.5, 0.02), (0.98, 0.6), (0.5, 0.6)),
        _ink((0.5, 0.16), (0.5, 0.6), (0.16, 0.6)),
    ],
    "ladder": [
        _ink(*_rectangle(0.0, 0.0, 0.1, 1.0)),
        _ink(*_rectangle(0.48, 0.0, 0.58, 1.0)),
        *(_ink(*_rectangle(0.05, y - 0.03, 0.53, y + 0.03)) for y in (0.14, 0.32, 0.5, 0.68, 0.86)),
    ],
    "umbrella": [
        _ink(*_arc(0.5, 0.46, 0.5, 0.46, 180, 360)),
        *(_paper(*_arc(x, 0.47, 0.125, 0.07)) for x in (0.125, 0.375, 0.625, 0.875)),
        _ink(*_rectangle(0.47, 0.0, 0.53, 0.86)),
        _ink(*_arc(0.4, 0.86, 0.13, 0.13, 0, 180)),
        _paper(*_arc(0.4, 0.85, 0.07, 0.08, 0, 180)),
    ],
    "scissors": [
        _ink((0.2, 0.0), (0.28, 0.02), (0.56, 0.66), (0.44, 0.7)),
        _ink((0.5, 0.0), (0.42, 0.02), (0.14, 0.66), (0.26, 0.7)),
        _ink(*_arc(0.16, 0.82, 0.17, 0.19)),
        _ink(*_arc(0.54, 0.82, 0.17, 0.19)),
        _paper(*_arc(0.15, 0.83, 0.09, 0.11)),
        _paper(*_arc(0.55, 0.83, 0.09, 0.11)),
    ],
    "glasses": [
        _ink(*_arc(0.5, 0.5, 0.42, 0.5)),
        _ink(*_arc(1.6, 0.5, 0.42, 0.5)),
        _paper(*_arc(0.5, 0.5, 0.3, 0.38)),
        _paper(*_arc(1.6, 0.5, 0.3, 0.38)),
        _ink(*_arc(1.05, 0.46, 0.18, 0.18, 180, 360), *_arc(1.05, 0.46, 0.09, 0.08, 360, 180)),
        _ink((0.14, 0.22), (0.14, 0.38), (0.0, 0.26), (0.0, 0.12)),
        _ink((1.96, 0.22), (1.96, 0.38), (2.1, 0.26), (2.1, 0.12)),
    ],
}
#: All classes, in the order of their category ids.
CLASSES: Sequence[str] = tuple(_DRAWN)


# A drawn scene: what stands where, in which colour and on which paper; and its pixels.

#: Orange is left out: it is the name of a fruit as well, and red and brown are near.
COLOURS: Mapping[str, Colour] = {
    "red": Colour(206, 32, 41),
    "yellow": Colour(246, 205, 28),
    "green": Colour(38, 140, 62),
    "blue": Colour(32, 94, 190),
    "purple": Colour(132, 56, 160),
    "brown": Colour(118, 70, 34),
    "black": Colour(22, 22, 22),
    "white": Colour(255, 255, 255),
}
#: Grey or pale: far from every colour of an object, white included.
PAPERS: Mapping[str, Colour] = {
    "grey": Colour(184, 184, 184),
    "pale blue": Colour(178, 193, 204),
    "pale green": Colour(182, 197, 178),
    "pale sand": Colour(203, 193, 174),
    "pale rose": Colour(204, 184, 184),
}

#: Side of every scene, px.
SIDE_PX = 384


@dataclass(frozen=True)
class Placed:
    """One drawn object.

    Attributes:
        colour: The name of its colour.
        bbox: Left, top, width, height, px.
    """

    name: str
    colour: str
    bbox: tuple[float, float, float, float]

    @property
    def area_fraction(self) -> float:
        """The share of the image that its box takes."""
        return self.bbox[2] * self.bbox[3] / SIDE_PX**2


@dataclass(frozen=True)
class Scene:
    """What a scene shows.

    Attributes:
        image: File name.
        paper: Name of the ground's colour.
        objects: In the order in which they are annotated.
    """

    image: str
    paper: str
    objects: tuple[Placed, ...]

    def as_json(self) -> dict[str, Any]:
        """Return it as plain values: a line of ``scenes.jsonl``."""
        return {
            "image": self.image,
            "width": SIDE_PX,
            "height": SIDE_PX,
            "background": self.paper,
            "objects": [
                {
                    "name": placed.name,
                    "colour": placed.colour,
                    "count": sum(item.name == placed.name for item in self.objects),
                    "bbox": list(placed.bbox),
                    "area_fraction": round(placed.area_fraction, 6),
                }
                for placed in self.objects
            ],
        }

    @classmethod
    def from_json(cls, values: Json) -> "Scene":
        objects = tuple(
            Placed(item["name"], item["colour"], tuple(item["bbox"])) for item in values["objects"]
        )
        return cls(values["image"], values["background"], objects)


def draw_scene(scene: Scene) -> np.ndarray:
    """Return a scene's pixels, shape (384, 384, 3), uint8."""
    paper = PAPERS[scene.paper]
    canvas = Canvas(paper, SIDE_PX, SIDE_PX)
    for placed in scene.objects:
        left, top, width, height = placed.bbox
        for outline, is_ink in silhouette(placed.name).parts:
            shape = Region([outline * (width, height) + (left, top)])
            canvas.paint(shape, COLOURS[placed.colour] if is_ink else paper)
    return canvas.pixels().copy()
