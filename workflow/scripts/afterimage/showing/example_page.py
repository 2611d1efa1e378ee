"""A page of examples: images with their right answers and, below, what each model answered.

Answers are what models wrote: they are set as they are, on one line, never read as markup.
"""

import textwrap
from bisect import bisect_right
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any, Literal, NamedTuple

import numpy as np
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.ft2font import FT2Font
from matplotlib.lines import Line2D
from matplotlib.textpath import text_to_path
from PIL import Image

from afterimage.showing import figure_style

Verdict = Literal["right", "wrong", "unparsed"]

#: Sign and colour of each verdict: Okabe and Ito's blue and vermilion, told apart by shape as well.
MARKS: dict[Verdict, tuple[str, str]] = {
    "right": ("\N{CHECK MARK}", "#0072b2"),
    "wrong": ("\N{BALLOT X}", "#d55e00"),
    "unparsed": ("?", "#666666"),
}
ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"
EMPTY = "(empty)"
#: Marks the page's own words, which are said in the study's language, apart from what was asked and answered.
OWN_WORDS = "own words"
NO_ANSWER = "-"
KEY_LABEL = "right answer"
LEGEND: dict[Verdict, str] = {
    "right": "right",
    "wrong": "wrong",
    "unparsed": "could not be read as an answer (the reply begins so)",
}

# Inches.
_SIDE = 1.2
_GAP = 0.12
_LABEL = 1.5
_ROW = 0.23
_LINE = 0.19
_MARGIN = 0.15
_BETWEEN = 0.35
_MARK_GAP = 0.05
# Points.
_FONT_SIZE = 9
# Sides of images are reduced to this many pixels, twice what the page shows.
_MOST_PX = 480
_QUESTION_LINES = 4
# More than any place takes, less than takes time to measure.
_MOST_CHARACTERS = 4000


class Answer(NamedTuple):
    """What one model answered.

    Attributes:
        model: Its name.
        text: The answer as it was read, or the reply where it could not be read.
        verdict: How it was judged.
    """

    model: str
    text: str
    verdict: Verdict


class Example(NamedTuple):
    """One image.

    Attributes:
        pixels: Array (height, width, 3) of uint8.
        key: The right answer.
        answers: One per model that answered.
    """

    pixels: np.ndarray
    key: str
    answers: Sequence[Answer]


class Panel(NamedTuple):
    """Images that were asked about in the same words.

    Attributes:
        question: The words.
        examples: From left to right.
    """

    question: str
    examples: Sequence[Example]


class Writer:
    """Sets single lines of text at places given in inches from the upper left corner."""

    def __init__(self, figure: Figure) -> None:
        """Take the figure that is written on."""
        self.figure = figure
        self._width, self._height = figure.get_size_inches()

    def write(self, text: str, left: float, top: float, **look: Any) -> None:
        """Set a line with its base at ``top``."""
        # Without mathematics a dollar is a dollar.
        self.figure.text(
            left / self._width,
            1 - top / self._height,
            text,
            parse_math=False,
            va="baseline",
            **{"fontsize": _FONT_SIZE, "color": "#222222", **look},
        )

    def rule(self, left: float, right: float, top: float) -> None:
        """Draw a thin line between two places of a height."""
        self.figure.add_artist(
            Line2D(
                [left / self._width, right / self._width],
                [1 - top / self._height] * 2,
                color="#cccccc",
                linewidth=0.6,
            )
        )

    def show(
        self, pixels: np.ndarray, left: float, top: float, height: float, width: float = _SIDE
    ) -> None:
        """Show an image with its upper left corner at a place."""
        image = Image.fromarray(pixels)
        image.thumbnail((_MOST_PX, _MOST_PX), Image.Resampling.LANCZOS)
        axes = self.figure.add_axes(
            (
                left / self._width,
                1 - (top + height) / self._height,
                width / self._width,
                height / self._height,
            )
        )
        axes.imshow(image)
        axes.set_xticks([])
        axes.set_yticks([])
        axes.spines[:].set(color="#bbbbbb", linewidth=0.6)


def compose(panels: Sequence[Panel], columns: int = 2) -> Figure:
    """Lay panels out in rows; below each image stand its right answer and a line per model.

    Models stand in the order in which they first occur; a model without an answer gets a dash.
    Texts that are too long for their place end in an ellipsis; characters that the font lacks or
    that do not print are written as escapes.

    Args:
        panels: At least one, each with at least one example.
        columns: Panels in a row.

    Raises:
        ValueError: There is no panel, or one without examples.
    """
    if not panels or not all(panel.examples for panel in panels):
        raise ValueError("a page of examples needs at least one panel, and each panel an example")
    figure_style.apply()
    models = _models(panels)
    rows = [panels[first : first + columns] for first in range(0, len(panels), columns)]
    heights = [max(_height(panel, len(models)) for panel in row) for row in rows]
    widths = [
        max(_width(row[place]) for row in rows if place < len(row))
        for place in range(min(columns, len(panels)))
    ]
    figure = Figure(
        figsize=(
            2 * _MARGIN + sum(widths) + _BETWEEN * (len(widths) - 1),
            2 * _MARGIN + sum(heights) + _BETWEEN * len(rows) + _LINE,
        )
    )
    writer = Writer(figure)
    top = _MARGIN
    for row, height in zip(rows, heights, strict=True):
        left = _MARGIN
        for panel, width in zip(row, widths, strict=False):
            _draw_panel(writer, panel, models, left, top)
            left += width + _BETWEEN
        top += height + _BETWEEN
    _draw_legend(writer, top)
    return figure


def fitted(text: str, inches: float) -> str:
    """Return ``text`` as one line no wider than ``inches``; what is cut off becomes an ellipsis."""
    line = literal(text)
    if _inches(line) <= inches:
        return line
    kept = bisect_right(
        range(len(line)), inches, key=lambda length: _inches(line[:length] + ELLIPSIS)
    )
    return line[: max(0, kept - 1)].rstrip() + ELLIPSIS


def _draw_panel(
    writer: Writer, panel: Panel, models: Sequence[str], left: float, top: float
) -> None:
    for line in _question_lines(panel):
        top += _LINE
        writer.write(line, left, top - 0.05)
    top += 0.04
    examples, height = panel.examples, _image_height(panel)
    centres = [left + _LABEL + place * (_SIDE + _GAP) + _SIDE / 2 for place in range(len(examples))]
    for centre, example in zip(centres, examples, strict=True):
        writer.show(example.pixels, centre - _SIDE / 2, top, height)
    top += height
    for number, model in enumerate((None, *models)):
        base = top + (number + 0.72) * _ROW
        label = fitted(KEY_LABEL if model is None else model, _LABEL - 0.1)
        writer.write(
            label,
            left,
            base,
            color="#555555" if model is None else "#222222",
            gid=None if model else OWN_WORDS,
        )
        writer.rule(left, left + _width(panel), top + (number + 1) * _ROW)
        for centre, example in zip(centres, examples, strict=True):
            if model is None:
                key = fitted(example.key, _SIDE - _GAP)
                writer.write(key, centre, base, ha="center", fontweight="bold")
            else:
                _draw_answer(writer, example, model, centre, base)


def _draw_answer(writer: Writer, example: Example, model: str, centre: float, base: float) -> None:
    answer = next((answer for answer in example.answers if answer.model == model), None)
    if answer is None:
        writer.write(NO_ANSWER, centre, base, ha="center", color="#888888")
        return
    mark, colour = MARKS[answer.verdict]
    behind = _MARK_GAP + _inches(mark)
    text = fitted(answer.text, _SIDE - behind) or EMPTY
    start = centre - (_inches(text) + behind) / 2
    writer.write(text, start, base, gid=OWN_WORDS if text == EMPTY else None)
    writer.write(mark, start + _inches(text) + _MARK_GAP, base, color=colour, fontweight="bold")


def _draw_legend(writer: Writer, top: float) -> None:
    left = _MARGIN
    for verdict, (mark, colour) in MARKS.items():
        writer.write(mark, left, top, color=colour, fontweight="bold")
        left += _inches(mark) + _MARK_GAP
        writer.write(LEGEND[verdict], left, top, gid=OWN_WORDS)
        left += _inches(LEGEND[verdict]) + _BETWEEN


def _models(panels: Sequence[Panel]) -> list[str]:
    examples = [example for panel in panels for example in panel.examples]
    return list(dict.fromkeys(answer.model for example in examples for answer in example.answers))


def _question_lines(panel: Panel) -> list[str]:
    # On average a character of this font is a little narrower than 0.62 em.
    characters = int(_width(panel) * 72 / (0.62 * _FONT_SIZE))
    lines = textwrap.wrap(literal(panel.question), characters, break_on_hyphens=False)
    if len(lines) > _QUESTION_LINES:
        # What is asked stands at the end; before it, how to answer.
        lines = lines[-_QUESTION_LINES:]
        lines[0] = ELLIPSIS + lines[0]
    return [fitted(line, _width(panel)) for line in lines]


def _width(panel: Panel) -> float:
    return _LABEL + len(panel.examples) * (_SIDE + _GAP) - _GAP


def _image_height(panel: Panel) -> float:
    shapes = [example.pixels.shape for example in panel.examples]
    tallest: float = max(min(1.0, height / width) for height, width, _ in shapes)
    return _SIDE * tallest


def _height(panel: Panel, models: int) -> float:
    return len(_question_lines(panel)) * _LINE + 0.04 + _image_height(panel) + (models + 1) * _ROW


def literal(text: str) -> str:
    """Return a text as one line; what the font lacks, or does not print, is written as an escape."""
    line = " ".join(text[:_MOST_CHARACTERS].split())
    return "".join(
        character if _printable(character) else character.encode("unicode_escape").decode()
        for character in line
    )


@cache
def _printable(character: str) -> bool:
    return character.isprintable() and bool(_font().get_char_index(ord(character)))


@lru_cache(maxsize=4096)
def _inches(text: str) -> float:
    width, _, _ = text_to_path.get_text_width_height_descent(text, _properties(), ismath=False)
    return width / 72


@cache
def _properties() -> FontProperties:
    return FontProperties(family="DejaVu Sans", size=_FONT_SIZE)


@cache
def _font() -> FT2Font:
    return get_font(findfont(_properties()))
