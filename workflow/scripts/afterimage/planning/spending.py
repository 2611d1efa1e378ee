"""A study's ``max_cost``, shared out to the models that cost something.

Jobs run at the same time, on computers that need not know of each other; so each model gets a part in advance, as each
job gets a part of its model's, and their sum is never exceeded, whoever asks first.
"""

from collections.abc import Mapping
from dataclasses import replace

from afterimage.contract.model import ModelEntry
from afterimage.errors import config_key, fault

_API = "openai_compatible"
_PRICES = ("price_per_million_input", "price_per_million_output")
#: Tokens that a prompt with its image is taken to have when parts are measured out; no number in a result rests on it.
_PROMPT_TOKENS = 1000


def limited(models: Mapping[str, ModelEntry], most: float | None) -> dict[str, ModelEntry]:
    """Return the models with their parts of the study's limit as ``max_cost``, where their own is not lower.

    Parts are as the most that a request of each may cost, times its repeats.

    Args:
        models: Name to complete entry, the judge among them.
        most: What all answers may cost; None for any sum.

    Raises:
        AfterimageError: What a model behind an API may cost is not known.
    """
    if most is None:
        return dict(models)
    highest = {name: _highest(entry) for name, entry in models.items() if entry.backend == _API}
    total = sum(highest.values())
    return {
        name: _with_limit(entry, most * highest[name] / total) if highest.get(name) else entry
        for name, entry in models.items()
    }


def _with_limit(entry: ModelEntry, part: float) -> ModelEntry:
    return replace(
        entry, client={**entry.client, "max_cost": min(part, entry.client.get("max_cost", part))}
    )


def _highest(entry: ModelEntry) -> float:
    """Return what an item may cost at most, in millionths."""
    tokens = entry.settings.get("max_tokens") or entry.settings.get("max_completion_tokens")
    lacking = [
        *(key for key in _PRICES if key not in entry.client),
        *([] if tokens else ["max_tokens (or max_completion_tokens)"]),
    ]
    if lacking:
        raise fault(
            config_key("max_cost"),
            f"model '{entry.name}' has no {lacking[0]} in its entry; expected it of every model "
            "behind an API, since what cannot be reckoned cannot be limited (prices of 0 where it costs nothing).",
        )
    per_prompt, per_answer = (entry.client[key] for key in _PRICES)
    per_prompt = max(per_prompt, entry.client.get("price_per_million_cache_written", 0))
    repeats: int = entry.settings.get("repeats", 1)
    return float(repeats * (_PROMPT_TOKENS * per_prompt + tokens * per_answer))
