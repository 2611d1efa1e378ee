"""What one says who does not look: that it is there, and in the first of the places."""

from collections.abc import Mapping

from afterimage.items.textbook import offered
from afterimage.suites.search.names import YES


def answer(beside: Mapping, rule: str) -> str:
    """Return ``Yes``, or the first option where places are asked for.

    Args:
        beside: What stands beside the request: ``options`` as pairs of option id and text.
        rule: ``cued`` or ``gated``, which are the same here.

    Raises:
        AfterimageError: The rule is unknown, or there are no options.
    """
    texts = offered(beside, rule)
    return texts.get(YES, next(iter(texts.values())))
