"""A page of examples: images with their right answers and, below, each model's answers.

Texts are wrapped and complete, except that very long replies are cut. Answers are printed as models wrote them, never
read as markup.
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

#: Sign and colour of each verdict: Okabe and Ito's blue and vermilion; the signs differ in shape as well.
MARKS: dict[Verdict, tuple[str, str]] = {
    "right": ("\N{CHECK MARK}", "#0072b2"),
    "wrong": ("\N{BALLOT X}", "#d55e00"),
    "unparsed": ("?", "#666666"),
}
#: The word after the sign.
WORDS: dict[Verdict, str] = {"right": "right", "wrong": "wrong", "unparsed": "not read"}
EMPTY = "(empty)"
#: The ``gid`` of the page's own words, which are translated, unlike questions and answers.
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
_SPACING = 0.35
_MARK_GAP = 0.05
# Sides of images are reduced to this many pixels, twice what the page shows.
_MAX_PX = 480
# Bold text is wider than the plain text by which lines are measured.
_BOLD = 0.84
# A question of more lines is shown without its instructions; an answer of more lines is cut.
_MAX_QUESTION_LINES, _MAX_ANSWER_LINES = 4, 8
# A sentence that asks.
_QUESTION_SENTENCE = re.compile(r"(?<![^\s:：。])[^\s.:?!：？。][^.:?!：？。\n]*[?？]")


def question_text(item: Mapping[str, Any]) -> str:
    """Return the words of the last message, which asks the question."""
    parts = item["messages"][-1]["parts"]
    return "\n".join(part["text"] for part in parts if part["type"] == "text")


def question_sentence(text: str) -> str:
    """Return the last question of a text; the whole text where it has none."""
    questions = _QUESTION_SENTENCE.findall(text)
    return questions[-1] if questions else text


class Answer(NamedTuple):
    """One model's answer.

    Attributes:
        text: The answer as it was read, or the reply where it could not be read; None if only the verdict is known.
        verdict: None if there is nothing to judge.
    """

    model: str
    text: str | None
    verdict: Verdict | None


class Example(NamedTuple):
    """One image.

    Attributes:
        pixels: Array (height, width, 3) of uint8.
        answers: One or several of each model that answered, each on a line of its own.
    """

    pixels: np.ndarray
    key: str
    answers: Sequence[Answer]


class Panel(NamedTuple):
    """Images with the same question.

    Attributes:
        examples: From left to right.
    """

    question: str
    examples: Sequence[Example]


class PageTexts(NamedTuple):
    """The page's own words.

    Attributes:
        key: Label of the right answers, the first row below the images.
        verdicts: Meanings of the marks that may occur.
        words: The words after the marks.
        title: The line above everything, or "".
    """

    key: str = KEY_LABEL
    verdicts: Mapping[Verdict, str] = LEGEND
    words: Mapping[Verdict, str] = WORDS
    note: str = ""
    title: str = ""


DEFAULT_TEXTS = PageTexts()


class Chosen(NamedTuple):
    """Answers that were chosen for what they are, not by a panel.

    Attributes:
        answers: Id of an item to its answers.
        keys: Id of an item to the text below its image.
        nothing: The text of a page without answers.
    """

    answers: Mapping[str, Sequence[Answer]]
    keys: Mapping[str, str]
    texts: PageTexts
    nothing: str


class Writer:
    """Writes single lines of text at positions in inches from the upper left corner."""

    def __init__(self, figure: Figure) -> None:
        self.figure = figure
        self._width, self._height = figure.get_size_inches()

    def write(self, text: str, left: float, top: float, **look: Any) -> None:
        """Write a line with its baseline at ``top``."""
        # Otherwise matplotlib would read dollar signs as mathematics.
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
        """Draw a thin horizontal line."""
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
        """Show an image with its upper left corner at ``left`` and ``top``."""
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


def compose(panels: Sequence[Panel], columns: int = 2, texts: PageTexts = DEFAULT_TEXTS) -> Figure:
    """Lay panels out in rows, with the right answer and a line per model below each image.

    Models come in the order in which they first occur; a model without an answer gets a dash. Texts are wrapped; an
    answer ends in an ellipsis after eight lines. Unprintable characters and those that no font has are escaped.

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
    heights = [max(_height(panel, lines, texts) for panel in row) for row in rows]
    widths = [
        max(_width(row[index]) for row in rows if index < len(row))
        for index in range(min(columns, len(panels)))
    ]
    width = sum(widths) + _SPACING * (len(widths) - 1)
    notes = texts.note.splitlines()
    figure = Figure(
        figsize=(
            2 * _MARGIN + width,
            2 * _MARGIN
            + _TITLE * bool(texts.title)
            + sum(heights)
            + _SPACING * len(rows)
            + _LINE * (1 + len(notes)),
        )
    )
    writer = Writer(figure)
    top = _MARGIN
    if texts.title:
        writer.write(texts.title, _MARGIN, top + _LINE, fontweight="bold", gid=OWN_WORDS)
        top += _TITLE
    for row, height in zip(rows, heights, strict=True):
        left = _MARGIN
        for panel, width in zip(row, widths, strict=False):
            _draw_panel(writer, panel, lines, texts, left, top)
            left += width + _SPACING
        top += height + _SPACING
    draw_legend(writer, _used_verdicts(panels, texts.verdicts), top)
    for number, line in enumerate(notes):
        writer.write(line, _MARGIN, top + (number + 1) * _LINE, gid=OWN_WORDS)
    return figure


def _draw_panel(
    writer: Writer,
    panel: Panel,
    lines: Sequence[tuple[str, int]],
    texts: PageTexts,
    left: float,
    top: float,
) -> None:
    for line in _question_lines(panel):
        top += _LINE
        writer.write(line, left, top - 0.05)
    top += 0.04
    examples, height = panel.examples, _image_height(panel)
    centres = [left + _LABEL + index * (_SIDE + _GAP) + _SIDE / 2 for index in range(len(examples))]
    for centre, example in zip(centres, examples, strict=True):
        writer.show(example.pixels, centre - _SIDE / 2, top, height)
    top += height
    for row in _rows(panel, lines, texts):
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
        return _ROW + _LINE * (max(len(self.label), *(len(cell.lines) for cell in self.cells)) - 1)


def _rows(panel: Panel, lines: Sequence[tuple[str, int]], texts: PageTexts) -> list[_Row]:
    """Return the rows below a panel's images: the right answers, then a row per model and answer."""
    bold = {"fontweight": "bold"}
    keys = [
        _Cell(lines_within(example.key, _BOLD * _SIDE), look=bold) for example in panel.examples
    ]
    rows = [_Row(_label(texts.key), keys, {"color": "#555555", "gid": OWN_WORDS})]
    for model, index in lines:
        cells = [_answer_cell(example, model, index, texts.words) for example in panel.examples]
        rows.append(_Row([] if index else _label(model), cells))
    return rows


def _label(text: str) -> list[str]:
    return lines_within(text, _LABEL - 0.1)


def _answer_cell(example: Example, model: str, index: int, words: Mapping[Verdict, str]) -> _Cell:
    answers = [answer for answer in example.answers if answer.model == model]
    if index >= len(answers):
        return _Cell(["" if answers else NO_ANSWER], look={"color": "#888888"})
    _, text, verdict = answers[index]
    word = words.get(verdict, "") if verdict else ""
    if text is None:
        return _Cell([""], verdict, word)
    lines = lines_within(" ".join(text.split()), _SIDE)
    if len(lines) > _MAX_ANSWER_LINES:
        lines = [*lines[: _MAX_ANSWER_LINES - 1], lines[_MAX_ANSWER_LINES - 1][:-1] + ELLIPSIS]
    is_empty = lines == [""]
    lines = [EMPTY] if is_empty else lines
    if verdict and inches_of(lines[-1]) + _MARK_GAP + _mark_inches(verdict, word) > _SIDE:
        lines.append("")
    return _Cell(lines, verdict, word, {"gid": OWN_WORDS} if is_empty else {})


def _mark_inches(verdict: Verdict, word: str) -> float:
    return inches_of(MARKS[verdict][0]) + (_MARK_GAP + inches_of(word) if word else 0)


def _draw_cell(writer: Writer, cell: _Cell, centre: float, base: float) -> None:
    """Write the lines of a cell, with the sign and the word of the verdict after the last."""
    for number, line in enumerate(cell.lines[:-1]):
        writer.write(line, centre, base + number * _LINE, ha="center", **cell.look)
    base += (len(cell.lines) - 1) * _LINE
    last = cell.lines[-1]
    if cell.verdict is None:
        writer.write(last, centre, base, ha="center", **cell.look)
        return
    mark, colour = MARKS[cell.verdict]
    before = inches_of(last) + _MARK_GAP if last else 0
    left = centre - (before + _mark_inches(cell.verdict, cell.word)) / 2
    if last:
        writer.write(last, left, base, **cell.look)
    writer.write(mark, left + before, base, color=colour, fontweight="bold")
    if cell.word:
        left += before + inches_of(mark) + _MARK_GAP
        writer.write(cell.word, left, base, gid=OWN_WORDS)


def _used_verdicts(panels: Sequence[Panel], verdicts: Mapping[Verdict, str]) -> dict[Verdict, str]:
    """Return the verdicts that some answer has, with their meanings."""
    found = {
        answer.verdict
        for panel in panels
        for example in panel.examples
        for answer in example.answers
    }
    return {verdict: meaning for verdict, meaning in verdicts.items() if verdict in found}


def draw_legend(writer: Writer, verdicts: Mapping[Verdict, str], top: float) -> None:
    """Write the meanings of the signs in one line."""
    left = _MARGIN
    for verdict, meaning in verdicts.items():
        mark, colour = MARKS[verdict]
        writer.write(mark, left, top, color=colour, fontweight="bold")
        left += inches_of(mark) + _MARK_GAP
        writer.write(meaning, left, top, gid=OWN_WORDS)
        left += inches_of(meaning) + _SPACING


def _lines(panels: Sequence[Panel]) -> list[tuple[str, int]]:
    """Return the lines below images, as model and index of its answer; as many as a model has answers to one image."""
    counts: dict[str, int] = {}
    for panel in panels:
        for example in panel.examples:
            for model, count in Counter(answer.model for answer in example.answers).items():
                counts[model] = max(count, counts.get(model, 0))
    return [(model, index) for model, count in counts.items() for index in range(count)]


def _question_lines(panel: Panel) -> list[str]:
    width = _width(panel)
    lines = lines_within(panel.question, width)
    questions = list(_QUESTION_SENTENCE.finditer(panel.question))
    if len(lines) > _MAX_QUESTION_LINES and questions:
        # Instructions come before the question, options after it.
        lines = lines_within(panel.question[questions[-1].start() :], width)
    return lines


def _width(panel: Panel) -> float:
    return _LABEL + len(panel.examples) * (_SIDE + _GAP) - _GAP


def _image_height(panel: Panel) -> float:
    shapes = [example.pixels.shape for example in panel.examples]
    tallest: float = max(min(1.0, height / width) for height, width, _ in shapes)
    return _SIDE * tallest


def _height(panel: Panel, lines: Sequence[tuple[str, int]], texts: PageTexts) -> float:
    below = sum(row.height for row in _rows(panel, lines, texts))
    return len(_question_lines(panel)) * _LINE + 0.04 + _image_height(panel) + below
