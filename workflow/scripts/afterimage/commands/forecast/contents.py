"""The requests of an items file: what each consists of, as far as tokens go."""

import os
import struct
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import pyarrow.parquet as pq

from afterimage.commands.forecast.image_tokens import tokens_of_image
from afterimage.files.parquet import open_records, read_records
from afterimage.files.records import ITEM
from afterimage.models.item_requests import ItemRequests

# English has about four characters per token; a turn of the conversation has a few marks around it.
_CHARACTERS_PER_TOKEN = 4
_TOKENS_PER_TURN = 4
# An item's images, as Parquet names their bytes.
_PNG = "images.list.element.png"


@dataclass(frozen=True)
class Content:
    """What a request consists of.

    Attributes:
        characters: Of all its texts.
        turns: Of the conversation.
        images: Width and height of each image, in pixels.
        answers: How many answers to other items it holds.
    """

    characters: int
    turns: int
    images: tuple[tuple[int, int], ...]
    answers: int

    def prompt_tokens(
        self, rule: str | int | None, detail: str | None, answer_tokens: float
    ) -> float:
        """Estimate the tokens of the prompt.

        Args:
            rule: How the model counts images; see :func:`tokens_of_image`.
            detail: How closely images are to be looked at.
            answer_tokens: What an answer to another item is thought to take.
        """
        texts = self.characters / _CHARACTERS_PER_TOKEN + self.turns * _TOKENS_PER_TURN
        images = sum(tokens_of_image(rule, *size, detail) for size in self.images)
        return texts + images + self.answers * answer_tokens


class Contents:
    """An items file: its requests, and what each consists of, by number."""

    def __init__(self, items: str | os.PathLike, text_first: Collection[str] = ()) -> None:
        """Read the file once; of its images only the sizes are kept.

        Args:
            items: The file.
            text_first: Suites in which the model reads texts before images.

        Raises:
            AfterimageError: The file is missing or not what it should be.
        """
        self.requests = ItemRequests(items, text_first)
        texts = read_records(items, ITEM, columns=("item_id", "messages"))
        self.by_number = [
            _content(item, sizes) for item, sizes in zip(texts, _image_sizes(items), strict=True)
        ]


def _content(item: Mapping, sizes: Sequence[tuple[int, int]]) -> Content:
    parts = [part for message in item["messages"] for part in message["parts"]]
    return Content(
        sum(len(part["text"]) for part in parts if part["type"] == "text"),
        len(item["messages"]),
        tuple(sizes[part["image"]] for part in parts if part["type"] == "image"),
        sum(part["type"] == "answer" for part in parts),
    )


def _image_sizes(items: str | os.PathLike) -> Iterator[list[tuple[int, int]]]:
    """Yield the width and height of each item's images; one that many items show is read once for each row group."""
    with open_records(items, ITEM) as checked:
        groups = range(checked.num_row_groups)
    with pq.ParquetFile(items, read_dictionary=[_PNG]) as file:
        for group in groups:
            for images in file.read_row_group(group, columns=[_PNG])["images"].chunks:
                packed = images.values.field("png")
                sizes = [_size(png) for png in packed.dictionary.to_pylist()]
                of_image = [sizes[place] for place in packed.indices.to_pylist()]
                for start, end in pairwise(images.offsets.to_pylist()):
                    yield of_image[start:end]


def _size(png: bytes) -> tuple[int, int]:
    # They stand at fixed places of every PNG.
    return struct.unpack_from(">II", png, 16)
