"""Which requests are put into one batch: those with images of the same sizes and prompts of about the same length."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from PIL import Image as Pillow

from afterimage.models.interface import Failure, Image, Request
from afterimage.models.one_request import reason_of
from afterimage.models.transformers.pictures import open_picture

#: So many batches' worth of requests are looked ahead for companions.
LOOK_AHEAD = 4


@dataclass(frozen=True)
class Row:
    """One answer to be given: a repeat of a request, with its images opened.

    Attributes:
        request: The request.
        repeat: Which of its repeats.
        pictures: Its images, in order.
        sizes: Their widths and heights in px.
        length: Characters of all its texts.
        beginning: Its texts and the names of its images, up to the last image.
    """

    request: Request
    repeat: int
    pictures: tuple[Pillow.Image, ...] = field(repr=False)
    sizes: tuple[tuple[int, int], ...]
    length: int
    beginning: tuple[str, ...] = field(repr=False)


def rows(requests: Iterable[Request]) -> Iterator[Row | Failure]:
    """Yield a row for each wanted repeat of each request, or why a request cannot be asked."""
    for request in requests:
        length = sum(len(message.text) for message in request.messages)
        beginning = _beginning(request)
        for repeat in request.repeats:
            # Opened for each row: a picture must not be decoded by two threads at once.
            try:
                pictures = tuple(
                    open_picture(image) for message in request.messages for image in message.images
                )
                sizes = tuple(each.size for each in pictures)
            except BaseException as error:
                reason = reason_of(error, "an image of the request cannot be opened")
                yield Failure(request.number, reason)
                break
            yield Row(request, repeat, pictures, sizes, length, beginning)


def batches(waiting: Iterable[Row], most: int, ahead: int = LOOK_AHEAD) -> Iterator[list[Row]]:
    """Group rows into batches; nothing waits for long, and no more than ``most * ahead`` rows are held.

    Each batch is the row that has waited longest and, of those known so far with images of the same sizes, first the
    rows that begin as it does (the same images), then those with as many words before their images; among them, those
    whose prompts are nearest to its own in length.

    Args:
        waiting: Read no further than is needed.
        most: Rows of a batch.
        ahead: Batches' worth of rows that are looked at; 1 keeps them in their order.
    """
    waiting = iter(waiting)
    window: list[Row] = []
    while True:
        for row in waiting:
            window.append(row)
            if len(window) >= most * ahead:
                break
        if not window:
            return
        first = window[0]
        alike = [place for place, row in enumerate(window) if row.sizes == first.sizes]
        alike.sort(key=lambda place: _distance(first, window[place]))
        chosen = set(alike[:most])
        yield [row for place, row in enumerate(window) if place in chosen]
        window = [row for place, row in enumerate(window) if place not in chosen]


def _beginning(request: Request) -> tuple[str, ...]:
    """Return what a request's prompt begins with, up to its last image: texts, and images by their names."""
    parts = [part for message in request.messages for part in message.parts]
    while parts and not isinstance(parts[-1], Image):
        parts.pop()
    return tuple(part.pixels_sha256 if isinstance(part, Image) else part for part in parts)


def _distance(row: Row, other: Row) -> tuple[bool, int, int]:
    """Return how far a row is from another: whether it begins otherwise, and two differences in length."""
    beginning, others = (sum(map(len, each.beginning)) for each in (row, other))
    return (
        row.beginning != other.beginning,
        abs(beginning - others),
        abs(row.length - other.length),
    )
