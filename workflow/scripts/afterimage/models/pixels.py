"""The reference responder ``pixels``: an ideal observer that reads only the image and the question.

The suite defines how to measure an image: its part ``observer`` is passed in.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from afterimage.contract.model import Backend, ModelEntry
from afterimage.models.interface import Answer, Reply, Request, one_by_one

if TYPE_CHECKING:
    import numpy as np

#: The answer to a question that comes without an image.
NOTHING_SHOWN = "I cannot tell: no image is shown."
#: The answer to a question about an image of one color.
NOTHING_DRAWN = "I cannot tell: the image is empty."

# Requests about the same image are consecutive.
_REMEMBERED_IMAGES = 4
# To tell whether an image is empty, every sixteenth row is compared first.
_APART = 16


def load(entry: ModelEntry, observer: Callable[..., str]) -> Answer:
    """Return the responder, which has no settings; ``observer`` takes pixels and the question's text."""

    def reply(request: Request) -> Reply:
        # In a conversation of several turns the image may be in an earlier one.
        shown = [image for message in request.messages for image in message.images]
        if not shown:
            return Reply(request.number, NOTHING_SHOWN)
        question = request.messages[-1]
        image = question.images[0] if question.images else shown[-1]
        pixels = _drawn(image.png)
        if pixels is None:
            return Reply(request.number, NOTHING_DRAWN)
        return Reply(request.number, observer(pixels, question.text))

    return lambda requests: one_by_one(requests, reply)


@lru_cache(maxsize=_REMEMBERED_IMAGES)
def _drawn(png: bytes) -> "np.ndarray | None":
    """Return an image's pixels, uint8 of shape (height, width, 3); None if all have the same color."""
    # Planning imports this module, so slow imports wait until something is asked.
    from afterimage.files.png import decode_png

    pixels = decode_png(png)
    # Rows from all over the image first: they cross a figure anywhere in it.
    parts = (pixels[first::_APART] for first in range(_APART))
    if all((part == pixels[0, 0]).all() for part in parts):
        return None
    pixels.setflags(write=False)
    return pixels


BACKEND = Backend(load, journaled=False, reference=True, suite_part="observer")
