"""Images on their way to a model: decoded and preprocessed once each, in background threads."""

import io
import logging
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future
from threading import Lock
from typing import Any

import numpy as np
from PIL import Image as Pillow
from PIL import UnidentifiedImageError

from afterimage.errors import AfterimageError
from afterimage.models.interface import Image, reason_of

logger = logging.getLogger(__name__)

#: Size of the cache of preprocessed images, in bytes.
KEPT_BYTES = 256 * 2**20
#: Questions about an image are consecutive, so few images need to be kept.
KEPT_IMAGES = 256
_TRIAL_SIZES = ((96, 64), (64, 96), (64, 64))

Tensors = Mapping[str, Any]


class LruCache:
    """A cache of the most recently used values, limited in bytes and number of values."""

    def __init__(
        self, max_bytes: int, size: Callable[[Any], int], max_values: int = KEPT_IMAGES
    ) -> None:
        """Start empty.

        Args:
            max_bytes: What all values together may take; the newest stays whatever it takes.
            max_values: How many values are kept at most.
        """
        self._max_bytes = max_bytes
        self._max_values = max_values
        self._size = size
        self._values: OrderedDict[str, Any] = OrderedDict()
        self.bytes = 0

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: str) -> Any:
        """Return a value, which thereby is the one used last; None if it is not there."""
        if key in self._values:
            self._values.move_to_end(key)
        return self._values.get(key)

    def put(self, key: str, value: Any) -> None:
        """Keep a value, and drop those whose last use is the longest ago if there are too many."""
        if key in self._values:
            self.bytes -= self._size(self._values.pop(key))
        self._values[key] = value
        self.bytes += self._size(value)
        while len(self._values) > 1 and (
            self.bytes > self._max_bytes or len(self._values) > self._max_values
        ):
            _, dropped = self._values.popitem(last=False)
            self.bytes -= self._size(dropped)

    def clear(self) -> None:
        self._values.clear()
        self.bytes = 0


class SharedImageProcessor:
    """Replaces a processor's image processor with a caching one.

    Only if that changes no result, which :func:`shared` tests. All other attributes are the image processor's.
    """

    def __init__(self, processor: Any, max_bytes: int = KEPT_BYTES) -> None:
        """Wrap an image processor, keeping up to so many bytes of what it made."""
        self._processor = processor
        self._lock = Lock()
        self._made = LruCache(max_bytes, tensor_bytes)
        self._being_made: dict[str, Future[Tensors]] = {}
        #: How often an image was preprocessed, for tests and benchmarks.
        self.calls = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._processor, name)

    def __call__(self, images: Any, **options: Any) -> Any:
        """Preprocess images, nested in lists or not, as one batch."""
        from transformers import BatchFeature

        return BatchFeature(
            merged([self.preprocess(picture, **options) for picture in flat(images)])
        )

    def preprocess(self, picture: Pillow.Image, **options: Any) -> Tensors:
        """Preprocess one image; of the same one again, return what was made before.

        Raises:
            AfterimageError: The image cannot be decoded.
        """
        key = identity(picture)
        with self._lock:
            made: Tensors | None = self._made.get(key)
            making = None if made is not None else self._being_made.get(key)
            if made is None and making is None:
                mine = self._being_made[key] = Future()
        if made is not None:
            return made
        if making is not None:
            return making.result()
        try:
            decode(picture)
            made = dict(self._processor(images=[picture], **{**options, "return_tensors": "pt"}))
        except BaseException as error:
            mine.set_exception(error)
            raise
        else:
            mine.set_result(made)
            return made
        finally:
            with self._lock:
                del self._being_made[key]
                if made is not None:
                    self.calls += 1
                    self._made.put(key, made)


def shared(processor: Any) -> SharedImageProcessor | None:
    """Let a processor preprocess each image once, if one by one comes to the same as all at once.

    Tried with three small images, alone and in two nestings. Image processors whose result for one image depends on
    the others of the batch are left as they are.

    Returns:
        What now stands in its image processor's place; None if it is left as it is.
    """
    original = processor.image_processor
    candidate = SharedImageProcessor(original)
    pictures = list(_trial_pictures())
    nestings = ([[picture] for picture in pictures], [pictures[:2], pictures[2:]])
    try:
        same = all(
            _equal(original(images=nested, return_tensors="pt"), candidate(nested))
            for nested in nestings
        )
    except BaseException as error:
        logger.info(reason_of(error, "images are preprocessed batch by batch"))
        return None
    if not same:
        logger.info("images are preprocessed batch by batch, since they depend on each other")
        return None
    replacement = processor.image_processor = SharedImageProcessor(original)
    return replacement


def prefetch(
    executor: Executor,
    pictures: Iterable[Pillow.Image],
    processor: SharedImageProcessor | None,
) -> list[Future[Any]]:
    """Start to decode pictures, and to preprocess them where they can be preprocessed one by one."""
    make = decode if processor is None else processor.preprocess
    return [executor.submit(make, picture) for picture in pictures]


def merged(parts: Sequence[Tensors]) -> dict[str, Any]:
    """Join what was made of single images: along the first dimension, the second filled up with zeros.

    Raises:
        ValueError: The parts do not fit together.
    """
    import torch

    result: dict[str, Any] = {}
    for name in parts[0]:
        values = [part[name] for part in parts]
        if not all(isinstance(value, torch.Tensor) for value in values):
            result[name] = [entry for value in values for entry in value]
            continue
        if any(value.shape[1:] != values[0].shape[1:] for value in values):
            values = _filled_up(values)
        result[name] = torch.cat(values)
    return result


def tensor_bytes(tensors: Any) -> int:
    """Return how many bytes the tensors in a mapping or a list take."""
    parts = tensors.values() if isinstance(tensors, Mapping) else tensors
    return sum(getattr(part, "nbytes", 0) for part in parts)


def flat(images: Any) -> Iterator[Pillow.Image]:
    """Yield images that are nested in lists to any depth."""
    if isinstance(images, list | tuple):
        for part in images:
            yield from flat(part)
    else:
        yield images


def _filled_up(values: Sequence[Any]) -> list[Any]:
    import torch

    if any(value.ndim < 2 or value.shape[2:] != values[0].shape[2:] for value in values):
        raise ValueError(f"shapes {[tuple(value.shape) for value in values]} do not fit together")
    longest = max(value.shape[1] for value in values)
    return [
        torch.cat(
            [value, value.new_zeros(len(value), longest - value.shape[1], *value.shape[2:])], 1
        )
        for value in values
    ]


def _trial_pictures() -> Iterator[Pillow.Image]:
    generator = np.random.default_rng(0)
    for number, (width, height) in enumerate(_TRIAL_SIZES):
        pixels = generator.integers(0, 256, (height, width, 3), dtype=np.uint8)
        yield identified(Pillow.fromarray(pixels), f"trial {number}")


def _equal(whole: Tensors, parts: Tensors) -> bool:
    import torch

    return whole.keys() == parts.keys() and all(
        torch.equal(whole[name], parts[name])
        if isinstance(whole[name], torch.Tensor)
        else whole[name] == parts[name]
        for name in whole
    )


# ---- a request's images as opened pictures ----
#
# Their size is known at once, their pixels are decoded when needed.

# Where a picture says which one it is.
_IDENTITY = "pixels_sha256"


def open_picture(image: Image) -> Pillow.Image:
    """Open a PNG; its pixels are decoded when they are first needed.

    Raises:
        AfterimageError: The bytes are not a PNG of 8-bit RGB.
    """
    try:
        picture = Pillow.open(io.BytesIO(image.png), formats=("PNG",))
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError):
        raise AfterimageError(
            "an image of the request is not a PNG; make the items again."
        ) from None
    if picture.mode != "RGB":
        raise AfterimageError(
            f"an image of the request has the colour mode {picture.mode}; expected RGB with 8 bits and no alpha."
        )
    return identified(picture, image.pixels_sha256)


def identified(picture: Pillow.Image, pixels_sha256: str) -> Pillow.Image:
    """Return the picture with its hash noted in place of all other metadata."""
    picture.info = {_IDENTITY: pixels_sha256}
    return picture


def decode(picture: Pillow.Image) -> None:
    """Decode an opened picture's pixels, if that was not done yet.

    Raises:
        AfterimageError: It is cut off or damaged.
    """
    try:
        picture.load()
    except (OSError, SyntaxError, ValueError) as error:
        raise AfterimageError(
            f"an image of the request cannot be decoded ({error}); make the items again."
        ) from None


def identity(picture: Pillow.Image) -> str:
    """Return which picture it is: the hash of its pixels."""
    name: str = picture.info[_IDENTITY]
    return name
