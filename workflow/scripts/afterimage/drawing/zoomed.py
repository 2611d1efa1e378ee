"""A canvas on which all is smaller or larger about the middle, for figures that are laid out at one size."""

from dataclasses import replace

import numpy as np

from afterimage.drawing.arches import Arch
from afterimage.drawing.canvas import Canvas
from afterimage.drawing.circles import Discs, Rings
from afterimage.drawing.colour import Colour
from afterimage.drawing.coverage import Frame
from afterimage.drawing.outlines import Outline
from afterimage.drawing.strokes import Polyline, Strokes

Zoomable = Arch | Discs | Outline | Polyline | Rings | Strokes
#: The fields of these shapes that are places, and those that are lengths; the others have no size.
_PLACES = ("centre", "centres", "ends", "points", "starts", "vertices")
_LENGTHS = ("diameter", "inner_radius", "outer_radius", "radii", "width")


class ZoomedCanvas:
    """A canvas for shapes that are laid out for a factor of 1, which leaves them as they are to the last bit."""

    def __init__(self, background: Colour, factor: float) -> None:
        """Start with a uniform ground."""
        self._canvas = Canvas(background)
        self._factor = factor
        self.frame = self._canvas.frame

    def paint(self, shape: Zoomable, colour: Colour, within: Frame | None = None) -> None:
        """Composite a shape at the canvas' size; ``within`` is laid out for 1 too and cuts at whole pixels."""
        if self._factor != 1:
            shape, within = self._zoomed(shape), within and self._cut(within)
        self._canvas.paint(shape, colour, within)

    def pixels(self) -> np.ndarray:
        """Return the image, shape (height, width, 3), uint8."""
        return self._canvas.pixels()

    def _zoomed(self, shape: Zoomable) -> Zoomable:
        own = vars(shape)
        changed = {name: own[name] * self._factor for name in _LENGTHS if name in own}
        return replace(shape, **changed, **{n: self._moved(own[n]) for n in _PLACES if n in own})

    def _moved(self, places: np.ndarray | tuple[float, float]) -> np.ndarray:
        middle = (self.frame.x1 / 2, self.frame.y1 / 2)
        return np.subtract(places, middle) * self._factor + middle

    def _cut(self, within: Frame) -> Frame:
        """Return the cut at the canvas' size; a side on the canvas' edge stays there."""
        frame = self.frame
        x0, y0 = self._moved((within.x0, within.y0)).round().astype(int).tolist()
        x1, y1 = self._moved((within.x1, within.y1)).round().astype(int).tolist()
        return Frame(
            x0 if within.x0 else 0,
            y0 if within.y0 else 0,
            x1 if within.x1 < frame.x1 else frame.x1,
            y1 if within.y1 < frame.y1 else frame.y1,
            frame.stride,
        )
