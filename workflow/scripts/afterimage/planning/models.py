"""What of a model's entry bears on which job: plain values. Read whenever a plan is made: nothing slow."""

from collections.abc import Iterable, Mapping
from typing import Any

from afterimage.models.openai_compatible.options import ONLINE, PRICE_FACTORS

Entry = Mapping[str, Any]


def answering(entry: Entry) -> dict[str, Any]:
    """Return what can change a model's answers; resources and shard size cannot."""
    return {key: entry[key] for key in ("backend", "model_id", "revision", "settings")}


def seeing(entry: Entry) -> dict[str, Any]:
    """Return what bears on what a model gets to see: its checkpoint and what its processor is told."""
    told = {key: entry["settings"][key] for key in ("chat_template", "processor")}
    return {**answering(entry), "settings": told}


def weights(entry: Entry) -> dict[str, Any]:
    """Return which weights are fetched."""
    return {key: entry[key] for key in ("model_id", "revision")}


def cost_spec(
    entries: Mapping[str, Entry],
    judge: Mapping[str, Any] | None,
    responders: Iterable[str],
    recorded: Iterable[str],
) -> dict[str, Any]:
    """Return what the table of costs depends on, the answers apart.

    Args:
        entries: All models, in the order of the table.
        judge: Its ``name`` and ``entry``, if there is one.
        responders: Models that answer at once and for nothing.
        recorded: Models of which nobody knows here what they cost.
    """
    at_once, elsewhere = set(responders), set(recorded)
    models = [
        {
            "by_item": name in at_once,
            "name": name,
            **_prices(entry, is_free=name in at_once - elsewhere),
        }
        for name, entry in entries.items()
    ]
    if judge is None:
        return {"judge": None, "models": models}
    asked = {"by_item": False, "name": judge["name"], **_prices(judge["entry"], is_free=False)}
    return {"judge": asked, "models": models}


def _prices(entry: Entry, is_free: bool) -> dict[str, Any]:
    """Return what a million tokens of prompts and of answers cost; None where the entry does not say."""
    own = entry["client"]
    named = [own.get(f"price_per_million_{kind}") for kind in ("input", "output")]
    if is_free or None in named:
        return {"mode": None, "prices": [0.0, 0.0] if is_free else None}
    mode = own.get("mode", ONLINE)
    return {"mode": mode, "prices": [price * PRICE_FACTORS[mode] for price in named]}
