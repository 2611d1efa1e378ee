"""A question about an image, from which an item is made. Standard library only."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from afterimage.contract.stimulus import Json, Shown


class AnswerOf(NamedTuple):
    """In a turn: the model's own first answer to another item of the same shard, by that item's id."""

    item_id: str


#: Part of a turn: a text, an image, or an earlier answer.
Piece = str | Shown | AnswerOf


class Turn(NamedTuple):
    """One turn of a conversation: who speaks (``system``, ``user``, ``assistant``), and what, in order."""

    role: str
    parts: tuple[Piece, ...]


class Option(NamedTuple):
    """A possible answer: its id, and its text as it is shown or guessed."""

    option_id: str
    text: str


class Question(NamedTuple):
    """One question about one image.

    Attributes:
        shown: The image that it is about, whether or not a turn shows it.
        question_id: What the item's id has behind that of the image: ``<stimulus_id>/<question_id>``.
        turns: All that a model is shown.
        answer_type: The module of ``grading/readers/`` that reads the answer.
        key: The id of the right option, or the right answer itself.
        options: The possible answers; of open questions those that ``chance`` guesses among.
        prompt: The id of the wording.
        question: Which question it is, of several that a suite asks.
        factors: What tables group by; None for those of the image.
        figure: The figure that the item is listed under; None for the figure of the image.
        item_id: The item's whole id, where something else than image and question names it.
    """

    shown: Shown
    question_id: str
    turns: tuple[Turn, ...]
    answer_type: str
    key: str
    options: tuple[Option, ...] = ()
    prompt: str = ""
    question: str = ""
    factors: Mapping[str, str] | None = None
    figure: str | None = None
    item_id: str | None = None


def ask(*parts: Piece) -> tuple[Turn, ...]:
    """Return a conversation of one turn, the user's."""
    return (Turn("user", parts),)


@dataclass(frozen=True)
class SingleQuestion:
    """The part ``questions`` of a suite that asks one and the same about every image; the factor ``truth`` is the key.

    Attributes:
        text: The question.
        answer_type: The module of ``grading/readers/`` that reads the answer.
        options: The possible answers as they are shown; for open questions those that ``chance`` guesses among.
        prompt: The id of the wording.
    """

    text: str
    answer_type: str
    options: tuple[str, ...] = ()
    prompt: str = "direct"

    def __call__(
        self, images: Sequence[Shown], words: Json, settings: Json, available: Sequence[Shown]
    ) -> Iterator[Question]:
        """Yield the question about each image."""
        for shown in images:
            key = shown.factors["truth"]
            possible = dict.fromkeys((*self.options, key))
            yield Question(
                shown,
                self.prompt,
                ask(shown, self.text),
                self.answer_type,
                key,
                options=tuple(Option(text, text) for text in possible),
                prompt=self.prompt,
            )
