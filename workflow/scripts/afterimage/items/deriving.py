"""Items and their probes: which probes an item has, and their names.

Each kind of probe has a module of its own, found by name, so that a study that asks for one kind does not depend on
the code of the others.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any

from afterimage.contract.probes import PROBE, probe_id
from afterimage.contract.readings import OPEN_ANSWERS
from afterimage.errors import AfterimageError

_WITHOUT_IMAGE = ("text_only", "blank", "silent", "guess", "say_missing")


def with_probes(
    items: Iterable[Mapping[str, Any]], probes: Mapping[str, Any]
) -> Iterator[Mapping[str, Any]]:
    """Yield each item, and after it its probes, schema ITEM.

    A probe is called ``<item_id>~<probe>`` and has the factor ``probe``; what the kind of probe does not change is the
    item's. Where an item holds the answer to another one, its probe holds the answer to that one's probe of the same
    name. Without image there is no probe of an item that would hold what was said about an image, and none of one with
    open answers.

    Args:
        items: Items of one shard; those that hold answers come after those whose answers they hold.
        probes: ``option_orders`` (how many), ``text_only`` and ``blank`` (whether), ``words`` (figure to what is
            said before a question without image); where asked for, ``silent`` (whether), ``guess`` and ``say_missing``
            (the sentence before the question).

    Raises:
        AfterimageError: An item holds the answer to one that comes later.
    """
    made: dict[str, set[str]] = {}
    from_images: set[str] = set()
    for item in items:
        yield item
        name, held = item["item_id"], _required_answers(item, made)
        probes_of_suite = made.setdefault(name, set())
        seen = {other for other in held if other in from_images}
        if item["images"] or seen:
            from_images.add(name)
        for probe, derived in _derived(item, probes):
            if probe in _WITHOUT_IMAGE and any(probe not in made[other] for other in seen):
                continue
            probes_of_suite.add(probe)
            yield {
                **derived,
                "item_id": probe_id(name, probe),
                "messages": _with_model_answers(derived, probe, made),
                "factors": {**derived["factors"], PROBE: probe},
            }


def _derived(
    item: Mapping[str, Any], probes: Mapping[str, Any]
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the probes that can be made of an item, by name."""
    if probes["option_orders"]:
        reordered = import_module("afterimage.items.option_order").reordered
        for order in range(1, probes["option_orders"] + 1):
            derived = reordered(item, order)
            if derived is not None:
                yield f"order{order}", derived
    # Who scores open answers looks at no probe: asking would be paying for nothing.
    wanted = [probe for probe in _WITHOUT_IMAGE if probes.get(probe)]
    if wanted and item["answer_type"] not in OPEN_ANSWERS:
        without_image = import_module("afterimage.items.without_image")
        for probe in wanted:
            if derived := _without_image(without_image, probe, item, probes):
                yield probe, derived


def _without_image(
    without_image: ModuleType, probe: str, item: Mapping[str, Any], probes: Mapping[str, Any]
) -> Mapping[str, Any] | None:
    """Return one kind of probe without image; None if it cannot be made of the item."""
    made: dict[str, Callable[[], Mapping[str, Any] | None]] = {
        "text_only": lambda: without_image.text_only(item, probes["words"]),
        "blank": lambda: without_image.blank(item),
        "silent": lambda: without_image.silent(item),
    }
    return made[probe]() if probe in made else without_image.told(item, probes[probe])


def _required_answers(item: Mapping[str, Any], made: Mapping[str, set[str]]) -> list[str]:
    """Return the items whose answers an item holds."""
    held = [
        part["text"]
        for message in item["messages"]
        for part in message["parts"]
        if part["type"] == "answer"
    ]
    for other in held:
        if other not in made:
            raise AfterimageError(
                f"item '{item['item_id']}' holds the answer to '{other}', which does not come before it in its shard; "
                "expected it to, for its probes to be made."
            )
    return held


def _with_model_answers(
    item: Mapping[str, Any], probe: str, made: Mapping[str, set[str]]
) -> list[dict[str, Any]]:
    def own(part: Mapping[str, Any]) -> Mapping[str, Any]:
        if part["type"] == "answer" and probe in made[part["text"]]:
            return {**part, "text": probe_id(part["text"], probe)}
        return part

    return [{**message, "parts": list(map(own, message["parts"]))} for message in item["messages"]]
