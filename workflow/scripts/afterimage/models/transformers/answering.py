"""A loaded model and its processor, put together to what answers requests."""

import logging
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from afterimage.contract.scores import OPTIONS, SETTING
from afterimage.models.interface import Answer, Failure, Reply, Request
from afterimage.models.transformers.generation import Generator
from afterimage.models.transformers.images import shared
from afterimage.models.transformers.pipeline import Pipeline
from afterimage.models.transformers.shared_prefix import shared_prefixes
from afterimage.models.transformers.thinking import opening_of, without_unfinished
from afterimage.models.transformers.vision_features import shared_features

logger = logging.getLogger(__name__)


def answering(model: Any, processor: Any, settings: Mapping[str, Any], version: str) -> Answer:
    """Return what answers requests in batches.

    Args:
        model: A vision-language model on its devices, ready to generate.
        processor: Its processor, with a chat template; its image processor may be replaced by one that remembers.
        settings: The backend's settings, complete.
        version: Of the checkpoint; replies report it with the class that processed the images.
    """
    opening = opening_of(processor, settings)
    kind = type(processor.image_processor).__name__
    images = shared(processor)
    features = shared_features(model, images, singly=settings["one_at_a_time"])
    prefixes = shared_prefixes(model, features, singly=settings["one_at_a_time"])
    logger.info(
        "images go through %s, %s; vision features are computed %s, prompts up to the image %s",
        kind,
        "batch by batch" if images is None else "each once",
        "for every question" if features is None else "once per image",
        "for every question" if prefixes is None else "once per image",
    )
    generator = Generator(
        model, processor.tokenizer, settings, features, prefixes, f"{version}+{kind}"
    )
    room = _longest_prompt(model.config, settings)
    # The options of a request are a batch of their own.
    is_single = settings["one_at_a_time"] or settings.get(SETTING) == OPTIONS
    most = 1 if is_single else settings["batch_size"]

    def answer(requests: Iterable[Request]) -> Iterator[Reply | Failure]:
        with Pipeline(processor, images, settings, room) as pipeline:
            for batch in pipeline.batches(requests, most):
                for outcome in generator.replies(batch, pipeline):
                    if isinstance(outcome, Reply):
                        outcome = without_unfinished(outcome, opening, settings)
                    yield outcome

    return answer


def _longest_prompt(config: Any, settings: Mapping[str, Any]) -> int | None:
    """Return how many tokens a prompt may have, so that an answer fits behind it; None if the model does not say."""
    positions = getattr(config.get_text_config(), "max_position_embeddings", None)
    return None if positions is None else positions - settings["max_new_tokens"]
