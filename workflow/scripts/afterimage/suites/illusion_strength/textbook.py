"""What a textbook says of an illusion at any strength: nothing differs, although it seems to.

It knows the figure and which way its inducer points, never looks at the pixels, and so gives the same answer at every
true difference.
"""

import hashlib
from collections.abc import Mapping

from afterimage.items.wording import require_known
from afterimage.suites.illusion_strength.names import ASKS, NO, SAME, YES
from afterimage.suites.illusions.names import QUESTIONS
from afterimage.suites.illusions.textbook import text_of


def answer(beside: Mapping, rule: str) -> str:
    """Return the text of the option that the textbook suggests.

    Args:
        beside: What stands beside the request: ``item_id``, ``question`` (actual or apparent), ``options`` as pairs of
            option id and text, and ``factors`` with ``strength``, ``first``, ``second`` and ``neutral`` (option ids;
            neutral is empty where it is not offered; then the textbook must guess, by the item, not by its pixels), or,
            of a yes-or-no question, ``asks``.
        rule: ``cued`` or ``gated``.

    Raises:
        AfterimageError: The rule or the question is unknown, or the suggested option is not offered.
    """
    if ASKS in beside["factors"]:
        require_known("rule", rule)
        # Whoever recites says that the targets are the same.
        return text_of(YES if beside["factors"][ASKS] == SAME else NO, beside)
    factors = beside["factors"]
    require_known("rule", rule)
    require_known("question", beside["question"], QUESTIONS)
    strength = float(factors["strength"])
    applies = rule == "cued" or strength != 0
    if beside["question"] == "apparent" and applies:
        option_id = factors["first"] if strength >= 0 else factors["second"]
    else:
        option_id = factors["neutral"] or _guess(beside)
    return text_of(option_id, beside)


def _guess(beside: Mapping) -> str:
    identity = hashlib.sha256(beside["item_id"].encode()).digest()
    return beside["factors"][("first", "second")[identity[0] % 2]]
