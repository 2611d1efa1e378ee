"""Computations that all questions about an image share: its features, and the prefix of the prompt."""

import hashlib
import inspect
import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import torch
from PIL import Image as Pillow
from transformers import DynamicCache
from transformers.modeling_outputs import BaseModelOutputWithPooling

from afterimage.models.transformers.images import LruCache, SharedImageProcessor, identity, merged
from afterimage.models.transformers.pipeline import Batch

logger = logging.getLogger(__name__)

#: Architectures for which tests show that sharing does not change answers.
PROVEN = ("llava", "llava_next", "qwen2_vl")
#: On the device, in bytes.
KEPT_FEATURE_BYTES = 256 * 2**20
PIXELS = "pixel_values"


class VisionFeatures:
    """Features by image, kept on the device as long as there is room."""

    def __init__(
        self,
        model: Any,
        images: SharedImageProcessor,
        singly: bool,
        max_bytes: int = KEPT_FEATURE_BYTES,
    ) -> None:
        """Take the model and what preprocesses its images.

        Args:
            model: A vision-language model of one of the proven architectures.
            singly: Encode each image by itself, so that none can change another's features by rounding.
            max_bytes: What the kept features may take.
        """
        self._model = model
        self._images = images
        self._singly = singly
        self._kept = LruCache(max_bytes, lambda features: features.nbytes)
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
        inputs = on_device(
            merged([self._images.preprocess(picture) for picture in pictures]), self._model
        )
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


# ---- the beginning of a prompt, up to its last image ----
#
# What a language model works out for a token (its keys and values) depends on no later one. So the image, and what the
# chat template puts before it, need to be gone through once; each question goes on from there. In the prompts of a
# batch the padding moves from the left to behind the image, where it is masked as before; positions count no padding.

#: On the device, in bytes; the questions about an image follow each other, so few are waited for.
KEPT_LAYER_BYTES = 2**30
#: Ways to compute attention for which tests show that padding behind the image changes nothing.
PROVEN_ATTENTION = ("sdpa", "eager")

#: Keys and values of each layer, (1, heads, positions, dimensions) both.
Layers = tuple[tuple[torch.Tensor, torch.Tensor], ...]


class SharedPrefixes:
    """Keys and values by image and the tokens before its end, kept on the device as long as there is room."""

    def __init__(
        self,
        model: Any,
        features: VisionFeatures,
        singly: bool,
        max_bytes: int = KEPT_LAYER_BYTES,
    ) -> None:
        """Take the model and what keeps its vision features.

        Args:
            model: A vision-language model of one of the proven architectures.
            singly: Compute each prefix by itself, so that none can change another by rounding.
            max_bytes: What the kept keys and values may take.
        """
        self._model = model
        self._features = features
        self._singly = singly
        self._kept = LruCache(max_bytes, _layer_bytes)
        #: How many prefixes were computed, for tests and benchmarks.
        self.computed = 0

    def forget(self) -> None:
        """Give back the memory that is held for questions to come."""
        self._kept.clear()

    @torch.inference_mode()
    def inputs(self, batch: Batch) -> dict[str, Any] | None:
        """Return what ``generate`` takes for a batch whose beginnings are known, on the model's device.

        Returns:
            ``input_ids``, ``attention_mask`` (rows, positions), ``position_ids`` and ``past_key_values``; None if
            the rows have no image, or beginnings of different lengths.
        """
        length = self._common_length(batch)
        if length is None:
            return None
        whole = on_device(_padded_behind(batch.inputs, length), self._model)
        found = self._prefixes_of(batch, whole, length)
        layers = zip(*found, strict=True)
        return {
            "input_ids": whole["input_ids"],
            "attention_mask": whole["attention_mask"],
            # As the library works them out for a whole prompt; it cannot for one whose images lie in the past.
            "position_ids": self._model._prepare_position_ids_for_generation(
                whole["input_ids"], whole
            ),
            "past_key_values": DynamicCache(
                [tuple(map(torch.cat, zip(*layer, strict=True))) for layer in layers]
            ),
        }

    def _common_length(self, batch: Batch) -> int | None:
        """Return how many tokens there are up to the last image's end, if that is the same in all rows."""
        if not batch.rows[0].pictures:
            return None
        is_image = batch.inputs["input_ids"] == self._model.config.image_token_id
        ends = is_image.shape[1] - is_image.int().flip(1).argmax(1)
        lengths = set((ends - _padding(batch.inputs)).tolist())
        return lengths.pop() if len(lengths) == 1 else None

    def _prefixes_of(self, batch: Batch, whole: Mapping[str, Any], length: int) -> list[Layers]:
        """Return the keys and values of each row's beginning; those that are not kept are computed."""
        names = [
            _name(tokens, row.pictures)
            for tokens, row in zip(whole["input_ids"][:, :length].tolist(), batch.rows, strict=True)
        ]
        found = {name: self._kept.get(name) for name in names}
        missing = [name for name, layers in found.items() if layers is None]
        for group in [[name] for name in missing] if self._singly else filter(None, [missing]):
            indices = [names.index(name) for name in group]
            for name, layers in zip(
                group, self._compute(batch, whole, length, indices), strict=True
            ):
                found[name] = layers
                self._kept.put(name, layers)
        return [found[name] for name in names]

    def _compute(
        self, batch: Batch, whole: Mapping[str, Any], length: int, indices: Sequence[int]
    ) -> list[Layers]:
        """Return the keys and values of the beginnings of the rows at ``indices``."""
        self.computed += len(indices)
        pictures = len(batch.rows[0].pictures)
        inputs = {}
        for name, value in whole.items():
            if name == PIXELS:
                continue
            if value.shape == whole["input_ids"].shape:
                inputs[name] = value[indices, :length]
            else:
                # One entry for each image, such as its size.
                inputs[name] = value.unflatten(0, (-1, pictures))[indices].flatten(0, 1)
        cache = DynamicCache()
        self._model.base_model(
            **inputs,
            mm_encoder_outputs=self._features.of(
                [picture for index in indices for picture in batch.rows[index].pictures]
            ),
            past_key_values=cache,
            use_cache=True,
        )
        return [
            tuple((layer.keys[[row]], layer.values[[row]]) for layer in cache.layers)
            for row in range(len(indices))
        ]


def shared_prefixes(
    model: Any, features: VisionFeatures | None, singly: bool
) -> SharedPrefixes | None:
    """Return what keeps the beginnings of prompts, where answers are known to be the same with it.

    Not where attention reaches back over a window of positions or runs of tokens must not repeat: padding behind the
    image would count there.
    """
    if features is None or model.config._attn_implementation not in PROVEN_ATTENTION:
        return None
    text = model.config.get_text_config()
    kinds = set(getattr(text, "layer_types", None) or ["full_attention"])
    if kinds != {"full_attention"} or getattr(text, "sliding_window", None):
        return None
    if model.generation_config.no_repeat_ngram_size or model.generation_config.cache_implementation:
        return None
    return SharedPrefixes(model, features, singly)


def _padding(inputs: Mapping[str, Any]) -> torch.Tensor:
    """Return how many positions on the left are padding, for each row."""
    mask = inputs["attention_mask"]
    padding: torch.Tensor = mask.shape[1] - mask.sum(1)
    return padding


def _padded_behind(inputs: Mapping[str, Any], length: int) -> dict[str, Any]:
    """Return a batch's inputs with each row's padding moved from the left to behind its first ``length`` tokens."""
    positions = inputs["input_ids"].shape[1]
    order = torch.tensor(
        [
            [*range(pad, pad + length), *range(pad), *range(pad + length, positions)]
            for pad in _padding(inputs).tolist()
        ]
    )
    return {
        name: value.gather(1, order) if value.shape == order.shape else value
        for name, value in inputs.items()
    }


def _name(tokens: Sequence[int], pictures: Sequence[Any]) -> str:
    """Return what a beginning depends on: its tokens and its images."""
    images = " ".join(identity(picture) for picture in pictures)
    return hashlib.sha256(f"{tokens} {images}".encode()).hexdigest()


def _layer_bytes(layers: Layers) -> int:
    return sum(keys.nbytes + values.nbytes for keys, values in layers)
