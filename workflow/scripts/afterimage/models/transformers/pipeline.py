"""From requests to batches of tensors, in background threads while the device works on earlier ones."""

import logging
import os
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from PIL import Image as Pillow

from afterimage.models.interface import Failure, Image, Request, reason_of
from afterimage.models.transformers.images import SharedImageProcessor, open_picture, prefetch
from afterimage.models.transformers.processing import conversation, prepare

logger = logging.getLogger(__name__)

# ---- which requests are put into one batch ----
#
# Those with images of the same sizes and prompts of about the same length.

#: So many batches' worth of requests are looked ahead for companions.
LOOK_AHEAD = 4


@dataclass(frozen=True)
class Row:
    """One answer to be given: a repeat of a request, with its images opened.

    Attributes:
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


def batches(waiting: Iterable[Row], max_rows: int, ahead: int = LOOK_AHEAD) -> Iterator[list[Row]]:
    """Group rows into batches; nothing waits for long, and no more than ``most * ahead`` rows are held.

    Each batch is the row that has waited longest and, of those known so far with images of the same sizes, first the
    rows that begin as it does (the same images), then those with as many words before their images; among them, those
    whose prompts are nearest to its own in length.

    Args:
        waiting: Read no further than is needed.
        max_rows: Rows of a batch.
        ahead: Batches' worth of rows that are looked at; 1 keeps them in their order.
    """
    waiting = iter(waiting)
    window: list[Row] = []
    while True:
        for row in waiting:
            window.append(row)
            if len(window) >= max_rows * ahead:
                break
        if not window:
            return
        first = window[0]
        alike = [index for index, row in enumerate(window) if row.sizes == first.sizes]
        alike.sort(key=lambda index: _distance(first, window[index]))
        chosen = set(alike[:max_rows])
        yield [row for index, row in enumerate(window) if index in chosen]
        window = [row for index, row in enumerate(window) if index not in chosen]


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


# ---- batches of tensors ----

#: Batches that are prepared while another one is worked on.
BATCHES_AHEAD = 2
_MAX_THREADS = 8


@dataclass(frozen=True)
class Batch:
    """Rows and their tensors.

    Attributes:
        inputs: What the model takes, on the CPU; ``input_ids`` (rows, positions) is padded on the left.
        failures: Rows that cannot be asked, and why.
    """

    rows: Sequence[Row]
    inputs: Mapping[str, Any] = field(repr=False)
    failures: tuple[Failure, ...] = ()

    @property
    def positions(self) -> int:
        """Rows times their padded length: what memory goes by."""
        return self.inputs["input_ids"].numel() if self.rows else 0


class Pipeline:
    """Prepares batches in the background; a context manager, after which no thread is left."""

    def __init__(
        self,
        processor: Any,
        images: SharedImageProcessor | None,
        settings: Mapping[str, Any],
        max_positions: int | None,
    ) -> None:
        """Take what prepares.

        Args:
            images: The image processor, if images are preprocessed one by one.
            settings: ``system_prompt``, put before conversations without one; ``chat_template_kwargs``.
            max_positions: The longest prompt that leaves room for an answer; None if that is not known.
        """
        self._processor = processor
        self._images = images
        self._system_prompt = settings["system_prompt"]
        self._variables = settings.get("chat_template_kwargs", {})
        self._max_positions = max_positions
        self._pool = ThreadPoolExecutor(_threads(), "images", _use_one_core)
        # One thread: tokenizers are not made to be used by several at once.
        self._preparer = ThreadPoolExecutor(1, "prompts", _use_one_core)

    def __enter__(self) -> "Pipeline":
        return self

    def __exit__(self, *_: object) -> None:
        """Give up what is still waiting."""
        for executor in (self._preparer, self._pool):
            executor.shutdown(wait=True, cancel_futures=True)

    def batches(self, requests: Iterable[Request], max_rows: int) -> Iterator[Batch]:
        """Yield prepared batches of at most so many rows; requests are read as they are needed."""
        failures: deque[Failure] = deque()
        groups = batches(_valid_rows(requests, failures), max_rows)
        ahead: deque[Future[list[Batch]]] = deque()
        while True:
            while len(ahead) <= BATCHES_AHEAD and (group := next(groups, None)) is not None:
                ahead.append(self._submit(group))
            if failures:
                yield Batch((), {}, tuple(failures))
                failures.clear()
            if not ahead:
                return
            yield from ahead.popleft().result()

    def again(self, group: Sequence[Row]) -> list[Batch]:
        """Prepare these rows by themselves, in one batch or, where they do not go together, in several."""
        return self._submit(group).result()

    def _submit(self, group: Sequence[Row]) -> Future[list[Batch]]:
        started = [prefetch(self._pool, row.pictures, self._images) for row in group]
        return self._preparer.submit(self._prepared, group, started)

    def _prepared(
        self, group: Sequence[Row], started: Sequence[Sequence[Future[Any]]]
    ) -> list[Batch]:
        failures, sound = [], []
        for row, futures in zip(group, started, strict=True):
            try:
                for future in futures:
                    future.result()
            except BaseException as error:
                reason = reason_of(error, "the image processor does not take its image")
                failures.append(Failure(row.request.number, reason))
            else:
                sound.append(row)
        return [*([Batch((), {}, tuple(failures))] if failures else []), *self._divided(sound)]

    def _divided(self, group: Sequence[Row]) -> list[Batch]:
        """Prepare rows together; those that cannot be prepared are left out and become failures."""
        if not group:
            return []
        try:
            return [self._fitting(self._joined(group))]
        except BaseException as error:
            reason = reason_of(error, "the processor does not take it")
        if len(group) == 1:
            return [Batch((), {}, (Failure(group[0].request.number, reason),))]
        alone = [(row, self._divided([row])) for row in group]
        sound = [row for row, (batch,) in alone if batch.rows]
        if len(sound) == len(group):
            # Each can be prepared, and all together cannot.
            return [batch for _, (batch,) in alone]
        failed = [batch for _, (batch,) in alone if not batch.rows]
        return [*failed, *self._divided(sound)]

    def _joined(self, group: Sequence[Row]) -> Batch:
        batch = Batch(group, self._inputs(group) if group else {})
        rows = len(batch.inputs["attention_mask"]) if group else 0
        if rows != len(group) or (group and len(batch.inputs["input_ids"]) != rows):
            raise ValueError(f"it makes {rows} prompts of {len(group)} conversations")
        return batch

    def _inputs(self, group: Sequence[Row]) -> Any:
        return prepare(
            self._processor,
            [
                conversation(row.request.messages, row.pictures, self._system_prompt)
                for row in group
            ],
            self._variables,
        )

    def _fitting(self, batch: Batch) -> Batch:
        """Leave out rows whose prompts are too long."""
        if not batch.rows or self._max_positions is None:
            return batch
        lengths = batch.inputs["attention_mask"].sum(1).tolist()
        if max(lengths) <= self._max_positions:
            return batch
        kept, failures = [], [*batch.failures]
        for row, length in zip(batch.rows, lengths, strict=True):
            if length <= self._max_positions:
                kept.append(row)
                continue
            failures.append(
                Failure(
                    row.request.number,
                    f"its prompt of {length} tokens leaves no room for an answer of 'max_new_tokens'; expected at most "
                    f"{self._max_positions} tokens",
                )
            )
        shorter = self._joined(kept)
        return Batch(shorter.rows, shorter.inputs, (*failures, *shorter.failures))


def _valid_rows(requests: Iterable[Request], failures: deque[Failure]) -> Iterator[Row]:
    for row in rows(requests):
        if isinstance(row, Failure):
            failures.append(row)
        else:
            yield row


def _use_one_core() -> None:
    """Keep the library from dividing the work of one image: that would only take cores from other images."""
    import torch

    torch.set_num_threads(1)


def _threads() -> int:
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return max(1, min(_MAX_THREADS, allowed or 1))
