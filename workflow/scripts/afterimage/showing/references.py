"""Rows to read the models' rows against: who answers without looking at the image. Standard library only.

A table names them beside the step that parts its answers by model: ``By("model", references=(...))``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

#: The column "kind" of a table that has rows of reference: a model's row, or one that stands for no model.
MEASURED, REFERENCE = "measured", "reference"


@dataclass(frozen=True)
class Reference:
    """Who answers without looking.

    Attributes:
        name: Stands in the column of the models.
        answer: Takes the items of a row, each once, and returns what is to be known of the row, and the graded answers.
    """

    name: str
    answer: Callable[[pd.DataFrame], tuple[Mapping[str, Any], pd.DataFrame]]


def most_frequent(keys: Iterable[str]) -> tuple[str, int]:
    """Return the key that is right most often, the first of equals, and how often it is."""
    return min(Counter(keys).items(), key=lambda counted: (-counted[1], counted[0]))
