"""The requests of an items file: what each consists of, as far as tokens go."""

import math
import os
import struct
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pyarrow.parquet as pq

from afterimage.errors import unknown_name
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

    def __init__(self, items: str | os.PathLike[str], text_first: Collection[str] = ()) -> None:
        """Read the file once; of its images only the sizes are kept.

        Args:
            text_first: Suites in which the model reads texts before images.

        Raises:
            AfterimageError: The file is missing or not what it should be.
        """
        self.requests = ItemRequests(items, text_first)
        texts = read_records(items, ITEM, columns=("item_id", "messages"))
        self.by_number = [
            _content(item, sizes) for item, sizes in zip(texts, _image_sizes(items), strict=True)
        ]


def _content(item: Mapping[str, Any], sizes: Sequence[tuple[int, int]]) -> Content:
    parts = [part for message in item["messages"] for part in message["parts"]]
    return Content(
        sum(len(part["text"]) for part in parts if part["type"] == "text"),
        len(item["messages"]),
        tuple(sizes[part["image"]] for part in parts if part["type"] == "image"),
        sum(part["type"] == "answer" for part in parts),
    )


def _image_sizes(items: str | os.PathLike[str]) -> Iterator[list[tuple[int, int]]]:
    """Yield the width and height of each item's images; one that many items show is read once for each row group."""
    with open_records(items, ITEM) as checked:
        groups = range(checked.num_row_groups)
    with pq.ParquetFile(items, read_dictionary=[_PNG]) as file:
        for group in groups:
            for images in file.read_row_group(group, columns=[_PNG])["images"].chunks:
                packed = images.values.field("png")
                sizes = [_size(png) for png in packed.dictionary.to_pylist()]
                of_image = [sizes[index] for index in packed.indices.to_pylist()]
                for start, end in pairwise(images.offsets.to_pylist()):
                    yield of_image[start:end]


def _size(png: bytes) -> tuple[int, int]:
    # They are at fixed offsets of every PNG.
    return struct.unpack_from(">II", png, 16)


# ---- tokens of images, by the rules that providers publish ----
#
# Rules change with models; what a provider has counted in earlier answers is the better guide (``counting.py``).

# Where no rule is known: about what most providers count.
_PIXELS_PER_TOKEN = 750


def tokens_of_image(rule: str | int | None, width: int, height: int, detail: str | None) -> int:
    """Return how many tokens an image takes.

    Args:
        rule: A number for models that take the same for every image, the name of a rule, or None.
        width: In pixels.
        height: In pixels.
        detail: How closely the image is to be looked at (OpenAI): ``low``, or anything else.

    Raises:
        AfterimageError: There is no such rule.
    """
    if rule is None:
        return math.ceil(width * height / _PIXELS_PER_TOKEN)
    if isinstance(rule, int):
        return rule
    if rule not in RULES:
        raise unknown_name("rule", rule, RULES, "key 'image_tokens'")
    return RULES[rule](width, height, detail)


def _openai_tiles(width: int, height: int, detail: str | None) -> int:
    """GPT-4o: 85, and 170 for each 512 x 512 tile after fitting into 2048 x 2048 and a short side of 768."""
    if detail == "low":
        return 85
    scale = min(1.0, 2048 / max(width, height))
    scale *= min(1.0, 768 / (min(width, height) * scale))
    return 85 + 170 * math.ceil(width * scale / 512) * math.ceil(height * scale / 512)


def _claude(width: int, height: int, detail: str | None) -> int:
    """Claude: one per 750 pixels after fitting into 1568 x 1568."""
    scale = min(1.0, 1568 / max(width, height))
    return math.ceil(width * scale * height * scale / 750)


def _gemini_tiles(width: int, height: int, detail: str | None) -> int:
    """Gemini from 2.0 on: 258 up to 384 x 384 pixels, else 258 for each tile of 768 x 768."""
    if max(width, height) <= 384:
        return 258
    return 258 * math.ceil(width / 768) * math.ceil(height / 768)


def _patches(side: int) -> Callable[[int, int, str | None], int]:
    """Qwen-VL: one per patch of ``side`` x ``side`` pixels, sides rounded to whole patches, and two marks."""

    def count(width: int, height: int, detail: str | None) -> int:
        return max(4, max(1, round(width / side)) * max(1, round(height / side))) + 2

    return count


#: Name of a rule to what it counts, given width, height and detail.
RULES: dict[str, Callable[[int, int, str | None], int]] = {
    "openai_tiles": _openai_tiles,
    "claude": _claude,
    "gemini_tiles": _gemini_tiles,
    "patches_28": _patches(28),
    "patches_32": _patches(32),
}
