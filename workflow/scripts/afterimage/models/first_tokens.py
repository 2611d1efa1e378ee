"""Log-probabilities of an answer's first tokens, from OpenAI's ``logprobs`` to the journal's form."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from afterimage.contract.scores import FIRST_TOKEN, MAX_ALTERNATIVES, MAX_TOKENS, Scores
from afterimage.grading.probabilities import token_bytes
from afterimage.grading.reasoning import split

# Rounding may give probabilities that exceed 1 by this much.
_ROUNDING = 1e-3
_LONGEST_TOKEN = 300
_TORN = "\N{REPLACEMENT CHARACTER}".encode()


def first_tokens(content: object, text: str, reasoning: Any = None) -> Scores | None:
    """Return the scores of the answer's first tokens, after any reasoning; None if none can be used.

    Args:
        content: The tokens of the whole reply: a list of mappings with ``token``, ``logprob``, perhaps ``bytes`` and
            ``top_logprobs``. It comes from a server and may be anything.
        reasoning: The entry's setting of this name: how to separate reasoning from the answer.
    """
    if not isinstance(content, Sequence) or isinstance(content, str) or not content:
        return None
    # All tokens are needed to find the answer's start; few are kept.
    tokens = [token for token in map(_token, content) if token is not None]
    answer = split(text, reasoning).answer
    if not answer or len(tokens) < len(content):
        return None
    start = _start([token_bytes(each) for each in tokens], answer)
    kept = [] if start is None else tokens[start : start + MAX_TOKENS]
    if not any(each["logprob"] is not None for each in kept):
        return None
    # Probabilities that sum to more than 1 are no distribution; their meaning is unknown.
    return {FIRST_TOKEN: kept} if all(map(_is_distribution, kept)) else None


def _token(given: object) -> dict[str, Any] | None:
    kept = _alternative(given)
    if kept is None or not isinstance(given, Mapping):
        return None
    top = given.get("top_logprobs")
    listed = top if isinstance(top, Sequence) and not isinstance(top, str) else ()
    known = filter(None, map(_alternative, listed))
    return {**kept, "top": list(known)[:MAX_ALTERNATIVES]}


def _alternative(given: object) -> dict[str, Any] | None:
    if not isinstance(given, Mapping) or not isinstance(given.get("token"), str):
        return None
    kept = {
        "token": given["token"][:_LONGEST_TOKEN],
        "logprob": _log_probability(given.get("logprob")),
    }
    raw_bytes = given.get("bytes")
    if isinstance(raw_bytes, list) and all(_is_byte(each) for each in raw_bytes):
        kept["bytes"] = raw_bytes[:_LONGEST_TOKEN]
    return kept


def _is_byte(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 255


def _log_probability(value: object) -> float | None:
    """Return a log-probability; None if it is not a number, NaN, infinite, or above 0."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return min(float(value), 0.0) if value <= _ROUNDING else None


def _is_distribution(token: Mapping[str, Any]) -> bool:
    return sum(probabilities(token["top"])) <= 1 + _ROUNDING * (1 + len(token["top"]))


def probabilities(tokens: Iterable[Mapping[str, Any]]) -> Iterable[float]:
    """Yield the probabilities of tokens, as far as they are known."""
    return (math.exp(each["logprob"]) for each in tokens if each["logprob"] is not None)


def _start(tokens: Sequence[bytes], answer: str) -> int | None:
    """Return the index of the answer's first token; None if the tokens do not spell the answer."""
    whole, target = b"".join(tokens), answer.strip().encode(errors="replace")
    answer_start = whole.rfind(target)
    if answer_start < 0 and _TORN in whole:
        # Parts of characters came as texts, so that the answer cannot be found in them.
        return 0
    if answer_start < 0 or not target:
        return None
    passed = 0
    for index, token in enumerate(tokens):
        passed += len(token)
        if passed > answer_start:
            return index
    return None
