"""Questions: a set's images become items, each question with each prompt."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from afterimage.contract.parts import CANNOT_TELL
from afterimage.contract.question import Option, Piece, Question, ask
from afterimage.contract.stimulus import Json, Shown, is_missing
from afterimage.files.yaml import Checked
from afterimage.grading.readers.choice import normalise
from afterimage.suites.images.csv_rows import (
    ANSWER_TYPE,
    CHOICE,
    GUESSING,
    SET,
    TEXT,
    WHOLE_NUMBER,
    YES_NO,
)
from afterimage.suites.images.dataset import Question as Entry

#: Letters that options can bear.
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_OPTION = "option"


def check_prompt(name: str, entry: Checked) -> None:
    entry.keys((CHOICE, _OPTION, YES_NO, WHOLE_NUMBER, TEXT))
    entry[CHOICE].template(("question", "options"), required=("question", "options"))
    entry[_OPTION].template(("letter", "text"), required=("text",))
    for free in (YES_NO, WHOLE_NUMBER, TEXT):
        entry[free].template(("question",), required=("question",))


def is_lettered(words: Mapping[str, str]) -> bool:
    return "{letter}" in words[_OPTION]


def grader(words: Mapping[str, str], answer_type: str) -> str:
    """Return the module of ``grading/readers/`` that reads answers of a type to a prompt."""
    if answer_type == CHOICE:
        return "lettered_choice" if is_lettered(words) else "choice"
    return {YES_NO: "yes_no", WHOLE_NUMBER: "integer", TEXT: "short_text"}[answer_type]


def worded(
    words: Mapping[str, str], answer_type: str, question: str, options: tuple[str, ...]
) -> str:
    """Return what a model is asked; what a question or an option says is never taken for a placeholder."""
    if answer_type != CHOICE:
        return words[answer_type].format(question=question)
    lines = [
        words[_OPTION].format(letter=LETTERS[place] if is_lettered(words) else "", text=text)
        for place, text in enumerate(options)
    ]
    return words[CHOICE].format(question=question, options="\n".join(lines))


# Wrong texts among which `chance` guesses, beside declining.
_OTHER_TEXTS = 9
_PLACE = re.compile(r"<image ([1-9])>")


def questions(
    images: Sequence[Shown], words: Json, settings: Json, available: Sequence[Shown]
) -> Iterator[Question]:
    """Ask each question about each image with each prompt.

    Args:
        images: Those of the shard.
        words: ``prompts``, by id.
        settings: ``prompts``, the ids in use.
        available: All images of their sets: right answers to other questions are wrong options of free ones.
    """
    sets: dict[str, _Set] = {}
    for shown in images:
        if shown.figure not in sets:
            sets[shown.figure] = _Set(one for one in available if one.figure == shown.figure)
        for place, asked in enumerate(shown.questions):
            further = [sets[shown.figure].images[image] for image in asked.further]
            if any(map(is_missing, (one.factors for one in further))):
                continue
            options, key = sets[shown.figure].offered(asked)
            for prompt in settings["prompts"]:
                wording = words["prompts"][prompt]
                text = worded(wording, asked.answer_type, asked.text, asked.options)
                yield Question(
                    shown,
                    # By its place among the image's own questions: others' come and go.
                    f"{place}/{prompt}",
                    ask(*placed((shown, *further), text)),
                    grader(wording, asked.answer_type),
                    key,
                    options,
                    prompt=prompt,
                    question=str(place),
                    factors={
                        SET: shown.figure,
                        ANSWER_TYPE: asked.answer_type,
                        GUESSING: f"{_chance(options, key):.6f}",
                        **asked.factors,
                    },
                )


def placed(images: Sequence[Shown], text: str) -> list[Piece]:
    """Return images and text in the order in which they are shown.

    An image stands where the text says ``<image 1>`` (from 1, the first time), all others in order before the text.
    """
    pieces: list[Piece] = []
    waiting = dict(enumerate(images, start=1))
    end = 0
    for found in _PLACE.finditer(text):
        shown = waiting.pop(int(found[1]), None)
        if shown is not None:
            pieces += [text[end : found.start()].strip(), shown]
            end = found.end()
    pieces.append(text[end:].strip() if end else text)
    return [*waiting.values(), *(piece for piece in pieces if piece)]


class _Set:
    """What one set offers as answers."""

    def __init__(self, images: Iterable[Shown]) -> None:
        #: By the name that questions have for them.
        self.images = {shown.factors["file"]: shown for shown in images}
        asked = (question for shown in self.images.values() for question in shown.questions)
        texts = (question for question in asked if question.answer_type == TEXT)
        self._texts = sorted(texts, key=lambda question: question.line)
        self._place = {question.line: place for place, question in enumerate(self._texts)}

    def offered(self, question: Entry) -> tuple[tuple[Option, ...], str]:
        """Return the options and the key of a question; what a free answer is guessed among is shown to nobody."""
        if question.answer_type == CHOICE:
            right_one = question.options.index(question.answers[0])
            named = [(str(n), text) for n, text in enumerate(question.options)]
            return _offered(named, str(right_one))
        if question.answer_type == TEXT:
            key = question.answers[0]
            # The key's own spelling last: who looks its text up by id finds that one.
            right = [(key, text) for text in reversed(question.answers)]
            # As often as the right one has spellings, so that these make no guess more likely.
            wrong = [*self._other_texts(question), CANNOT_TELL] * len(right)
            return _offered([*right, *((text, text) for text in wrong)], key)
        (key,) = question.answers
        values = {YES_NO: ("Yes", "No"), WHOLE_NUMBER: tuple("0123456789")}[question.answer_type]
        return _offered([(value, value) for value in dict.fromkeys((*values, key))], key)

    def _other_texts(self, question: Entry) -> list[str]:
        """Return right answers to the text questions that follow in the file, from its end on to its beginning."""
        start = self._place[question.line] + 1
        others = (*self._texts[start:], *self._texts[: start - 1])
        own = {*map(normalise, question.answers), normalise(CANNOT_TELL)}
        different = {
            normalise(other.answers[0]): other.answers[0]
            for other in islice(others, 2 * _OTHER_TEXTS)
            if normalise(other.answers[0]) not in own
        }
        return list(islice(different.values(), _OTHER_TEXTS))


def _offered(options: Sequence[tuple[str, str]], key: str) -> tuple[tuple[Option, ...], str]:
    return tuple(Option(name, text) for name, text in options), key


def _chance(options: Sequence[Option], key: str) -> float:
    named = [option.option_id for option in options]
    return named.count(key) / len(named)
