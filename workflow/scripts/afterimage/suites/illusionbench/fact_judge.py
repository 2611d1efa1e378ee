"""What an answer deserves by the drawn set's own facts: the reference judge's rules, which are the paper's.

Semantic content (section III-C, appendix C): 0 where another kind of image is described, another digit, or none of a
scene's things; 1 where one thing is wrong, the relation of a figure's targets or some of a scene's things; else 2.
Visual illusion: 0 where its presence is wrong; 1 where its cause is, be it that of another figure; else 2. What is left
unsaid is no conflict.
"""

from collections.abc import Mapping
from typing import Any

from afterimage.grading.grade import read_text
from afterimage.suites.illusionbench.described import Described, read
from afterimage.suites.illusionbench.names import parted

_NONE, _MINOR, _CLEAR = 2, 1, 0


def deserved(item: Mapping[str, Any], prompt: str, answer: str) -> int | None:
    """Return what an answer deserves, or None where it says nothing that the rules are about.

    Args:
        item: A row of schema ITEM about an image of the drawn set, without images.
        prompt: Id of the judge's prompt.
        answer: The answer that is judged.

    Returns:
        0 to 2 of a description; of any other answer 1 where it is right as the suite's own reader reads it, else 0.
    """
    if item["answer_type"] != "description":
        return int(read_text(answer, item).answer == item["key"])
    facts = parted(item["factors"]["facts"])
    rate = _illusion if prompt == "visual_illusion" else _content
    return rate(read(answer), facts)


def _content(said: Described, facts: Mapping[str, str]) -> int | None:
    if said.kind is None:
        return None
    things = read(facts.get("listed", "")).things
    if said.kind != facts["kind"] or said.digit not in (None, facts.get("digit")):
        return _CLEAR
    if said.things and not set(said.things) & set(things):
        return _CLEAR
    differs = said.relation not in (None, facts.get("relation")) or said.things not in ((), things)
    return _MINOR if differs else _NONE


def _illusion(said: Described, facts: Mapping[str, str]) -> int | None:
    if said.illusion is None:
        return None
    if said.illusion != facts["illusion"]:
        return _CLEAR
    is_of_another = said.cause is not None and said.kind not in (None, facts["kind"])
    return _MINOR if is_of_another or said.cause not in (None, facts["cause"]) else _NONE
