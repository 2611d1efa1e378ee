"""What is asked about: an image with its statements, questions and golden description."""

import hashlib
from collections.abc import Sequence

from afterimage.contract.stimulus import Json, Shown
from afterimage.suites.illusionbench import wording
from afterimage.suites.illusionbench.annotations import ImageQuestions
from afterimage.suites.illusionbench.facts import parted

_FACTORS = ("category", "difficulty", "source", "kind")


class Subject:
    """An image and what is asked about it.

    Attributes:
        shown: The image.
        stimulus_id: Its name.
        factors: What tables group by.
        words: The words of drawn images; nothing for a user's.
        facts: What a drawn image shows; empty for a user's.
        statements: True-or-false questions.
        choices: Multiple-choice questions.
        golden: Golden description; None where there is none.
    """

    def __init__(self, shown: Shown, words: Json) -> None:
        """Take an image, one of a user's with what its source asks, and what ``bank.select`` returned."""
        self.shown = shown
        self.stimulus_id = shown.stimulus_id
        self.factors = {name: shown.factors[name] for name in _FACTORS if name in shown.factors}
        self.words: Json = words.get("drawn", {})
        self.facts = parted(shown.factors.get("facts", ""))
        asked: ImageQuestions = (
            wording.worded(self.words, self.facts) if self.facts else shown.questions[0]
        )
        self.statements, self.choices, self.golden = asked


def by_rank(stimulus: Subject, others: Sequence[Subject]) -> list[Subject]:
    """Return the other subjects of the same figure, in an order that follows from the names alone."""
    same = [
        other
        for other in others
        if other.shown.figure == stimulus.shown.figure and other.stimulus_id != stimulus.stimulus_id
    ]
    return sorted(same, key=lambda other: rank(stimulus.stimulus_id, other.stimulus_id))


def rank(stimulus_id: str, other: str) -> str:
    """Return a text by which others are put in an order that tells nothing about them."""
    return hashlib.sha256(f"{stimulus_id}/{other}".encode()).hexdigest()
