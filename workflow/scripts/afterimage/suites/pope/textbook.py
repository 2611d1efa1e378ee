"""What one would answer without looking: how the world usually is.

The knowledge behind the reference responder ``textbook``. The paper finds that models affirm what is frequent and what
usually comes along with the things in view; both are made executable here. ``cued`` affirms an object that is in at
least a third of the dataset's images. ``gated`` affirms it only where it is cued by what is there: the object that it
is most often seen with. To questions about attributes and relations both answer alike: things have their usual colour,
a house is larger than a cup, the moon is above a car, small things lie in boxes.
"""

from collections.abc import Mapping
from functools import partial

from afterimage.errors import AfterimageError, unknown_name
from afterimage.items.wording import require_known

_USUAL_COLOURS = {
    "ball": ("red", "blue"),
    "box": ("brown",),
    "cone": ("yellow", "red"),
    "star": ("yellow",),
    "heart": ("red",),
    "moon": ("yellow", "white"),
    "cup": ("white",),
    "house": ("white", "red", "brown"),
    "tree": ("green",),
    "flower": ("red", "yellow", "purple"),
    "car": ("red", "black", "white", "blue"),
    "boat": ("white", "brown"),
    "ladder": ("brown",),
    "umbrella": ("black",),
    "scissors": ("black", "red"),
    "glasses": ("black",),
}
#: From small to large, as things are.
_BY_SIZE = (
    *("scissors", "glasses", "heart", "cup", "flower", "ball", "cone", "box"),
    *("umbrella", "ladder", "car", "boat", "tree", "house", "moon", "star"),
)
#: From low to high, as things are.
_BY_HEIGHT = (
    *("ball", "box", "cone", "scissors", "flower", "cup", "boat", "car", "glasses"),
    *("ladder", "house", "umbrella", "tree", "heart", "moon", "star"),
)


def answer(beside: Mapping, rule: str) -> str:
    """Return the expected answer, in the words that the item offers.

    Args:
        beside: What stands beside the request: ``question``, ``options`` as pairs of option id and text, and
            ``factors``: ``object``, ``attributes``, ``frequent``, ``companion``, ``first`` and ``second``.
        rule: ``cued`` or ``gated``.

    Raises:
        AfterimageError: The rule or the question is unknown, or the item does not offer yes and no.
    """
    require_known("rule", rule)
    kinds = {
        "existence": _exists,
        "similar": _exists,
        "attribute": _is_usual,
        "colour": _is_usual,
        "count": _exists,
        "left_of": _always,
        "inside": _always,
        "above": partial(_comes_later, _BY_HEIGHT),
        "larger_than": partial(_comes_later, _BY_SIZE),
    }
    if beside["question"] not in kinds:
        raise unknown_name("question", beside["question"], kinds, "textbook")
    said = "yes" if kinds[beside["question"]](beside["factors"], rule) else "no"
    texts = dict(beside["options"])
    if said not in texts:
        raise AfterimageError(
            f"textbook: item '{beside.get('item_id')}' does not offer '{said}'; expected yes and no."
        )
    return texts[said]


def _exists(factors: Mapping[str, str], rule: str) -> bool:
    return factors["frequent" if rule == "cued" else "companion"] == "yes"


def _is_usual(factors: Mapping[str, str], rule: str) -> bool:
    usual = _USUAL_COLOURS.get(factors["object"], ())
    coloured = [
        word
        for word in factors["attributes"].split()
        if any(word in colours for colours in _USUAL_COLOURS.values())
    ]
    return all(word in usual for word in coloured) if coloured else _exists(factors, rule)


def _always(factors: Mapping[str, str], rule: str) -> bool:
    return True


def _comes_later(order: tuple[str, ...], factors: Mapping[str, str], rule: str) -> bool:
    names = (factors["first"], factors["second"])
    return all(name in order for name in names) and order.index(names[0]) > order.index(names[1])
