"""A canvas that composites shapes one over the other and rounds once, after the last."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Protocol

import numpy as np

from afterimage.drawing.colour import Colour, to_levels
from afterimage.drawing.coverage import BLOCK_PIXELS, Coverage, Frame
from afterimage.drawing.polygons import Outline
from afterimage.drawing.shapes import Arch, Discs, Polyline, Rings, Strokes

#: Three bytes moved as one: several times as fast as numpy's assignment of three channels.
_PIXEL = np.dtype("V3")
_EXACT_PIXEL = np.dtype("V24")


class Shape(Protocol):
    """Anything that can tell which pixels it covers."""

    def coverage(self, frame: Frame) -> Iterable[Coverage]:
        """Yield the covered pixels inside ``frame``."""


class Canvas:
    """An RGB image in the making (docs/illusion_figures.md, section 2).

    Each shape is composited as ``out * (1 - c) + colour * c`` in sRGB-coded float64 values, and
    ``floor(v + 0.5)`` is taken after the last one. Values that are whole numbers, which is nearly
    all of them, are kept in 8 bits; only edge pixels also have a float64 value.
    """

    def __init__(self, background: Colour, width: int = 672, height: int = 672) -> None:
        """Start with a uniform ground; sizes in px."""
        self._image = np.empty((height, width, 3), dtype=np.uint8)
        self._rows = self._image.reshape(height, 3 * width)
        self._rows[:] = _run(background, width)
        self._flat = self._image.view(_PIXEL).reshape(-1)
        self._exact = np.empty((height * width, 3))
        self._packed_exact = self._exact.view(_EXACT_PIXEL).reshape(-1)
        self._is_exact = np.zeros(height * width, dtype=bool)
        self._has_exact = False
        self._entry = np.empty(height * width, dtype=np.int32)
        self.frame = Frame(0, 0, width, height, width)

    def fill(self, x0: int, y0: int, x1: int, y1: int, colour: Colour) -> None:
        """Fill the whole pixels ``[x0, x1) x [y0, y1)``."""
        self._write(x0, y0, x1, y1, _run(colour, x1 - x0))

    def paste(self, x0: int, y0: int, pixels: np.ndarray, rows: int | None = None) -> None:
        """Put finished pixels at ``(x0, y0)``.

        Args:
            x0: Left column.
            y0: Top row.
            pixels: uint8, shape (rows, columns, 3).
            rows: Repeat a single row of pixels this often.
        """
        height, width = pixels.shape[:2]
        band = np.ascontiguousarray(pixels).reshape(height, 3 * width)
        self._write(x0, y0, x0 + width, y0 + (rows or height), band)

    def _write(self, x0: int, y0: int, x1: int, y1: int, rows: np.ndarray) -> None:
        self._rows[y0:y1, 3 * x0 : 3 * x1] = rows
        if self._has_exact:
            self._is_exact.reshape(self._image.shape[:2])[y0:y1, x0:x1] = False

    def paint(self, shape: Shape, colour: Colour, within: Frame | None = None) -> None:
        """Composite a shape or a family of shapes; ``within`` cuts it at whole pixels."""
        values, packed = np.array(colour, dtype=np.float64), _packed(colour)
        for coverage in shape.coverage(within or self.frame):
            self._blend(coverage.partial, coverage.share, values)
            self._flat[coverage.opaque] = packed
            if self._has_exact:
                self._is_exact[coverage.opaque] = False

    def pixels(self) -> np.ndarray:
        """Return the image, shape (height, width, 3), uint8."""
        if self._has_exact:
            edges = np.flatnonzero(self._is_exact)
            self._flat[edges] = to_levels(self._exact.take(edges, 0)).view(_PIXEL).reshape(-1)
            self._is_exact[edges] = False
        return self._image

    def _blend(self, position: np.ndarray, share: np.ndarray, colour: np.ndarray) -> None:
        """Composite partly covered pixels, those under several shapes once per round."""
        while position.size:
            entry = np.arange(position.size, dtype=np.int32)
            self._entry[position] = entry
            now = self._entry[position] == entry
            for first in range(0, position.size, BLOCK_PIXELS):
                block = slice(first, first + BLOCK_PIXELS)
                taken = now[block]
                self._blend_distinct(position[block][taken], share[block][taken], colour)
            position, share = position[~now], share[~now]

    def _blend_distinct(self, position: np.ndarray, share: np.ndarray, colour: np.ndarray) -> None:
        below = self._image.reshape(-1, 3).take(position, axis=0).astype(np.float64)
        known = np.flatnonzero(self._is_exact[position])
        if known.size:
            below[known] = self._exact.take(position[known], axis=0)
        below *= (1 - share)[:, None]
        below += colour * share[:, None]
        self._packed_exact[position] = below.view(_EXACT_PIXEL).reshape(-1)
        self._is_exact[position] = True
        self._has_exact = True


def _run(colour: Colour, columns: int) -> np.ndarray:
    return np.tile(np.array(colour, dtype=np.uint8), columns)


def _packed(colour: Colour) -> np.ndarray:
    packed: np.ndarray = np.array(colour, dtype=np.uint8).view(_PIXEL)[0]
    return packed


def mirrored(pixels: np.ndarray) -> np.ndarray:
    """Return the image flipped left to right."""
    return _rearranged(pixels, lambda whole: whole[:, ::-1])


def flipped(pixels: np.ndarray) -> np.ndarray:
    """Return the image flipped top to bottom."""
    return _rearranged(pixels, lambda whole: whole[::-1])


def quarter_turned(pixels: np.ndarray) -> np.ndarray:
    """Return the image turned by 90 degrees counter-clockwise."""
    return _rearranged(pixels, np.rot90)


def transposed(pixels: np.ndarray) -> np.ndarray:
    """Return the image with rows and columns exchanged."""
    return _rearranged(pixels, np.transpose)


def moved(pixels: np.ndarray, shift: tuple[int, int], beyond: str) -> np.ndarray:
    """Move an image by whole pixels, ``shift`` = (right, down).

    Args:
        pixels: The image, shape (height, width, 3).
        shift: Whole pixels.
        beyond: What enters at the border: ``"edge"`` repeats the outermost row or column (a uniform
            margin stays uniform), ``"wrap"`` takes the opposite side (seamless for periodic
            patterns).
    """
    if shift == (0, 0):
        return pixels
    height, width = pixels.shape[:2]
    rows, columns = np.arange(height) - shift[1], np.arange(width) - shift[0]
    if beyond == "wrap":
        rows, columns = rows % height, columns % width
    else:
        rows, columns = np.clip(rows, 0, height - 1), np.clip(columns, 0, width - 1)
    moved: np.ndarray = pixels[rows[:, None], columns]
    return moved


def _rearranged(pixels: np.ndarray, arrange: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    whole = np.ascontiguousarray(pixels).view(_PIXEL)[..., 0]
    turned = np.ascontiguousarray(arrange(whole))
    return turned.view(np.uint8).reshape(*turned.shape, 3)


# ---- Zoomed about the middle, for figures that are laid out at one size ----

Zoomable = Arch | Discs | Outline | Polyline | Rings | Strokes
#: The fields of these shapes that are places, and those that are lengths; the others have no size.
_POINT_FIELDS = ("centre", "centres", "ends", "points", "starts", "vertices")
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
        fields = vars(shape)
        changed: dict[str, Any] = {
            name: fields[name] * self._factor for name in _LENGTHS if name in fields
        }
        changed |= {name: self._moved(fields[name]) for name in _POINT_FIELDS if name in fields}
        return replace(shape, **changed)

    def _moved(self, points: np.ndarray | tuple[float, float]) -> np.ndarray:
        middle = (self.frame.x1 / 2, self.frame.y1 / 2)
        moved: np.ndarray = np.subtract(points, middle) * self._factor + middle
        return moved

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
