"""Cards: images side by side with words below them, or an image with all questions about it and every answer.

Questions, options and right answers are wrapped and complete; only an answer longer than a description needs is cut.
Answers are printed as models wrote them, never read as markup.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.figure import Figure

from afterimage.note import Note, joined
from afterimage.showing.charts import figure_style
from afterimage.showing.charts.example_page import (
    EMPTY,
    KEY_LABEL,
    LEGEND,
    MARKS,
    NO_ANSWER,
    OWN_WORDS,
    Answer,
    Verdict,
    Writer,
    draw_legend,
)
from afterimage.showing.charts.typefaces import ELLIPSIS, inches_of, lines_within

# Inches.
_MARGIN, _LINE, _PAD, _GAP, _SPACING = 0.15, 0.17, 0.07, 0.15, 0.3
_LABEL, _TEXT = 1.65, 3.1
_SMALL, _LARGE = 1.3, 1.9
_QUESTION, _KEY, _ANSWER = 3.2, 0.95, 1.25
#: Pictures and models in a row.
_PICTURES, _MODELS = 7, 6
_MAX_LINES = 9
# Bold text is wider than the plain text by which lines are measured.
_BOLD = 0.84
# Long lines are drawn a little wider than they are measured, with few pixels per inch.
_DRAWN = 0.96
_GREY = {"color": "#555555"}


class Picture(NamedTuple):
    """An image: the id of an item that shows it, and the caption below, the page's own words."""

    item: str
    caption: str = ""


class Words(NamedTuple):
    """A line of words below the pictures of a card.

    Attributes:
        label: The label to the left.
        texts: A text below each picture; it may have several lines.
        translated: Whether they are the page's own words, which are translated.
    """

    label: str
    texts: tuple[str, ...]
    translated: bool = False


class CardQuestion(NamedTuple):
    """A question that was asked about a card's picture.

    Attributes:
        item: The item's id, by which answers are found.
        text: The question, with its options.
        part: The heading above the first question of several of a kind.
        described: Whether answers are descriptions, which are listed with their scores.
    """

    item: str
    text: str
    key: str
    part: str = ""
    described: bool = False


class Card(NamedTuple):
    """Pictures with words or questions.

    Attributes:
        heading: The page's own words above the pictures; "" for none.
        pictures: In a row; on a card with questions, in a column to the left.
        words: Below the pictures, on a card without questions.
        questions: In the order of the card.
    """

    heading: str
    pictures: tuple[Picture, ...]
    words: tuple[Words, ...] = ()
    questions: tuple[CardQuestion, ...] = ()


class PageAnswers(NamedTuple):
    """The answers to the questions of a page.

    Attributes:
        answers: Item id to one answer per model, in the order of the page.
        scores: Pairs of item id and model to the judge's score of the description.
    """

    answers: Mapping[str, Sequence[Answer]]
    scores: Mapping[tuple[str, str], float]
    judge: str = "judge"


def by_hash(names: Iterable[str]) -> list[str]:
    """Return names in the order of their hashes, which does not depend on their meaning or on other names."""
    return sorted(names, key=lambda name: hashlib.sha256(name.encode()).hexdigest())


class _Text(NamedTuple):
    left: float
    lines: Sequence[str]
    verdict: Verdict | None = None
    look: Mapping[str, Any] = {}


class _LaidCard:
    """A laid-out card, with wrapped lines; positions are in inches from its upper left corner.

    Attributes:
        pictures: Pixels, left edge, top and width.
        texts: Top of each, and the text.
        rules: Left end and top of each thin line.
        width, height: The size of the card.
    """

    def __init__(self, heading: str) -> None:
        self.pictures: list[tuple[np.ndarray, float, float, float]] = []
        self.texts: list[tuple[float, _Text]] = []
        self.rules: list[tuple[float, float]] = []
        self.width = self.height = 0.0
        if heading:
            self.row([_Text(0.0, [heading], look={"fontweight": "bold", "gid": OWN_WORDS})])

    def show(self, pixels: np.ndarray, left: float, top: float, width: float) -> float:
        """Show an image and return the position of its lower edge."""
        self.pictures.append((pixels, left, top, width))
        self.width = max(self.width, left + width)
        height, across, _ = pixels.shape
        return top + width * int(height) / int(across)

    def row(self, texts: Sequence[_Text], ruled_from: float | None = None) -> None:
        """Add a row of texts at the bottom, with a thin line below it from ``ruled_from`` unless that is None."""
        self.texts += [(self.height, text) for text in texts]
        self.height += max(len(text.lines) for text in texts) * _LINE + _PAD
        if ruled_from is not None:
            self.rules.append((ruled_from, self.height))


def compose_cards(
    cards: Sequence[Card], images: Mapping[str, np.ndarray], answered: PageAnswers, note: str = ""
) -> Figure:
    """Lay cards out in a column.

    Args:
        cards: At least one.
        images: Item id to pixels of all pictures, arrays (height, width, 3) of uint8.
        note: Lines below all cards, or "".

    Raises:
        ValueError: There is no card, or one without a picture.
    """
    if not cards or not all(card.pictures for card in cards):
        raise ValueError("a page of cards needs at least one card, and each card a picture")
    figure_style.apply()
    laid = [
        _lay_out_questions(card, images, answered)
        if card.questions
        else _lay_out_pictures(card, images)
        for card in cards
    ]
    marks = {text.verdict for card in laid for _, text in card.texts}
    verdicts = {name: meaning for name, meaning in LEGEND.items() if name in marks}
    notes = note.splitlines()
    height = sum(card.height + _SPACING for card in laid) + _LINE * (len(notes) + bool(verdicts))
    width = max(*(card.width for card in laid), *map(inches_of, notes), _TEXT)
    writer = Writer(Figure(figsize=(2 * _MARGIN + width, 2 * _MARGIN + height)))
    top = _MARGIN
    for card in laid:
        _draw(writer, card, top)
        top += card.height + _SPACING
    if verdicts:
        draw_legend(writer, verdicts, top)
        top += _LINE
    for number, line in enumerate(notes):
        writer.write(line, _MARGIN, top + number * _LINE, gid=OWN_WORDS)
    return writer.figure


def _draw(writer: Writer, card: _LaidCard, top: float) -> None:
    for pixels, left, offset, width in card.pictures:
        height = width * pixels.shape[0] / pixels.shape[1]
        writer.show(pixels, _MARGIN + left, top + offset, height, width)
    for left, offset in card.rules:
        writer.rule(_MARGIN + left, _MARGIN + card.width, top + offset)
    for offset, text in card.texts:
        left = _MARGIN + text.left
        if text.look.get("gid") == OWN_WORDS and len(text.lines) > 1 and text.lines[0]:
            # In one piece, so that it can be translated.
            look = {**text.look, "va": "top"}
            writer.write(joined(text.lines, "\n"), left, top + offset + 0.3 * _LINE, **look)
            continue
        for number, line in enumerate(text.lines, start=1):
            writer.write(line, left, top + offset + number * _LINE, **text.look)
        if text.verdict:
            mark, colour = MARKS[text.verdict]
            base = top + offset + len(text.lines) * _LINE
            left += inches_of(text.lines[-1]) + 0.05 if text.lines[-1] else 0
            writer.write(mark, left, base, color=colour, fontweight="bold")


def _lay_out_pictures(card: Card, images: Mapping[str, np.ndarray]) -> _LaidCard:
    """Lay out pictures in rows, with words below them."""
    laid = _LaidCard(card.heading)
    first, column, side = (_LABEL, _TEXT, _LARGE) if card.words else (0.0, _SMALL, _SMALL)
    lefts = [first + index * (column + _GAP) for index in range(_PICTURES)]
    for start in range(0, len(card.pictures), _PICTURES):
        shown = list(zip(lefts, card.pictures[start : start + _PICTURES], strict=False))
        tops = [laid.show(images[picture.item], left, laid.height, side) for left, picture in shown]
        laid.height = max(tops)
        laid.row(
            [
                _Text(left, lines_within(picture.caption, column), look={"gid": OWN_WORDS})
                for left, picture in shown
            ]
        )
    laid.width = lefts[min(len(card.pictures), _PICTURES) - 1] + column
    for words in card.words:
        look = {"gid": OWN_WORDS} if words.translated else {}
        texts = [
            _Text(left, lines_within(text, column), look=look)
            for left, text in zip(lefts, words.texts, strict=False)
        ]
        label = _Text(0.0, [words.label], look={**_GREY, "gid": OWN_WORDS})
        laid.row([label, *texts], ruled_from=0.0)
    return laid


def _lay_out_questions(
    card: Card, images: Mapping[str, np.ndarray], answered: PageAnswers
) -> _LaidCard:
    """Lay out the pictures of a card in a column, with questions and answers to the right of them."""
    laid = _LaidCard(card.heading)
    bottom = laid.height
    for picture in card.pictures:
        bottom = laid.show(images[picture.item], 0.0, bottom, _LARGE)
        caption = lines_within(picture.caption, _LARGE)
        laid.texts.append((bottom, _Text(0.0, caption, look={"gid": OWN_WORDS})))
        bottom += (len(caption) + 0.5) * _LINE
    left = _LARGE + _GAP
    chosen = [question for question in card.questions if not question.described]
    models = _models(card.questions, answered)
    for start in range(0, max(1, len(models)) if chosen else 0, _MODELS):
        _answer_columns(laid, chosen, models[start : start + _MODELS], answered, left)
    for question in card.questions:
        if question.described:
            _descriptions(laid, question, models, answered, left)
    laid.height = max(laid.height, bottom)
    return laid


def _answer_columns(
    laid: _LaidCard,
    chosen: Sequence[CardQuestion],
    models: Sequence[str],
    answered: PageAnswers,
    left: float,
) -> None:
    """Add a row per question: its words, the right answer, and the answers of these models."""
    key = left + _QUESTION + _GAP
    lefts = [key + _KEY + _GAP + index * (_ANSWER + _GAP) for index in range(len(models))]
    laid.width = max([laid.width, key + _KEY, *(x + _ANSWER for x in lefts)])
    heads = [
        _Text(x, lines_within(model, _BOLD * _ANSWER), look={"fontweight": "bold"})
        for x, model in zip(lefts, models, strict=True)
    ]
    look = {**_GREY, "gid": OWN_WORDS}
    laid.row([_Text(key, [KEY_LABEL], look=look), *heads], ruled_from=left)
    part = ""
    for question in chosen:
        if question.part != part:
            part = question.part
            laid.row([_Text(left, [part], look={"fontstyle": "italic", "gid": OWN_WORDS})])
        answers = {answer.model: answer for answer in answered.answers.get(question.item, ())}
        laid.row(
            [
                _Text(left, lines_within(question.text, _QUESTION)),
                _Text(key, lines_within(question.key, _BOLD * _KEY), look={"fontweight": "bold"}),
                *(_answer(answers.get(model), x) for model, x in zip(models, lefts, strict=True)),
            ],
            ruled_from=left,
        )


def _answer(answer: Answer | None, left: float) -> _Text:
    if answer is None:
        return _Text(left, [NO_ANSWER], look={"color": "#888888"})
    lines = _lines(answer.text or "", _ANSWER)
    empty = lines == [""]
    if answer.verdict and inches_of(lines[-1]) + 0.2 > _ANSWER:
        lines.append("")
    return _Text(
        left, [EMPTY] if empty else lines, answer.verdict, {"gid": OWN_WORDS} if empty else {}
    )


def _descriptions(
    laid: _LaidCard,
    question: CardQuestion,
    models: Sequence[str],
    answered: PageAnswers,
    left: float,
) -> None:
    """Add the question, the right description, and a row per model with its description."""
    width = max(laid.width - left, _QUESTION + _KEY + 2 * _ANSWER)
    laid.width = left + width
    bold = {"fontweight": "bold"}
    if question.part:
        laid.row([_Text(left, [question.part], look={"fontstyle": "italic", "gid": OWN_WORDS})])
    laid.row([_Text(left, lines_within(question.text, _DRAWN * width))], ruled_from=left)
    text_width, x = _DRAWN * (width - _LABEL), left + _LABEL
    if question.key:
        label = _Text(left, [KEY_LABEL], look={**_GREY, "gid": OWN_WORDS})
        laid.row([label, _Text(x, lines_within(question.key, _BOLD * text_width), look=bold)], left)
    answers = {answer.model: answer for answer in answered.answers.get(question.item, ())}
    for model in models:
        if model not in answers:
            continue
        lines = lines_within(model, _BOLD * (_LABEL - 0.1))
        score = answered.scores.get((question.item, model))
        texts = [_Text(left, lines, look=bold)]
        if score is not None:
            score_lines = [
                *[""] * len(lines),
                Note("{judge}: {score:.10g}", judge=answered.judge, score=score),
            ]
            texts.append(_Text(left, score_lines, look={**_GREY, "gid": OWN_WORDS}))
        words = _lines(answers[model].text or "", text_width)
        empty = words == [""]
        look = {"gid": OWN_WORDS} if empty else {}
        laid.row([*texts, _Text(x, [EMPTY] if empty else words, look=look)], left)


def _lines(text: str, inches: float) -> list[str]:
    lines = lines_within(" ".join(text.split()), inches)
    if len(lines) > _MAX_LINES:
        lines = [*lines[: _MAX_LINES - 1], lines[_MAX_LINES - 1][:-1] + ELLIPSIS]
    return lines


def _models(questions: Sequence[CardQuestion], answered: PageAnswers) -> list[str]:
    """Return the models that answered any of the questions, in the order in which they first occur."""
    answers = (
        answer for question in questions for answer in answered.answers.get(question.item, ())
    )
    return list(dict.fromkeys(answer.model for answer in answers))
