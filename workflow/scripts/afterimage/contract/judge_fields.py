"""What a suite tells a judge about an answer."""

from collections.abc import Mapping
from typing import NamedTuple


class JudgeFields(NamedTuple):
    """One answer, as the judge gets to see it.

    Attributes:
        prompt: Id of the judge's prompt, e.g. ``"multiple_choice"``.
        fields: "question", "gold" and "answer" to the texts that take the places of the prompt's slots, literally:
            braces, quotes and instructions in them are text like any other. What the prompt has no slot for is only
            shown to people who review.
    """

    prompt: str
    fields: Mapping[str, str]
