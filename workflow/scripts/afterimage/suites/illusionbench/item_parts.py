"""The parts of an item: turns, and the row of schema ITEM around them."""

from collections.abc import Mapping

from afterimage.suites.illusionbench.names import MULTIPLE_CHOICE, TRUE_FALSE
from afterimage.suites.illusionbench.subjects import Subject

_SUITE = "illusionbench"
#: Kinds of question of which an image has several; the question's own id stands before the prompt's in their identity.
_SEVERAL = (TRUE_FALSE, MULTIPLE_CHOICE)


def item(
    stimulus: Subject,
    identity: tuple[str, ...],
    messages: list[dict],
    answer_type: str,
    options: Mapping[str, str],
    key: str,
    factors: Mapping[str, str],
) -> dict:
    """Return an item, schema ITEM, without its images.

    Args:
        stimulus: What it is about.
        identity: What its id needs beyond the stimulus: kind of question, the question's own id where an image has
            several of the kind, id of the prompt, and whatever else tells it apart.
        messages: The request.
        answer_type: The grader's name.
        options: Option id to text, in the order shown; for descriptions what a guess is made among.
        key: The right option's id.
        factors: What tables group by, beside the stimulus' own.
    """
    kind = identity[0]
    return {
        "item_id": "/".join((stimulus.stimulus_id, *identity)),
        "suite": _SUITE,
        "stimulus_id": stimulus.stimulus_id,
        "figure": stimulus.figure,
        "prompt": identity[2] if kind in _SEVERAL else identity[1],
        "question": kind,
        "messages": messages,
        "answer_type": answer_type,
        "options": [{"option_id": name, "text": text} for name, text in options.items()],
        "key": key,
        "factors": {**stimulus.factors, **factors},
    }


def user_turn(*parts: dict) -> dict:
    """Return a turn of the user."""
    return {"role": "user", "parts": list(parts)}


def image_part() -> dict:
    """Return the place of the item's only image in a turn."""
    return {"type": "image", "text": None, "image": 0}


def text_part(text: str) -> dict:
    """Return a text as part of a turn."""
    return {"type": "text", "text": text, "image": None}
