"""Working out from a request's text alone what it asks, and what a sentence claims about an image."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from afterimage.errors import AfterimageError

#: A line with an option: its numeral and its text.
OPTION = re.compile(r"^\s*\(?(iv|iii|ii|i)[.)]\s+(.+?)\s*$", re.IGNORECASE | re.MULTILINE)
_STATEMENT = re.compile(r"\bDescription:\s*(.+?)\s*$", re.DOTALL)
_NUMBERS = {"two": "2", "three": "3", "four": "4", "five": "5", "six": "6"}
_THING = r"(?P<value>(?:red|orange|yellow|green|blue|purple) (?:circle|square|triangle))"

#: What a sentence must say to make a claim, tried in this order: fact, pattern, value (None: the group "value").
_CLAIMS: tuple[tuple[str, str, str | None], ...] = (
    ("illusion", r"\bthere is no visual illusion\b", "absent"),
    ("illusion", r"\bthere is (?:a )?visual illusion\b", "present"),
    ("kind", r"\bshort oblique strokes across them\b", "zoellner"),
    ("kind", r"\bbars between converging\b", "ponzo"),
    ("kind", r"\bsquares with light streets\b", "hermann_grid"),
    ("kind", r"\blines with fins\b", "mueller_lyer"),
    ("kind", r"\bupright line on the middle\b", "vertical_horizontal"),
    ("kind", r"\bdiscs among grey circles\b", "ebbinghaus"),
    ("kind", r"\bsquare on dark ground\b", "simultaneous_contrast"),
    ("kind", r"\bplate of many coloured dots\b", "colour_plate"),
    ("kind", r"\bobjects on a floor\b", "plain_scene"),
    ("leftmost", rf"\bleftmost object is an? {_THING}", None),
    ("digit", r"\bdigit (?P<value>\d)\b", None),
    ("count", r"\b(?P<value>\d+|two|three|four|five|six) objects\b", None),
    ("cause", r"^only (?:the|because)\b", "inducer"),
    ("cause", r"^(?:it|they) really (?:is|are)\b", "real"),
    ("cause", r"^nothing: it is a plain scene", "none"),
    ("cause", r"^their (?P<value>hue|size|brightness|shape)\b", None),
    ("relation", r"\b(?:same (?:length|size|shade)|equally|parallel|as light as)\b", "same"),
    ("relation", r"\bcloser together\b|\bgrey dots\b", "different"),
    ("relation", r"\b(?P<value>curved|rounded)\b", None),
    (
        "relation",
        r"\b(?P<value>upper|lower|left|right|vertical|horizontal)\b.*\b(?:longer|larger|lighter)\b",
        None,
    ),
)
# What an option that names a thing claims depends on the question.
_NAMED_THING = re.compile(rf"^an? {_THING}")


class Claim(NamedTuple):
    """What a sentence says about an image: that a fact has a value."""

    fact: str
    value: str

    def holds(self, facts: Mapping[str, str]) -> bool:
        """Tell whether it is so."""
        return facts.get(self.fact) == self.value


def kind_of_request(text: str) -> str:
    """Tell what a request asks for: ``true_false``, ``multiple_choice``, ``semantic`` or ``illusion``.

    Only the last line counts where an earlier exchange precedes it.

    Raises:
        AfterimageError: It asks for none of them.
    """
    if _STATEMENT.search(text):
        return "true_false"
    if len(OPTION.findall(text)) >= 2:
        return "multiple_choice"
    last = text.strip().splitlines()[-1] if text.strip() else ""
    if "description of the content" in last:
        return "semantic"
    if "visual illusion" in last:
        return "illusion"
    raise AfterimageError(f"the request '{text.strip()[:80]}' asks nothing that can be answered.")


def statement_of(text: str) -> str:
    """Return the statement that a request asks to check."""
    return _STATEMENT.search(text)[1]


def claim_of(sentence: str, question: str = "") -> Claim | None:
    """Return what a sentence claims; None where it claims nothing that can be measured.

    Args:
        sentence: A statement, or an option.
        question: The question that the option answers.
    """
    words = " ".join(sentence.casefold().split())
    for fact, pattern, value in _CLAIMS:
        found = re.search(pattern, words)
        if found:
            named = found["value"] if value is None else value
            return Claim(fact, _NUMBERS.get(named, named))
    thing = _NAMED_THING.match(words)
    if thing and "left" in question.casefold():
        return Claim("leftmost", thing["value"])
    return None
