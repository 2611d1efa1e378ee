"""What one says who does not follow: the most frequent colour of the image, or the first of the options."""

from collections.abc import Mapping

from afterimage.items.textbook import offered


def answer(beside: Mapping, rule: str) -> str:
    """Return the option of the most frequent colour, the heuristic that the authors report; else the first one.

    Args:
        beside: What stands beside the request: ``options`` as pairs of option id and text, and ``factors``, of which
            ``frequent`` names the colour where one is.
        rule: ``cued`` or ``gated``, which are the same here.

    Raises:
        AfterimageError: The rule is unknown, or there are no options.
    """
    texts = offered(beside, rule)
    return texts.get(beside["factors"].get("frequent"), next(iter(texts.values())))
