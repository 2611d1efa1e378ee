"""What a description claims about an image of the drawn set, read from its words.

The words are those of golden descriptions (``resources/prompts/illusionbench.yaml``), which the textbook and a guess
take over, and those of ``observer/describing.py``. Models' free descriptions are not read: in other words they would
claim things that go unnoticed.
"""

import re
from typing import NamedTuple

#: What words tell which kind of image a description is about.
_KINDS = {
    "zoellner": r"oblique black strokes",
    "vertical_horizontal": r"blue vertical line stands on",
    "hermann_grid": r"black squares stand in",
    "mueller_lyer": r"black fins",
    "ebbinghaus": r"orange discs",
    "ponzo": r"blue (?:horizontal )?bars lie",
    "simultaneous_contrast": r"grey squares?\b.*\bdark ground",
    "plain_scene": r"side by side on a (?:grey )?floor",
    "colour_plate": r"round plate",
}
_PRESENCE = re.compile(r"there is (?P<no>no )?(?:a )?visual illusion in the image")
_DIGIT = re.compile(r"\bform the digit (\d)")
_THING = re.compile(r"\b(?:red|green|blue|yellow|purple) (?:circle|square|triangle)\b")
_SAME = re.compile(
    r"\b(?:exactly (?:parallel|as light as|the same)|are (?:parallel|equally|of the same)|have the same)\b"
)
_DIRECTION = re.compile(r"\b(upper|lower|left|right|vertical|horizontal)\b")
_REALLY = "really"


class Described(NamedTuple):
    """What a description claims; None, or nothing, where it does not say.

    Attributes:
        kind: Which figure, scene or plate it is of.
        digit: Which digit a plate forms.
        things: What stands in a scene, from left to right.
        relation: How a figure's targets compare, as the fact of this name.
        illusion: "present" or "absent".
        cause: "inducer" where an illusion is said to be one, "real" where the targets are said to differ.
    """

    kind: str | None
    digit: str | None
    things: tuple[str, ...]
    relation: str | None
    illusion: str | None
    cause: str | None


def read(text: str) -> Described:
    """Read a description of the content, of the illusion, or of both, in this order."""
    words = " ".join(text.casefold().split())
    presence = _PRESENCE.search(words)
    content, about = (words, "") if presence is None else _parted(words, presence)
    digit = _DIGIT.search(content)
    return Described(
        kind=next((kind for kind, told in _KINDS.items() if re.search(told, content)), None),
        digit=digit and digit[1],
        things=tuple(_THING.findall(content)),
        relation=_relation(content),
        illusion=None if presence is None else "absent" if presence["no"] else "present",
        cause=("real" if _REALLY in about else "inducer") if about else None,
    )


def _parted(words: str, presence: re.Match) -> tuple[str, str]:
    return words[: presence.start()], words[presence.end() :].strip(" .:")


def _relation(content: str) -> str | None:
    for sentence in content.split(". "):
        if _REALLY in sentence:
            direction = _DIRECTION.search(sentence)
            return direction[1] if direction else "different"
    return "same" if _SAME.search(content) else None
