"""Sampling whose random numbers belong to the answer, not to the batch in which it is given."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from transformers import (
    LogitsProcessor,
    LogitsProcessorList,
    TemperatureLogitsWarper,
    TopKLogitsWarper,
    TopPLogitsWarper,
)

from afterimage.models.interface import Request


def answer_generator(seed: int, request: Request, repeat: int) -> np.random.Generator:
    """Return the source of random numbers for one answer, by what is asked and which repeat it is."""
    identity = hashlib.sha256(f"{seed} {request.sha256} {repeat}".encode()).digest()
    return np.random.default_rng(int.from_bytes(identity))


def sampling_processors(
    settings: Mapping[str, Any], generators: Sequence[np.random.Generator]
) -> LogitsProcessorList:
    """Return what turns the greatest score of each row into a sample.

    Args:
        settings: ``temperature`` (above 0), ``top_p`` and ``top_k`` (None for no limit).
        generators: One for each row of the batch.
    """
    steps: list[LogitsProcessor] = [TemperatureLogitsWarper(float(settings["temperature"]))]
    if settings["top_k"] is not None:
        steps.append(TopKLogitsWarper(settings["top_k"]))
    if settings["top_p"] is not None:
        steps.append(TopPLogitsWarper(float(settings["top_p"])))
    return LogitsProcessorList([*steps, SeededChoice(generators)])


class SeededChoice(LogitsProcessor):
    """Leaves one token of each row, drawn by its probability with one random number of the row's own generator."""

    def __init__(self, generators: Sequence[np.random.Generator]) -> None:
        """Take one generator for each row."""
        self._generators = generators

    def __call__(self, input_ids: torch.LongTensor, scores: torch.FloatTensor) -> torch.FloatTensor:
        """Return scores (rows, tokens) that are -inf for all but the drawn tokens."""
        # Double precision: over a large vocabulary, single precision would shift the bounds between tokens.
        heap = scores.double().softmax(-1).cumsum(-1)
        drawn = torch.tensor(
            [generator.random() for generator in self._generators], dtype=heap.dtype
        ).to(heap.device)
        token = torch.searchsorted(heap, (drawn * heap[:, -1])[:, None], right=True)
        token = token.clamp(max=scores.shape[-1] - 1)
        return torch.full_like(scores, -torch.inf).scatter(-1, token, 0.0)
