"""Images with all that is asked about them, strategy by strategy, as the paper's figure shows one."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from afterimage.showing.cards import Asked, Card, Picture, by_hash
from afterimage.showing.example_page import question_text
from afterimage.showing.typefaces import can_print
from afterimage.suites.pope.names import BLOG, EXTENDED, POPE

Items = Sequence[Mapping[str, Any]]
#: Images of each variant, and what it is called.
_IMAGES = {POPE: 2, BLOG: 1, EXTENDED: 1}
_NAMES = {POPE: "POPE", BLOG: "POPE-C, -R and -A", EXTENDED: "attributes and relations"}
#: What the questions of a part ask about.
_PARTS = {
    "random": "random: an object that is not there",
    "popular": "popular: one that many images have, and this one has not",
    "adversarial": "adversarial: one that is often seen with an object that is there",
    "C": "C: an object of the description",
    "R": "R: an object that is not there",
    "A": "A: an object with another attribute",
}
_PRESENT = "objects that are there, asked about with every strategy"


def cards(items: Items) -> list[Card]:
    """Return a card per image: those about which most is asked, else by their ids; never by what was answered.

    Args:
        items: The suite's.
    """
    found = []
    for variant, count in _IMAGES.items():
        own = [item for item in items if item["factors"]["variant"] == variant]
        own = [item for item in own if item["prompt"] == own[0]["prompt"]]
        by_image: dict[str, list[Mapping[str, Any]]] = {}
        for item in own:
            by_image.setdefault(item["stimulus_id"], []).append(item)
        ranked = sorted(by_hash(by_image), key=lambda name: -len(list(_asked(by_image[name]))))
        found += [_card(_NAMES[variant], by_image[name]) for name in ranked[:count]]
    return found


def _card(variant: str, items: Items) -> Card:
    image = items[0]["factors"]["image_id"]
    picture = Picture(items[0]["item_id"], f"image {image}")
    return Card(variant, (picture,), asked=tuple(_asked(items)))


def _asked(items: Items) -> Iterator[Asked]:
    """Yield the questions about an image; those that all strategies share once, first."""
    shared = items[0]["factors"]["variant"] == POPE
    seen: set[str] = set()
    if shared:
        for item in items:
            text = _worded(item)
            if item["key"] == "yes" and text not in seen:
                seen.add(text)
                yield Asked(item["item_id"], text, "yes", _PRESENT)
    for item in items:
        strategy = item["factors"]["strategy"]
        if not shared or item["key"] != "yes":
            part = _PARTS.get(strategy, strategy.replace("_", " "))
            yield Asked(item["item_id"], _worded(item), item["key"], part)


def _worded(item: Mapping[str, Any]) -> str:
    """Return the question; of a Chinese one also what it asks about, or that alone where no typeface can print it."""
    text = question_text(item)
    if text.isascii():
        return text
    named = (item["factors"].get(name, "") for name in ("attributes", "object"))
    about = " ".join(filter(None, named))
    return f"{text}\n({about})" if can_print(text) else f"{about} (asked in Chinese)"
