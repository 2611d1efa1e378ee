"""The requests of an items file: what each consists of, as far as tokens go."""

import os
import struct
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from afterimage.commands.forecast.image_tokens import tokens_of_image
from afterimage.files.item import ITEM
from afterimage.files.parquet import read_records
from afterimage.models.item_requests import ItemRequests

# English has about four characters per token; a turn of the conversation has a few marks around it.
_CHARACTERS_PER_TOKEN = 4
_TOKENS_PER_TURN = 4


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
        columns = ("item_id", "messages", "images")
        self.by_number = [_content(item) for item in read_records(items, ITEM, columns=columns)]


def _content(item: Mapping) -> Content:
    parts = [part for message in item["messages"] for part in message["parts"]]
    sizes = [_size(image["png"]) for image in item["images"]]
    return Content(
        sum(len(part["text"]) for part in parts if part["type"] == "text"),
        len(item["messages"]),
        tuple(sizes[part["image"]] for part in parts if part["type"] == "image"),
        sum(part["type"] == "answer" for part in parts),
    )


def _size(png: bytes) -> tuple[int, int]:
    # They stand at fixed places of every PNG.
    return struct.unpack_from(">II", png, 16)
