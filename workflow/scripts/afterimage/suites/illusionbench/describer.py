"""What somebody says who knows an image's facts, and errs about some images in a known way.

The knowledge behind the reference responder ``describer``. Kinds of errors, each of which a judge has to rate:
``content`` (another image is described), ``detail`` (which target is larger, or a scene's leftmost thing; a plate has
none), ``presence`` (of an illusion) and ``cause`` (of one that is there).
"""

from collections.abc import Callable, Mapping
from typing import Any

from afterimage.contract.silent import CANNOT_TELL
from afterimage.suites.illusionbench.designs import TRAPS
from afterimage.suites.illusionbench.names import (
    ILLUSION,
    KINDS,
    SEMANTIC,
    STEP_BY_STEP,
    STEP_ONE,
    parted,
)
from afterimage.suites.illusionbench.observer import answer_from, describing
from afterimage.suites.illusionbench.observer.seen import Seen

_PRESENT, _ABSENT = "There is a visual illusion in the image.", describing.NO_ILLUSION


def describe(beside: Mapping[str, Any], text: str, errs: Callable[..., bool]) -> str:
    """Answer a request: a description with its errors, anything else right.

    Args:
        beside: What stands beside the request: ``question``, and ``factors`` with ``facts`` for drawn images; of others
            nothing is known.
        text: The request.
        errs: Takes a kind of error and whether a first step came before; tells whether it is made about this image.
    """
    facts = parted(beside["factors"].get("facts", ""))
    question = beside["question"]
    if not facts:
        return CANNOT_TELL
    if question in (ILLUSION, STEP_ONE):
        return _illusion(facts, errs)
    if question in (SEMANTIC, STEP_BY_STEP):
        return _content(facts, lambda kind: errs(kind, question == STEP_BY_STEP))
    return answer_from(_seen(facts), text)


def _content(facts: Mapping[str, str], errs: Callable[[str], bool]) -> str:
    if errs("content"):
        return describing.content(_seen(_other_image(facts)))
    return describing.content(_seen(_other_detail(facts) if errs("detail") else facts))


def _illusion(facts: Mapping[str, str], errs: Callable[..., bool]) -> str:
    is_present = facts["illusion"] == "present"
    if errs("presence"):
        return _ABSENT if is_present else _PRESENT
    is_wrong = is_present and errs("cause")
    return describing.illusion(_seen(_other_detail(facts) if is_wrong else facts))


def _other_image(facts: Mapping[str, str]) -> Mapping[str, str]:
    kind = facts["kind"]
    if kind == "colour_plate":
        return {**facts, "digit": facts["other_1"]}
    other = KINDS[(KINDS.index(kind) + 1) % len(KINDS)] if kind in KINDS else KINDS[0]
    return {"kind": other, "relation": "same"}


def _other_detail(facts: Mapping[str, str]) -> Mapping[str, str]:
    if "listed" in facts:
        listed = facts["listed"].replace(facts["leftmost"], facts["absent"], 1)
        return {**facts, "listed": listed}
    if "relation" not in facts:
        return facts
    is_same = facts["relation"] == "same"
    return {**facts, "relation": TRAPS[facts["kind"]][1] if is_same else "same"}


def _seen(facts: Mapping[str, str]) -> Seen:
    return Seen(facts["kind"], dict(facts))
