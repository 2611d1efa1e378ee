"""What tokens cost, as models' entries say."""

from collections.abc import Mapping
from typing import Any

from afterimage.contract.model import ModelEntry
from afterimage.models.openai_compatible.options import CACHE, ONLINE, PRICE_FACTORS
from afterimage.planning.plan import Plan

_PRICES = ("price_per_million_input", "price_per_million_output")


def prices_of(plan: Plan, model: str) -> dict[str, Any]:
    """Return what a model of the study costs: ``prices``, their ``currency`` and the ``mode`` that they are for."""
    # The cost of recorded answers is unknown.
    is_free = model in plan.responders and model not in plan.recorded
    return entry_prices(plan.models[model], is_free)


def price_of(entry: ModelEntry) -> list[float] | None:
    """Return what a million of a model's tokens cost, by kind; None if its entry does not say.

    Returns:
        Of tokens of prompts, of answers, and of those of prompts that are read from and written to a cache.
    """
    known = entry_prices(entry, is_free=False)
    if (prices := known["prices"]) is None:
        return None
    return [*prices, *known.get("cache_prices", [prices[0]] * len(CACHE))]


def entry_prices(entry: ModelEntry, is_free: bool) -> dict[str, Any]:
    """Return what a million tokens of prompts and of answers cost; None if the entry does not say."""
    client = entry.client
    named = [client[key] for key in _PRICES if key in client]
    if is_free or len(named) < len(_PRICES):
        return {"mode": None, "currency": "", "prices": [0.0, 0.0] if is_free else None}
    mode = client.get("mode", ONLINE)
    return {
        "mode": mode,
        "currency": entry.currency,
        "prices": [price * PRICE_FACTORS[mode] for price in named],
        **_cache_prices(client, PRICE_FACTORS[mode]),
    }


def _cache_prices(client: Mapping[str, Any], factor: float) -> dict[str, Any]:
    """Return what a million prompt tokens cost that are read from and written to a cache, where the entry says so."""
    named = [client.get(f"price_per_million_{kind}") for kind in CACHE]
    if named == [None, None]:
        return {}
    other = client[_PRICES[0]]
    return {"cache_prices": [(other if price is None else price) * factor for price in named]}
