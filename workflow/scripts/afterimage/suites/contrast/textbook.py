"""What one says who does not look: that there are stripes, on the left."""

from collections.abc import Mapping

from afterimage.items.textbook import offered
from afterimage.suites.contrast.names import SIDES, YES


def answer(beside: Mapping, rule: str) -> str:
    """Return the option of the left, or ``Yes``.

    Args:
        beside: What stands beside the request: ``options`` as pairs of option id and text.
        rule: ``cued`` or ``gated``, which are the same here.

    Raises:
        AfterimageError: The rule is unknown, or there are no options.
    """
    texts = offered(beside, rule)
    return texts.get(SIDES[0]) or texts[YES]
