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

#: Letters of options, in order.
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
    """Return the text of the prompt; braces in a question or an option are never taken for a placeholder."""
    if answer_type != CHOICE:
        return words[answer_type].format(question=question)
    lines = [
        words[_OPTION].format(letter=LETTERS[index] if is_lettered(words) else "", text=text)
        for index, text in enumerate(options)
    ]
    return words[CHOICE].format(question=question, options="\n".join(lines))


# Wrong texts among which `chance` guesses, in addition to declining.
_OTHER_TEXTS = 9
_IMAGE_MARK = re.compile(r"<image ([1-9])>")


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
            sets[shown.figure] = _Set(
                shown_image for shown_image in available if shown_image.figure == shown.figure
            )
        for number, entry in enumerate(shown.questions):
            further = [sets[shown.figure].images[image] for image in entry.further]
            if any(map(is_missing, (shown_image.factors for shown_image in further))):
                continue
            options, key = sets[shown.figure].offered(entry)
            for prompt in settings["prompts"]:
                wording = words["prompts"][prompt]
                text = worded(wording, entry.answer_type, entry.text, entry.options)
                yield Question(
                    shown,
                    # Numbered within the image, so that questions about other images do not change it.
                    f"{number}/{prompt}",
                    ask(*placed((shown, *further), text)),
                    grader(wording, entry.answer_type),
                    key,
                    options,
                    prompt=prompt,
                    question=str(number),
                    factors={
                        SET: shown.figure,
                        ANSWER_TYPE: entry.answer_type,
                        GUESSING: f"{_chance(options, key):.6f}",
                        **entry.factors,
                    },
                )


def placed(images: Sequence[Shown], text: str) -> list[Piece]:
    """Return images and text in the order in which they are shown.

    An image replaces the first ``<image 1>`` (numbered from 1) in the text; all others come before the text, in order.
    """
    pieces: list[Piece] = []
    waiting = dict(enumerate(images, start=1))
    end = 0
    for match in _IMAGE_MARK.finditer(text):
        shown = waiting.pop(int(match[1]), None)
        if shown is not None:
            pieces += [text[end : match.start()].strip(), shown]
            end = match.end()
    pieces.append(text[end:].strip() if end else text)
    return [*waiting.values(), *(piece for piece in pieces if piece)]


class _Set:
    """The options of one set's questions."""

    def __init__(self, images: Iterable[Shown]) -> None:
        #: By the name by which questions refer to them.
        self.images = {shown.factors["file"]: shown for shown in images}
        entries = (question for shown in self.images.values() for question in shown.questions)
        texts = (question for question in entries if question.answer_type == TEXT)
        self._texts = sorted(texts, key=lambda question: question.line)
        self._index_of_line = {question.line: index for index, question in enumerate(self._texts)}

    def offered(self, question: Entry) -> tuple[tuple[Option, ...], str]:
        """Return the options and the key of a question; the options of free answers, for guessing, are never shown."""
        if question.answer_type == CHOICE:
            right_index = question.options.index(question.answers[0])
            named = [(str(n), text) for n, text in enumerate(question.options)]
            return _offered(named, str(right_index))
        if question.answer_type == TEXT:
            key = question.answers[0]
            # The key's own spelling last, so that a lookup of its text by id finds that one.
            right = [(key, text) for text in reversed(question.answers)]
            # Repeated once per spelling of the right answer, so that spellings do not make a right guess more likely.
            wrong = [*self._other_texts(question), CANNOT_TELL] * len(right)
            return _offered([*right, *((text, text) for text in wrong)], key)
        (key,) = question.answers
        values = {YES_NO: ("Yes", "No"), WHOLE_NUMBER: tuple("0123456789")}[question.answer_type]
        return _offered([(value, value) for value in dict.fromkeys((*values, key))], key)

    def _other_texts(self, question: Entry) -> list[str]:
        """Return right answers to the text questions that follow in the file, from its end on to its beginning."""
        start = self._index_of_line[question.line] + 1
        others = (*self._texts[start:], *self._texts[: start - 1])
        excluded = {*map(normalise, question.answers), normalise(CANNOT_TELL)}
        different = {
            normalise(other.answers[0]): other.answers[0]
            for other in islice(others, 2 * _OTHER_TEXTS)
            if normalise(other.answers[0]) not in excluded
        }
        return list(islice(different.values(), _OTHER_TEXTS))


def _offered(options: Sequence[tuple[str, str]], key: str) -> tuple[tuple[Option, ...], str]:
    return tuple(Option(name, text) for name, text in options), key


def _chance(options: Sequence[Option], key: str) -> float:
    named = [option.option_id for option in options]
    return named.count(key) / len(named)
