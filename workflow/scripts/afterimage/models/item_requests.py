"""The items of one inference job as requests to a model, in the order in which they can be asked.

A part of type "answer" names another item of the same file and is replaced by the same model's answer to it, so the
item waits for that answer. Step-by-step and multi-turn items work this way; most items have no such part.
"""

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Any

from afterimage.contract.readings import OPEN_ANSWERS
from afterimage.errors import AfterimageError, unknown_name
from afterimage.files.parquet import read_records
from afterimage.files.records import ITEM
from afterimage.grading.reasoning import SETTING, split
from afterimage.models.interface import Image, Message, Repeats, Reply, Request

# A request is identified by its texts and the hashes of its images' pixels; the images themselves are large.
_HASHED_COLUMNS = ("item_id", "suite", "messages", "images.list.element.pixels_sha256")
_OPTION_COLUMNS = ("answer_type", "options")
_REQUEST_COLUMNS = (
    *("item_id", "suite", "stimulus_id", "messages", "images"),
    *("figure", "question", "factors", *_OPTION_COLUMNS),
)


def remembered(reply: Reply, settings: Mapping[str, Any]) -> str:
    """Return the part of a reply that later turns repeat: the answer without reasoning, as in a chat."""
    return split(reply.text, settings.get(SETTING)).answer or ""


class ItemRequests:
    """The items of one file; images are read when they are asked about, and again for each round.

    Attributes:
        item_ids: Item id by number, which is its index in the file.
        rounds: Numbers that can be asked together, round after round: each item after those whose answers it contains.
        max_images: The largest number of images in one item.
        builds_on: Number of an item to the numbers of those whose answers it contains.
    """

    def __init__(
        self,
        items: str | os.PathLike[str] | Sequence[str],
        text_first: Collection[str] = (),
        with_options: bool = False,
    ) -> None:
        """Read the items and their dependencies.

        Args:
            items: A Parquet file of schema ITEM, or several, whose items are numbered consecutively.
            text_first: Suites whose items put the texts of each turn before its images.
            with_options: Whether to score the options' texts instead of asking for an answer, where an item has
                options.

        Raises:
            AfterimageError: An item contains the answer to one that is not in the file, or, directly or through others,
                the answer to itself.
        """
        self._items = [items] if isinstance(items, str | os.PathLike) else items
        self._text_first = frozenset(text_first)
        self._hashed: tuple[str, ...] = _HASHED_COLUMNS
        if with_options:
            self._hashed = (*_HASHED_COLUMNS, *_OPTION_COLUMNS)
        self.item_ids: list[str] = []
        self.max_images = 0
        self._hashes: dict[int, str] = {}
        named: dict[int, list[str]] = {}
        for number, item in enumerate(self._records(self._hashed)):
            self.item_ids.append(item["item_id"])
            self.max_images = max(self.max_images, _images_in(item))
            if others := _answers_in(item):
                named[number] = others
            else:
                self._hashes[number] = self._request(number, item, {}).sha256
        self.builds_on = self._numbers(named)
        self.rounds = self._in_rounds()

    def hashes(self, numbers: tuple[int, ...], answers: Mapping[str, str]) -> dict[int, str]:
        """Return the hash of the content of each of these requests.

        Args:
            numbers: Requests of one round.
            answers: Item id to the inserted answer, for all items on which they build.
        """
        if unknown := set(numbers) - self._hashes.keys():
            for number, item in enumerate(self._records(self._hashed)):
                if number in unknown:
                    self._hashes[number] = self._request(number, item, answers).sha256
        return {number: self._hashes[number] for number in numbers}

    def requests(
        self, repeats: Repeats, answers: Mapping[str, str], with_metadata: bool
    ) -> Iterator[Request]:
        """Yield the requests with these numbers, in the items' order, one in memory at a time.

        Args:
            repeats: Number of each request to the repeats that are wanted.
            answers: Item id to the inserted answer.
            with_metadata: Whether requests have the item's metadata.
        """
        for number, item in enumerate(self._records(_REQUEST_COLUMNS)):
            if number in repeats:
                metadata = _metadata(item) if with_metadata else None
                yield self._request(number, item, answers, metadata, repeats[number])

    def _records(self, columns: tuple[str, ...]) -> Iterator[dict[str, Any]]:
        for file in self._items:
            yield from read_records(file, ITEM, columns=columns)

    def _request(
        self,
        number: int,
        item: Mapping[str, Any],
        answers: Mapping[str, str],
        metadata: Mapping[str, Any] | None = None,
        repeats: tuple[int, ...] = (0,),
    ) -> Request:
        images = [Image(image.get("png", b""), image["pixels_sha256"]) for image in item["images"]]
        ordered = _text_first if item["suite"] in self._text_first else list
        messages = tuple(
            Message(message["role"], _parts(ordered(message["parts"]), images, answers))
            for message in item["messages"]
        )
        return Request(number, messages, metadata, repeats, self._options(item))

    def _options(self, item: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the texts to score; none for a free answer."""
        if self._hashed == _HASHED_COLUMNS or item["answer_type"] in OPEN_ANSWERS:
            return ()
        return tuple(option["text"] for option in item["options"])

    def _numbers(self, named: Mapping[int, list[str]]) -> dict[int, tuple[int, ...]]:
        by_id = {item_id: number for number, item_id in enumerate(self.item_ids)} if named else {}
        for number, others in named.items():
            for other in others:
                if other not in by_id:
                    raise unknown_name(
                        "item",
                        other,
                        by_id,
                        f"item '{self.item_ids[number]}': a part of type 'answer'",
                    )
        return {number: tuple(by_id[other] for other in others) for number, others in named.items()}

    def _in_rounds(self) -> list[tuple[int, ...]]:
        sorter = TopologicalSorter(dict.fromkeys(range(len(self.item_ids)), ()))
        for number, others in self.builds_on.items():
            sorter.add(number, *others)
        try:
            sorter.prepare()
        except CycleError as error:
            circle = ", ".join(f"'{self.item_ids[number]}'" for number in reversed(error.args[1]))
            raise AfterimageError(
                f"items: each of {circle} waits for the answer to the next; expected no circle."
            ) from None
        rounds = []
        while sorter.is_active():
            ready = sorter.get_ready()
            rounds.append(tuple(sorted(ready)))
            sorter.done(*ready)
        return rounds


def _images_in(item: Mapping[str, Any]) -> int:
    return sum(part["type"] == "image" for message in item["messages"] for part in message["parts"])


def _answers_in(item: Mapping[str, Any]) -> list[str]:
    return [
        part["text"]
        for message in item["messages"]
        for part in message["parts"]
        if part["type"] == "answer"
    ]


def _text_first(parts: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return a turn's parts with all images at the end; sorting is stable."""
    return sorted(parts, key=lambda part: part["type"] == "image")


def _parts(
    parts: list[Mapping[str, Any]], images: list[Image], answers: Mapping[str, str]
) -> tuple[str | Image, ...]:
    """Insert images and answers; an answer is joined with the text before and after it."""
    result: list[str | Image] = []
    continued = False
    for part in parts:
        if part["type"] == "image":
            result.append(images[part["image"]])
            continued = False
            continue
        is_answer = part["type"] == "answer"
        text = answers[part["text"]] if is_answer else part["text"]
        if result and isinstance(result[-1], str) and (is_answer or continued):
            result[-1] += text
        else:
            result.append(text)
        continued = is_answer
    return tuple(result)


def _metadata(item: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "item_id": item["item_id"],
        "stimulus_id": item["stimulus_id"],
        "figure": item["figure"],
        "question": item["question"],
        "options": [(option["option_id"], option["text"]) for option in item["options"]],
        "factors": item["factors"],
    }
