"""Lines of text set from glyph outlines, without kerning."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from afterimage.drawing.typefaces import Typeface


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
        return self._placed(self.text[index], self.starts()[index])

    def polygons(self) -> list[np.ndarray]:
        """Return the outlines of the whole line, px."""
        placed = zip(self.text, self.starts(), strict=True)
        return [polygon for character, x in placed for polygon in self._placed(character, x)]

    def ink_box(self, index: int | None = None) -> tuple[float, float, float, float]:
        """Return left, top, right and bottom of the ink of the line or of one glyph, px."""
        return box_of(self.polygons() if index is None else self.glyph(index))

    def _placed(self, character: str, x: float) -> tuple[np.ndarray, ...]:
        outlines = self.typeface.polygons(character, self.size_px)
        return tuple(polygon * self.size_px + (x, self.origin[1]) for polygon in outlines)


def box_of(polygons: Sequence[np.ndarray]) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom of polygons, px."""
    points = np.concatenate(polygons)
    return (*points.min(axis=0).tolist(), *points.max(axis=0).tolist())
