"""A page of descriptions: images with the right description and, below it, each model's own.

Replies are what models wrote: they are set as they are, never read as markup, as many lines as there is room for.
"""

from collections.abc import Sequence

from matplotlib.figure import Figure

from afterimage.showing import figure_style
from afterimage.showing.example_page import (
    EMPTY,
    KEY_LABEL,
    NO_ANSWER,
    OWN_WORDS,
    Example,
    Panel,
    Writer,
)
from afterimage.showing.lines_of_text import ELLIPSIS, wrapped

# Inches.
_SIDE, _TEXT, _GAP, _LINE, _MARGIN = 1.6, 5.4, 0.15, 0.17, 0.15
# Points.
_FONT_SIZE = 8
#: Lines of one description.
MOST_LINES = 6


def compose_descriptions(panels: Sequence[Panel]) -> Figure:
    """Lay images out below each other, each with all that was said about it.

    Args:
        panels: At least one, each with at least one example; models stand in the order in which they first occur.

    Raises:
        ValueError: There is no panel, or one without examples.
    """
    if not panels or not all(panel.examples for panel in panels):
        raise ValueError("a page of descriptions needs a panel, and each panel an example")
    figure_style.apply()
    blocks = [
        (_asked(panel) if number == 0 else [], example, _told(example, _models(panels)))
        for panel in panels
        for number, example in enumerate(panel.examples)
    ]
    heights = [_height(*block) for block in blocks]
    width = 2 * _MARGIN + _SIDE + _GAP + _TEXT
    writer = Writer(Figure(figsize=(width, 2 * _MARGIN + sum(heights))))
    top = _MARGIN
    for (asked, example, told), height in zip(blocks, heights, strict=True):
        _draw(writer, asked, example, told, top)
        top += height
    return writer.figure


def _draw(
    writer: Writer,
    asked: Sequence[str],
    example: Example,
    told: Sequence[tuple[str, Sequence[str]]],
    top: float,
) -> None:
    for line in asked:
        top += _LINE
        writer.write(line, _MARGIN, top, fontsize=_FONT_SIZE, color="#555555")
    top += _GAP / 2
    writer.show(example.pixels, _MARGIN, top, _image_height(example), _SIDE)
    left = _MARGIN + _SIDE + _GAP
    for who, lines in told:
        top += _LINE
        gid = OWN_WORDS if who == KEY_LABEL else None
        writer.write(who, left, top, fontsize=_FONT_SIZE, fontweight="bold", gid=gid)
        for line in lines:
            top += _LINE
            gid = OWN_WORDS if line == EMPTY else None
            writer.write(line, left, top, fontsize=_FONT_SIZE, gid=gid)


def _told(example: Example, models: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Return who says what of an image: the right description first."""
    answers = {answer.model: answer.text for answer in example.answers}
    said = [(model, _lines(answers.get(model))) for model in models]
    return [(KEY_LABEL, _lines(example.key)), *said]


def _lines(text: str | None) -> list[str]:
    if text is None:
        return [NO_ANSWER]
    lines = wrapped(text, _TEXT, _FONT_SIZE) or [EMPTY]
    if len(lines) > MOST_LINES:
        lines = lines[:MOST_LINES]
        lines[-1] = lines[-1][: max(map(len, lines)) - 1] + ELLIPSIS
    return lines


def _asked(panel: Panel) -> list[str]:
    """Return the end of what was asked: how to answer stands before it."""
    return wrapped(panel.question, _SIDE + _GAP + _TEXT, _FONT_SIZE)[-2:]


def _models(panels: Sequence[Panel]) -> list[str]:
    examples = [example for panel in panels for example in panel.examples]
    return list(dict.fromkeys(answer.model for example in examples for answer in example.answers))


def _image_height(example: Example) -> float:
    height, width, _ = example.pixels.shape
    return float(_SIDE * height / width)


def _height(
    asked: Sequence[str], example: Example, told: Sequence[tuple[str, Sequence[str]]]
) -> float:
    text = sum(1 + len(lines) for _, lines in told) * _LINE
    return len(asked) * _LINE + max(text, _image_height(example)) + 2 * _GAP
