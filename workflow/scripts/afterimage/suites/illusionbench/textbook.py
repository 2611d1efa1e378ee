"""What a textbook says without looking: the classical figures are known, so nothing in them differs.

The knowledge behind the reference responder ``textbook``: the paper's suspicion about models made executable (section
V-A: traps catch whoever has learnt the figure by heart). What it believes of each kind of image stands in the prompt
file and, worked out, in the items' factors. Of a user's images it knows nothing.
"""

from collections.abc import Mapping
from typing import Any

from afterimage.items.wording import offered
from afterimage.suites.illusionbench.names import HAS_ILLUSION, TRUE_FALSE


def answer(beside: Mapping[str, Any], rule: str) -> str:
    """Return the option that the textbook suggests: "True" or "False", an option's text, or a description.

    Where it has no belief, a statement is false, and of several options it takes the first.

    Args:
        beside: What stands beside the request: ``question``, ``options`` as pairs of option id and text, and
            ``factors`` with ``textbook_cued`` and ``textbook_gated`` (an option's text) for drawn images, with
            ``category`` and ``about`` for a user's.
        rule: ``cued`` (in a benchmark of illusions there is always one) or ``gated`` (only in a classical figure).

    Raises:
        AfterimageError: The rule is unknown, or there are no options.
    """
    texts = list(offered(beside, rule).values())
    factors = beside["factors"]
    believed: str | None = factors.get(f"textbook_{rule}")
    if believed is not None:
        return believed
    if beside["question"] == TRUE_FALSE:
        is_presence = factors.get("about") == "presence"
        return str(is_presence and _claims(factors, rule))
    return texts[0]


def _claims(factors: Mapping[str, str], rule: str) -> bool:
    """Tell whether a user's statement on the presence of an illusion is believed.

    The statement itself may deny the illusion; that it does is looked for in its words.
    """
    present = rule == "cued" or HAS_ILLUSION[factors["category"]]
    words = factors.get("asked", "").casefold().split()
    denied = any(word in ("no", "not", "isn't", "without") for word in words)
    return present != denied
