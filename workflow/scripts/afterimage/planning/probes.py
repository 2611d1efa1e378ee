"""What probes of a suite's items depend on (docs/knowledge.md). Read whenever a plan is made: nothing slow."""

from collections.abc import Sequence
from typing import Any

from afterimage.planning.plan import Plan


def probes_spec(plan: Plan, suite: str, figures: Sequence[str]) -> dict[str, Any]:
    """Return what probes of these figures' items depend on; nothing at all where none are asked for."""
    if suite not in plan.probes:
        return {}
    probes = plan.probes[suite]
    words = plan.studied[suite].probe_words(figures) if probes["text_only"] else {}
    return {"probes": {**probes, "words": words}}


def probe_modules(plan: Plan, suite: str) -> list[str]:
    """Return the modules that make the kinds of probes that are asked for."""
    asked = plan.probes.get(suite)
    if asked is None:
        return []
    kinds = {
        "option_order": asked["option_orders"],
        "without_image": asked["text_only"] or asked["blank"],
    }
    wanted = ["deriving", *(name for name, is_asked in kinds.items() if is_asked)]
    return [f"afterimage.items.{name}" for name in wanted]
