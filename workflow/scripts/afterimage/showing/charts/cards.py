"""Cards: images side by side with words below them, or one image with all that was asked about it and every answer.

Questions, options and right answers stand there whole, in lines; only an answer that is longer than a description
takes is cut. What models wrote is set as it is, never read as markup.
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
_MARGIN, _LINE, _PAD, _GAP, _BETWEEN = 0.15, 0.17, 0.07, 0.15, 0.3
_LABEL, _TEXT = 1.65, 3.1
_SMALL, _LARGE = 1.3, 1.9
_QUESTION, _KEY, _ANSWER = 3.2, 0.95, 1.25
#: Pictures and models beside each other; further ones stand below.
_PICTURES, _MODELS = 7, 6
_MAX_LINES = 9
# What is measured in plain letters takes so much more in bold ones.
_BOLD = 0.84
# Long lines are drawn a little wider than they are measured, with few pixels to the inch.
_DRAWN = 0.96
_GREY = {"color": "#555555"}


class Picture(NamedTuple):
    """An image: the id of an item that shows it, and what stands below, the page's own words."""

    item: str
    caption: str = ""


class Words(NamedTuple):
    """A line of words below the pictures of a card.

    Attributes:
        label: What they are, to the left.
        texts: Below each picture; a text may have several lines.
        own: Whether they are the page's own words, which are said in the study's language.
    """

    label: str
    texts: tuple[str, ...]
    own: bool = False


class Asked(NamedTuple):
    """A question that was asked about a card's picture.

    Attributes:
        item: The item's id, by which answers are found.
        text: The question, with its options.
        part: What stands above the first question of several of a kind.
        described: Whether answers are descriptions, which stand below each other with their scores.
    """

    item: str
    text: str
    key: str
    part: str = ""
    described: bool = False


class Card(NamedTuple):
    """Pictures with what belongs to them.

    Attributes:
        heading: Above them, the page's own words; "" for nothing.
        pictures: Beside each other; where something is asked, below each other to the left.
        words: Below the pictures, of a card on which nothing is asked.
        asked: What was asked, in the order of the card.
    """

    heading: str
    pictures: tuple[Picture, ...]
    words: tuple[Words, ...] = ()
    asked: tuple[Asked, ...] = ()


class Answered(NamedTuple):
    """What was answered to the questions of a page.

    Attributes:
        answers: Item id to one answer per model, in the order of the page.
        scores: Pairs of item id and model to what a judge made of the description.
    """

    answers: Mapping[str, Sequence[Answer]]
    scores: Mapping[tuple[str, str], float]
    judge: str = "judge"


def by_hash(names: Iterable[str]) -> list[str]:
    """Return names in an order that says nothing about them and that no further name changes."""
    return sorted(names, key=lambda name: hashlib.sha256(name.encode()).hexdigest())


class _Text(NamedTuple):
    left: float
    lines: Sequence[str]
    verdict: Verdict | None = None
    look: Mapping[str, Any] = {}


class _Laid:
    """A card whose lines are broken: what stands where, in inches from its upper left corner.

    Attributes:
        pictures: Pixels, left edge, top and width.
        texts: Where each begins, and the text.
        rules: Where thin lines begin, and how far down they are.
        width, height: Of the card.
    """

    def __init__(self, heading: str) -> None:
        self.pictures: list[tuple[np.ndarray, float, float, float]] = []
        self.texts: list[tuple[float, _Text]] = []
        self.rules: list[tuple[float, float]] = []
        self.width = self.height = 0.0
        if heading:
            self.row([_Text(0.0, [heading], look={"fontweight": "bold", "gid": OWN_WORDS})])

    def show(self, pixels: np.ndarray, left: float, top: float, width: float) -> float:
        """Show an image and return how far down it goes."""
        self.pictures.append((pixels, left, top, width))
        self.width = max(self.width, left + width)
        height, across, _ = pixels.shape
        return top + width * int(height) / int(across)

    def row(self, texts: Sequence[_Text], ruled_from: float | None = None) -> None:
        """Set texts beside each other below all that is there; below them a thin line where it begins somewhere."""
        self.texts += [(self.height, text) for text in texts]
        self.height += max(len(text.lines) for text in texts) * _LINE + _PAD
        if ruled_from is not None:
            self.rules.append((ruled_from, self.height))


def compose_cards(
    cards: Sequence[Card], images: Mapping[str, np.ndarray], answered: Answered, note: str = ""
) -> Figure:
    """Lay cards out below each other.

    Args:
        cards: At least one.
        images: Item id to pixels, arrays (height, width, 3) of uint8, of all pictures.
        note: Lines below all, or "".

    Raises:
        ValueError: There is no card, or one without a picture.
    """
    if not cards or not all(card.pictures for card in cards):
        raise ValueError("a page of cards needs at least one card, and each card a picture")
    figure_style.apply()
    laid = [
        _asked(card, images, answered) if card.asked else _shown(card, images) for card in cards
    ]
    marks = {text.verdict for card in laid for _, text in card.texts}
    verdicts = {name: said for name, said in LEGEND.items() if name in marks}
    notes = note.splitlines()
    height = sum(card.height + _BETWEEN for card in laid) + _LINE * (len(notes) + bool(verdicts))
    width = max(*(card.width for card in laid), *map(inches_of, notes), _TEXT)
    writer = Writer(Figure(figsize=(2 * _MARGIN + width, 2 * _MARGIN + height)))
    top = _MARGIN
    for card in laid:
        _draw(writer, card, top)
        top += card.height + _BETWEEN
    if verdicts:
        draw_legend(writer, verdicts, top)
        top += _LINE
    for number, line in enumerate(notes):
        writer.write(line, _MARGIN, top + number * _LINE, gid=OWN_WORDS)
    return writer.figure


def _draw(writer: Writer, card: _Laid, top: float) -> None:
    for pixels, left, place, width in card.pictures:
        height = width * pixels.shape[0] / pixels.shape[1]
        writer.show(pixels, _MARGIN + left, top + place, height, width)
    for left, place in card.rules:
        writer.rule(_MARGIN + left, _MARGIN + card.width, top + place)
    for place, text in card.texts:
        left = _MARGIN + text.left
        if text.look.get("gid") == OWN_WORDS and len(text.lines) > 1 and text.lines[0]:
            # In one piece, so that it can be said in another language.
            own = {**text.look, "va": "top"}
            writer.write(joined(text.lines, "\n"), left, top + place + 0.3 * _LINE, **own)
            continue
        for number, line in enumerate(text.lines, start=1):
            writer.write(line, left, top + place + number * _LINE, **text.look)
        if text.verdict:
            mark, colour = MARKS[text.verdict]
            base = top + place + len(text.lines) * _LINE
            left += inches_of(text.lines[-1]) + 0.05 if text.lines[-1] else 0
            writer.write(mark, left, base, color=colour, fontweight="bold")


def _shown(card: Card, images: Mapping[str, np.ndarray]) -> _Laid:
    """Lay out pictures beside each other, with words below them."""
    laid = _Laid(card.heading)
    first, column, side = (_LABEL, _TEXT, _LARGE) if card.words else (0.0, _SMALL, _SMALL)
    lefts = [first + place * (column + _GAP) for place in range(_PICTURES)]
    for start in range(0, len(card.pictures), _PICTURES):
        shown = list(zip(lefts, card.pictures[start : start + _PICTURES], strict=False))
        tops = [laid.show(images[one.item], left, laid.height, side) for left, one in shown]
        laid.height = max(tops)
        laid.row(
            [
                _Text(left, lines_within(one.caption, column), look={"gid": OWN_WORDS})
                for left, one in shown
            ]
        )
    laid.width = lefts[min(len(card.pictures), _PICTURES) - 1] + column
    for words in card.words:
        look = {"gid": OWN_WORDS} if words.own else {}
        texts = [
            _Text(left, lines_within(text, column), look=look)
            for left, text in zip(lefts, words.texts, strict=False)
        ]
        label = _Text(0.0, [words.label], look={**_GREY, "gid": OWN_WORDS})
        laid.row([label, *texts], ruled_from=0.0)
    return laid


def _asked(card: Card, images: Mapping[str, np.ndarray], answered: Answered) -> _Laid:
    """Lay out the pictures of a card below each other, and to the right of them what was asked and answered."""
    laid = _Laid(card.heading)
    bottom = laid.height
    for picture in card.pictures:
        bottom = laid.show(images[picture.item], 0.0, bottom, _LARGE)
        caption = lines_within(picture.caption, _LARGE)
        laid.texts.append((bottom, _Text(0.0, caption, look={"gid": OWN_WORDS})))
        bottom += (len(caption) + 0.5) * _LINE
    left = _LARGE + _GAP
    chosen = [asked for asked in card.asked if not asked.described]
    models = _models(card.asked, answered)
    for start in range(0, max(1, len(models)) if chosen else 0, _MODELS):
        _answer_columns(laid, chosen, models[start : start + _MODELS], answered, left)
    for asked in card.asked:
        if asked.described:
            _descriptions(laid, asked, models, answered, left)
    laid.height = max(laid.height, bottom)
    return laid


def _answer_columns(
    laid: _Laid, chosen: Sequence[Asked], models: Sequence[str], answered: Answered, left: float
) -> None:
    """Set a row per question: its words, the right answer, and what each of these models answered."""
    key = left + _QUESTION + _GAP
    lefts = [key + _KEY + _GAP + place * (_ANSWER + _GAP) for place in range(len(models))]
    laid.width = max([laid.width, key + _KEY, *(place + _ANSWER for place in lefts)])
    heads = [
        _Text(place, lines_within(model, _BOLD * _ANSWER), look={"fontweight": "bold"})
        for place, model in zip(lefts, models, strict=True)
    ]
    own = {**_GREY, "gid": OWN_WORDS}
    laid.row([_Text(key, [KEY_LABEL], look=own), *heads], ruled_from=left)
    part = ""
    for asked in chosen:
        if asked.part != part:
            part = asked.part
            laid.row([_Text(left, [part], look={"fontstyle": "italic", "gid": OWN_WORDS})])
        answers = {answer.model: answer for answer in answered.answers.get(asked.item, ())}
        laid.row(
            [
                _Text(left, lines_within(asked.text, _QUESTION)),
                _Text(key, lines_within(asked.key, _BOLD * _KEY), look={"fontweight": "bold"}),
                *(_answer(answers.get(model), at) for model, at in zip(models, lefts, strict=True)),
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
    laid: _Laid, asked: Asked, models: Sequence[str], answered: Answered, left: float
) -> None:
    """Set what was asked for, the right description, and below each other what each model wrote."""
    width = max(laid.width - left, _QUESTION + _KEY + 2 * _ANSWER)
    laid.width = left + width
    bold = {"fontweight": "bold"}
    if asked.part:
        laid.row([_Text(left, [asked.part], look={"fontstyle": "italic", "gid": OWN_WORDS})])
    laid.row([_Text(left, lines_within(asked.text, _DRAWN * width))], ruled_from=left)
    within, at = _DRAWN * (width - _LABEL), left + _LABEL
    if asked.key:
        label = _Text(left, [KEY_LABEL], look={**_GREY, "gid": OWN_WORDS})
        laid.row([label, _Text(at, lines_within(asked.key, _BOLD * within), look=bold)], left)
    answers = {answer.model: answer for answer in answered.answers.get(asked.item, ())}
    for model in models:
        if model not in answers:
            continue
        lines = lines_within(model, _BOLD * (_LABEL - 0.1))
        score = answered.scores.get((asked.item, model))
        texts = [_Text(left, lines, look=bold)]
        if score is not None:
            said = [
                *[""] * len(lines),
                Note("{judge}: {score:.10g}", judge=answered.judge, score=score),
            ]
            texts.append(_Text(left, said, look={**_GREY, "gid": OWN_WORDS}))
        words = _lines(answers[model].text or "", within)
        empty = words == [""]
        look = {"gid": OWN_WORDS} if empty else {}
        laid.row([*texts, _Text(at, [EMPTY] if empty else words, look=look)], left)


def _lines(text: str, inches: float) -> list[str]:
    lines = lines_within(" ".join(text.split()), inches)
    if len(lines) > _MAX_LINES:
        lines = [*lines[: _MAX_LINES - 1], lines[_MAX_LINES - 1][:-1] + ELLIPSIS]
    return lines


def _models(asked: Sequence[Asked], answered: Answered) -> list[str]:
    """Return who answered any of these, in the order in which they first occur."""
    answers = (answer for one in asked for answer in answered.answers.get(one.item, ()))
    return list(dict.fromkeys(answer.model for answer in answers))
