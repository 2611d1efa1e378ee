"""What the vision tower makes of an image, made once for all questions about it."""

import inspect
import logging
from collections.abc import Iterable, Sequence
from typing import Any

import torch
from PIL import Image as Pillow
from transformers.modeling_outputs import BaseModelOutputWithPooling

from afterimage.models.transformers.images import (
    LruCache,
    SharedImageProcessor,
    merged,
)
from afterimage.models.transformers.pictures import identity

logger = logging.getLogger(__name__)

#: Architectures for which tests show that answers are the same.
PROVEN = ("llava", "llava_next", "qwen2_vl")
#: On the device, in bytes.
KEPT_BYTES = 256 * 2**20
PIXELS = "pixel_values"


class VisionFeatures:
    """Features by image, kept on the device as long as there is room."""

    def __init__(
        self,
        model: Any,
        images: SharedImageProcessor,
        singly: bool,
        most_bytes: int = KEPT_BYTES,
    ) -> None:
        """Take the model and what preprocesses its images.

        Args:
            model: A vision-language model of one of the proven architectures.
            images: Preprocesses images one by one.
            singly: Encode each image by itself, so that none can change another's features by rounding.
            most_bytes: What the kept features may take.
        """
        self._model = model
        self._images = images
        self._singly = singly
        self._kept = LruCache(most_bytes, lambda features: features.nbytes)
        self._accepted = set(inspect.signature(model.base_model.get_image_features).parameters)
        #: How many images were encoded, for tests and benchmarks.
        self.encoded = 0

    def forget(self) -> None:
        """Give back the memory that is held for questions to come."""
        self._kept.clear()

    @torch.inference_mode()
    def of(self, pictures: Iterable[Pillow.Image]) -> dict[str, BaseModelOutputWithPooling]:
        """Return the features of pictures, in order, as ``generate`` takes them (``mm_encoder_outputs``)."""
        pictures = list(pictures)
        found = {identity(picture): self._kept.get(identity(picture)) for picture in pictures}
        missing = {
            identity(picture): picture for picture in pictures if found[identity(picture)] is None
        }
        groups = [[name] for name in missing] if self._singly else [list(missing)]
        for names in filter(None, groups):
            made = self._encode([missing[name] for name in names])
            for name, features in zip(names, made, strict=True):
                found[name] = features
                self._kept.put(name, features)
        features = [found[identity(picture)] for picture in pictures]
        return {"image": BaseModelOutputWithPooling(pooler_output=features)}

    def _encode(self, pictures: Sequence[Pillow.Image]) -> list[torch.Tensor]:
        inputs = on_device(merged([self._images.one(picture) for picture in pictures]), self._model)
        self.encoded += len(pictures)
        output = self._model.base_model.get_image_features(
            **{name: value for name, value in inputs.items() if name in self._accepted},
            return_dict=True,
        )
        return list(output.pooler_output)


def shared_features(
    model: Any, images: SharedImageProcessor | None, singly: bool
) -> VisionFeatures | None:
    """Return what keeps vision features, where answers are known to be the same with it."""
    if images is None or model.config.model_type not in PROVEN:
        return None
    return VisionFeatures(model, images, singly)


def on_device(inputs: dict[str, Any], model: Any) -> dict[str, Any]:
    """Return inputs with tensors on the model's device, and numbers with a fraction in its precision."""
    return {
        name: value.to(
            model.device,
            dtype=model.dtype if value.is_floating_point() else None,
            non_blocking=True,
        )
        if isinstance(value, torch.Tensor)
        else value
        for name, value in inputs.items()
    }
