"""The paper's figure 3, images of each category with their difficulty; its figure 5, one image with all that belongs to
it; and its figures 6 and 7, descriptions."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from afterimage.showing.cards import Asked, Card, Picture, by_hash
from afterimage.showing.example_page import question_text
from afterimage.suites.illusionbench.names import (
    CATEGORIES,
    DESCRIPTIONS,
    DIFFICULTIES,
    ILLUSION,
    MULTIPLE_CHOICE,
    TRUE_FALSE,
)

Items = Sequence[Mapping[str, Any]]
#: Images of each category in figure 3: as many of each difficulty as there are places.
_OF_CATEGORY = 6
#: Of which category figure 5 shows an image: of the paper's, or the first of these that the set has.
_FIRST = ("real_scene", "classical", "trap", "ishihara", "no_illusion")
#: Of which categories figures 6 and 7 show descriptions, and of how many images.
_DESCRIBED_OF, _DESCRIBED_EACH = ("real_scene", "trap"), 2
_PARTS = {TRUE_FALSE: "true-or-false questions", MULTIPLE_CHOICE: "multiple-choice questions"}
_DESCRIBED = {
    "semantic": "description: semantic content",
    "illusion": "description: visual illusion",
    "step_by_step": "description: step by step",
}


def categories(items: Items) -> list[Card]:
    """Return figure 3: a line of images per category, from easy to hard.

    Args:
        items: The suite's.
    """
    found = []
    for category in CATEGORIES:
        own = {
            item["stimulus_id"]: item for item in items if item["factors"]["category"] == category
        }
        pictures = tuple(
            Picture(own[name]["item_id"], own[name]["factors"]["difficulty"])
            for name in _over_difficulties(own)
        )
        if pictures:
            found.append(Card(category.replace("_", " "), pictures))
    return found


def image(items: Items) -> list[Card]:
    """Return figure 5: an image with every statement, question and description, and what was answered.

    Args:
        items: The suite's.
    """
    present = [name for name in _FIRST if any(_is_of(item, name) for item in items)]
    if not present:
        return []
    by_image: dict[str, list[Mapping[str, Any]]] = {}
    for item in items:
        if _is_of(item, present[0]) and item["factors"].get("shuffle_round", "0") == "0":
            by_image.setdefault(item["stimulus_id"], []).append(item)
    # Where some have fewer kinds of question, one that has all of them.
    ranked = sorted(
        by_hash(by_image), key=lambda name: -len({one["question"] for one in by_image[name]})
    )
    own = by_image[ranked[0]]
    factors = own[0]["factors"]
    picture = Picture(own[0]["item_id"], f"difficulty: {factors['difficulty']}")
    return [Card(factors["category"].replace("_", " "), (picture,), asked=tuple(_asked(own)))]


def descriptions(items: Items) -> list[Card]:
    """Return figures 6 and 7: two images each, real scenes and traps, with all that was written about the illusion.

    Args:
        items: The suite's.
    """
    found = []
    for category in _DESCRIBED_OF:
        own = {
            item["stimulus_id"]: item
            for item in items
            if item["question"] == ILLUSION and _is_of(item, category)
        }
        for name in by_hash(own)[:_DESCRIBED_EACH]:
            item = own[name]
            asked = Asked(item["item_id"], question_text(item), item["key"], described=True)
            picture = Picture(item["item_id"], f"difficulty: {item['factors']['difficulty']}")
            found.append(Card(category.replace("_", " "), (picture,), asked=(asked,)))
    return found


def _is_of(item: Mapping[str, Any], category: str) -> bool:
    return bool(item["factors"]["category"] == category)


def _over_difficulties(own: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return some of the images, as many of each difficulty as possible, from easy to hard."""
    waiting = {
        name: [one for one in by_hash(own) if own[one]["factors"]["difficulty"] == name]
        for name in DIFFICULTIES
    }
    turns = [one for rank in range(_OF_CATEGORY) for one in _rank(waiting, rank)]
    chosen = turns[:_OF_CATEGORY]
    return sorted(chosen, key=lambda one: DIFFICULTIES.index(own[one]["factors"]["difficulty"]))


def _rank(waiting: Mapping[str, Sequence[str]], rank: int) -> list[str]:
    return [names[rank] for names in waiting.values() if rank < len(names)]


def _asked(items: Items) -> Iterator[Asked]:
    for kind in (TRUE_FALSE, MULTIPLE_CHOICE):
        for item in items:
            if item["question"] == kind:
                asked = item["factors"]["asked"]
                yield Asked(item["item_id"], asked, item["key"], _PARTS[kind])
    told = False
    for kind in DESCRIPTIONS:
        for item in items:
            if item["question"] == kind:
                # The golden description is the same for all three.
                key = "" if told else item["key"]
                told = True
                yield Asked(item["item_id"], question_text(item), key, _DESCRIBED[kind], True)
