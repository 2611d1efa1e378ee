"""What is asked about: a stimulus record with its statements, questions and golden description."""

import hashlib
import json
from collections.abc import Mapping, Sequence

from afterimage.suites.illusionbench import wording
from afterimage.suites.illusionbench.annotations import Choice, Statement
from afterimage.suites.illusionbench.spec import parted

_FACTORS = ("category", "difficulty", "source", "kind")


class Subject:
    """A stimulus and what is asked about it.

    Attributes:
        stimulus_id: Name of the stimulus.
        figure: Name of its figure.
        factors: What tables group by.
        words: The words of drawn images; None for a user's.
        facts: What a drawn image shows; empty for a user's.
        statements: True-or-false questions.
        choices: Multiple-choice questions.
        golden: Golden description; None where there is none.
    """

    def __init__(self, row: Mapping, bank_slice: Mapping) -> None:
        """Take a row of schema STIMULUS, and what ``bank.select`` returned."""
        self.stimulus_id: str = row["stimulus_id"]
        self.figure: str = row["figure"]
        factors = row["factors"]
        self.factors = {name: factors[name] for name in _FACTORS if name in factors}
        self.words = bank_slice.get("drawn")
        self.facts = parted(factors.get("facts", ""))
        if self.facts:
            self.statements, self.choices, self.golden = wording.worded(self.words, self.facts)
        else:
            annotated = json.loads(row["parameters"])["nominal"]
            self.statements = tuple(Statement(**entry) for entry in annotated["statements"])
            self.choices = tuple(Choice(**entry) for entry in annotated["choices"])
            self.golden = annotated["golden"]


def by_rank(stimulus: Subject, others: Sequence[Subject]) -> list[Subject]:
    """Return the other subjects of the same figure, in an order that follows from the names alone."""
    same = [
        other
        for other in others
        if other.figure == stimulus.figure and other.stimulus_id != stimulus.stimulus_id
    ]
    return sorted(same, key=lambda other: rank(stimulus.stimulus_id, other.stimulus_id))


def rank(stimulus_id: str, other: str) -> str:
    """Return a text by which others are put in an order that tells nothing about them."""
    return hashlib.sha256(f"{stimulus_id}/{other}".encode()).hexdigest()
