"""One question about one image, before it becomes an item."""

import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple

#: The two answers, as a reader of the question would give them.
ENGLISH_ANSWERS = (("yes", "Yes"), ("no", "No"))
CHINESE_ANSWERS = (("yes", "是"), ("no", "否"))


class Question(NamedTuple):
    """A question about an image.

    Attributes:
        place: What tells it apart within its image and variant: strategy and number.
        prompt: Id of the wording.
        kind: What is asked: "existence", "attribute", or a kind of the extended variant.
        text: The words.
        key: "yes" or "no".
        factors: What tables group by.
        answers: The two answers, as pairs of option id and text.
    """

    place: tuple[str, ...]
    prompt: str
    kind: str
    text: str
    key: str
    factors: Mapping[str, str]
    answers: tuple[tuple[str, str], ...] = ENGLISH_ANSWERS


class Asking(NamedTuple):
    """All questions of a variant.

    Attributes:
        questions: Image id to its questions.
        bookkeeping: Strategy to counts: what was asked, what was not, and why.
        answer_type: The grader.
    """

    questions: Mapping[str, Sequence[Question]]
    bookkeeping: Mapping[str, Mapping[str, object]]
    answer_type: str = "presence"

    def factor(self) -> str:
        """Return the bookkeeping as the factor ``asked_of`` that every item of the variant carries.

        A question that is not asked leaves no item; without this its absence would leave no trace.
        """
        return json.dumps(self.bookkeeping, sort_keys=True)
