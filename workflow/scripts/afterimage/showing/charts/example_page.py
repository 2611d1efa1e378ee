"""A page of examples: images with their right answers and, below, what each model answered.

All of it stands there whole, in lines; only replies that are longer than any option are cut. Answers are what models
wrote: they are set as they are, never read as markup.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from PIL import Image

from afterimage.showing.charts import figure_style
from afterimage.showing.charts.typefaces import (
    ELLIPSIS,
    FONT_SIZE,
    families,
    inches_of,
    lines_within,
)

Verdict = Literal["right", "wrong", "unparsed"]

#: Sign and colour of each verdict: Okabe and Ito's blue and vermilion, told apart by shape as well.
MARKS: dict[Verdict, tuple[str, str]] = {
    "right": ("\N{CHECK MARK}", "#0072b2"),
    "wrong": ("\N{BALLOT X}", "#d55e00"),
    "unparsed": ("?", "#666666"),
}
#: What stands behind the sign.
WORDS: dict[Verdict, str] = {"right": "right", "wrong": "wrong", "unparsed": "not read"}
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
_TITLE = 0.3
_MARGIN = 0.15
_BETWEEN = 0.35
_MARK_GAP = 0.05
# Sides of images are reduced to this many pixels, twice what the page shows.
_MAX_PX = 480
# What is measured in plain letters takes so much more in bold ones.
_BOLD = 0.84
# Of a question, above which it stands without its instructions; and the most of an answer.
_INSTRUCTED_LINES, _ANSWER_LINES = 4, 8
# A sentence that asks.
_ASKED = re.compile(r"(?<![^\s:：。])[^\s.:?!：？。][^.:?!：？。\n]*[?？]")


def question_text(item: Mapping[str, Any]) -> str:
    """Return the words of the last message, which asks the question."""
    parts = item["messages"][-1]["parts"]
    return "\n".join(part["text"] for part in parts if part["type"] == "text")


def asked_sentence(text: str) -> str:
    """Return the last sentence of a text that asks something; all of it where none does."""
    asked = _ASKED.findall(text)
    return asked[-1] if asked else text


class Answer(NamedTuple):
    """What one model answered.

    Attributes:
        text: The answer as it was read, or the reply where it could not be read; None where only the verdict is known.
        verdict: How it was judged; None where there is nothing to judge.
    """

    model: str
    text: str | None
    verdict: Verdict | None


class Example(NamedTuple):
    """One image.

    Attributes:
        pixels: Array (height, width, 3) of uint8.
        answers: One per model that answered, or several, each on a line of its own.
    """

    pixels: np.ndarray
    key: str
    answers: Sequence[Answer]


class Panel(NamedTuple):
    """Images that were asked about in the same words.

    Attributes:
        examples: From left to right.
    """

    question: str
    examples: Sequence[Example]


class Said(NamedTuple):
    """The page's own words.

    Attributes:
        key: What stands below the images, before the models.
        verdicts: What the marks mean; others than these do not occur.
        words: What stands behind a mark.
        title: The line above all, or "".
    """

    key: str = KEY_LABEL
    verdicts: Mapping[Verdict, str] = LEGEND
    words: Mapping[Verdict, str] = WORDS
    note: str = ""
    title: str = ""


USUAL = Said()


class Chosen(NamedTuple):
    """Answers that a page shows because of what they are.

    Attributes:
        answers: Id of an item to its answers.
        keys: Id of an item to what stands below its image.
        nothing: What the page says where there are none.
    """

    answers: Mapping[str, Sequence[Answer]]
    keys: Mapping[str, str]
    said: Said
    nothing: str


class Writer:
    """Sets single lines of text at places given in inches from the upper left corner."""

    def __init__(self, figure: Figure) -> None:
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
            **{
                "va": "baseline",
                "fontsize": FONT_SIZE,
                "fontfamily": families(),
                "color": "#222222",
                **look,
            },
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
        image.thumbnail((_MAX_PX, _MAX_PX), Image.Resampling.LANCZOS)
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


def compose(panels: Sequence[Panel], columns: int = 2, said: Said = USUAL) -> Figure:
    """Lay panels out in rows; below each image stand its right answer and a line per model.

    Models stand in the order in which they first occur; a model without an answer gets a dash.
    Texts are wrapped; an answer ends in an ellipsis after eight lines. Characters that no font here
    has or that do not print are written as escapes.

    Args:
        panels: At least one, each with at least one example.
        columns: Panels in a row.

    Raises:
        ValueError: There is no panel, or one without examples.
    """
    if not panels or not all(panel.examples for panel in panels):
        raise ValueError("a page of examples needs at least one panel, and each panel an example")
    figure_style.apply()
    lines = _lines(panels)
    rows = [panels[first : first + columns] for first in range(0, len(panels), columns)]
    heights = [max(_height(panel, lines, said) for panel in row) for row in rows]
    widths = [
        max(_width(row[place]) for row in rows if place < len(row))
        for place in range(min(columns, len(panels)))
    ]
    width = sum(widths) + _BETWEEN * (len(widths) - 1)
    notes = said.note.splitlines()
    figure = Figure(
        figsize=(
            2 * _MARGIN + width,
            2 * _MARGIN
            + _TITLE * bool(said.title)
            + sum(heights)
            + _BETWEEN * len(rows)
            + _LINE * (1 + len(notes)),
        )
    )
    writer = Writer(figure)
    top = _MARGIN
    if said.title:
        writer.write(said.title, _MARGIN, top + _LINE, fontweight="bold", gid=OWN_WORDS)
        top += _TITLE
    for row, height in zip(rows, heights, strict=True):
        left = _MARGIN
        for panel, width in zip(row, widths, strict=False):
            _draw_panel(writer, panel, lines, said, left, top)
            left += width + _BETWEEN
        top += height + _BETWEEN
    draw_legend(writer, _occurring(panels, said.verdicts), top)
    for number, line in enumerate(notes):
        writer.write(line, _MARGIN, top + (number + 1) * _LINE, gid=OWN_WORDS)
    return figure


def _draw_panel(
    writer: Writer,
    panel: Panel,
    lines: Sequence[tuple[str, int]],
    said: Said,
    left: float,
    top: float,
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
    for row in _rows(panel, lines, said):
        for number, text in enumerate(row.label):
            base = top + 0.72 * _ROW + number * _LINE
            writer.write(text, left, base, **row.look)
        for centre, cell in zip(centres, row.cells, strict=True):
            _draw_cell(writer, cell, centre, top + 0.72 * _ROW)
        top += row.height
        writer.rule(left, left + _width(panel), top)


class _Cell(NamedTuple):
    lines: list[str]
    verdict: Verdict | None = None
    word: str = ""
    look: Mapping[str, Any] = {}


class _Row(NamedTuple):
    label: list[str]
    cells: list[_Cell]
    look: Mapping[str, Any] = {}

    @property
    def height(self) -> float:
        return _ROW + _LINE * (max(len(self.label), *(len(one.lines) for one in self.cells)) - 1)


def _rows(panel: Panel, lines: Sequence[tuple[str, int]], said: Said) -> list[_Row]:
    """Return what stands below a panel's images: the right answers, then a row per model and answer."""
    bold = {"fontweight": "bold"}
    keys = [_Cell(lines_within(one.key, _BOLD * _SIDE), look=bold) for one in panel.examples]
    rows = [_Row(_label(said.key), keys, {"color": "#555555", "gid": OWN_WORDS})]
    for model, place in lines:
        cells = [_answer_cell(example, model, place, said.words) for example in panel.examples]
        rows.append(_Row([] if place else _label(model), cells))
    return rows


def _label(text: str) -> list[str]:
    return lines_within(text, _LABEL - 0.1)


def _answer_cell(example: Example, model: str, place: int, words: Mapping[Verdict, str]) -> _Cell:
    own = [answer for answer in example.answers if answer.model == model]
    if place >= len(own):
        return _Cell(["" if own else NO_ANSWER], look={"color": "#888888"})
    _, text, verdict = own[place]
    word = words.get(verdict, "") if verdict else ""
    if text is None:
        return _Cell([""], verdict, word)
    lines = lines_within(" ".join(text.split()), _SIDE)
    if len(lines) > _ANSWER_LINES:
        lines = [*lines[: _ANSWER_LINES - 1], lines[_ANSWER_LINES - 1][:-1] + ELLIPSIS]
    empty = lines == [""]
    lines = [EMPTY] if empty else lines
    if verdict and inches_of(lines[-1]) + _MARK_GAP + _marked_inches(verdict, word) > _SIDE:
        lines.append("")
    return _Cell(lines, verdict, word, {"gid": OWN_WORDS} if empty else {})


def _marked_inches(verdict: Verdict, word: str) -> float:
    return inches_of(MARKS[verdict][0]) + (_MARK_GAP + inches_of(word) if word else 0)


def _draw_cell(writer: Writer, cell: _Cell, centre: float, base: float) -> None:
    """Set the lines one below the other, the sign of the verdict and its word behind the last."""
    for number, line in enumerate(cell.lines[:-1]):
        writer.write(line, centre, base + number * _LINE, ha="center", **cell.look)
    base += (len(cell.lines) - 1) * _LINE
    last = cell.lines[-1]
    if cell.verdict is None:
        writer.write(last, centre, base, ha="center", **cell.look)
        return
    mark, colour = MARKS[cell.verdict]
    before = inches_of(last) + _MARK_GAP if last else 0
    left = centre - (before + _marked_inches(cell.verdict, cell.word)) / 2
    if last:
        writer.write(last, left, base, **cell.look)
    writer.write(mark, left + before, base, color=colour, fontweight="bold")
    if cell.word:
        left += before + inches_of(mark) + _MARK_GAP
        writer.write(cell.word, left, base, gid=OWN_WORDS)


def _occurring(panels: Sequence[Panel], verdicts: Mapping[Verdict, str]) -> dict[Verdict, str]:
    """Return the verdicts that some answer has, with what they mean."""
    found = {
        answer.verdict
        for panel in panels
        for example in panel.examples
        for answer in example.answers
    }
    return {verdict: meaning for verdict, meaning in verdicts.items() if verdict in found}


def draw_legend(writer: Writer, verdicts: Mapping[Verdict, str], top: float) -> None:
    """Say in one line what the signs mean."""
    left = _MARGIN
    for verdict, meaning in verdicts.items():
        mark, colour = MARKS[verdict]
        writer.write(mark, left, top, color=colour, fontweight="bold")
        left += inches_of(mark) + _MARK_GAP
        writer.write(meaning, left, top, gid=OWN_WORDS)
        left += inches_of(meaning) + _BETWEEN


def _lines(panels: Sequence[Panel]) -> list[tuple[str, int]]:
    """Return the lines below images: each model as often as it has answers to one of them, and the answer's place."""
    most: dict[str, int] = {}
    for panel in panels:
        for example in panel.examples:
            for model, count in Counter(answer.model for answer in example.answers).items():
                most[model] = max(count, most.get(model, 0))
    return [(model, place) for model, count in most.items() for place in range(count)]


def _question_lines(panel: Panel) -> list[str]:
    width = _width(panel)
    lines = lines_within(panel.question, width)
    asked = list(_ASKED.finditer(panel.question))
    if len(lines) > _INSTRUCTED_LINES and asked:
        # Before the question stands how to answer, behind it the options.
        lines = lines_within(panel.question[asked[-1].start() :], width)
    return lines


def _width(panel: Panel) -> float:
    return _LABEL + len(panel.examples) * (_SIDE + _GAP) - _GAP


def _image_height(panel: Panel) -> float:
    shapes = [example.pixels.shape for example in panel.examples]
    tallest: float = max(min(1.0, height / width) for height, width, _ in shapes)
    return _SIDE * tallest


def _height(panel: Panel, lines: Sequence[tuple[str, int]], said: Said) -> float:
    below = sum(row.height for row in _rows(panel, lines, said))
    return len(_question_lines(panel)) * _LINE + 0.04 + _image_height(panel) + below
