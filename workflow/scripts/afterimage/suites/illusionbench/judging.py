"""What a judge is told about an answer (paper, appendices B and C), and what the reference judge says.

The whole golden description goes into both prompts that rate descriptions; step by step, the second answer is judged
as a description of the content.
"""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from afterimage.contract.readings import JudgeFields
from afterimage.files.records import answer_of
from afterimage.grading.grade import read_text
from afterimage.grading.readers.description import is_refusal
from afterimage.suites.illusionbench.names import PROMPT_OF, TRUE_FALSE, parse_facts


def fields(item: Mapping[str, Any], response: Mapping[str, Any]) -> JudgeFields | None:
    """Return the fields of the judge's prompt, or None: for the first step, which is no result, and for refused
    descriptions.

    Args:
        item: A row of schema ITEM, without images.
        response: A row of schema RESPONSE.
    """
    kind = item["question"]
    if kind not in PROMPT_OF:
        return None
    answer = answer_of(response)
    if item["answer_type"] == "description":
        if is_refusal(answer):
            return None
        about = {"question": _last_words(item), "gold": item["key"], "answer": answer}
    else:
        question = item["factors"]["asked"]
        about = {"question": question, "gold": _gold(item), "answer": answer}
    return JudgeFields(PROMPT_OF[kind], about)


def _gold(item: Mapping[str, Any]) -> str:
    """Return the right answer in words: "True", or the numeral with the option's text."""
    key: str = item["key"]
    if item["question"] == TRUE_FALSE:
        return key
    texts = {option["option_id"]: option["text"] for option in item["options"]}
    return f"{key}. {texts[key]}"


def _last_words(item: Mapping[str, Any]) -> str:
    """Return the last question, for people who review."""
    parts = item["messages"][-1]["parts"]
    texts: list[str] = [part["text"] for part in parts if part["type"] == "text"]
    return texts[-1].strip()


# ---- the reference judge: what an answer deserves by the drawn set's own facts ----

# What a description claims about an image of the drawn set, read from its words.
#
# The words are those of golden descriptions (``resources/prompts/illusionbench.yaml``), which the textbook and a
# guess take over, and those of ``observer.py``. Models' free descriptions are not read: in other words
# they would claim things that go unnoticed.

#: Words by which to tell the kind of image that a description is about.
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
        things: The things of a scene, from left to right.
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


def read_description(text: str) -> Described:
    """Read a description of the content, of the illusion, or of both, in this order."""
    words = " ".join(text.casefold().split())
    presence = _PRESENCE.search(words)
    content, about = (words, "") if presence is None else _split_at(words, presence)
    digit = _DIGIT.search(content)
    return Described(
        kind=next((kind for kind, pattern in _KINDS.items() if re.search(pattern, content)), None),
        digit=digit and digit[1],
        things=tuple(_THING.findall(content)),
        relation=_relation(content),
        illusion=None if presence is None else "absent" if presence["no"] else "present",
        cause=("real" if _REALLY in about else "inducer") if about else None,
    )


def _split_at(words: str, presence: re.Match[str]) -> tuple[str, str]:
    return words[: presence.start()], words[presence.end() :].strip(" .:")


def _relation(content: str) -> str | None:
    for sentence in content.split(". "):
        if _REALLY in sentence:
            direction = _DIRECTION.search(sentence)
            return direction[1] if direction else "different"
    return "same" if _SAME.search(content) else None


# The rating of an answer by the drawn set's own facts: the reference judge's rules, which are the paper's.
#
# Semantic content (section III-C, appendix C): 0 where another kind of image is described, another digit, or none of
# a scene's things; 1 where one thing is wrong, the relation of a figure's targets or some of a scene's things; else
# 2. Visual illusion: 0 where its presence is wrong; 1 where its cause is, be it that of another figure; else 2. What
# is left unsaid is no conflict.

_NONE, _MINOR, _CLEAR = 2, 1, 0


def deserved(item: Mapping[str, Any], prompt: str, answer: str) -> int | None:
    """Return the rating of an answer, or None if it says nothing that the rules are about.

    Args:
        item: A row of schema ITEM about an image of the drawn set, without images.
        prompt: Id of the judge's prompt.
        answer: The answer that is judged.

    Returns:
        0 to 2 for a description; for any other answer 1 if the suite's own reader finds it right, else 0.
    """
    if item["answer_type"] != "description":
        return int(read_text(answer, item).answer == item["key"])
    facts = parse_facts(item["factors"]["facts"])
    rate = _rate_illusion if prompt == "visual_illusion" else _rate_content
    return rate(read_description(answer), facts)


def _rate_content(description: Described, facts: Mapping[str, str]) -> int | None:
    if description.kind is None:
        return None
    things = read_description(facts.get("listed", "")).things
    if description.kind != facts["kind"] or description.digit not in (None, facts.get("digit")):
        return _CLEAR
    if description.things and not set(description.things) & set(things):
        return _CLEAR
    differs = description.relation not in (
        None,
        facts.get("relation"),
    ) or description.things not in ((), things)
    return _MINOR if differs else _NONE


def _rate_illusion(description: Described, facts: Mapping[str, str]) -> int | None:
    if description.illusion is None:
        return None
    if description.illusion != facts["illusion"]:
        return _CLEAR
    is_of_another = description.cause is not None and description.kind not in (None, facts["kind"])
    return _MINOR if is_of_another or description.cause not in (None, facts["cause"]) else _NONE
