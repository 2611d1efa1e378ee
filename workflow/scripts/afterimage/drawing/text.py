"""Lines of text set from glyph outlines, without kerning, in the typefaces of this repository.

No text renderer of the system is asked, and hinting is ignored: the outline in the font file is all
that reaches a pixel. Files and licences: ``resources/fonts``.
"""

import hashlib
import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
from fontTools.pens.basePen import BasePen
from fontTools.ttLib import TTFont

from afterimage.errors import AfterimageError, unknown_name

FOLDER = Path(__file__).resolve().parents[4] / "resources" / "fonts"

#: Name to file and its SHA-256: another version of a font would draw other pixels.
FILES = {
    "LiberationSans": (
        "LiberationSans-Regular.ttf",
        "8d91388f1d3604b3b8ae0e3ee2d140e50cd6122f9214514f4aca772540a4076d",
    ),
    "LiberationSans-Bold": (
        "LiberationSans-Bold.ttf",
        "ba0e0dc3f7aca5b0afbc31e800531ee43be3aa79ae35b2ef1f6470a9547765c4",
    ),
    "OpenSans": (
        "OpenSans-Regular.ttf",
        "e64e508b2aa2880f907e470c4550980ec4c0694d103a43f36150ac3f93189bee",
    ),
}

#: Straight pieces per curve, by size in px: a 45-degree arc then strays by less than 0.05 px.
_PIECES = ((16, 2), (48, 4), (160, 8), (float("inf"), 16))


class Typeface:
    """The glyphs of one font, in em (1 em is the font size), y down, baseline at y = 0."""

    def __init__(self, name: str) -> None:
        """Read a font of :data:`FILES`.

        Raises:
            AfterimageError: There is no such font, or its file is missing or has changed.
        """
        font = TTFont(io.BytesIO(_checked_file(name)))
        self._name = name
        self._glyphs = font.getGlyphSet()
        self._characters = font.getBestCmap()
        self._units = font["head"].unitsPerEm
        self._polygons: dict[tuple[str, int], tuple[np.ndarray, ...]] = {}

    def advance(self, character: str) -> float:
        """Return the advance to the next glyph, em."""
        return float(self._glyph(character).width / self._units)

    def polygons(self, character: str, size_px: float) -> tuple[np.ndarray, ...]:
        """Return the closed outlines of a glyph, each of shape (n, 2), em.

        Args:
            character: One character.
            size_px: Font size that curves are cut into straight pieces for.
        """
        pieces = next(count for limit, count in _PIECES if size_px <= limit)
        if (character, pieces) not in self._polygons:
            pen = _Polygons(self._glyphs, pieces)
            self._glyph(character).draw(pen)
            self._polygons[character, pieces] = tuple(
                np.array(points, dtype=np.float64) * (1, -1) / self._units
                for points in pen.polygons
            )
        return self._polygons[character, pieces]

    def ink_box(self, character: str) -> tuple[float, float, float, float]:
        """Return left, top, right and bottom of a glyph's ink, em."""
        points = np.concatenate(self.polygons(character, 100.0))
        return (*points.min(axis=0).tolist(), *points.max(axis=0).tolist())

    def _glyph(self, character: str) -> Any:
        if ord(character) not in self._characters:
            raise AfterimageError(
                f"font '{self._name}': has no glyph for {character!r}; expected a character of it."
            )
        return self._glyphs[self._characters[ord(character)]]


@cache
def typeface(name: str) -> Typeface:
    """Return a font of :data:`FILES`, read once per process; errors as :class:`Typeface`."""
    return Typeface(name)


def _checked_file(name: str) -> bytes:
    if name not in FILES:
        raise unknown_name("font", name, FILES)
    file, expected = FILES[name]
    path = FOLDER / file
    if not path.is_file():
        raise AfterimageError(f"{path}: no such file; expected the font '{name}'.")
    data = path.read_bytes()
    found = hashlib.sha256(data).hexdigest()
    if found != expected:
        raise AfterimageError(
            f"{path}: found SHA-256 {found[:16]}..., expected {expected[:16]}...; "
            "restore the shipped file."
        )
    return data


class _Polygons(BasePen):
    """Collects outlines, each curve cut into equal steps of its parameter."""

    def __init__(self, glyphs: object, pieces: int) -> None:
        super().__init__(glyphs)
        self.polygons: list[list[tuple[float, float]]] = []
        self._steps = [step / pieces for step in range(1, pieces + 1)]

    def _moveTo(self, pt: tuple[float, float]) -> None:  # noqa: N802
        self.polygons.append([pt])

    def _lineTo(self, pt: tuple[float, float]) -> None:  # noqa: N802
        self.polygons[-1].append(pt)

    def _qCurveToOne(self, pt1: tuple[float, float], pt2: tuple[float, float]) -> None:  # noqa: N802
        (x0, y0), (x1, y1), (x2, y2) = self.polygons[-1][-1], pt1, pt2
        for t in self._steps:
            a, b, c = (1 - t) * (1 - t), 2 * t * (1 - t), t * t
            self.polygons[-1].append((a * x0 + b * x1 + c * x2, a * y0 + b * y1 + c * y2))


# ---- Lines of text ----


@dataclass(frozen=True)
class TextLine:
    """One line of text.

    Attributes:
        text: The characters.
        typeface: The font.
        size_px: Font size (1 em), px.
        origin: Left end of the baseline, px.
        tracking_px: Extra space between neighbouring glyphs, px.
    """

    text: str
    typeface: Typeface
    size_px: float
    origin: tuple[float, float]
    tracking_px: float = 0.0

    def starts(self) -> list[float]:
        """Return the x of each glyph's origin, px."""
        advances = [self.typeface.advance(character) * self.size_px for character in self.text]
        steps = (advance + self.tracking_px for advance in advances[:-1])
        return list(accumulate(steps, initial=self.origin[0]))

    def glyph(self, index: int) -> tuple[np.ndarray, ...]:
        """Return the outlines of one glyph, each of shape (n, 2), px."""
        return self._moved_outline(self.text[index], self.starts()[index])

    def polygons(self) -> list[np.ndarray]:
        """Return the outlines of the whole line, px."""
        placed = zip(self.text, self.starts(), strict=True)
        return [polygon for character, x in placed for polygon in self._moved_outline(character, x)]

    def ink_box(self, index: int | None = None) -> tuple[float, float, float, float]:
        """Return left, top, right and bottom of the ink of the line or of one glyph, px."""
        return box_of(self.polygons() if index is None else self.glyph(index))

    def _moved_outline(self, character: str, x: float) -> tuple[np.ndarray, ...]:
        outlines = self.typeface.polygons(character, self.size_px)
        return tuple(polygon * self.size_px + (x, self.origin[1]) for polygon in outlines)


def box_of(polygons: Sequence[np.ndarray]) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom of polygons, px."""
    points = np.concatenate(polygons)
    return (*points.min(axis=0).tolist(), *points.max(axis=0).tolist())
