"""From a batch of tensors to replies; what does not fit into memory is divided."""

import copy
import logging
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

import torch
from transformers import LogitsProcessorList

from afterimage.contract.scores import FIRST_TOKEN, OPTIONS, SETTING, Scores
from afterimage.grading.reasoning import SETTING as REASONING
from afterimage.models.first_tokens import first_tokens
from afterimage.models.interface import Answer, Failure, Reply, Request, reason_of
from afterimage.models.transformers.checkpoint import one_line
from afterimage.models.transformers.images import shared
from afterimage.models.transformers.logits import (
    Spelling,
    TextScorer,
    TokenScores,
    answer_generator,
    sampling_processors,
)
from afterimage.models.transformers.once_per_image import (
    PIXELS,
    SharedPrefixes,
    VisionFeatures,
    on_device,
    shared_features,
    shared_prefixes,
)
from afterimage.models.transformers.pipeline import Batch, Pipeline, Row
from afterimage.models.transformers.processing import (
    decoded,
    marks_of,
    opening_of,
    without_unfinished,
)

logger = logging.getLogger(__name__)


class Generator:
    """A model that answers batches.

    Attributes:
        revision: The version that answers, for the replies.
    """

    def __init__(
        self,
        model: Any,
        tokenizer: Any,
        settings: Mapping[str, Any],
        features: VisionFeatures | None,
        prefixes: SharedPrefixes | None,
        revision: str,
    ) -> None:
        """Take the model and how it is to answer.

        Args:
            settings: ``max_new_tokens``, ``temperature``, ``top_p``, ``top_k``, ``seed``, ``reasoning``.
            features: What keeps vision features, if they can be kept.
            prefixes: What keeps the beginnings of prompts, if they can be kept.
        """
        self.revision = revision
        self._model = model
        # A copy: the pipeline's thread changes the padding of its own.
        self._tokenizer = copy.deepcopy(tokenizer)
        self._marks = marks_of(tokenizer, settings)
        self._settings = settings
        self._features = features
        self._prefixes = prefixes
        self._options = _generation_config(model, tokenizer, settings)
        self._ends = _ends(self._options)
        self._max_positions: int | None = None
        self._is_scored = settings.get(SETTING) == FIRST_TOKEN
        self._spelling = Spelling(self._tokenizer)
        self._texts = TextScorer(model, self._tokenizer)

    def replies(self, batch: Batch, pipeline: Pipeline) -> Iterator[Reply | Failure]:
        """Answer a batch; if the memory does not suffice or anything else goes wrong, answer its halves."""
        yield from batch.failures
        if not batch.rows:
            return
        reason = None
        if len(batch.rows) == 1 or not self._is_too_large(batch):
            try:
                replies = self._answered(batch)
            except (torch.OutOfMemoryError, MemoryError) as error:
                reason = f"the device's memory does not suffice ({one_line(error)})"
                self._max_positions = max(1, batch.positions // 2)
            except BaseException as error:
                reason = reason_of(error, "the model failed")
            # Outside of the handler, which would hold on to the tensors that are to be freed.
            if reason is None:
                yield from replies
                return
            self._free_memory()
            if len(batch.rows) == 1:
                yield Failure(batch.rows[0].request.number, reason)
                return
            logger.warning("a batch of %d is divided: %s", len(batch.rows), reason)
        half = (len(batch.rows) + 1) // 2
        for part in (batch.rows[:half], batch.rows[half:]):
            for again in pipeline.again(part):
                yield from self.replies(again, pipeline)

    def _is_too_large(self, batch: Batch) -> bool:
        return self._max_positions is not None and batch.positions > self._max_positions

    @torch.inference_mode()
    def _answered(self, batch: Batch) -> list[Reply]:
        if batch.rows[0].request.options:
            return [self._scored(batch)]
        started = time.perf_counter()
        scores = TokenScores()
        sequences = self._model.generate(
            **self._inputs(batch),
            generation_config=self._options,
            logits_processor=self._processors(batch.rows, scores),
        )
        prompt = batch.inputs["input_ids"].shape[1]
        answers = [self._ended(tokens) for tokens in sequences[:, prompt:].tolist()]
        scores.finish(sequences)
        seconds = time.perf_counter() - started
        texts = [decoded(self._tokenizer, tokens, self._marks) for tokens, _ in answers]
        prompts = batch.inputs["attention_mask"].sum(1).tolist()
        return [
            Reply(
                row.request.number,
                text,
                reason,
                repeat=row.repeat,
                prompt_tokens=prompt_tokens,
                completion_tokens=len(tokens),
                latency_seconds=seconds,
                revision=self.revision,
                scores=self._first_tokens(scores, index, tokens, text),
            )
            for index, (row, text, (tokens, reason), prompt_tokens) in enumerate(
                zip(batch.rows, texts, answers, prompts, strict=True)
            )
        ]

    def _first_tokens(
        self, scores: TokenScores, row: int, tokens: Sequence[int], text: str
    ) -> Scores | None:
        if not self._is_scored:
            return None
        content = scores.of_row(row, tokens, self._spelling)
        return first_tokens(content, text, self._settings.get(REASONING))

    def _scored(self, batch: Batch) -> Reply:
        """Return the likeliest of the options of the batch's one request, with what all of them have."""
        started = time.perf_counter()
        (row,) = batch.rows
        known = self._texts.scored(self._inputs(batch), self._options, row.request.options)
        best = max(known, key=lambda each: each["logprob"])
        return Reply(
            row.request.number,
            best["text"],
            repeat=row.repeat,
            prompt_tokens=int(batch.inputs["attention_mask"].sum()),
            completion_tokens=best["tokens"],
            latency_seconds=time.perf_counter() - started,
            revision=self.revision,
            scores={OPTIONS: known},
        )

    def _inputs(self, batch: Batch) -> dict[str, Any]:
        """Return what the model takes for a batch, with what is known of its images already."""
        known: dict[str, Any] | None = None
        if self._prefixes is not None:
            known = self._prefixes.inputs(batch)
        if known is not None:
            return known
        inputs = dict(batch.inputs)
        pictures = [picture for row in batch.rows for picture in row.pictures]
        if self._features is not None and pictures:
            del inputs[PIXELS]
            inputs["mm_encoder_outputs"] = self._features.of(pictures)
        return on_device(inputs, self._model)

    def _free_memory(self) -> None:
        for kept in (self._features, self._prefixes):
            if kept is not None:
                kept.forget()
        # A device that has failed for good fails here as well; each request is to say why it got no answer.
        with suppress(RuntimeError):
            if torch.cuda.is_available():
                torch.cuda.empty_cache()

    def _processors(self, rows: Sequence[Row], scores: TokenScores) -> LogitsProcessorList:
        # First, so that they are the model's own.
        noting = LogitsProcessorList([scores] if self._is_scored else [])
        if self._settings["temperature"] == 0:
            return noting
        seed = self._settings["seed"]
        generators = [answer_generator(seed, row.request, row.repeat) for row in rows]
        return LogitsProcessorList([*noting, *sampling_processors(self._settings, generators)])

    def _ended(self, tokens: Sequence[int]) -> tuple[list[int], str]:
        """Cut an answer after its end, if it has come to one; what follows fills up the batch."""
        for index, token in enumerate(tokens):
            if token in self._ends:
                return list(tokens[: index + 1]), "stop"
        return list(tokens), "length"


def _generation_config(model: Any, tokenizer: Any, settings: Mapping[str, Any]) -> Any:
    """Return the checkpoint's own configuration of generation, with its sampling replaced by ours.

    End tokens and penalties stay the checkpoint's.
    """
    config = copy.deepcopy(model.generation_config)
    config.update(
        do_sample=False,
        num_beams=1,
        num_return_sequences=1,
        temperature=None,
        top_p=None,
        top_k=None,
        typical_p=None,
        min_p=None,
        max_length=None,
        max_new_tokens=settings["max_new_tokens"],
        use_cache=True,
        return_dict_in_generate=False,
    )
    if config.eos_token_id is None:
        config.eos_token_id = tokenizer.eos_token_id
    config.pad_token_id = tokenizer.pad_token_id
    return config


def _ends(config: Any) -> frozenset[int]:
    ends = config.eos_token_id
    if ends is None:
        return frozenset()
    return frozenset([ends] if isinstance(ends, int) else ends)


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
    max_rows = 1 if is_single else settings["batch_size"]

    def answer(requests: Iterable[Request]) -> Iterator[Reply | Failure]:
        with Pipeline(processor, images, settings, room) as pipeline:
            for batch in pipeline.batches(requests, max_rows):
                for outcome in generator.replies(batch, pipeline):
                    if isinstance(outcome, Reply):
                        outcome = without_unfinished(outcome, opening, settings)
                    yield outcome

    return answer


def _longest_prompt(config: Any, settings: Mapping[str, Any]) -> int | None:
    """Return how many tokens a prompt may have, so that an answer fits behind it; None if the model does not say."""
    positions = getattr(config.get_text_config(), "max_position_embeddings", None)
    return None if positions is None else positions - settings["max_new_tokens"]
