"""What a textbook says of an illusion at any strength: nothing differs, although it seems to.

The knowledge behind the reference responder ``textbook`` (specification, sections 4 and 9). It knows the figure and
which way its inducer points, never looks at the pixels, and so gives the same answer at every true difference.
"""

import hashlib
from collections.abc import Mapping

from afterimage.errors import AfterimageError, unknown_name
from afterimage.suites.illusion_strength.catalogue import QUESTIONS

#: cued: the illusion's name is enough, without an inducer as with one. gated: without it the rule is dropped.
RULES = ("cued", "gated")


def answer(beside: Mapping, rule: str) -> str:
    """Return the text of the option that the textbook suggests.

    Args:
        beside: What stands beside the request: ``item_id``, ``question`` (actual or apparent), ``options`` as pairs of
            option id and text, and ``factors`` with ``strength``, ``first``, ``second`` and ``neutral`` (option ids;
            neutral is empty where it is not offered; then the textbook must guess, by the item, not by its pixels).
        rule: ``cued`` or ``gated``.

    Raises:
        AfterimageError: The rule or the question is unknown, or the suggested option is not offered.
    """
    factors = beside["factors"]
    for kind, name, valid in (("rule", rule, RULES), ("question", beside["question"], QUESTIONS)):
        if name not in valid:
            raise unknown_name(kind, name, valid, "textbook")
    strength = float(factors["strength"])
    applies = rule == "cued" or strength != 0
    if beside["question"] == "apparent" and applies:
        option_id = factors["first"] if strength >= 0 else factors["second"]
    else:
        option_id = factors["neutral"] or _guess(beside)
    texts = dict(beside["options"])
    if option_id not in texts:
        raise AfterimageError(
            f"textbook: option '{option_id}' of figure '{beside.get('figure')}' is not offered; "
            f"expected one of: {', '.join(texts)}."
        )
    return texts[option_id]


def _guess(beside: Mapping) -> str:
    identity = hashlib.sha256(beside["item_id"].encode()).digest()
    return beside["factors"][("first", "second")[identity[0] % 2]]
