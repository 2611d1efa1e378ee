"""Converts the output of a checkpoint's image processor back into a viewable image."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from PIL import Image as Pillow

from afterimage.contract.model import ModelEntry
from afterimage.errors import AfterimageError
from afterimage.models.transformers import be_quiet, require_packages
from afterimage.models.transformers.checkpoint import (
    find_checkpoint,
    require_vision_language_model,
)
from afterimage.models.transformers.processing import load_processor

#: Image processors whose first tile is the whole image, by how their names begin.
_WHOLE_IMAGE_FIRST = ("LlavaNextImageProcessor", "LlavaOnevisionImageProcessor")
_PATCHES = "Qwen2VLImageProcessor"
# Rounding of resizing filters goes a little beyond black and white.
_MINIMUM, _MAXIMUM = -64.0, 319.0


def load_eyes(entry: ModelEntry) -> tuple[str, Callable[[np.ndarray], np.ndarray]]:
    """Load the processor of a model, without its weights.

    Args:
        entry: The model; only the processor's settings matter.

    Returns:
        The name of the class that processes images, and a function from uint8 RGB (height, width, 3) to the processed
        image in the same form, of any height and width.

    Raises:
        AfterimageError: The processor cannot be loaded. The function raises it, with the processor's name, if the
            output is no image.
    """
    require_packages()
    checkpoint = find_checkpoint(entry)
    be_quiet()
    config = require_vision_language_model(checkpoint)
    processor = load_processor(checkpoint, config, entry.settings).image_processor
    name = type(processor).__name__

    def see(pixels: np.ndarray) -> np.ndarray:
        made = processor(images=[Pillow.fromarray(pixels)], return_tensors="pt")
        return _as_bytes(processor, _one_image(processor, name, made).double().numpy(), name)

    return name, see


def _one_image(processor: Any, name: str, made: Mapping[str, Any]) -> Any:
    """Return the tensor (3, height, width) that shows the whole image, still normalised."""
    values = made.get("pixel_values")
    if values is not None and "image_grid_thw" in made and name.startswith(_PATCHES):
        return _reassembled(processor, values, made["image_grid_thw"])
    if values is not None and values.ndim == 4 and values.shape[:2] == (1, 3):
        return values[0]
    if values is not None and values.ndim == 5 and name.startswith(_WHOLE_IMAGE_FIRST):
        return values[0, 0]
    found = {key: tuple(value.shape) for key, value in made.items() if hasattr(value, "shape")}
    raise AfterimageError(
        f"image processor {name}: what it makes of an image ({found}) cannot be turned back into one; expected one "
        "resized image, tiles with the whole image first, or the patches of Qwen2-VL."
    )


def _reassembled(processor: Any, patches: Any, grid: Any) -> Any:
    """Put patches (rows, channels x frames x side x side) into their places; all frames of an image are the same."""
    _, down, across = (int(number) for number in grid[0])
    side, block, frames = processor.patch_size, processor.merge_size, processor.temporal_patch_size
    blocks = patches[: down * across].reshape(
        down // block, across // block, block, block, 3, frames, side, side
    )
    # To channel, then block, place in the block and place in the patch: first down, then across.
    image = blocks[:, :, :, :, :, 0].permute(4, 0, 2, 5, 1, 3, 6)
    return image.reshape(3, down * side, across * side)


def _as_bytes(processor: Any, image: np.ndarray, name: str) -> np.ndarray:
    """Undo normalising and rescaling; returns uint8 (height, width, 3)."""
    if processor.do_normalize:
        image = image * np.reshape(processor.image_std, (3, 1, 1)) + np.reshape(
            processor.image_mean, (3, 1, 1)
        )
    if processor.do_rescale:
        image = image / processor.rescale_factor
    if image.min() < _MINIMUM or image.max() > _MAXIMUM:
        raise AfterimageError(
            f"image processor {name}: what it makes of an image comes out between {image.min():.4g} and "
            f"{image.max():.4g}; expected 0 to 255 after its normalisation is undone."
        )
    return np.ascontiguousarray(image.round().clip(0, 255).astype(np.uint8).transpose(1, 2, 0))
