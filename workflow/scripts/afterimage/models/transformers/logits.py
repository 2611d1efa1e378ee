"""What is made of a model's scores of next tokens: log-probabilities, and the choice of a token.

Log-probabilities are of an answer's tokens while it is generated, and of given texts in place of an answer. They are
natural logarithms of the model's own probabilities, before temperature, ``top_p`` and ``top_k``; penalties that the
checkpoint's configuration names are in them.
"""

import hashlib
import re
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

from afterimage.contract.scores import MOST_ALTERNATIVES
from afterimage.models.interface import Request

_BYTE = re.compile(r"<0x([0-9A-Fa-f]{2})>")
_ANCHOR = "a"


class TokenScores(LogitsProcessor):
    """Keeps the likeliest tokens of each step, and what was taken; changes nothing."""

    def __init__(self) -> None:
        """Keep nothing yet."""
        self._steps: list[tuple[torch.Tensor, torch.Tensor]] = []
        self._taken: list[torch.Tensor] = []
        self._last: torch.Tensor | None = None

    def __call__(self, input_ids: torch.LongTensor, scores: torch.FloatTensor) -> torch.FloatTensor:
        """Note scores (rows, tokens) and return them as they are."""
        self._note(input_ids[:, -1])
        self._last = scores.float().log_softmax(-1)
        most = min(MOST_ALTERNATIVES, scores.shape[-1])
        values, tokens = self._last.topk(most)
        self._steps.append((values.cpu(), tokens.cpu()))
        return scores

    def _note(self, tokens: torch.Tensor) -> None:
        if self._last is not None:
            self._taken.append(self._last.gather(1, tokens[:, None])[:, 0].cpu())

    def of_row(self, row: int, tokens: Sequence[int], spelling: "Spelling") -> list[dict[str, Any]]:
        """Return an answer's tokens in the form of OpenAI's ``logprobs``; :meth:`finish` comes first.

        Args:
            row: Of the batch.
            tokens: The answer's, by id.
            spelling: What they are as text.
        """
        return [
            {
                **spelling.of(token),
                "logprob": float(self._taken[step][row]),
                "top_logprobs": [
                    {**spelling.of(other), "logprob": value}
                    for value, other in zip(
                        *(part[row].tolist() for part in self._steps[step]), strict=True
                    )
                ],
            }
            for step, token in enumerate(tokens)
        ]

    def finish(self, sequences: torch.Tensor) -> None:
        """Take the last tokens of what was generated, (rows, positions)."""
        self._note(sequences[:, -1])


class Spelling:
    """What each token of a tokenizer adds to a text; worked out once."""

    def __init__(self, tokenizer: Any) -> None:
        """Take the tokenizer."""
        self._tokenizer = tokenizer
        self._anchor = tokenizer.encode(_ANCHOR, add_special_tokens=False)
        self._before = len(self._decoded([]))
        self._special = set(tokenizer.all_special_ids)
        self._known: dict[int, dict[str, Any]] = {}
        self._bytes = _byte_level()

    def of(self, token: int) -> dict[str, Any]:
        """Return a token's ``token`` and, where it is a part of a character, its ``bytes``."""
        if token not in self._known:
            self._known[token] = self._spelled(token)
        return self._known[token]

    def _spelled(self, token: int) -> dict[str, Any]:
        piece = self._tokenizer.convert_ids_to_tokens(token)
        if token in self._special or piece is None:
            return {"token": piece or ""}
        text = self._decoded([token])[self._before :]
        if "\N{REPLACEMENT CHARACTER}" not in text:
            return {"token": text}
        byte = _BYTE.fullmatch(piece)
        if byte:
            return {"token": text, "bytes": [int(byte[1], 16)]}
        if all(sign in self._bytes for sign in piece):
            return {"token": text, "bytes": [self._bytes[sign] for sign in piece]}
        return {"token": text}

    def _decoded(self, tokens: Sequence[int]) -> str:
        # Behind another one: at the beginning of a text some tokenizers drop a token's blank.
        text: str = self._tokenizer.decode(
            [*self._anchor, *tokens], clean_up_tokenization_spaces=False
        )
        return text


def _byte_level() -> dict[str, int]:
    """Return the signs of byte-level BPE: printable ones of Latin-1 for themselves, the others from U+0100 on."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [value for value in range(256) if value not in plain]
    signs = {chr(value): value for value in plain}
    return signs | {chr(256 + place): value for place, value in enumerate(others)}


@torch.inference_mode()
def scored_texts(
    model: Any, tokenizer: Any, inputs: Mapping[str, Any], config: Any, texts: Sequence[str]
) -> list[dict[str, Any]]:
    """Return each text's log-probability as the continuation of one prompt, which is gone through once.

    Args:
        model: The vision-language model.
        tokenizer: Its tokenizer.
        inputs: One prompt, without padding, as ``generate`` takes it.
        config: How the model generates.
        texts: The texts.

    Returns:
        For each text ``text``, ``logprob`` and ``tokens``, how many it takes.
    """
    begun = model.generate(
        **inputs,
        generation_config=config,
        max_new_tokens=1,
        return_dict_in_generate=True,
        output_logits=True,
    )
    first = begun.logits[0][0].float().log_softmax(-1)
    ways = [[_tokens(tokenizer, f"{blank}{text}") for text in texts] for blank in ("", " ")]
    # Whether a blank stands in front is the chat template's matter; whichever the model expects.
    tokens = max(ways, key=lambda way: float(first[sorted({own[0] for own in way})].exp().sum()))
    sums = [float(first[own[0]]) for own in tokens]
    longest = max(map(len, tokens))
    if longest > 1:
        cache = begun.past_key_values
        cache.batch_repeat_interleave(len(texts))
        given = torch.zeros((len(texts), longest - 1), dtype=torch.long, device=model.device)
        for row, own in enumerate(tokens):
            given[row, : len(own) - 1] = torch.tensor(own[:-1])
        logits = model(input_ids=given, past_key_values=cache, use_cache=True).logits.float()
        behind = logits.log_softmax(-1)
        for row, own in enumerate(tokens):
            places = torch.arange(len(own) - 1)
            # Double precision: a long text is many terms.
            sums[row] += float(
                behind[row, places, torch.tensor(own[1:], dtype=torch.long)].double().sum()
            )
    return [
        {"text": text, "logprob": total, "tokens": len(own)}
        for text, total, own in zip(texts, sums, tokens, strict=True)
    ]


def _tokens(tokenizer: Any, text: str) -> list[int]:
    tokens: list[int] = tokenizer.encode(text, add_special_tokens=False)
    if not tokens:
        raise ValueError(f"the tokenizer makes nothing of the option '{text}'")
    return tokens


# ---- sampling ----
#
# Random numbers belong to the answer, not to the batch in which it is given.


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
