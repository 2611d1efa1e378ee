"""A drawn scene: what stands where, in which colour and on which paper; and its pixels."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from afterimage.drawing.canvas import Canvas
from afterimage.drawing.colour import Colour
from afterimage.drawing.polygons import Region
from afterimage.suites.pope.drawn.silhouettes import silhouette

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
        name: Its class.
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

    def as_json(self) -> dict:
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
                    "count": sum(other.name == placed.name for other in self.objects),
                    "bbox": list(placed.bbox),
                    "area_fraction": round(placed.area_fraction, 6),
                }
                for placed in self.objects
            ],
        }

    @classmethod
    def from_json(cls, values: Mapping) -> "Scene":
        """Build it from what :meth:`as_json` returned."""
        objects = tuple(
            Placed(one["name"], one["colour"], tuple(one["bbox"])) for one in values["objects"]
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
