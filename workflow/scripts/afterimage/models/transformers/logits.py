"""What is made of a model's scores of next tokens: log-probabilities, and the choice of a token.

Log-probabilities are of an answer's tokens while it is generated, and of given texts in place of an answer. They are
natural logarithms of the model's own probabilities, before temperature, ``top_p`` and ``top_k``; penalties that the
checkpoint's configuration names are in them.
"""

import copy
import hashlib
import logging
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
from transformers.cache_utils import DynamicCache, DynamicLayer

from afterimage.contract.scores import MAX_ALTERNATIVES
from afterimage.models.interface import Request

_BYTE = re.compile(r"<0x([0-9A-Fa-f]{2})>")
_ANCHOR = "a"
#: Log-probabilities of one token that count as the same, by the weights' type; sums are rounded in another order.
_CLOSE = {torch.float32: 1e-3}
_CLOSE_IN_HALVES = 0.1

logger = logging.getLogger(__name__)


class TokenScores(LogitsProcessor):
    """Keeps the likeliest tokens of each step, and what was taken; changes nothing."""

    def __init__(self) -> None:
        self._steps: list[tuple[torch.Tensor, torch.Tensor]] = []
        self._taken: list[torch.Tensor] = []
        self._last: torch.Tensor | None = None

    def __call__(self, input_ids: torch.LongTensor, scores: torch.FloatTensor) -> torch.FloatTensor:
        """Note scores (rows, tokens) and return them as they are."""
        self._note(input_ids[:, -1])
        self._last = scores.float().log_softmax(-1)
        most = min(MAX_ALTERNATIVES, scores.shape[-1])
        values, tokens = self._last.topk(most)
        self._steps.append((values.cpu(), tokens.cpu()))
        return scores

    def _note(self, tokens: torch.Tensor) -> None:
        if self._last is not None:
            self._taken.append(self._last.gather(1, tokens[:, None])[:, 0].cpu())

    def of_row(self, row: int, tokens: Sequence[int], spelling: "Spelling") -> list[dict[str, Any]]:
        """Return an answer's tokens in the form of OpenAI's ``logprobs``; :meth:`finish` comes first."""
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
    return signs | {chr(256 + index): value for index, value in enumerate(others)}


class TextScorer:
    """Gives the log-probabilities of texts as continuations of a prompt, which is gone through once.

    The texts continue the prompt in one row, in which no token sees those of another text, so that the prompt is kept
    once. Not every model takes such a row: the first texts of which two have several tokens are scored in both ways,
    and where these differ, each text gets a row of its own from then on.
    """

    def __init__(self, model: Any, tokenizer: Any) -> None:
        self._model = model
        self._tokenizer = tokenizer
        self._known: dict[str, list[int]] = {}
        self._in_one_row: bool | None = None

    @torch.inference_mode()
    def scored(
        self, inputs: Mapping[str, Any], config: Any, texts: Sequence[str]
    ) -> list[dict[str, Any]]:
        """Return each text's log-probability.

        Args:
            inputs: One prompt, without padding, as ``generate`` takes it.
            config: How the model generates.

        Returns:
            For each text ``text``, ``logprob`` and ``tokens``, how many it takes.
        """
        begun = self._model.generate(
            **inputs,
            generation_config=config,
            max_new_tokens=1,
            return_dict_in_generate=True,
            output_logits=True,
        )
        first = begun.logits[0][0].float().log_softmax(-1)
        ways = [[self._tokens(f"{blank}{text}") for text in texts] for blank in ("", " ")]
        # Whether a blank stands in front is the chat template's matter; whichever the model expects.
        tokens = max(
            ways, key=lambda way: float(first[sorted({ids[0] for ids in way})].exp().sum())
        )
        sums = [float(first[ids[0]]) for ids in tokens]
        if max(map(len, tokens)) > 1:
            following = self._following(begun.past_key_values, tokens)
            # Double precision: a long text is many terms.
            sums = [
                start + float(rest.double().sum())
                for start, rest in zip(sums, following, strict=True)
            ]
        return [
            {"text": text, "logprob": total, "tokens": len(ids)}
            for text, total, ids in zip(texts, sums, tokens, strict=True)
        ]

    def _following(self, cache: Any, tokens: Sequence[Sequence[int]]) -> Sequence[torch.Tensor]:
        """Return the log-probabilities of each text's tokens but the first one."""
        # One text alone has no other one to see.
        if self._in_one_row is None and sum(len(ids) > 1 for ids in tokens) > 1:
            self._in_one_row = self._takes_one_row(copy.deepcopy(cache), tokens)
        way = one_row if self._in_one_row else one_row_each
        return way(self._model, cache, tokens)

    def _takes_one_row(self, cache: Any, tokens: Sequence[Sequence[int]]) -> bool:
        # Other caches keep a window of tokens, a state, or an encoder's output.
        if not isinstance(cache, DynamicCache) or any(
            type(layer) is not DynamicLayer for layer in cache.layers
        ):
            return False
        close = _CLOSE.get(self._model.dtype, _CLOSE_IN_HALVES)
        each = one_row_each(self._model, copy.deepcopy(cache), tokens)
        try:
            shared = one_row(self._model, cache, tokens)
        except (RuntimeError, TypeError, ValueError) as error:
            logger.info("options are scored in rows of their own: %s", error)
            return False
        differences = torch.cat(each) - torch.cat(shared)
        return bool((differences.abs() <= close).all())

    def _tokens(self, text: str) -> list[int]:
        if text not in self._known:
            tokens = self._tokenizer.encode(text, add_special_tokens=False)
            if not tokens:
                raise ValueError(f"the tokenizer makes nothing of the option '{text}'")
            self._known[text] = tokens
        return self._known[text]


def one_row(model: Any, cache: Any, texts: Sequence[Sequence[int]]) -> list[torch.Tensor]:
    """Return the log-probabilities of texts' tokens but the first, all texts behind each other in one row.

    Args:
        cache: Keys and values of the prompt; the texts' come to it.
    """
    lengths = [len(text) - 1 for text in texts]
    given = [token for text in texts for token in text[:-1]]
    depths = torch.cat([torch.arange(length) for length in lengths])
    owner = torch.repeat_interleave(torch.arange(len(texts)), torch.tensor(lengths))
    is_seen = (owner[:, None] == owner) & (depths[:, None] >= depths)
    before = cache.get_seq_length()
    hidden = torch.zeros(is_seen.shape).masked_fill(~is_seen, torch.finfo(model.dtype).min)
    mask = torch.cat([torch.zeros(len(given), before), hidden], dim=1)
    row = torch.tensor([given], device=model.device)
    # Images may take fewer positions than tokens, which the model alone knows.
    positions = model._prepare_position_ids_for_generation(row, {"past_key_values": cache})
    logits = model(
        input_ids=row,
        past_key_values=cache,
        attention_mask=mask[None, None].to(device=model.device, dtype=model.dtype),
        position_ids=positions[..., before + depths.to(positions.device)],
        use_cache=True,
    ).logits[0]
    wanted = torch.tensor([token for text in texts for token in text[1:]], device=logits.device)
    following = logits.float().log_softmax(-1).gather(1, wanted[:, None])[:, 0].cpu()
    return list(following.split(lengths))


def one_row_each(model: Any, cache: Any, texts: Sequence[Sequence[int]]) -> list[torch.Tensor]:
    """Return what :func:`one_row` does, of a batch with a row for each text."""
    longest = max(map(len, texts))
    cache.batch_repeat_interleave(len(texts))
    given = torch.zeros((len(texts), longest - 1), dtype=torch.long, device=model.device)
    for row, text in enumerate(texts):
        given[row, : len(text) - 1] = torch.tensor(text[:-1])
    logits = model(input_ids=given, past_key_values=cache, use_cache=True).logits.float()
    following = logits.log_softmax(-1).cpu()
    return [
        following[row, torch.arange(len(text) - 1), torch.tensor(text[1:], dtype=torch.long)]
        for row, text in enumerate(texts)
    ]


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
