"""Which models of a study are one model at several efforts, and what the table about that depends on."""

from typing import Any

from afterimage.planning.asking import prices_of
from afterimage.planning.plan import Plan
from afterimage.planning.stage_parts import told_readers


def thinking_models(plan: Plan) -> list[str]:
    """Return the models whose family has several efforts in this study, in the order of the study."""
    efforts: dict[str, set[str | int | None]] = {}
    for name, entry in plan.models.items():
        efforts.setdefault(entry.family or name, set()).add(entry.effort)
    return [name for name, entry in plan.models.items() if len(efforts[entry.family or name]) > 1]


def thinking_spec(plan: Plan) -> dict[str, Any]:
    """Return what the table of efforts depends on, the answers apart."""
    return {
        "confidence": plan.statistics["confidence"],
        "models": {
            name: {
                "effort": plan.models[name].effort,
                "family": plan.models[name].family or name,
                **prices_of(plan, name),
            }
            for name in thinking_models(plan)
        },
        **told_readers(plan),
    }
