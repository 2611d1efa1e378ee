"""A line of text with one letter in a red oval: which letter that is.

The text is one of a few known words, so nothing has to be read: a glyph's position follows from the
widths of the letters, and which word it is from where glyphs rise above and reach below the others.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple, TypeAlias

import numpy as np

from afterimage.errors import AfterimageError
from afterimage.seeing.image import Floats, Image, Mask, ink_window

# Coverage in 8-bit steps from which a pixel counts as ink, and from which red may hide ink.
_HALF = 127
_FAINT = 16
_MIN_OVAL_PX = 6
# A deviation of a column's ink from a face's boxes counts no more than this share of the em.
_LARGEST_DEVIATION = 0.25
# Beyond this mean deviation the text is none of the words.
_WORST_FIT = 0.135
# Letters may be spaced, but not set tighter than their widths by more than kerning does, em.
_TIGHTEST = -0.06
_WIDEST = 1.0


class Glyph(NamedTuple):
    """A glyph: how far it advances, and the box of its ink from its origin on the base line, y upwards."""

    advance: int
    left: int
    right: int
    bottom: int
    top: int


#: Glyphs of a face by letter; thousandths of the em.
Face: TypeAlias = Mapping[str, Glyph]


@dataclass(frozen=True)
class CircledLetter:
    """A circled letter.

    Attributes:
        word: The word that contains it.
        index: Its place in the word, from 0.
        misfit: Mean deviation of the ink from where the word's letters should have it, em.
    """

    word: str
    index: int
    misfit: float

    @property
    def letter(self) -> str:
        """The letter as drawn."""
        return self.word[self.index]


@dataclass(frozen=True)
class _Text:
    """The black ink that is visible, per pixel column.

    Attributes:
        x: Left edges of the columns, px, shape (n,).
        top: Upper edge of the ink, px, shape (n,); not a number where there is none.
        bottom: Lower edge of the ink, px, shape (n,).
        is_clear: False where the oval may hide something, shape (n,).
    """

    x: Floats
    top: Floats
    bottom: Floats
    is_clear: Mask


@dataclass(frozen=True)
class _Layout:
    """Positions of a word's glyphs in a face; px of the image, shape (letters,) each."""

    left: Floats
    right: Floats
    top: Floats
    bottom: Floats
    em: float


def find_circled(image: Image, words: Sequence[str], faces: Iterable[Face]) -> CircledLetter:
    """Find the word that fits the text best, and its letter nearest to the centre of the red oval.

    Args:
        image: uint8 RGB, shape (height, width, 3).
        words: The words that may be there.
        faces: The faces that they may be set in; each holds all letters of all words.

    Raises:
        AfterimageError: There is no red oval, no black text, or the text is none of the words.
    """
    image = image[ink_window(image, "text with a red oval")]
    centre, reach = _oval(image)
    word, layout, misfit = _fitting(_text(image, reach), words, faces)
    middles = (layout.left + layout.right) / 2
    return CircledLetter(word, int(np.argmin(np.abs(middles - centre))), misfit)


def find_word(image: Image, words: Sequence[str], faces: Iterable[Face]) -> str:
    """Find the word that fits a text best in which nothing is circled; arguments as of :func:`find_circled`.

    Raises:
        AfterimageError: Something is not black or grey, there is no text, or it is none of the words.
    """
    if (np.ptp(image, axis=2) > _FAINT).any():
        raise AfterimageError("looked for black text alone and found colour.")
    word, _, _ = _fitting(_text(image[ink_window(image, "text")], (0, 0)), words, faces)
    return word


def _fitting(
    text: _Text, words: Sequence[str], faces: Iterable[Face]
) -> tuple[str, _Layout, float]:
    """Return the word that fits best, where its letters are, and its misfit."""
    best: tuple[float, str, _Layout] | None = None
    for word, face in product(words, faces):
        layout = _lay_out([face[letter] for letter in word], text)
        if layout is None:
            continue
        misfit = _misfit(layout, text)
        if best is None or misfit < best[0]:
            best = (misfit, word, layout)
    if best is None or best[0] > _WORST_FIT:
        raise AfterimageError(
            f"looked for one of the words {', '.join(words)} and found text that fits none of them."
        )
    misfit, word, layout = best
    return word, layout, misfit


def _oval(image: Image) -> tuple[float, tuple[int, int]]:
    """Return the abscissa of the oval's centre and the columns that it spans, last one excluded."""
    # Red ink keeps the red channel on white and on black alike, so that this is its coverage.
    others = np.maximum(image[..., 1], image[..., 2])
    red = np.where(image[..., 0] > others, image[..., 0] - others, 0)
    columns = np.flatnonzero((red > _HALF).any(axis=0))
    if len(columns) < _MIN_OVAL_PX:
        raise AfterimageError("looked for a red oval and found none.")
    faint = np.flatnonzero((red > _FAINT).any(axis=0))
    weights = red.sum(axis=0, dtype=np.float64)
    centre = float(weights @ (np.arange(len(weights)) + 0.5) / weights.sum())
    return centre, (int(faint[0]), int(faint[-1]) + 1)


def _text(image: Image, oval: tuple[int, int]) -> _Text:
    """Return the outline of the black ink; what is red counts as unseen."""
    inked = image[..., 0] < _HALF
    has_ink = inked.any(axis=0)
    if not has_ink.any():
        raise AfterimageError("looked for black text and found none.")
    height, width = inked.shape
    top = np.where(has_ink, np.argmax(inked, axis=0), np.nan)
    bottom = np.where(has_ink, height - np.argmax(inked[::-1], axis=0), np.nan)
    x = np.arange(width, dtype=float)
    return _Text(x, top, bottom, (x < oval[0]) | (x >= oval[1]))


def _lay_out(glyphs: Sequence[Glyph], text: _Text) -> _Layout | None:
    """Set glyphs so that their ink spans the width and height of the text; None if they cannot.

    The height gives the size of the letters, and what is then left of the width their spacing.
    """
    metrics = np.array(glyphs, dtype=float) / 1000
    advance, left, right, bottom, top = metrics.T
    origin = np.cumsum(advance) - advance
    inked = text.x[~np.isnan(text.top)]
    begin, end = inked[0], inked[-1] + 1
    text_top, text_bottom = np.nanmin(text.top), np.nanmax(text.bottom)
    em = (text_bottom - text_top) / (top.max() - bottom.min())
    tight = origin[-1] + right[-1] - left[0]
    spacing = ((end - begin) / em - tight) / (len(glyphs) - 1)
    if not _TIGHTEST <= spacing <= _WIDEST:
        return None
    origin = origin + spacing * np.arange(len(glyphs))
    start = begin - em * left[0]
    base = text_top + em * top.max()
    return _Layout(
        start + em * (origin + left),
        start + em * (origin + right),
        base - em * top,
        base - em * bottom,
        em,
    )


def _misfit(layout: _Layout, text: _Text) -> float:
    """Return how far the text's upper and lower edge are from a layout's boxes, mean, em."""
    middles = text.x[:, None] + 0.5
    within = (middles >= layout.left) & (middles <= layout.right)
    top = np.where(within, layout.top, np.inf).min(axis=1)
    bottom = np.where(within, layout.bottom, -np.inf).max(axis=1)
    expected = np.isfinite(top)
    seen = ~np.isnan(text.top)
    limit = _LARGEST_DEVIATION * layout.em
    deviation = np.where(expected == seen, 0.0, limit)
    both = expected & seen
    deviation[both] = (
        np.minimum(np.abs(top[both] - text.top[both]), limit)
        + np.minimum(np.abs(bottom[both] - text.bottom[both]), limit)
    ) / 2
    return float(deviation[text.is_clear].mean() / layout.em)
