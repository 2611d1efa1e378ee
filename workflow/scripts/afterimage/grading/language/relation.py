"""Spatial and size relations of two things in a reply, in languages other than English.

"杯子不在盒子里面" denies the question about the cup; "房子更大" denies that the ball is larger than the house.
The words are data, ``resources/answers/relations.yaml``.
"""

import re
from collections.abc import Mapping
from typing import Any

from afterimage.grading.language.denial import Stance, stance
from afterimage.grading.language.evidence import clauses
from afterimage.grading.language.words import load

# They replace the things' names.
_FIRST, _SECOND = "\ue000", "\ue001"
_ENDS = "。.!,、 \n"


def relation(reply: str, question: str) -> str | None:
    """Return a prepared reply's answer, "yes" or "no", about the two things of a prepared question.

    None if the question asks for no relation, or the reply states neither or both.
    """
    for language, entries in load("relations").items():
        for entry in entries:
            if found := re.search(entry["asked"], question):
                return _read(reply, language, entry, found["first"], found["second"])
    return None


def _read(
    reply: str, language: str, entry: Mapping[str, Any], first: str, second: str
) -> str | None:
    whole = reply.strip(_ENDS)
    if whole in (entry["bare"], entry["not"]):
        return "yes" if whole == entry["bare"] else "no"
    values = set()
    for clause in clauses(reply):
        if clause.is_open or clause.first_look:
            continue
        start = clause.start
        text = reply[start : start + clause.length]
        # The things' names may contain such a word.
        shown = text
        for thing, mark in sorted(
            ((first, _FIRST), (second, _SECOND)), key=lambda pair: -len(pair[0])
        ):
            shown = shown.replace(thing, mark * len(thing))
        for side in ("more", "less"):
            for found in re.finditer(entry[side], shown):
                meant = stance(reply, start + found.start(), start + found.end(), (language,))
                values.add(_value(shown, side, meant))
    values.discard(None)
    return values.pop() if len(values) == 1 else None


def _value(shown: str, side: str, meant: Stance) -> str | None:
    """Return the answer of one word: about the thing that is named first, or the question's first without a name."""
    named = re.search(f"[{_FIRST}{_SECOND}]", shown)
    about_second = named is not None and named[0] == _SECOND
    so = (side == "more") != about_second
    if meant is Stance.AFFIRMED:
        return "yes" if so else "no"
    # A thing that is not on the right need not be on the left.
    return "no" if meant is Stance.DENIED and so else None
