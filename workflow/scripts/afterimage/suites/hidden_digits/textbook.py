"""What one says who does not look: the digit that is named first."""

from collections.abc import Mapping

from afterimage.items.textbook import offered
from afterimage.suites.hidden_digits.names import SIDES


def answer(beside: Mapping, rule: str) -> str:
    """Return the first digit.

    Args:
        beside: What stands beside the request: ``options`` as pairs of option id and text.
        rule: ``cued`` or ``gated``, which are the same here.

    Raises:
        AfterimageError: The rule is unknown, or there are no options.
    """
    return offered(beside, rule)[SIDES[0]]
