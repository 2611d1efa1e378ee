"""The same question without its image, and about a white one: what a model answers from the words alone.

``silent`` removes the image without a word; ``guess`` and ``say_missing`` add a sentence before the question.
"""

from collections.abc import Mapping
from functools import lru_cache
from io import BytesIO
from typing import Any

import numpy as np
from PIL import Image

from afterimage.files.png import encode_png, pixels_sha256

_WHITE = 255


def text_only(item: Mapping[str, Any], words: Mapping[str, str]) -> dict[str, Any] | None:
    """Return the item without any image, those of solved examples included.

    Args:
        item: A row of schema ITEM.
        words: Figure, or figure and prompt (``"ponzo/zero_shot_ja"``), to what is said before the question; nothing
            where neither is in it.

    Returns:
        None for an item that shows no image, or whose message would be empty.
    """
    messages = [
        {**message, "parts": [part for part in message["parts"] if part["type"] != "image"]}
        for message in item["messages"]
    ]
    if not item["images"] or not all(message["parts"] for message in messages):
        return None
    introduction = words.get(f"{item['figure']}/{item['prompt']}", words.get(item["figure"]))
    if introduction:
        opening = {"type": "text", "text": f"{introduction}\n\n", "image": None}
        messages[-1]["parts"] = _joined([opening, *messages[-1]["parts"]])
    return {**item, "messages": messages, "images": []}


def silent(item: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the item's own words without any image; None as :func:`text_only`."""
    return text_only(item, {})


def told(item: Mapping[str, Any], sentence: str) -> dict[str, Any] | None:
    """Return the item's own words without any image, behind a sentence about that; None as :func:`text_only`."""
    return text_only(item, {item["figure"]: sentence})


def blank(item: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the item with a white image of the same size for each of its images; None if it shows none."""
    if not item["images"]:
        return None
    return {**item, "images": [_blank(*_size(image["png"])) for image in item["images"]]}


def _joined(parts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Make one text of the first two parts, as far as they are texts."""
    first, second, *others = parts
    if second["type"] != "text":
        return parts
    return [{**first, "text": first["text"] + second["text"]}, *others]


def _size(png: bytes) -> tuple[int, int]:
    # The head of the file says it; nothing is decoded.
    with Image.open(BytesIO(png)) as image:
        return image.size


@lru_cache(maxsize=64)
def _blank(width: int, height: int) -> dict[str, Any]:
    pixels = np.full((height, width, 3), _WHITE, dtype=np.uint8)
    return {"pixels_sha256": pixels_sha256(pixels), "png": encode_png(pixels)}
